"""Small bodies in a ring that a long arm stirs: a benchmark of Box2D.

The arm ends short of the ring and jams nothing.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Literal

import numpy as np

from benchmarks.quality import bodies_lost
from benchmarks.scene import (
    Box,
    Capsule,
    Check,
    Circle,
    Group,
    Material,
    Pin,
    Scene,
    Segment,
    moving_group,
    turning_group,
)

RING = 40.0  # m, radius
SEGMENTS = 360  # of the ring
ARM = Box(38.0, 0.8)
ARM_Y = -20.0  # m, middle of the arm
SPEED = 5.0  # rad/s
TORQUE = 40_000.0  # N m
PALETTE = (Capsule((-0.25, 0.0), (0.25, 0.0), 0.25), Circle(0.35), Box(0.7, 0.7))
COLUMNS = 49
FIRST = (-24.0, -18.0)  # m, place of the first body


def spinner(count: int = 998, arm: Literal["kinematic", "motor", "none"] = "kinematic") -> Scene:
    """Return ``count`` bodies and an arm that is kinematic or turned by a motor, or none."""
    index = np.arange(count)
    stirred = moving_group(PALETTE, np.column_stack((index % COLUMNS, index // COLUMNS)) + np.array(FIRST))
    groups: tuple[Group, ...] = (_ring(), stirred)
    pins: tuple[Pin, ...] = ()
    if arm == "kinematic":
        groups += (turning_group(ARM, 0.0, ARM_Y, SPEED),)
    elif arm == "motor":
        groups += (moving_group((ARM,), np.array([[0.0, ARM_Y]])),)
        pins = (Pin(count, None, (0.0, ARM_Y), motor=(-SPEED, TORQUE)),)  # of the world against the arm
    return Scene(
        name="spinner" if arm == "kinematic" else f"spinner_{arm}",
        title=f"spinner with {count} bodies, " + ("no arm" if arm == "none" else f"arm: {arm}"),
        groups=groups,
        pins=pins,
        material=Material(density=0.25, friction=0.1, restitution=0.1),
        warmup=120,
        frames=240,
        checks=(Check("lost", "bodies", 360, bodies_lost),),
        bounds=(-RING, -RING, RING, RING),
    )


def _ring() -> Group:
    """Return the static ring."""
    turns = 2.0 * math.pi / SEGMENTS * np.arange(SEGMENTS + 1)
    corners = [(RING * math.cos(turn), RING * math.sin(turn)) for turn in turns.tolist()]
    segments = tuple(Segment(a, b) for a, b in pairwise(corners))
    return Group(segments, np.zeros((SEGMENTS, 2)), np.arange(SEGMENTS), np.zeros(SEGMENTS))
