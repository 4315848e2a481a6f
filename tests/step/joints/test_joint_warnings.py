"""New joints that have no effect give a warning."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from math import inf
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.components.joints import Joint
from tests.support.worlds import DT, disk

pytestmark = pytest.mark.usefixtures("fresh_world")

IDLE: dict[str, tuple[Callable[[int], Joint], str]] = {
    "a pin's motor": (
        lambda a: ec.RevoluteJoint(a, motor_speed=5),
        "RevoluteJoint has motor_speed 5 but max_motor_torque 0: the motor drives nothing. "
        "Set max_motor_torque above 0, or motor_speed to 0",
    ),
    "a slider's motor": (
        lambda a: ec.PrismaticJoint(a, motor_speed=-2.5),
        "PrismaticJoint has motor_speed -2.5 but max_motor_force 0: the motor drives nothing. "
        "Set max_motor_force above 0, or motor_speed to 0",
    ),
    "a wheel's motor": (
        lambda a: ec.WheelJoint(a, motor_speed=5),
        "WheelJoint has motor_speed 5 but max_motor_torque 0: the motor drives nothing. "
        "Set max_motor_torque above 0, or motor_speed to 0",
    ),
    "friction": (
        ec.FrictionJoint,
        "FrictionJoint has max_force 0 and max_torque 0: it brakes nothing. Set one of them above 0",
    ),
    "damping": (
        lambda a: ec.DistanceJoint(a, anchor_b=(0, 9), damping_ratio=0.2),
        "DistanceJoint has damping_ratio 0.2 but hertz 0: it damps nothing. "
        "Set hertz above 0, or damping beside a stiffness",
    ),
}


@pytest.mark.parametrize("situation", IDLE)
def test_a_joint_that_does_nothing(situation: str, new_warnings: Callable[[], list[str]]) -> None:
    make, text = IDLE[situation]
    ec.install()
    body = disk()
    joint = make(body)
    first, _ = esper.create_entity(joint), esper.create_entity(copy.copy(joint))
    for _ in range(2):
        esper.process(DT)
    assert new_warnings() == [f"entity {first}: its {text}"]


WORKING: dict[str, Callable[[int], Joint]] = {
    "a motor": lambda a: ec.RevoluteJoint(a, motor_speed=5, max_motor_torque=1),
    "a brake": lambda a: ec.RevoluteJoint(a, max_motor_torque=1),
    "a brake of a pin": lambda a: ec.FrictionJoint(a, max_torque=1),
    "a brake of a floor": lambda a: ec.FrictionJoint(a, max_force=1),
    "a spring": lambda a: ec.WheelJoint(a, hertz=3, damping_ratio=0.2),
    "a target": lambda a: ec.TargetJoint(a, (0, 0), damping_ratio=0.2),
    "a pin": ec.RevoluteJoint,
}


@pytest.mark.parametrize("situation", WORKING)
def test_a_joint_that_works_and_is_switched_off_later(situation: str, new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    joint = WORKING[situation](disk())
    esper.create_entity(joint)
    esper.process(DT)
    for name in ("max_motor_torque", "max_torque", "hertz"):
        if hasattr(joint, name) and not isinstance(joint, ec.TargetJoint):
            setattr(joint, name, 0.0)
    joint.anchor_a = (0.1, 0.0)  # it is adopted again
    esper.process(DT)
    assert new_warnings() == []


def test_a_warning_that_is_made_an_error_comes_before_the_joint_is_adopted() -> None:
    physics = ec.install()
    body = disk()
    esper.process(DT)
    esper.create_entity(ec.RevoluteJoint(body, motor_speed=5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ec.PhysicsWarning, match="max_motor_torque"):
            esper.process(DT)
    assert physics.joints_of(body) == []
    assert physics.statistics.steps == 1


def test_a_rope_with_a_length_of_its_own_is_refused() -> None:
    ropes: list[dict[str, Any]] = [{"max_length": 9.0}, {"min_length": 1.0}, {"min_length": 1.0, "max_length": 9.0}]
    for limits in ropes:
        with pytest.raises(ValueError, match=r"length 2 is what a rod or a spring keeps; with .* it is a rope"):
            ec.DistanceJoint(1, 2, length=2, **limits)
        assert ec.DistanceJoint(1, 2, length=2, hertz=3.0, **limits).rest_length == 2.0
        assert ec.DistanceJoint(1, 2, **limits).rest_length is None


def test_the_repr_of_an_adopted_rope_creates_an_equal_one() -> None:
    ec.install()
    rope = ec.DistanceJoint(disk(), anchor_b=(0.0, 4.0), max_length=5.0)
    esper.create_entity(rope)
    esper.process(DT)
    assert rope.rest_length == 4.0
    again = eval(repr(rope), {"DistanceJoint": ec.DistanceJoint, "inf": inf})
    assert (again.max_length, again.rest_length) == (5.0, None)
    assert copy.copy(rope).rest_length == 4.0
