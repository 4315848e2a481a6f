"""A wheel on a suspension: one body moves along an axis of another, and turns."""

from __future__ import annotations

from math import inf
from typing import Any

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Point, endless, up_to
from ecs_collide.components.joints.sliding import AxisJoint
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field


class WheelJoint(AxisJoint):
    """Keeps the anchor of the wheel `b` on a line through that of the car `a`, along an `axis` of `a`.

    Without `b`, `a` is the wheel, and the axis is one of the world.

    With `hertz` [1/s] above 0 a spring of that frequency and `damping_ratio` pulls `translation` back to 0, which is
    kept between `lower` and `upper` [m]. A motor turns `b` against `a` at `motor_speed` [rad/s] with up to
    `max_motor_torque` [N m]. Where nothing is said, both anchors are at the origin of `b`.
    """

    __slots__ = ()
    kind = kinds.WHEEL

    max_motor_torque = Field(NUMBERS.MAX_MOTOR, up_to, wrap=endless)

    def __init__(
        self,
        a: int,
        b: int | None = None,
        *,
        axis: Point = (0.0, 1.0),
        anchor_a: Point | None = None,
        anchor_b: Point | None = None,
        point: Point | None = None,
        lower: float = -inf,
        upper: float = inf,
        motor_speed: float = 0.0,
        max_motor_torque: float = 0.0,
        hertz: float = 0.0,
        damping_ratio: float = 1.0,
        break_force: float = inf,
        break_torque: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._begin(a, b, anchor_a, anchor_b, point, break_force, break_torque, collide_connected)
        self.axis = axis
        self.lower, self.upper = lower, upper
        self.motor_speed, self.max_motor_torque = motor_speed, max_motor_torque
        self.hertz, self.damping_ratio = hertz, damping_ratio
        self._check_order()

    def _usual_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        return pose_b[:2] if self.b is not None else pose_a[:2]

    def _arguments(self) -> dict[str, Any]:
        own = {"max_motor_torque": self.max_motor_torque}
        return self._anchors() | self._numbers() | own | self._common()
