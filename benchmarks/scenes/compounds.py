"""Bodies of three boxes each that fall into a container and settle: many pairs of pieces to a pair of bodies."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.quality import bodies_lost, deepest_overlap, rms_speed
from benchmarks.scene import Check, Compound, Scene, moving_group
from benchmarks.scenes.container import container

TABLE = Compound.of_boxes((0.0, 0.2, 1.5, 0.5), (-0.5, -0.3, 0.5, 0.5), (0.5, -0.3, 0.5, 0.5))
"""A board on two feet."""
PLUS = Compound.of_boxes((0.0, 0.0, 1.5, 0.5), (0.0, 0.5, 0.5, 0.5), (0.0, -0.5, 0.5, 0.5))
APART = 2.2  # m


def compounds(side: int = 15) -> Scene:
    """Return ``side`` times ``side`` bodies, turned at random."""
    rng = np.random.default_rng(5)
    count = side * side
    index = np.arange(count)
    positions = np.column_stack((APART * (index % side - 0.5 * (side - 1)), APART * (index // side) + 1.5))
    width, height = APART * side + 1.0, APART * side + 10.0
    return Scene(
        name="compounds",
        title=f"{count} compounds of three boxes, settling",
        groups=(
            *container(-width / 2, 0.0, width / 2, height, lid=False),
            moving_group((TABLE, PLUS), positions, angles=rng.uniform(-math.pi, math.pi, count)),
        ),
        warmup=60,
        frames=240,
        checks=(
            Check("deepest overlap", "cm", 600, deepest_overlap),
            Check("RMS speed", "mm/s", 600, rms_speed),
            Check("lost", "bodies", 600, bodies_lost),
        ),
        bounds=(-width / 2, 0.0, width / 2, 2.0 * height),
    )
