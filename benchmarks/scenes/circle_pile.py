"""Circles that fall into a container and settle. Timed while they settle."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.quality import bodies_lost, deepest_overlap, mean_overlap, rms_speed
from benchmarks.scene import Check, Circle, Material, Scene, moving_group
from benchmarks.scenes.container import container

PALETTE = tuple(Circle(radius) for radius in (0.40, 0.42, 0.44, 0.46, 0.48, 0.50))


def circle_pile(count: int = 2000, columns: int | None = None) -> Scene:
    """Return ``count`` circles of six sizes near 1 m, in ``columns`` columns, or about as high as wide."""
    columns = columns or math.ceil(math.sqrt(count) * 0.95)
    rng = np.random.default_rng(1)
    index = np.arange(count)
    x = 1.1 * (index % columns - 0.5 * (columns - 1)) + rng.uniform(-0.04, 0.04, count)
    positions = np.column_stack((x, index // columns + 0.6))
    width, height = 1.1 * columns + 0.1, count / columns + 10.0
    return Scene(
        name="circle_pile",
        title=f"{count:,} circles settling in a container",
        groups=(
            *container(-width / 2, 0.0, width / 2, height, lid=False),
            moving_group(PALETTE, positions, shape_index=rng.integers(0, len(PALETTE), count)),
        ),
        material=Material(friction=0.5),
        warmup=60,
        frames=200,
        checks=(
            Check("mean overlap", "cm", 600, mean_overlap),
            Check("deepest overlap", "cm", 600, deepest_overlap),
            Check("RMS speed", "mm/s", 600, rms_speed),
            Check("lost", "bodies", 600, bodies_lost),
        ),
        bounds=(-width / 2, 0.0, width / 2, 2.0 * height),
    )
