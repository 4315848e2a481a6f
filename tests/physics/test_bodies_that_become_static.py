"""A body of which the game takes the Velocity stands still, whatever it did before, and bears what lies on it."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, make_static


def freeze(entity: int) -> None:
    esper.remove_component(entity, ec.Velocity)


@pytest.mark.parametrize("stop", [freeze, make_static])
def test_it_bears_a_ball_while_another_one_falls(stop: Callable[[int], None]) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        crate = dynamic(ec.Box(8.0, 1.0), (0.0, 0.0))
        dynamic(ec.Circle(0.5), (50.0, 0.0))
        ball = dynamic(ec.Circle(0.5), (0.0, 1.2))
        play.step()
        stop(crate)
        height = play.pose(crate)[1]
        play.step(60)
        assert play.pose(crate)[1] == height
        assert play.pose(ball)[1] == pytest.approx(height + 1.0, abs=0.01)


@pytest.mark.parametrize("stop", [freeze, make_static])
def test_it_holds_what_hangs_on_it(stop: Callable[[int], None]) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        crate = dynamic(ec.Box(1.0, 1.0), (0.0, 0.0))
        lamp = dynamic(ec.Circle(0.2), (1.0, -2.0))
        esper.create_entity(ec.RevoluteJoint(crate, lamp, anchor_a=(0.0, 0.0), anchor_b=(-1.0, 2.0)))
        play.step()
        stop(crate)
        x, y, _ = play.pose(crate)
        play.step(60)
        u, v, _ = play.pose(lamp)
        assert math.hypot(u - x, v - y) == pytest.approx(math.sqrt(5.0), abs=1e-3)


def test_it_begins_at_rest_when_it_may_move_again() -> None:
    """The entity has no Velocity in which the game could read or set one."""
    with game(gravity=(0.0, -10.0)) as play:
        crate = esper.create_entity(ec.Transform(), ec.Collider(ec.Box(1.0, 1.0)), ec.RigidBody())
        play.step(60)
        play.physics.apply_impulse(crate, (3.0, 0.0))
        make_static(crate)
        play.step()
        where = play.pose(crate)
        assert where[1] < -4.0
        esper.add_component(crate, ec.RigidBody())
        play.step()
        x, y, _ = play.pose(crate)
        assert x == where[0]
        assert y == pytest.approx(where[1] - 10.0 * 0.625 / 3600.0)


def test_a_joint_of_two_bodies_that_become_static_ends_once_and_returns_with_one_of_them() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        hook, lamp = dynamic(ec.Circle(0.2), (0.0, 0.0)), dynamic(ec.Circle(0.2), (0.0, -2.0))
        rod = esper.create_entity(ec.DistanceJoint(hook, lamp))
        ends: list[int] = []
        remember = ends.append
        ec.on("joint_end", remember)
        play.step()
        make_static(hook)
        play.step()
        assert ends == []
        make_static(lamp)
        play.step(2)
        assert ends == [rod]
        esper.component_for_entity(lamp, ec.RigidBody).kind = ec.BodyKind.DYNAMIC
        play.step(60)
        assert ends == [rod]
        assert math.dist(play.pose(hook)[:2], play.pose(lamp)[:2]) == pytest.approx(2.0, abs=1e-6)
