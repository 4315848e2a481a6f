"""The wheel joint: a wheel on a suspension."""

from __future__ import annotations

from math import inf

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Point, largest_as_infinity
from ecs_collide.components.joints.sliding import AxisJoint
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field
from ecs_collide.validate import non_negative_or_infinite


class WheelJoint(AxisJoint):
    """Wheel joint: the wheel `b` turns freely, and moves along an axis of the car `a`.

    Without `b`, `a` is the wheel, and the axis is one of the world. `translation` is how far the anchors are apart
    along the axis [m].

    Args:
        axis: direction in the local axes of `a`, or of the world without `b`; (0, 1) by default. It is normalised.
        lower: least translation [m]; no limit by default.
        upper: largest translation [m]; no limit by default.
        motor_speed: speed of the motor [rad/s]; 0 (a brake, if there is a max_motor_torque) by default.
        max_motor_torque: largest torque of the motor [N m]; 0 (no motor) by default.
        hertz: frequency of a spring (suspension) that pulls the translation back to 0 [1/s]; 0 (no spring) by default.
        damping_ratio: damping of the spring; 1 (critical) by default.
        stiffness: stiffness of the spring in place of `hertz` [N/m]; 0 by default.
        damping: damping of the spring in place of `damping_ratio` [N s/m]; 0 by default.
        max_force: largest force that keeps the axis, of the spring and of each limit [N]; infinity by default.

    The other arguments and the errors are those of `Joint`. The default anchor is the origin of the wheel. Raises
    ValueError if the axis has no length, or if `lower` is above `upper`.
    """

    __slots__ = ()
    kind = kinds.WHEEL

    max_motor_torque = Field(NUMBERS.MAX_MOTOR, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest torque of the motor [N m], 0 for no motor."""
    max_force = Field(NUMBERS.MAX_FORCE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest force that keeps the wheel on the axis, of the spring, and of each limit [N]."""

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
        stiffness: float = 0.0,
        damping: float = 0.0,
        max_force: float = inf,
        break_force: float = inf,
        break_torque: float = inf,
        force_threshold: float = inf,
        torque_threshold: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._init_common(a, b, anchor_a, anchor_b, point, collide_connected)
        self._init_loads(break_force, break_torque, force_threshold, torque_threshold)
        self.axis = axis
        self.lower, self.upper = lower, upper
        self.motor_speed, self.max_motor_torque = motor_speed, max_motor_torque
        self.max_force = max_force
        self._init_spring(hertz, damping_ratio, stiffness, damping)
        self._check_order()

    def _default_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        return pose_b[:2] if self.b is not None else pose_a[:2]
