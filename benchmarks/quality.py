"""Quality figures: each function takes a scene and a state and returns a number.

They are computed from poses, equally for all engines.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks.geometry import overlaps
from benchmarks.scene import FloatArray, Pin, Point, Scene, State


def deepest_overlap(scene: Scene, state: State) -> float:
    """Return the deepest overlap of any two bodies [cm]."""
    return 100.0 * float(overlaps(scene, state.poses).max(initial=0.0))


def mean_overlap(scene: Scene, state: State) -> float:
    """Return the mean overlap of all pairs that overlap [cm]."""
    depth = overlaps(scene, state.poses)
    return 100.0 * float(depth.mean()) if len(depth) else 0.0


def rms_speed(scene: Scene, state: State) -> float:
    """Return the root of the mean squared speed, from the displacements in the last frame [mm/s]."""
    moved = (state.poses - state.poses_before)[:, :2] / scene.dt
    return 1000.0 * float(np.sqrt((moved**2).sum(axis=1).mean()))


def top_moved_sideways(scene: Scene, state: State) -> float:
    """Return the sideways displacement of the body that was highest [cm]."""
    start = scene.start_poses
    top = int(start[:, 1].argmax())
    return 100.0 * abs(float(state.poses[top, 0] - start[top, 0]))


def bodies_out_of_place(scene: Scene, state: State) -> float:
    """Return the number of bodies more than 0.5 m from their start: 0 for a pyramid that stands."""
    moved = (state.poses - scene.start_poses)[:, :2]
    return float((np.hypot(moved[:, 0], moved[:, 1]) > 0.5).sum())


def kinetic_energy_kept(scene: Scene, state: State) -> float:
    """Return the linear kinetic energy of equal bodies [% of the start].

    Velocities are those of the engine: displacements over a frame would mix velocities before and after an impact.
    """
    return 100.0 * float((state.velocities[:, :2] ** 2).sum() / (scene.start_velocities**2).sum())


def bodies_lost(scene: Scene, state: State) -> float:
    """Return the number of bodies that left the bounds of the scene or have no finite pose."""
    if scene.bounds is None:
        return float(np.isnan(state.poses).any(axis=1).sum())
    x0, y0, x1, y1 = scene.bounds
    x, y = state.poses[:, 0], state.poses[:, 1]
    return float((~((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))).sum())


def widest_gap(scene: Scene, state: State) -> float:
    """Return the greatest distance of the two sides of a pin [cm]."""
    return 100.0 * max(_gap(pin, scene.start_poses, state.poses) for pin in scene.pins)


def _gap(pin: Pin, start: FloatArray, poses: FloatArray) -> float:
    """Return the distance of the two sides of a pin [m]."""
    anchor_a, anchor_b = pin.anchors(start)
    at_a = _outward(poses[pin.a], anchor_a)
    at_b = anchor_b if pin.b is None else _outward(poses[pin.b], anchor_b)
    return math.dist(at_a, at_b)


def _outward(pose: FloatArray, anchor: Point) -> Point:
    """Return an anchor in world coordinates [m]."""
    x, y, angle = pose.tolist()
    c, s = math.cos(angle), math.sin(angle)
    return x + c * anchor[0] - s * anchor[1], y + s * anchor[0] + c * anchor[1]
