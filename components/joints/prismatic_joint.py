"""A slider: one body moves along an axis of another, and does not turn against it."""

from __future__ import annotations

from math import inf
from typing import Any

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Point, endless, up_to
from ecs_collide.components.joints.sliding import AxisJoint
from ecs_collide.components.joints.weld_joint import angle_or_present
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field, Part


class PrismaticJoint(AxisJoint):
    """Keeps the anchor of `b` on a line through that of `a`, along an `axis` of `a`, and their angle.

    Without `b` it keeps that of `a` on a line in the world.

    `translation` is kept between `lower` and `upper` [m]. A motor drives it at `motor_speed` [m/s] with up to
    `max_motor_force` [N]. With `hertz` [1/s] above 0 a spring of that frequency and `damping_ratio` pulls it back to 0.
    The angle is `reference_angle` [rad], or, where none is given, the one there is when the joint is adopted.
    """

    __slots__ = ("_reference_angle",)
    kind = kinds.PRISMATIC

    max_motor_force = Field(NUMBERS.MAX_MOTOR, up_to, wrap=endless)
    reference_angle: Part[float | None] = Part(angle_or_present)

    def __init__(
        self,
        a: int,
        b: int | None = None,
        *,
        axis: Point = (1.0, 0.0),
        anchor_a: Point | None = None,
        anchor_b: Point | None = None,
        point: Point | None = None,
        reference_angle: float | None = None,
        lower: float = -inf,
        upper: float = inf,
        motor_speed: float = 0.0,
        max_motor_force: float = 0.0,
        hertz: float = 0.0,
        damping_ratio: float = 1.0,
        break_force: float = inf,
        break_torque: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._begin(a, b, anchor_a, anchor_b, point, break_force, break_torque, collide_connected)
        self.axis = axis
        self.reference_angle = reference_angle
        self.lower, self.upper = lower, upper
        self.motor_speed, self.max_motor_force = motor_speed, max_motor_force
        self.hertz, self.damping_ratio = hertz, damping_ratio
        self._check_order()

    def _reference(self) -> float | None:
        return self.reference_angle

    def _fix(self, anchor_a: Point, anchor_b: Point, reference: float, rest: float) -> None:
        super()._fix(anchor_a, anchor_b, reference, rest)
        self._reference_angle = reference

    def _arguments(self) -> dict[str, Any]:
        own = {"reference_angle": self.reference_angle, "max_motor_force": self.max_motor_force}
        return self._anchors() | self._numbers() | own | self._common()
