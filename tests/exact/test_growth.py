"""Worlds that outgrow the room that the arrays begin with, and circles of very different sizes."""

from __future__ import annotations

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.exact.exact_rows import ROOMS, new_simulation
from tests.support.exact_world import ExactWorld


def packed(cell_scale: float = 1.0) -> ExactWorld:
    """Circles of two sizes that fly together."""
    rng = np.random.default_rng(3)
    grid = np.array([(x, y) for x in range(16) for y in range(16)], float)
    world = ExactWorld(cell_scale=cell_scale)
    world.add_balls(grid, 60.0 * (grid.mean(axis=0) - grid) / 8.0 + rng.normal(0.0, 1.0, grid.shape), 0.45)
    world.add_balls([(-30.0, 7.5), (40.0, 7.5)], [(200.0, 0.0), (-150.0, 3.0)], 14.0, 300.0)
    return world


def test_too_little_room_changes_nothing() -> None:
    plain, tight = packed(), packed()
    for step in range(20):
        plain.step()
        if step % 4 == 0 and step > 0:  # as short as possible: the step then needs more room while it runs
            small = new_simulation()
            names = [name for room in ("found", "candidate", "contact") for name in ROOMS[room]]
            tight.solver._simulation = tight.solver._simulation._replace(
                **{name: getattr(small, name)[:2].copy() for name in names}
            )
        tight.step()
        assert (plain.places == tight.places).all()
    assert plain.solver.impacts > 0


def test_the_size_of_the_cells_changes_no_bit() -> None:
    worlds = [packed(scale) for scale in (1.0, 0.1, 0.6, 4.0)]
    impacts = 0
    for _ in range(60):
        for world in worlds:
            world.step()
        impacts += worlds[0].solver.impacts
    assert impacts > 500
    for world in worlds[1:]:
        assert (world.places == worlds[0].places).all()
        assert (world.velocities == worlds[0].velocities).all()


def test_a_giant_among_small_ones_is_hit_by_all_of_them() -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    directions = np.column_stack((np.cos(angles), np.sin(angles)))
    world = ExactWorld()
    world.add_balls(30.0 * directions, -60.0 * directions, 0.1)
    world.add_balls([(0.0, 0.0)], [(0.0, 0.0)], 20.0, 1e9)
    impacts = 0
    for _ in range(30):
        world.step()
        impacts += world.solver.impacts
    assert impacts >= 200
    assert (np.hypot(*world.places[:200].T) >= 20.1 - 1e-9).all()
    assert np.allclose(world.velocities[:200], 60.0 * directions, rtol=0.0, atol=1e-3)


def test_balls_far_outside_the_crowd_cost_nothing_and_still_hit() -> None:
    world = ExactWorld()
    world.add_balls(
        [(0.0, 0.0), (1e7, 0.0), (1e7 + 3.0, 0.0), (-1e9, 1e9)], [(1.0, 0.0), (9.0, 0.0), (0.0, 0.0), (0.0, 0.0)]
    )
    world.step(60)
    assert np.allclose(world.velocities[:, 0], [1.0, 0.0, 9.0, 0.0])


def test_an_empty_world_and_one_of_obstacles_only_can_be_stepped() -> None:
    world = ExactWorld()
    world.step()
    world.add_obstacle(ec.HalfPlane())
    world.add_obstacle(ec.Box(1.0, 1.0), velocity=(1.0, 0.0))
    world.step()
    assert world.columns.bodies.arrays.pose[1, 0] == pytest.approx(1.0 / 60.0)
