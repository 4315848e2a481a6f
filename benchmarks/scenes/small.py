"""A few bouncing circles: the cost of an engine for a small game."""

from __future__ import annotations

import numpy as np

from benchmarks.quality import bodies_lost
from benchmarks.scene import Check, Circle, Material, Scene, moving_group
from benchmarks.scenes.container import container


def small(count: int = 10) -> Scene:
    """Return ``count`` circles with restitution in a box of 12 m by 10 m."""
    rng = np.random.default_rng(6)
    index = np.arange(count)
    positions = np.column_stack((2.0 * (index % 5) - 4.0, 4.0 + 2.0 * (index // 5)))
    return Scene(
        name="small",
        title=f"{count:,} circles in a box",
        groups=(
            *container(-6.0, 0.0, 6.0, 10.0),
            moving_group((Circle(0.5),), positions, velocities=rng.normal(0.0, 3.0, (count, 2))),
        ),
        material=Material(friction=0.4, restitution=0.8),
        warmup=60,
        frames=1000,
        frames_per_turn=100,
        checks=(Check("lost", "bodies", 1000, bodies_lost),),
        bounds=(-6.0, 0.0, 6.0, 10.0),
    )
