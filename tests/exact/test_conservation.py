"""Elastic impacts keep energy, momentum and distance of circles, and can be reversed."""

from __future__ import annotations

from math import pi

import numpy as np

import ecs_collide as ec
from tests.support.exact_world import ExactWorld


def cloud(count: int, fill: float, seed: int = 2) -> tuple[np.ndarray, np.ndarray, float]:
    """Places and velocities of circles 1 m across in a square, and its side."""
    side = np.sqrt(count * pi * 0.25 / fill)
    columns = int(np.ceil(np.sqrt(count)))
    spacing = side / columns
    rng = np.random.default_rng(seed)
    index = np.arange(count)
    places = np.column_stack((index % columns + 0.5, index // columns + 0.5)) * spacing - side / 2
    places += rng.uniform(-0.45, 0.45, (count, 2)) * (spacing - 1.0)
    velocities = rng.normal(0.0, 4.0, (count, 2))
    return places, velocities - velocities.mean(axis=0), float(side)


def test_a_gas_of_5000_keeps_its_energy_and_never_overlaps() -> None:
    places, velocities, side = cloud(5000, 0.3)
    world = ExactWorld()
    world.add_balls(places, velocities)
    for x, y, width, height in (
        (0.0, -side / 2 - 5.0, side + 20.0, 10.0),
        (0.0, side / 2 + 5.0, side + 20.0, 10.0),
        (-side / 2 - 5.0, 0.0, 10.0, side),
        (side / 2 + 5.0, 0.0, 10.0, side),
    ):
        world.add_obstacle(ec.Box(width, height), (x, y), restitution=1.0)
    energy, impacts, deepest = world.energy, 0, 0.0
    for step in range(1000):
        world.step()
        impacts += world.solver.impacts
        if step % 50 == 0:
            deepest = max(deepest, world.deepest_overlap())
    assert impacts > 300_000
    assert abs(world.energy / energy - 1.0) <= 1e-12
    assert deepest <= 1e-9
    assert np.abs(world.places).max() <= side / 2 - 0.5 + 1e-9
    assert world.solver.cap_hits == 0


def test_a_cloud_without_walls_keeps_its_momentum() -> None:
    places, velocities, _ = cloud(1000, 0.6)
    masses = np.random.default_rng(3).uniform(0.1, 10.0, 1000)
    world = ExactWorld()
    world.add_balls(places, velocities, 0.5, masses)
    before = masses @ world.velocities
    impacts = 0
    for _ in range(120):
        world.step()
        impacts += world.solver.impacts
    assert impacts > 2_000
    change = np.abs(masses @ world.velocities - before).max()
    assert change <= 1e-13 * (masses @ np.abs(world.velocities)).max()


def test_ten_circles_find_their_way_back() -> None:
    rng = np.random.default_rng(8)
    places = np.array([(x, y) for x in (1.0, 2.4, 3.8, 5.2, 6.6) for y in (1.0, 2.6)]) + rng.uniform(-0.1, 0.1, (10, 2))
    velocities = rng.normal(0.0, 5.0, (10, 2))
    world = ExactWorld()
    world.add_balls(places, velocities, 0.4)
    world.add_box((0.0, 0.0), (7.6, 3.6))
    world.columns.bodies.arrays.material[:, 1] = 1.0
    steps = impacts = 0
    while impacts < 50:
        world.step()
        steps += 1
        impacts += world.solver.impacts
    world.velocities = -world.velocities
    world.step(steps)
    assert np.abs(world.places - places).max() <= 1e-9
    assert np.abs(world.velocities + velocities).max() <= 1e-8
