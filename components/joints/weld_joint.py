"""The weld joint: two bodies keep their relative position and angle."""

from __future__ import annotations

from math import inf
from typing import Any

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Point
from ecs_collide.components.joints.spring_joint import SpringJoint
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field
from ecs_collide.validate import LARGEST, angle

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

    The other arguments and the errors are those of `Joint`. The default anchor is the origin of `a`.
    """

    __slots__ = ()
    kind = kinds.WELD

    reference_angle = Field(NUMBERS.REST, angle_or_current, wrap=current_angle_as_none)
    """Angle of `b` against `a` [rad]; it may be written at any time."""

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
        break_force: float = inf,
        break_torque: float = inf,
        force_threshold: float = inf,
        torque_threshold: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._init_common(a, b, anchor_a, anchor_b, point, break_force, break_torque, collide_connected)
        self.force_threshold, self.torque_threshold = force_threshold, torque_threshold
        self._init_spring(hertz, damping_ratio, stiffness, damping)
        self.reference_angle = reference_angle
        self._check_order()

    @property
    def angle(self) -> float:
        """Return the angle of `b` against `a`, less the reference angle, after the last step [rad]."""
        return self._values()[NUMBERS.POSITION]

    def _rest(self) -> float | None:
        return self.reference_angle

    def _arguments(self) -> dict[str, Any]:
        return self._anchors() | {
            "reference_angle": self.reference_angle,
            **self._spring_arguments(),
            **self._common(),
        }
