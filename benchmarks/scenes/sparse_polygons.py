"""Many polygons that drift through empty space and now and then collide. Timed from the start."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.quality import deepest_overlap
from benchmarks.scene import Check, FloatArray, Material, Scene, moving_group
from benchmarks.scenes.palette import convex_polygons

SPACING = 3.0  # m, for polygons of about 1 m


def sparse_polygons(count: int = 20_000) -> Scene:
    """Return ``count`` convex polygons of 3 to 8 vertices that fill about 7 % of the plane."""
    columns = math.ceil(math.sqrt(count))
    rng = np.random.default_rng(4)
    index = np.arange(count)
    cells = np.column_stack((index % columns, index // columns)).astype(np.float64)
    positions: FloatArray = SPACING * (cells - 0.5 * columns) + rng.uniform(-0.9, 0.9, (count, 2))
    polygons = convex_polygons(48, 0.6)
    return Scene(
        name="sparse_polygons",
        title=f"{count:,} sparse moving polygons, no gravity",
        groups=(
            moving_group(
                polygons,
                positions,
                shape_index=rng.integers(0, len(polygons), count),
                angles=rng.uniform(-math.pi, math.pi, count),
                velocities=rng.normal(0.0, 2.0, (count, 2)),
                angular_velocities=rng.normal(0.0, 1.0, count),
            ),
        ),
        gravity=(0.0, 0.0),
        material=Material(friction=0.3, restitution=0.5),
        warmup=20,
        frames=180,
        checks=(Check("deepest overlap", "cm", 200, deepest_overlap),),
    )
