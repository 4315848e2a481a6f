"""A dense elastic gas: circles without gravity and friction between four walls. Timed from the start."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.quality import bodies_lost, deepest_overlap, kinetic_energy_kept
from benchmarks.scene import Check, Circle, Material, Scene, moving_group
from benchmarks.scenes.container import container

RADIUS = 0.5
FILL = 0.3
SPEED = 4.0  # standard deviation of each component, m/s


def gas(count: int = 5000) -> Scene:
    """Return ``count`` circles of 1 m across that fill 30 % of a square."""
    side = math.sqrt(count * math.pi * RADIUS**2 / FILL)
    columns = math.ceil(math.sqrt(count))
    spacing = side / columns
    rng = np.random.default_rng(2)
    index = np.arange(count)
    positions = np.column_stack((index % columns + 0.5, index // columns + 0.5)) * spacing - side / 2
    positions += rng.uniform(-0.45, 0.45, (count, 2)) * (spacing - 2 * RADIUS)
    velocities = rng.normal(0.0, SPEED, (count, 2))
    velocities -= velocities.mean(axis=0)
    return Scene(
        name="gas",
        title=f"{count:,} elastic circles, no gravity, 30 % fill",
        groups=(
            *container(-side / 2, -side / 2, side / 2, side / 2),
            moving_group((Circle(RADIUS),), positions, velocities=velocities),
        ),
        gravity=(0.0, 0.0),
        material=Material(friction=0.0, restitution=1.0),
        restitution_threshold=0.0,
        warmup=10,
        frames=190,
        checks=(
            Check("energy kept", "%", 200, kinetic_energy_kept),
            Check("deepest overlap", "cm", 200, deepest_overlap),
            Check("lost", "bodies", 200, bodies_lost),
        ),
        bounds=(-side / 2, -side / 2, side / 2, side / 2),
    )
