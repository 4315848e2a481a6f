"""Impacts at the same time: cradles, breaks, and what does not depend on any order."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.exact_world import ExactWorld


@pytest.mark.parametrize("count", [5, 50])
@pytest.mark.parametrize("gap", [0.0, 1e-12, -1e-12])
def test_a_cradle_hands_the_speed_through_exactly(count: int, gap: float) -> None:
    xs = np.arange(count) * (1.0 + gap)
    xs[0] = -0.03
    world = ExactWorld()
    velocities = np.zeros((count, 2))
    velocities[0, 0] = 3.0
    world.add_balls(np.column_stack((xs, np.zeros(count))), velocities)
    world.step(3)
    assert world.velocities[-1].tolist() == [3.0, 0.0]
    assert not world.velocities[:-1].any()


def test_two_balls_of_a_cradle_send_two_away() -> None:
    xs = np.array([-2.1, -1.1, 0.0, 1.0, 2.0])
    world = ExactWorld()
    world.add_balls(np.column_stack((xs, np.zeros(5))), [(2.0, 0.0), (2.0, 0.0), (0, 0), (0, 0), (0, 0)])
    world.step(30)
    assert np.allclose(world.velocities[:, 0], [0.0, 0.0, 0.0, 2.0, 2.0], rtol=0.0, atol=1e-14)


def rack(rows: int, radius: float, gap: float = 0.0) -> np.ndarray:
    """A triangle of touching balls that opens to the right, mirrored in the x axis."""
    distance = 2.0 * radius + gap
    return np.array(
        [(row * distance * sqrt(3.0) / 2.0, (k - row / 2.0) * distance) for row in range(rows) for k in range(row + 1)]
    )


def break_rack(order: np.ndarray, cell_scale: float = 1.0) -> ExactWorld:
    places = np.vstack(([(-2.0, 0.0)], rack(5, 0.5)))
    velocities = np.zeros_like(places)
    velocities[0, 0] = 10.0
    world = ExactWorld(cell_scale=cell_scale)
    world.add_balls(places[order], velocities[order])
    for normal, offset in (((1, 0), -6.0), ((0, 1), -5.0), ((-1, 0), -9.0), ((0, -1), -5.0)):
        world.add_obstacle(ec.HalfPlane(normal, offset), restitution=1.0)
    return world


def test_a_symmetric_break_stays_symmetric() -> None:
    world = break_rack(np.arange(16))
    world.step(40)
    places = world.places
    mirrored = places * (1.0, -1.0)
    partners = [int(np.hypot(*(places - place).T).argmin()) for place in mirrored]
    assert sorted(partners) == list(range(16))
    assert np.abs(places[partners] - mirrored).max() <= 1e-12
    assert np.abs(world.velocities[partners] - world.velocities * (1.0, -1.0)).max() <= 1e-12
    assert abs(world.energy / 50.0 - 1.0) <= 1e-13


def test_a_break_does_not_depend_on_the_order_of_the_balls_nor_on_the_cells() -> None:
    plain = break_rack(np.arange(16))
    plain.step(120)
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(16)
        world = break_rack(order, cell_scale=(0.3, 1.0, 2.0, 7.0)[seed])
        world.step(120)
        assert (world.places == plain.places[order]).all()
        assert (world.velocities == plain.velocities[order]).all()


def test_three_balls_meet_at_once_and_turn_back() -> None:
    angles = np.arange(3) * 2.0 * np.pi / 3.0
    directions = np.column_stack((np.cos(angles), np.sin(angles)))
    world = ExactWorld()
    world.add_balls(2.0 * directions, -3.0 * directions)
    world.step(60)
    assert np.allclose(world.velocities, 3.0 * directions, rtol=0.0, atol=1e-13)


def test_a_ball_between_two_does_not_care_which_comes_first() -> None:
    world = ExactWorld()
    world.add_balls([(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0)], [(0.0, 0.0), (-2.0, 0.0), (2.0, 0.0)])
    world.step()
    assert np.allclose(world.velocities[:, 0], [0.0, 2.0, -2.0], rtol=0.0, atol=1e-15)


@pytest.mark.parametrize("seed", range(20))
def test_simultaneous_impacts_of_mixed_restitution_bring_in_no_energy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = np.array([(x, y * sqrt(3.0) / 2.0) for y in range(4) for x in np.arange(4.0) + 0.5 * (y % 2)])
    velocities = -3.0 * (grid - grid.mean(axis=0)) + rng.normal(0.0, 0.3, grid.shape)
    masses = rng.uniform(0.2, 5.0, 16)
    world = ExactWorld()
    world.add_balls(grid, velocities, 0.5, masses, rng.choice([0.0, 0.3, 1.0], 16))
    before, momentum = world.energy, masses @ velocities
    world.step()
    assert world.solver.impacts >= 16
    assert world.energy <= before * (1.0 + 1e-12)
    assert np.allclose(masses @ world.velocities, momentum, rtol=0.0, atol=1e-11)


def test_galperins_billiard_counts_the_digits_of_pi() -> None:
    for power, digits in ((0, 3), (1, 31), (2, 314), (3, 3141), (4, 31415)):
        world = ExactWorld()
        world.add_balls([(2.0, 0.0), (4.0, 0.0)], [(0.0, 0.0), (-1.0, 0.0)], 0.5, [1.0, 100.0**power])
        world.add_obstacle(ec.HalfPlane((1, 0)), restitution=1.0)
        impacts = 0
        for _ in range(20):
            world.step(dt=1.0)
            impacts += world.solver.impacts
        assert impacts == digits
