"""The quality figures: each takes a scene and a state and returns one number.

They are computed here from poses, alike for all engines, so that no engine marks its own homework.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks.geometry import overlaps
from benchmarks.scene import FloatArray, Pin, Point, Scene, State


def deepest_overlap(scene: Scene, state: State) -> float:
    """The deepest overlap of any two bodies, in cm."""
    return 100.0 * float(overlaps(scene, state.poses).max(initial=0.0))


def mean_overlap(scene: Scene, state: State) -> float:
    """The mean overlap of all pairs that overlap, in cm."""
    depth = overlaps(scene, state.poses)
    return 100.0 * float(depth.mean()) if len(depth) else 0.0


def rms_speed(scene: Scene, state: State) -> float:
    """The root of the mean squared speed, in mm/s, from how far the bodies went in the last frame."""
    moved = (state.poses - state.poses_before)[:, :2] / scene.dt
    return 1000.0 * float(np.sqrt((moved**2).sum(axis=1).mean()))


def top_moved_sideways(scene: Scene, state: State) -> float:
    """How far the body that was highest has gone sideways, in cm."""
    start = scene.start_poses
    top = int(start[:, 1].argmax())
    return 100.0 * abs(float(state.poses[top, 0] - start[top, 0]))


def bodies_out_of_place(scene: Scene, state: State) -> float:
    """How many bodies are more than 0.5 m from where they began: none of a pyramid that stands."""
    moved = (state.poses - scene.start_poses)[:, :2]
    return float((np.hypot(moved[:, 0], moved[:, 1]) > 0.5).sum())


def kinetic_energy_kept(scene: Scene, state: State) -> float:
    """The linear kinetic energy of equal bodies, in % of that at the start. Takes the engine's word for velocities,
    as displacements over a frame mix the velocities before and after an impact."""
    return 100.0 * float((state.velocities[:, :2] ** 2).sum() / (scene.start_velocities**2).sum())


def bodies_lost(scene: Scene, state: State) -> float:
    """How many bodies left the bounds of the scene, or have no finite pose."""
    if scene.bounds is None:
        return float(np.isnan(state.poses).any(axis=1).sum())
    x0, y0, x1, y1 = scene.bounds
    x, y = state.poses[:, 0], state.poses[:, 1]
    return float((~((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))).sum())


def widest_gap(scene: Scene, state: State) -> float:
    """How far the two sides of a pin are apart, at most, in cm."""
    return 100.0 * max(_gap(pin, scene.start_poses, state.poses) for pin in scene.pins)


def _gap(pin: Pin, start: FloatArray, poses: FloatArray) -> float:
    anchor_a, anchor_b = pin.anchors(start)
    at_a = _outward(poses[pin.a], anchor_a)
    at_b = anchor_b if pin.b is None else _outward(poses[pin.b], anchor_b)
    return math.dist(at_a, at_b)


def _outward(pose: FloatArray, anchor: Point) -> Point:
    x, y, angle = pose.tolist()
    c, s = math.cos(angle), math.sin(angle)
    return x + c * anchor[0] - s * anchor[1], y + s * anchor[0] + c * anchor[1]
