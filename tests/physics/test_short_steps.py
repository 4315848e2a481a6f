"""Contacts in very short steps among long ones: impacts, contacts that a hook disables, and stacks on joints."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from ecs_collide.systems import Narrowphase, Response
from tests.support.hooks import hook
from tests.support.worlds import DT, game

SHORT = [1e-3, 1e-5, 1e-7]


@pytest.mark.parametrize("short", SHORT)
@pytest.mark.parametrize("shape", [ec.Circle(0.2), ec.Box(0.4, 0.4)])
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("ratio", [1.0, 3.0])
def test_an_impact_in_a_very_short_step_is_that_of_newton(
    short: float, shape: ec.Shape, restitution: float, ratio: float
) -> None:
    speed, part = 4.0, 0.4
    with game(gravity=(0.0, 0.0)) as play:
        first, second = ec.Velocity(speed, 0.0), ec.Velocity()
        esper.create_entity(ec.Transform(), first, ec.Collider(shape, restitution=restitution, friction=0.0))
        place = ec.Transform(0.4 + speed * (3.0 * DT + part * short), 0.0)
        collider = ec.Collider(shape, restitution=restitution, friction=0.0, density=ratio)
        esper.create_entity(place, second, collider)
        play.step(3)
        assert (first.x, second.x) == (speed, 0.0)
        play.step(dt=short)
        play.step(5)
        assert first.x == pytest.approx(speed * (1.0 - restitution * ratio) / (1.0 + ratio), abs=1e-12)
        assert second.x == pytest.approx(speed * (1.0 + restitution) / (1.0 + ratio), abs=1e-12)


def test_a_contact_that_is_disabled_in_a_short_step_forgets_its_load() -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane((0.0, 1.0))))
        esper.create_entity(ec.Transform(0.0, 0.5), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
        is_off = False

        def disable() -> None:
            if is_off:
                play.physics.contacts.enabled[:] = False

        hook(Narrowphase, Response, disable)
        play.step(60)
        pairs = play.physics.pipeline.pairs
        (slot,) = pairs.live.tolist()
        assert pairs.arrays.impulse[slot].max() > 0.0
        is_off = True
        play.step(dt=1e-5)
        assert pairs.arrays.impulse[slot].tolist() == [0.0] * 4


def table(plate: int) -> None:
    """Stand a plate on two welded legs."""
    esper.create_entity(ec.Transform(0.0, -2.1), ec.Collider(ec.HalfPlane((0.0, 1.0))))
    for x in (-1.5, 1.5):
        leg = esper.create_entity(ec.Transform(x, -1.1), ec.Velocity(), ec.Collider(ec.Box(0.3, 2.0)))
        esper.create_entity(ec.WeldJoint(plate, leg, point=(x, -0.1)))


def pins(plate: int) -> None:
    """Pin a plate at two places."""
    for x in (-1.8, 1.8):
        esper.create_entity(ec.RevoluteJoint(plate, point=(x, 0.0)))


def console(plate: int) -> None:
    """Weld a plate at one end."""
    esper.create_entity(ec.WeldJoint(plate, point=(-1.9, 0.0)))


def ropes(plate: int) -> None:
    """Hang a plate on two rods."""
    for x in (-1.8, 1.8):
        esper.create_entity(ec.DistanceJoint(plate, anchor_a=(x, 0.0), anchor_b=(x, 3.0), length=3.0))


@pytest.mark.parametrize("short", SHORT)
@pytest.mark.parametrize("support", [table, pins, console, ropes])
def test_a_stack_on_joints_stands_in_alternating_steps(support: Callable[[int], None], short: float) -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        plate = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Box(4.0, 0.2)))
        support(plate)
        stack = [
            esper.create_entity(ec.Transform(0.0, 0.35 + 0.5 * k), ec.Velocity(), ec.Collider(ec.Box(0.5, 0.5)))
            for k in range(6)
        ]
        play.step(300)
        before = [play.pose(entity) for entity in (plate, *stack)]
        for _ in range(200):
            play.step()
            play.step(dt=short)
        for entity, place in zip((plate, *stack), before, strict=True):
            assert play.pose(entity) == pytest.approx(place, abs=1e-5)
