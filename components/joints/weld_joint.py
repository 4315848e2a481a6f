"""The weld joint: two bodies keep their relative position and angle."""

from __future__ import annotations

from math import inf
from typing import Any

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint, Point
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field
from ecs_collide.validate import LARGEST, angle, non_negative

PRESENT = LARGEST
"""Stored reference angle of a joint that keeps the angle at which a step takes it in."""


def angle_or_current(value: Any, name: str) -> float:
    """Return an angle, or `PRESENT` if it is None."""
    return PRESENT if value is None else angle(value, name)


def current_angle_as_none(number: float) -> float | None:
    """Return a stored reference angle; None for `PRESENT`."""
    return None if number == PRESENT else number


class WeldJoint(Joint):
    """Weld joint: two bodies keep their relative position and angle.

    Args:
        reference_angle: angle of `b` against `a` [rad]; None (default) for the angle at which a step takes the joint
            in.
        hertz: frequency of a spring in place of the rigid angle [1/s]; 0 (rigid) by default.
        damping_ratio: damping of the spring; 1 (critical) by default.

    The other arguments and the errors are those of `Joint`. The default anchor is the origin of `a`.
    """

    __slots__ = ()
    kind = kinds.WELD

    hertz = Field(NUMBERS.HERTZ, non_negative, 0.0)
    """Frequency of a spring in place of the rigid angle [1/s], 0 for rigid."""
    damping_ratio = Field(NUMBERS.DAMPING_RATIO, non_negative, 0.0)
    """Damping of the spring, 1 for critical damping."""
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
        break_force: float = inf,
        break_torque: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._init_common(a, b, anchor_a, anchor_b, point, break_force, break_torque, collide_connected)
        self.hertz, self.damping_ratio = hertz, damping_ratio
        self.reference_angle = reference_angle

    @property
    def angle(self) -> float:
        """Return the angle of `b` against `a`, less the reference angle, after the last step [rad]."""
        return self._values()[NUMBERS.POSITION]

    def _rest(self) -> float | None:
        return self.reference_angle

    def _arguments(self) -> dict[str, Any]:
        return self._anchors() | {
            "reference_angle": self.reference_angle,
            "hertz": self.hertz,
            "damping_ratio": self.damping_ratio,
            **self._common(),
        }
