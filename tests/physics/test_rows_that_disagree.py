"""Motors, limits and brakes that ask for different things along one axis: the one that has a bound gives way."""

from __future__ import annotations

from itertools import cycle
from math import cos, hypot, inf

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, kinematic, static, transform, velocity


@pytest.mark.parametrize("force", [100.0, 1e9, inf])
@pytest.mark.parametrize("gravity", [0.0, -10.0])
def test_a_lift_at_its_stop_stands(force: float, gravity: float) -> None:
    with game(gravity=(0.0, gravity)) as play:
        lift = dynamic(ec.Box(1.0, 0.1))
        joint = ec.PrismaticJoint(lift, axis=(0, 1), lower=0.0, upper=1.0, motor_speed=3.0, max_motor_force=force)
        entity = esper.create_entity(joint)
        play.step(60)
        assert (transform(lift).y, velocity(lift).y, joint.speed) == pytest.approx((1.0, 0.0, 0.0), abs=1e-3)
        assert joint.force == pytest.approx(-0.1 * gravity, abs=1e-3)
        esper.delete_entity(entity)
        play.physics.gravity = (0.0, 0.0)
        play.step(60)
        assert transform(lift).y == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("torque", [20.0, 2000.0])
def test_a_flipper_held_up_throws_nothing(torque: float) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        flipper = esper.create_entity(
            ec.Transform(), ec.Velocity(), ec.Collider(ec.Box(1.0, 0.1)), ec.RigidBody(mass=1.0)
        )
        joint = ec.RevoluteJoint(flipper, anchor_a=(-0.5, 0.0), lower=-0.4, upper=0.4)
        joint.motor_speed, joint.max_motor_torque = 20.0, torque
        esper.create_entity(joint)
        play.step(60)
        ball = dynamic(ec.Circle(0.1), (-0.5 + 0.8 * cos(0.4), 0.81))
        heights = []
        for _ in range(60):
            play.step()
            heights.append(transform(ball).y)
        assert max(heights[25:]) < 0.5


@pytest.mark.parametrize("brake_first", [False, True])
@pytest.mark.parametrize("brake", [4.0, 9.9, 20.0])
def test_a_motor_drives_against_a_brake_whichever_came_first(brake: float, brake_first: bool) -> None:
    with game(gravity=(0.0, 0.0)) as play:
        wheel = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(0.5)), ec.RigidBody(mass=8.0))
        motor = ec.RevoluteJoint(wheel, motor_speed=5.0, max_motor_torque=10.0)
        friction = ec.FrictionJoint(wheel, max_torque=brake)
        for joint in (friction, motor) if brake_first else (motor, friction):
            esper.create_entity(joint)
        play.step(180)
        expected = {4.0: 5.0, 9.9: 0.3, 20.0: 0.0}[brake]
        assert velocity(wheel).angular == pytest.approx(expected, abs=1e-6)
        assert friction.torque == pytest.approx(-min(brake, 10.0), rel=1e-6)
        assert motor.torque == pytest.approx(4.0 if brake == 4.0 else 10.0, rel=1e-6)


@pytest.mark.parametrize("first", [0.5, 0.2])
def test_of_two_limits_along_one_axis_the_narrower_holds(first: float) -> None:
    with game(gravity=(0.0, 10.0)) as play:
        slider = dynamic(ec.Box(1.0, 1.0))
        for upper in (first, 0.7 - first):
            esper.create_entity(ec.PrismaticJoint(slider, axis=(0.0, 1.0), upper=upper))
        play.step(120)
        assert transform(slider).y == pytest.approx(0.2, abs=1e-4)


@pytest.mark.parametrize("last_kind", list(ec.BodyKind))
@pytest.mark.parametrize("is_slider", [False, True])
def test_a_crate_that_a_lift_tears_off_its_post_is_not_thrown(is_slider: bool, last_kind: ec.BodyKind) -> None:
    """The lift moves at 11 m/s at most where it holds the crate, so for a second no velocity meets both joints."""
    with game(gravity=(0.0, -10.0)) as play:
        lift = kinematic(ec.Circle(0.4), (0.0, 0.0), (0.0, -4.0), angular=-2.0)
        post, crate = static(ec.Box(0.5, 0.5), (-6.0, 2.0)), dynamic(ec.Box(0.5, 0.6), (-4.0, 3.0))
        held = ec.PrismaticJoint(crate, lift, lower=-5.0, upper=-3.0) if is_slider else ec.WeldJoint(crate, lift)
        for joint in (held, ec.DistanceJoint(crate, post)):
            esper.create_entity(joint)
        greatest, lengths = 0.0, cycle([1.0 / 60.0, 1.0 / 144.0, 1.0 / 30.0])
        for step in range(100):
            if step == 55:
                esper.component_for_entity(lift, ec.RigidBody).kind = last_kind
            play.step(dt=next(lengths))
            greatest = max(greatest, hypot(velocity(crate).x, velocity(crate).y))
        assert greatest < 20.0
