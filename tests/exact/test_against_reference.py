"""The kernels against the slow nested loop, which shares nothing with them."""

from __future__ import annotations

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.exact_world import ExactWorld
from tests.support.reference.event_driven import Ball, EventDriven, Wall

DT = 1.0 / 60.0


def scattered_places(rng: np.random.Generator, count: int, side: float, radii: np.ndarray) -> np.ndarray:
    """Places in a square at which no two circles overlap, nor a circle and the sides."""
    places: list[np.ndarray] = []
    while len(places) < count:
        radius = radii[len(places)]
        place = rng.uniform(radius + 0.01, side - radius - 0.01, 2)
        if all(np.hypot(*(place - other)) > radius + r + 0.01 for other, r in zip(places, radii)):
            places.append(place)
    return np.array(places)


def plain_balls(places: np.ndarray, velocities: np.ndarray, radii: np.ndarray, masses: np.ndarray) -> list[Ball]:
    """The balls of the reference."""
    return [Ball(*row) for row in np.column_stack((places, velocities, radii, masses)).tolist()]


@pytest.mark.parametrize("restitution", [1.0, 0.8])
@pytest.mark.parametrize("seed", range(6))
def test_balls_between_segments_move_as_in_the_nested_loop(seed: int, restitution: float) -> None:
    rng = np.random.default_rng(seed)
    side, count = 8.0, 14
    radii = rng.uniform(0.15, 0.6, count)
    masses = rng.uniform(0.1, 5.0, count)
    places = scattered_places(rng, count, side, radii)
    velocities = rng.normal(0.0, 6.0, (count, 2))
    corners = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]
    walls = [Wall(*a, *b) for a, b in zip(corners, corners[1:] + corners[:1])]
    world = ExactWorld()
    world.add_balls(places, velocities, radii, masses, restitution)
    for wall in walls:
        world.add_obstacle(ec.Segment((wall.ax, wall.ay), (wall.bx, wall.by)), restitution=restitution)
    balls = plain_balls(places, velocities, radii, masses)
    reference = EventDriven(balls, walls, restitution)
    impacts = 0
    while impacts < 40:
        world.step()
        reference.run(DT)
        impacts += world.solver.impacts
        assert impacts == reference.impacts
    assert np.allclose(world.places, [(b.x, b.y) for b in balls], rtol=0.0, atol=1e-8)
    assert np.allclose(world.velocities, [(b.vx, b.vy) for b in balls], rtol=0.0, atol=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_a_moving_wall_hits_balls_as_in_the_nested_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    radii = np.full(6, 0.3)
    places = scattered_places(rng, 6, 6.0, radii)
    velocities = rng.normal(0.0, 3.0, (6, 2))
    wall = Wall(-2.0, -1.0, -1.0, 7.0, 9.0, 1.0)
    world = ExactWorld()
    world.add_balls(places, velocities, radii)
    world.add_obstacle(ec.Segment((wall.ax, wall.ay), (wall.bx, wall.by)), velocity=(9.0, 1.0), restitution=1.0)
    # A kinematic segment is moved by its entity's origin, so the reference wall may start at its own ends.
    balls = plain_balls(places, velocities, radii, np.ones(6))
    reference = EventDriven(balls, [wall])
    for _ in range(40):
        world.step()
        reference.run(DT)
    assert reference.impacts >= 4
    assert np.allclose(world.places, [(b.x, b.y) for b in balls], rtol=0.0, atol=1e-9)


def test_slow_and_fast_balls_are_found_in_steps_of_any_length() -> None:
    rng = np.random.default_rng(5)
    radii = np.full(10, 0.2)
    places = scattered_places(rng, 10, 6.0, radii)
    velocities = rng.normal(0.0, 1.0, (10, 2)) * np.logspace(-1, 1.5, 10)[:, None]
    balls = plain_balls(places, velocities, radii, np.ones(10))
    reference = EventDriven(balls)
    reference.run(2.0)
    for steps in (1, 7, 400):
        world = ExactWorld()
        world.add_balls(places, velocities, 0.2)
        world.step(steps, 2.0 / steps)
        assert np.allclose(world.places, [(b.x, b.y) for b in balls], rtol=0.0, atol=1e-9)
