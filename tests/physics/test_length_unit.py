"""A game in pixels behaves as the same game in metres."""

from __future__ import annotations

from collections.abc import Callable

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, game


class Units:
    """A scene in metres with y up, written in so many units to a metre, with y up or down."""

    def __init__(self, per_metre: float, up: float = 1.0) -> None:
        self.per_metre = per_metre
        self.up = up

    def body(
        self,
        shape: ec.Shape,
        place: tuple[float, float],
        velocity: tuple[float, float] | None = None,
        angle: float = 0.0,
        friction: float = 0.5,
        restitution: float = 0.0,
    ) -> int:
        unit, up = self.per_metre, self.up
        components: list[object] = [
            ec.Transform(unit * place[0], up * unit * place[1], up * angle),
            ec.Collider(shape, density=1.0 / unit**2, friction=friction, restitution=restitution),
        ]
        if velocity is not None:
            components.append(ec.Velocity(unit * velocity[0], up * unit * velocity[1]))
        return esper.create_entity(*components)

    def in_metres(self, pose: tuple[float, float, float]) -> tuple[float, float, float]:
        x, y, angle = pose
        return x / self.per_metre, self.up * y / self.per_metre, self.up * angle


def single_points(units: Units) -> list[int]:
    """Balls and boxes that meet each other and the ground at one point at a time."""
    unit = units.per_metre
    units.body(ec.HalfPlane((0.0, units.up)), (0.0, 0.0))
    units.body(ec.Box(4.0 * unit, 0.4 * unit), (-8.0, 1.0), angle=0.3)
    return [
        units.body(ec.Circle(0.3 * unit), (-4.0, 1.0), (0.5, 0.0), restitution=0.6),
        units.body(ec.Circle(0.3 * unit), (-7.5, 1.8), (0.0, 0.0)),
        units.body(ec.Circle(0.3 * unit), (0.0, 5.0), (2.0, 0.0), restitution=0.8),
        units.body(ec.Circle(0.4 * unit), (1.5, 5.2), (-1.0, 0.0)),
        units.body(ec.Box(0.7 * unit, 0.4 * unit), (8.0, 1.0), (-3.0, 1.0), 0.7, restitution=0.3),
        units.body(ec.Box(1.0 * unit, 0.6 * unit), (4.0, 6.0), (0.0, 0.0), 0.2),
        units.body(ec.Circle(0.2 * unit), (4.3, 7.5), (0.0, -3.0), restitution=0.5),
    ]


def flat_sides(units: Units) -> list[int]:
    """Boxes that slide down a slope, lie, and stand on each other."""
    unit = units.per_metre
    units.body(ec.HalfPlane((0.0, units.up)), (0.0, 0.0))
    units.body(ec.Box(4.0 * unit, 0.4 * unit), (-8.0, 1.0), angle=0.3)
    bodies = [units.body(ec.Box(0.6 * unit, 0.6 * unit), (-7.9, 1.7), (0.0, 0.0), 0.3, friction=0.1)]
    for k in range(3):
        bodies.append(units.body(ec.Box(1.0 * unit, 0.8 * unit), (5.0 + 0.1 * k, 0.4 + 0.8 * k), (0.0, 0.0)))
    bodies.append(units.body(ec.Box(2.0 * unit, 0.4 * unit), (0.0, 0.2), (2.0, 0.0)))
    return bodies


def create_bouncing_crowd(units: Units) -> list[int]:
    """Balls that bounce and heap up among boxes."""
    unit = units.per_metre
    bodies = single_points(units) + flat_sides(units)
    for k in range(7):
        ball = ec.Circle((0.2 + 0.05 * k) * unit)
        bodies.append(units.body(ball, (2.0 + 0.8 * k, 2.5 + 0.3 * k), (1.0 - 0.4 * k, -1.0), restitution=0.15 * k))
    return bodies


SceneMaker = Callable[[Units], list[int]]
Told = list[tuple[int, str, int, int]]
STEPS = 60


def course(play: Game, make: SceneMaker, units: Units) -> np.ndarray:
    """Poses in metres after each step (steps, n, 3)."""
    bodies = make(units)
    poses = []
    for _ in range(STEPS):
        play.step()
        poses.append([units.in_metres(play.pose(body)) for body in bodies])
    return np.array(poses)


def run_in_units(make: SceneMaker, units: Units) -> tuple[np.ndarray, Told]:
    """Poses in metres, and the events without their numbers."""
    gravity = 0.0, units.up * units.per_metre * -9.81
    with game(gravity=gravity, length_unit=units.per_metre, sleeping=False) as play:
        poses = course(play, make, units)
        return poses, [(step, name, contact.entity_a, contact.entity_b) for step, name, (contact,) in play.events]


@pytest.mark.parametrize("up", [1.0, -1.0])
def test_a_unit_that_is_a_power_of_two_changes_next_to_nothing(up: float) -> None:
    expected_poses, expected_events = run_in_units(create_bouncing_crowd, Units(1.0, up))
    poses, events = run_in_units(create_bouncing_crowd, Units(64.0, up))
    np.testing.assert_allclose(poses, expected_poses, rtol=0.0, atol=1e-9)
    assert events == expected_events
    assert len(events) > 30


@pytest.mark.parametrize("up", [1.0, -1.0])
@pytest.mark.parametrize("per_metre", [100.0, 32.0, 0.01])
def test_other_units(per_metre: float, up: float) -> None:
    """Also upside down, as games in pixels are."""
    expected_poses, expected_events = run_in_units(single_points, Units(1.0))
    poses, events = run_in_units(single_points, Units(per_metre, up))
    np.testing.assert_allclose(poses, expected_poses, rtol=0.0, atol=1e-6)
    assert events == expected_events
    assert len(events) > 6


@pytest.mark.parametrize("up", [1.0, -1.0])
def test_flat_sides_in_other_units(up: float) -> None:
    """The solver takes a manifold's two points in turn, in an order that rounding or a mirror may change."""
    expected_poses, expected_events = run_in_units(flat_sides, Units(1.0))
    poses, events = run_in_units(flat_sides, Units(100.0, up))
    np.testing.assert_allclose(poses, expected_poses, rtol=0.0, atol=5e-3)
    assert events == expected_events


def test_without_the_unit_a_game_in_pixels_would_differ() -> None:
    """The comparisons above mean something."""
    with game(gravity=(0.0, -981.0), sleeping=False) as play:
        poses = course(play, single_points, Units(100.0))
    assert np.abs(poses - run_in_units(single_points, Units(1.0))[0]).max() > 1e-3
