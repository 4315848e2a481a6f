"""Numbers of joints that must not be 0, and bodies that must be given, are refused at once."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan

import numpy as np
import pytest

import ecs_collide as ec

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a target without a frequency": (lambda: ec.TargetJoint(1, (0, 0), hertz=0.0), "TargetJoint.hertz"),
    "a target with a negative frequency": (lambda: ec.TargetJoint(1, (0, 0), hertz=-5.0), "TargetJoint.hertz"),
    "a pulley without a ratio": (lambda: ec.PulleyJoint(1, 2, (0, 0), (1, 0), ratio=0.0), "PulleyJoint.ratio"),
    "a pulley with a negative ratio": (lambda: ec.PulleyJoint(1, 2, (0, 0), (1, 0), ratio=-1.0), "PulleyJoint.ratio"),
    "a ratchet without teeth": (lambda: ec.RatchetJoint(1, tooth=0.0), "RatchetJoint.tooth"),
    "a negative strength": (lambda: ec.RevoluteJoint(1, max_force=-1.0), "RevoluteJoint.max_force"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_number_out_of_range_is_refused_by_name(name: str) -> None:
    make, named = REFUSED[name]
    with pytest.raises(ValueError, match=named.replace(".", r"\.")):
        make()


@pytest.mark.parametrize("infinity", [inf, np.float64(inf), np.float32(inf), np.float16(inf)])
def test_an_infinite_strength_or_limit_may_be_a_number_of_numpy_of_any_width(infinity: float) -> None:
    wheel = ec.WheelJoint(1, 2, max_motor_torque=infinity, max_force=infinity, lower=-infinity, upper=infinity)
    assert (wheel.max_motor_torque, wheel.max_force, wheel.lower, wheel.upper) == (inf, inf, -inf, inf)
    assert ec.TargetJoint(1, (0, 0), max_force=infinity).max_force == inf


@pytest.mark.parametrize("value", [-1.0, nan, -inf])
def test_the_error_of_a_strength_says_that_infinity_is_allowed(value: float) -> None:
    with pytest.raises(ValueError, match=rf"max_motor_torque must be a non-negative number or infinity, got {value}$"):
        ec.WheelJoint(1, 2, max_motor_torque=value)
    with pytest.raises(ValueError, match=rf"TargetJoint.max_force must be a positive number or infinity, got {value}$"):
        ec.TargetJoint(1, (0, 0), max_force=value)
    with pytest.raises(ValueError, match="max_motor_torque must not exceed 1e\\+50 in magnitude"):
        ec.WheelJoint(1, 2, max_motor_torque=1e60)


@pytest.mark.parametrize("kind", [ec.GearJoint, lambda a, b: ec.PulleyJoint(a, b, (0, 0), (1, 0))])
def test_gears_and_pulleys_need_a_second_body(kind: Callable[[int, None], object]) -> None:
    with pytest.raises(TypeError, match=r"Joint\.b must be an integer, got None"):
        kind(1, None)
