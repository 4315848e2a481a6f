"""The weld joint: two bodies keep their relative position and angle."""

from __future__ import annotations

from math import inf
from typing import Any

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Point, largest_as_infinity
from ecs_collide.components.joints.spring_joint import SpringJoint, mixed_springs
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field
from ecs_collide.validate import LARGEST, angle, non_negative, non_negative_or_infinite

PRESENT = LARGEST
"""Stored reference angle of a joint that keeps the angle at which a step takes it in."""


def angle_or_current(value: Any, name: str) -> float:
    """Return an angle, or `PRESENT` if it is None."""
    return PRESENT if value is None else angle(value, name)


def current_angle_as_none(number: float) -> float | None:
    """Return a stored reference angle; None for `PRESENT`."""
    return None if number == PRESENT else number


class WeldJoint(SpringJoint):
    """Weld joint: two bodies keep their relative position and angle.

    Args:
        reference_angle: angle of `b` against `a` [rad]; None (default) for the angle at which a step takes the joint
            in.
        hertz: frequency of a spring in place of the rigid angle [1/s]; 0 (rigid) by default.
        damping_ratio: damping of the spring; 1 (critical) by default.
        stiffness: stiffness of the spring in place of `hertz` [N m/rad]; 0 by default.
        damping: damping of the spring in place of `damping_ratio` [N m s/rad]; 0 by default.
        linear_hertz: frequency of a spring between the anchors in place of the rigid point [1/s]; 0 (rigid) by
            default.
        linear_damping_ratio: damping of that spring; 1 (critical) by default.
        linear_stiffness: stiffness of that spring in place of `linear_hertz` [N/m]; 0 by default.
        linear_damping: damping of that spring in place of `linear_damping_ratio` [N s/m]; 0 by default.
        max_force: largest force that holds the anchors together [N]; infinity by default.
        max_torque: largest torque that keeps the angle [N m]; infinity by default.

    The other arguments and the errors are those of `Joint`. The default anchor is the origin of `a`. Raises ValueError
    if one spring has a frequency beside a stiffness or a damping.
    """

    __slots__ = ()
    kind = kinds.WELD

    reference_angle = Field(NUMBERS.REST, angle_or_current, wrap=current_angle_as_none)
    """Angle of `b` against `a` [rad]; it may be written at any time."""
    linear_hertz = Field(NUMBERS.LINEAR_HERTZ, non_negative, 0.0)
    """Frequency of the spring between the anchors [1/s], 0 for none."""
    linear_damping_ratio = Field(NUMBERS.LINEAR_DAMPING_RATIO, non_negative, 0.0)
    """Damping of that spring with that frequency, 1 for critical damping."""
    linear_stiffness = Field(NUMBERS.LINEAR_STIFFNESS, non_negative, 0.0)
    """Stiffness of that spring in place of a frequency [N/m], 0 for none."""
    linear_damping = Field(NUMBERS.LINEAR_DAMPING, non_negative, 0.0)
    """Damping of that spring in place of a damping ratio [N s/m], 0 for none."""
    max_force = Field(NUMBERS.MAX_FORCE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest force that holds the anchors together [N]; the weld yields to a greater one."""
    max_torque = Field(NUMBERS.MAX_TORQUE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest torque that keeps the angle [N m]; the weld yields to a greater one."""

    def __init__(
        self,
        a: int,
        b: int | None = None,
        *,
        anchor_a: Point | None = None,
        anchor_b: Point | None = None,
        point: Point | None = None,
        reference_angle: float | None = None,
        hertz: float = 0.0,
        damping_ratio: float = 1.0,
        stiffness: float = 0.0,
        damping: float = 0.0,
        linear_hertz: float = 0.0,
        linear_damping_ratio: float = 1.0,
        linear_stiffness: float = 0.0,
        linear_damping: float = 0.0,
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
        self._init_spring(hertz, damping_ratio, stiffness, damping)
        self.linear_hertz, self.linear_damping_ratio = linear_hertz, linear_damping_ratio
        self.linear_stiffness, self.linear_damping = linear_stiffness, linear_damping
        self.reference_angle = reference_angle
        self.max_force, self.max_torque = max_force, max_torque
        self._check_order()

    @property
    def angle(self) -> float:
        """Return the angle of `b` against `a`, less the reference angle, after the last step [rad]."""
        return self._values()[NUMBERS.POSITION]

    def _rest(self) -> float | None:
        return self.reference_angle

    def _order_error(self) -> str | None:
        return super()._order_error() or mixed_springs(
            self,
            {"linear_hertz": self.linear_hertz},
            {"linear_stiffness": self.linear_stiffness, "linear_damping": self.linear_damping},
        )
