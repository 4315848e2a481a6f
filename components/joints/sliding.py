"""Base of the joints with an axis."""

from __future__ import annotations

from math import hypot
from typing import Any

from ecs_collide.components.joints.joint import Point, bounds_error, largest_as_infinity, number_or_infinite
from ecs_collide.components.joints.spring_joint import SpringJoint
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field
from ecs_collide.validate import finite, vector2


def direction(value: Any, name: str) -> Point:
    """Return a direction of length 1; raise ValueError if it has no length."""
    x, y = vector2(value, name)
    length = hypot(x, y)
    if length == 0.0:
        raise ValueError(f"{name} must have a length, got {value!r}")
    return x / length, y / length


class AxisJoint(SpringJoint):
    """A joint along an axis of `a`, or of the world without `b`.

    Its free coordinate is the distance of the anchor of `b` from that of `a` along the axis. Without `b` it is the
    distance of the anchor of `a` from that of the world.
    """

    __slots__ = ("_axis_of_a",)

    lower = Field(NUMBERS.LOWER, number_or_infinite, wrap=largest_as_infinity)
    """Least translation [m], minus infinity for no limit."""
    upper = Field(NUMBERS.UPPER, number_or_infinite, wrap=largest_as_infinity)
    """Largest translation [m], infinity for no limit."""
    motor_speed = Field(NUMBERS.MOTOR_SPEED, finite)
    """Speed of the motor: along the axis [m/s], or of a wheel [rad/s].

    With a largest force or torque, 0 makes it a brake.
    """

    @property
    def axis(self) -> Point:
        """Return the axis in the axes of `a`, without `b` in those of the world; its length is 1."""
        return self._axis_of_a

    @axis.setter
    def axis(self, value: Point) -> None:
        self._axis_of_a = self._checked(direction, value, "axis")
        if self._changed is not None and self._entity is not None:
            self._changed.add(self._entity)

    @property
    def translation(self) -> float:
        """Return how far the anchors are apart along the axis after the last step [m]."""
        return self._values()[NUMBERS.POSITION]

    @property
    def speed(self) -> float:
        """Return the velocity of `translation` [m/s]."""
        return self._values()[NUMBERS.SPEED]

    def _axis(self) -> Point:
        return self._axis_of_a

    def _order_error(self) -> str | None:
        return super()._order_error() or bounds_error(self, self.lower, self.upper)
