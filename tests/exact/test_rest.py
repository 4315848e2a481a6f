"""Stacks and heaps come to rest, and what was put into each other is pushed apart without an impulse."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.exact.exact_codes import PLAY
from tests.support.exact_world import ExactWorld


def test_a_stack_of_20_rests_without_events() -> None:
    world = ExactWorld((0.0, -10.0))
    world.add_balls([(0.0, 0.5 + k) for k in range(20)], np.zeros((20, 2)), 0.5, 1.0, 0.3)
    world.add_obstacle(ec.HalfPlane())
    world.step(300)
    assert world.solver.impacts == 0
    assert np.abs(world.velocities).max() <= 1e-4
    assert np.abs(world.places - [(0.0, 0.5 + k) for k in range(20)]).max() <= 1e-4


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_heap_of_100_comes_to_rest_without_runaway_events(seed: int) -> None:
    rng = np.random.default_rng(seed)
    radii = rng.uniform(0.3, 0.5, 100)
    places = np.column_stack((rng.uniform(-3.4, 3.4, 100), 1.0 + 0.4 * np.arange(100)))
    world = ExactWorld((0.0, -10.0))
    world.add_balls(places, np.zeros((100, 2)), radii, pi * radii**2, 0.2)
    for normal, offset in (((0, 1), 0.0), ((1, 0), -4.0), ((-1, 0), -4.0)):
        world.add_obstacle(ec.HalfPlane(normal, offset))
    most = 0
    for _ in range(600):
        world.step()
        most = max(most, world.solver.impacts)
    assert most < 10_000
    for _ in range(100):
        world.step()
        speeds = np.hypot(*world.velocities.T)
        assert world.solver.impacts == 0
        assert speeds.max() <= 1e-3
    assert world.deepest_overlap() <= 2.0 * PLAY
    assert (world.places[:, 1] >= radii - 2.0 * PLAY).all()


def test_a_pile_that_lands_without_bounce_hardly_overlaps_and_hardly_reaches_the_cap() -> None:
    world = ExactWorld((0.0, -10.0))
    x, y = np.meshgrid(1.1 * np.arange(20), 1.0 + 1.0 * np.arange(15))
    places = np.column_stack((x.ravel(), y.ravel())) + np.random.default_rng(0).uniform(-0.04, 0.0, (300, 2))
    world.add_balls(places, np.full((300, 2), (0.0, -8.0)), 0.45, 1.0, 0.0)
    for normal, offset in (((0, 1), 0.0), ((1, 0), -1.0), ((-1, 0), -22.0)):
        world.add_obstacle(ec.HalfPlane(normal, offset))
    cap_hits = 0
    for _ in range(60):
        world.step()
        cap_hits += world.solver.cap_hits
        assert world.deepest_overlap() <= 0.05  # of 0.9; it is 0.026 for a while and goes away again
    assert cap_hits <= 5  # of 300 balls in 60 steps; it is 2
    assert world.solver.cap_hits == 0


def test_a_ball_without_bounce_stays_where_it_lands() -> None:
    world = ExactWorld((0.0, -10.0))
    world.add_balls([(0.0, 3.0)], [(2.0, 0.0)], 0.5, 1.0, 0.0)
    world.add_obstacle(ec.HalfPlane())
    world.step(120)
    assert abs(world.places[0, 1] - 0.5) <= 1e-9
    assert np.abs(world.velocities[0] - (2.0, 0.0)).max() <= 1e-12


def test_a_ball_that_half_bounces_loses_the_square_of_it_and_then_rests() -> None:
    world = ExactWorld((0.0, -10.0))
    world.add_balls([(0.0, 5.5)], [(0.0, 0.0)], 0.5, 1.0, 0.5)
    world.add_obstacle(ec.HalfPlane())
    heights = []
    for _ in range(240):
        world.step()
        heights.append(world.places[0, 1] - 0.5)
    tops = [b for a, b, c in zip(heights, heights[1:], heights[2:]) if a < b > c]
    assert tops[0] == pytest.approx(5.0 / 4.0, rel=0.1)
    assert heights[-1] <= 1e-9


@pytest.mark.parametrize("restitution", [0.0, 1.0])
def test_coincident_balls_part_without_getting_any_speed(restitution: float) -> None:
    world = ExactWorld()
    world.add_balls([(1.0, 2.0)] * 4, np.zeros((4, 2)), 0.5, 1.0, restitution)
    world.step(400)
    assert world.deepest_overlap() <= PLAY + 1e-9
    assert not world.velocities.any()
    assert np.allclose(world.places.mean(axis=0), (1.0, 2.0), rtol=0.0, atol=1e-9)


def test_overlapping_elastic_balls_part_and_keep_their_energy() -> None:
    world = ExactWorld()
    world.add_balls([(0.0, 0.0), (0.6, 0.1), (0.1, 0.7)], [(1.0, 0.0), (-1.0, 0.5), (0.0, -2.0)])
    before = world.energy
    world.step(240)
    assert abs(world.energy / before - 1.0) <= 1e-14
    assert world.deepest_overlap() <= 1e-9


@pytest.mark.parametrize(
    ("shape", "place"),
    [
        (ec.Box(4.0, 2.0), (0.4, 0.3)),
        (ec.HalfPlane((0, 1), 1.0), (0.4, -3.0)),
        (ec.Ring(2.0), (2.7, 0.6)),
        (ec.Circle(1.0), (0.2, 0.1)),
        (ec.Capsule((-2.0, 0.0), (2.0, 0.0), 0.5), (0.3, 0.2)),
    ],
    ids=lambda value: str(value)[:12],
)
def test_a_ball_inside_an_obstacle_is_pushed_out_without_an_impulse(
    shape: ec.Shape, place: tuple[float, float]
) -> None:
    world = ExactWorld()
    world.add_balls([place], [(0.0, 0.0)], 0.25, 1.0, 0.0)
    world.add_obstacle(shape)
    world.step(600)
    assert not world.velocities.any()
    pose = (*world.places[0].tolist(), 0.0)
    assert ec.distance(ec.Circle(0.25), pose, shape, (0.0, 0.0, 0.0)) >= -PLAY - 1e-9


def test_a_ball_rides_on_a_platform_that_rises() -> None:
    world = ExactWorld((0.0, -10.0))
    world.add_balls([(0.0, 0.75)], [(0.0, 0.0)], 0.5, 1.0, 0.0)
    world.add_obstacle(ec.Box(4.0, 0.5), velocity=(0.0, 1.0))
    world.step(120)
    platform = float(world.columns.bodies.arrays.pose[1, 1])
    assert platform == pytest.approx(2.0, abs=1e-9)
    assert world.places[0, 1] == pytest.approx(2.75, abs=1e-3)
    assert world.velocities[0, 1] == pytest.approx(1.0, abs=1e-6)


def test_a_ball_does_not_drop_through_the_gap_between_two_tiles() -> None:
    world = ExactWorld((0.0, -10.0))
    world.add_balls([(k * 0.1003, 0.5) for k in range(1)], [(2.0, 0.0)], 0.5, 1.0, 0.0)
    for k in range(30):
        world.add_obstacle(ec.Box(1.0, 1.0), (k * 1.0001, -0.5))
    world.columns.update()
    lowest = 1.0
    for _ in range(600):
        world.step()
        lowest = min(lowest, float(world.places[0, 1]))
        assert world.velocities[0, 0] == pytest.approx(2.0, abs=1e-6)
    assert lowest >= 0.5 - 1e-6
