"""A pin: two bodies turn about one point."""

from __future__ import annotations

from math import inf
from typing import Any

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint, Point, bound, endless, ordered, up_to
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field
from ecs_collide.validate import angle, finite, non_negative


class RevoluteJoint(Joint):
    """Holds a point of `a` on a point of `b`; they may turn about it.

    `angle` is that of `b` against `a`, less `reference_angle` [rad], and is kept between `lower` and `upper`; without
    `b` it is that of `a` in the world. A motor turns `b` against `a`, or `a` in the world, at `motor_speed` [rad/s]
    with up to `max_motor_torque` [N m]; a speed of 0 is a brake. With `hertz` [1/s] above 0 a spring of that frequency
    and `damping_ratio` turns them back to angle 0.
    """

    __slots__ = ()
    kind = kinds.REVOLUTE

    lower = Field(NUMBERS.LOWER, bound, wrap=endless)
    upper = Field(NUMBERS.UPPER, bound, wrap=endless)
    motor_speed = Field(NUMBERS.MOTOR_SPEED, finite)
    max_motor_torque = Field(NUMBERS.MAX_MOTOR, up_to, wrap=endless)
    hertz = Field(NUMBERS.HERTZ, non_negative, 0.0)
    damping_ratio = Field(NUMBERS.DAMPING_RATIO, non_negative, 0.0)
    reference_angle = Field(NUMBERS.REST, angle)

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
        self._begin(a, b, anchor_a, anchor_b, point, break_force, break_torque, collide_connected)
        self.lower, self.upper = lower, upper
        self.motor_speed, self.max_motor_torque = motor_speed, max_motor_torque
        self.hertz, self.damping_ratio = hertz, damping_ratio
        self.reference_angle = reference_angle
        self._check_order()

    @property
    def angle(self) -> float:
        """The angle of `b` against `a`, less the reference angle, after the last step [rad]."""
        return self._values()[NUMBERS.POSITION]

    @property
    def speed(self) -> float:
        """How fast that changed [rad/s]."""
        return self._values()[NUMBERS.SPEED]

    def _disorder(self) -> str | None:
        return ordered(self, self.lower, self.upper)

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
