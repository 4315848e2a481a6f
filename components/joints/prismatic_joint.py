"""The prismatic joint: one body slides along an axis of another."""

from __future__ import annotations

from math import inf

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Point, largest_as_infinity
from ecs_collide.components.joints.sliding import AxisJoint
from ecs_collide.components.joints.weld_joint import angle_or_current, current_angle_as_none
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field
from ecs_collide.validate import non_negative_or_infinite


class PrismaticJoint(AxisJoint):
    """Prismatic joint (slider): `b` slides along an axis of `a` and keeps its angle.

    Without `b`, `a` slides along an axis of the world. `translation` is how far the anchors are apart along the axis
    [m].

    Args:
        axis: direction in the local axes of `a`, or of the world without `b`; (1, 0) by default. It is normalised.
        lower: least translation [m]; no limit by default.
        upper: largest translation [m]; no limit by default.
        motor_speed: speed of the motor [m/s]; 0 (a brake, if there is a max_motor_force) by default.
        max_motor_force: largest force of the motor [N]; 0 (no motor) by default.
        hertz: frequency of a spring that pulls the translation back to 0 [1/s]; 0 (no spring) by default.
        damping_ratio: damping of the spring; 1 (critical) by default.
        stiffness: stiffness of the spring in place of `hertz` [N/m]; 0 by default.
        damping: damping of the spring in place of `damping_ratio` [N s/m]; 0 by default.
        reference_angle: angle of `b` against `a` [rad]; None (default) for the angle at which a step takes the joint
            in.
        max_force: largest force that keeps the axis, of the spring and of each limit [N]; infinity by default.
        max_torque: largest torque that keeps the angle [N m]; infinity by default.

    The other arguments and the errors are those of `Joint`. The default anchor is the origin of `a`. Raises ValueError
    if the axis has no length, or if `lower` is above `upper`.
    """

    __slots__ = ()
    kind = kinds.PRISMATIC

    max_motor_force = Field(NUMBERS.MAX_MOTOR, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest force of the motor [N], 0 for no motor."""
    reference_angle = Field(NUMBERS.REST, angle_or_current, wrap=current_angle_as_none)
    """Angle of `b` against `a` [rad]; it may be written at any time."""
    max_force = Field(NUMBERS.MAX_FORCE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest force that keeps `b` on the axis, of the spring, and of each limit [N]."""
    max_torque = Field(NUMBERS.MAX_TORQUE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest torque that keeps the angle [N m]."""

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
        stiffness: float = 0.0,
        damping: float = 0.0,
        max_force: float = inf,
        max_torque: float = inf,
        break_force: float = inf,
        break_torque: float = inf,
        force_threshold: float = inf,
        torque_threshold: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._init_common(a, b, anchor_a, anchor_b, point, collide_connected)
        self._init_loads(break_force, break_torque, force_threshold, torque_threshold)
        self.axis = axis
        self.reference_angle = reference_angle
        self.max_force, self.max_torque = max_force, max_torque
        self.lower, self.upper = lower, upper
        self.motor_speed, self.max_motor_force = motor_speed, max_motor_force
        self._init_spring(hertz, damping_ratio, stiffness, damping)
        self._check_order()

    def _rest(self) -> float | None:
        return self.reference_angle
