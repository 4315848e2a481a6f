"""The revolute joint: two bodies turn about a common point."""

from __future__ import annotations

from math import inf

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Point, bounds_error, largest_as_infinity, number_or_infinite
from ecs_collide.components.joints.spring_joint import SpringJoint
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field
from ecs_collide.validate import angle, finite, non_negative_or_infinite


class RevoluteJoint(SpringJoint):
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
        stiffness: stiffness of the spring in place of `hertz` [N m/rad]; 0 by default.
        damping: damping of the spring in place of `damping_ratio` [N m s/rad]; 0 by default.
        reference_angle: angle of `b` against `a` that counts as 0 [rad]; 0 by default.
        max_force: largest force with which the pin holds [N]; infinity by default.
        max_torque: largest torque of the spring and of the limits [N m]; infinity by default.

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
    reference_angle = Field(NUMBERS.REST, angle)
    """Angle of `b` against `a` that counts as 0 [rad]."""
    max_force = Field(NUMBERS.MAX_FORCE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest force with which the pin holds [N]; it yields to a greater one."""
    max_torque = Field(NUMBERS.MAX_TORQUE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest torque of the spring and of each limit [N m]."""

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
        stiffness: float = 0.0,
        damping: float = 0.0,
        reference_angle: float = 0.0,
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
        self.lower, self.upper = lower, upper
        self.motor_speed, self.max_motor_torque = motor_speed, max_motor_torque
        self._init_spring(hertz, damping_ratio, stiffness, damping)
        self.reference_angle = reference_angle
        self.max_force, self.max_torque = max_force, max_torque
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
        return super()._order_error() or bounds_error(self, self.lower, self.upper)
