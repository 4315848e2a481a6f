"""Boxes in a square drum that turns: a benchmark of Box2D. The walls are long, kinematic and oblique."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.quality import bodies_lost, deepest_overlap
from benchmarks.scene import Box, Check, Compound, Scene, moving_group, turning_group

SPEED = math.radians(25.0)  # rad/s
HALF = 10.0  # m, from the drum's middle to that of a wall
DRUM = Compound.of_boxes(
    (HALF, 0.0, 1.0, 2.0 * HALF),
    (-HALF, 0.0, 1.0, 2.0 * HALF),
    (0.0, HALF, 2.0 * HALF, 1.0),
    (0.0, -HALF, 2.0 * HALF, 1.0),
)
APART = 0.4  # m between the middles of boxes
FARTHEST = math.hypot(HALF, HALF)  # m from the middle, in a corner


def tumbler(side: int = 45) -> Scene:
    """Return ``side`` times ``side`` small boxes in the drum."""
    along = APART * (np.arange(side) - 0.5 * (side - 1))
    x, y = np.meshgrid(along, along)
    return Scene(
        name="tumbler" if side > 20 else "tumbler20",
        title=f"tumbler with {side**2:,} boxes",
        groups=(
            moving_group((Box(0.25, 0.25),), np.column_stack((x.ravel(), y.ravel()))),
            turning_group(DRUM, 0.0, 0.0, SPEED),
        ),
        warmup=120,
        frames=240,
        checks=(
            Check("deepest overlap of boxes", "cm", 360, deepest_overlap),
            Check("lost", "bodies", 360, bodies_lost),
        ),
        bounds=(-FARTHEST, -FARTHEST, FARTHEST, FARTHEST),
    )
