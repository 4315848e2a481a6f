"""Characters that games move by keys and gravity: along slopes, and on what turns."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, game, static, transform

RADIUS = 0.3
FALL = 20.0 * DT
"""Velocity that gravity adds in each frame [m/s]."""

degrees = pytest.mark.parametrize("degrees", [15.0, 30.0, 44.0])


def man(x: float, y: float) -> int:
    return esper.create_entity(
        ec.Transform(x, y),
        ec.RigidBody(ec.BodyKind.KINEMATIC),
        ec.Collider(ec.Capsule((0.0, -RADIUS), (0.0, RADIUS), RADIUS)),
    )


def hill(slope: float) -> None:
    """Up from the origin at a slope [rad], down again from x = 20, and flat ground on both sides."""
    static(
        ec.Polygon(
            [
                (-90.0, -9.0),
                (90.0, -9.0),
                (90.0, 0.0),
                (40.0, 0.0),
                (20.0, 20.0 * math.tan(slope)),
                (0.0, 0.0),
                (-90.0, 0.0),
            ]
        )
    )


@degrees
@pytest.mark.parametrize("then", [0.0, -5.0])
def test_a_key_let_go_or_turned_uphill_makes_no_hop(degrees: float, then: float) -> None:
    slope = math.radians(degrees)
    with game() as play:
        hill(slope)
        player, velocity = man(-2.0, 2.0 * RADIUS), (0.0, 0.0)
        for k in range(150):
            velocity = (5.0 if k < 100 else then, velocity[1] - FALL)
            slide = play.physics.move_and_slide(player, velocity, DT)
            velocity = slide.velocity
            play.step()
            assert slide.on_floor
            if k >= 100:
                x, y = slide.position
                assert y == pytest.approx(x * math.tan(slope) + RADIUS / math.cos(slope) + RADIUS, abs=1e-6)


@degrees
@pytest.mark.parametrize("speed", [3.0, 12.0])
@pytest.mark.parametrize("start", [3.0, 22.0])
def test_on_a_slope_it_goes_as_fast_to_the_side_as_on_the_level(degrees: float, speed: float, start: float) -> None:
    slope = math.radians(degrees)
    with game() as play:
        hill(slope)
        player, velocity = (
            man(start, (20.0 - abs(start - 20.0)) * math.tan(slope) + RADIUS / math.cos(slope) + RADIUS),
            (speed, 0.0),
        )
        for _ in range(60):
            slide = play.physics.move_and_slide(player, (velocity[0], velocity[1] - FALL), DT, snap=0.0)
            velocity = slide.velocity
            assert slide.on_floor and velocity == pytest.approx((speed, 0.0), abs=1e-9)
        assert transform(player).x == pytest.approx(start + speed, abs=1e-6)


@pytest.mark.parametrize("spin", [0.01, 0.1, -0.1, 0.2])
@pytest.mark.parametrize("rate", [60, 240])
def test_on_a_platform_that_tilts_it_stays_where_it_stands(spin: float, rate: int) -> None:
    dt, c, s = 1.0 / rate, math.cos(0.3), math.sin(0.3)
    with game() as play:
        plank = esper.create_entity(
            ec.Transform(0.0, 0.0, 0.3),
            ec.Velocity(0.0, 0.0, spin),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(ec.Box(8.0, 0.4)),
        )
        ball = esper.create_entity(
            ec.Transform(2.0 * c - 0.8 * s, 2.0 * s + 0.8 * c),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(ec.Circle(0.6)),
        )
        velocity = (0.0, 0.0)
        for _ in range(2 * rate):
            slide = play.physics.move_and_slide(ball, (velocity[0], velocity[1] - 20.0 * dt), dt)
            velocity = slide.velocity
            esper.process(dt)
            assert slide.floor == plank and velocity == pytest.approx((0.0, 0.0), abs=1e-4)
        turned = transform(plank).angle
        along = transform(ball).x * math.cos(turned) + transform(ball).y * math.sin(turned)
        assert along == pytest.approx(2.0, abs=5e-4)  # it does not roll on the plank
