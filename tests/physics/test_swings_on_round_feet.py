"""Swings by contacts of round surfaces: no swing grows by itself, and small ones last.

In the past the contacts of a step kept the normal and the lever arm of its start. A swing of w rad/s grew by
3/16 w² dt each second, so that a ball in a bowl never came to rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, dynamic, game, ground, static

GRAVITY = 9.81
START = 0.2
"""Angle at which each body is let go [rad]."""


def greatest_angle(play: Game, angle_now: Callable[[], float], seconds: float) -> float:
    """Return the greatest angle in some seconds [rad]."""
    greatest = 0.0
    for _ in range(round(seconds / DT)):
        play.step()
        greatest = max(greatest, abs(angle_now()))
    return greatest


def assert_swing_lasts(play: Game, angle_now: Callable[[], float]) -> None:
    assert greatest_angle(play, angle_now, 5.0) == pytest.approx(START, rel=0.01)
    later = [greatest_angle(play, angle_now, 5.0) for _ in range(4)]
    assert max(later) < 1.01 * START
    assert min(later) > 0.93 * START


def hollow(kind: str, radius: float) -> ec.Shape:
    if kind == "ring":
        return ec.Ring(radius)
    half = 2.0 * radius
    outline = [(-half, -half), (half, -half), (half, 0.0), (radius, 0.0), (-radius, 0.0), (-half, 0.0)]
    return ec.ArcPolygon(outline, [0.0, 0.0, 0.0, -1.0, 0.0, 0.0])


@pytest.mark.parametrize(("radius", "ball"), [(1.0, 0.1), (2.0, 0.5)])
@pytest.mark.parametrize("kind", ["ring", "bowl"])
@pytest.mark.parametrize("friction", [0.0, 1.0])
def test_a_ball_swings_on_in_a_bowl(kind: str, radius: float, ball: float, friction: float) -> None:
    length = radius - ball
    with game(gravity=(0.0, -GRAVITY), sleeping=False) as play:
        static(hollow(kind, radius), friction=friction)
        body = dynamic(ec.Circle(ball), (length * math.sin(START), -length * math.cos(START)), friction=friction)

        def angle_now() -> float:
            x, y, _ = play.pose(body)
            return math.atan2(x, -y)

        assert_swing_lasts(play, angle_now)


def test_a_ball_swings_in_a_bowl_that_moves_as_in_one_that_stands() -> None:
    """Both frames are inertial."""
    with game(gravity=(0.0, -GRAVITY), sleeping=False) as play:
        bowl = esper.create_entity(
            ec.Transform(),
            ec.Velocity(3.0, 0.0),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(hollow("bowl", 1.0), friction=0.0),
        )
        place = 0.9 * math.sin(START), -0.9 * math.cos(START)
        body = dynamic(ec.Circle(0.1), place, velocity=(3.0, 0.0), friction=0.0)

        def angle_now() -> float:
            x, y, _ = play.pose(body)
            return math.atan2(x - play.pose(bowl)[0], -y)

        assert_swing_lasts(play, angle_now)


FEET: dict[str, tuple[ec.Shape, tuple[float, float]]] = {
    "tumbler": (ec.Circle(0.5), (0.0, -0.3)),
    "half disk": (ec.Sector(0.5, 0.5 * math.pi, -0.5 * math.pi), (0.0, -2.0 / (3.0 * math.pi))),
    "capsule": (ec.Capsule((0.0, 0.0), (0.0, 0.6), 0.5), (0.0, -0.25)),
    "ball of a compound": (ec.Compound([(ec.Circle(0.5), (0.2, 0.1, 0.0))]), (0.2, -0.2)),
}
"""Bodies that rock on a foot of 0.5 m, and their centres of mass."""


@pytest.mark.parametrize("friction", [0.0, 1.0])
@pytest.mark.parametrize("name", FEET)
def test_a_body_rocks_on_its_round_foot(name: str, friction: float) -> None:
    shape, center = FEET[name]
    with game(gravity=(0.0, -GRAVITY), sleeping=False) as play:
        ground(friction=friction)
        body = esper.create_entity(
            ec.Transform(0.0, 1.0 if name == "half disk" else 0.5, START),
            ec.Velocity(),
            ec.RigidBody(center_of_mass=center),
            ec.Collider(shape, friction=friction),
        )
        # Put the lowest point on the ground.
        lowest = play.physics.aabb_of(body)[1]
        esper.component_for_entity(body, ec.Transform).y -= lowest
        assert_swing_lasts(play, lambda: play.pose(body)[2])
