"""The revolute joint: two bodies turn about a common point."""

from __future__ import annotations

from math import inf
from typing import Any

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import (
    Joint,
    Point,
    bounds_error,
    largest_as_infinity,
    non_negative_or_infinite,
    number_or_infinite,
)
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field
from ecs_collide.validate import angle, finite, non_negative


class RevoluteJoint(Joint):
    """Revolute joint (hinge, pin): two bodies turn about a common point.

    `angle` is the angle of `b` against `a` less `reference_angle` [rad]; without `b` it is the angle of `a` in the
    world.

    Args:
        lower: least angle [rad]; no limit by default.
        upper: largest angle [rad]; no limit by default.
        motor_speed: speed of the motor [rad/s]; 0 (a brake, if there is a max_motor_torque) by default.
        max_motor_torque: largest torque of the motor [N m]; 0 (no motor) by default.
        hertz: frequency of a spring that pulls the angle back to 0 [1/s]; 0 (no spring) by default.
        damping_ratio: damping of the spring; 1 (critical) by default.
        reference_angle: angle of `b` against `a` that counts as 0 [rad]; 0 by default.

    The other arguments and the errors are those of `Joint`. The default anchor is the origin of `a`. Raises ValueError
    if `lower` is above `upper`.
    """

    __slots__ = ()
    kind = kinds.REVOLUTE

    lower = Field(NUMBERS.LOWER, number_or_infinite, wrap=largest_as_infinity)
    """Least angle [rad], minus infinity for no limit."""
    upper = Field(NUMBERS.UPPER, number_or_infinite, wrap=largest_as_infinity)
    """Largest angle [rad], infinity for no limit."""
    motor_speed = Field(NUMBERS.MOTOR_SPEED, finite)
    """Speed of the motor [rad/s]; with a `max_motor_torque`, 0 makes it a brake."""
    max_motor_torque = Field(NUMBERS.MAX_MOTOR, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest torque of the motor [N m], 0 for no motor."""
    hertz = Field(NUMBERS.HERTZ, non_negative, 0.0)
    """Frequency of the spring that pulls the angle back to 0 [1/s], 0 for no spring."""
    damping_ratio = Field(NUMBERS.DAMPING_RATIO, non_negative, 0.0)
    """Damping of the spring, 1 for critical damping."""
    reference_angle = Field(NUMBERS.REST, angle)
    """Angle of `b` against `a` that counts as 0 [rad]."""

    def __init__(
        self,
        a: int,
        b: int | None = None,
        *,
        anchor_a: Point | None = None,
        anchor_b: Point | None = None,
        point: Point | None = None,
        lower: float = -inf,
        upper: float = inf,
        motor_speed: float = 0.0,
        max_motor_torque: float = 0.0,
        hertz: float = 0.0,
        damping_ratio: float = 1.0,
        reference_angle: float = 0.0,
        break_force: float = inf,
        break_torque: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._init_common(a, b, anchor_a, anchor_b, point, break_force, break_torque, collide_connected)
        self.lower, self.upper = lower, upper
        self.motor_speed, self.max_motor_torque = motor_speed, max_motor_torque
        self.hertz, self.damping_ratio = hertz, damping_ratio
        self.reference_angle = reference_angle
        self._check_order()

    @property
    def angle(self) -> float:
        """Return the angle of `b` against `a`, less the reference angle, after the last step [rad]."""
        return self._values()[NUMBERS.POSITION]

    @property
    def speed(self) -> float:
        """Return the velocity of `angle` [rad/s]."""
        return self._values()[NUMBERS.SPEED]

    def _order_error(self) -> str | None:
        return bounds_error(self, self.lower, self.upper)

    def _arguments(self) -> dict[str, Any]:
        return self._anchors() | {
            "lower": self.lower,
            "upper": self.upper,
            "motor_speed": self.motor_speed,
            "max_motor_torque": self.max_motor_torque,
            "hertz": self.hertz,
            "damping_ratio": self.damping_ratio,
            "reference_angle": self.reference_angle,
            **self._common(),
        }
