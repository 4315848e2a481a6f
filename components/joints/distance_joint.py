"""The distance joint: a rod, a rope or a spring between two points."""

from __future__ import annotations

from math import hypot, inf
from typing import Any, NoReturn

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Point, bounds_error, largest_as_infinity
from ecs_collide.components.joints.spring_joint import SpringJoint
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field
from ecs_collide.validate import LARGEST, finite, non_negative, non_negative_or_infinite

CURRENT = -1.0
"""Stored rest length of a joint that keeps the distance at which a step takes it in."""


def length_or_current(value: Any, name: str) -> float:
    """Return a length, or `CURRENT` if it is None."""
    return CURRENT if value is None else non_negative(value, name)


def current_as_none(number: float) -> float | None:
    """Return a stored length; None for `CURRENT`."""
    return None if number == CURRENT else number


def minimum_length(value: Any, name: str) -> float:
    """Return a least length; 0 is stored as no limit."""
    number = non_negative(value, name)
    return number if number > 0.0 else -LARGEST


def zero_as_none(number: float) -> float:
    """Return a stored least length; no limit is read as 0."""
    return max(number, 0.0)


class DistanceJoint(SpringJoint):
    """Distance joint: a rod, a rope or a spring between a point of `a` and a point of `b`.

    A rod keeps `length`. A spring, with `hertz` above 0, pulls the distance back to `length`. A rope, with `min_length`
    or `max_length` and no spring, holds at these only. A winch, with `max_motor_force`, is a motor in place of the rod.

    Args:
        length: rest length of a rod or a spring [m]; None (default) for the distance at which a step takes the joint
            in.
        min_length: least distance [m]; 0 (no limit) by default.
        max_length: largest distance [m]; no limit by default.
        hertz: frequency of the spring [1/s]; 0 (no spring) by default.
        damping_ratio: damping of the spring; 1 (critical) by default.
        stiffness: stiffness of the spring in place of `hertz` [N/m]; 0 by default.
        damping: damping of the spring in place of `damping_ratio` [N s/m]; 0 by default.
        motor_speed: speed at which a winch changes the distance [m/s]; 0 (a brake, if there is a max_motor_force) by
            default.
        max_motor_force: largest force of the winch [N]; 0 (no winch) by default.
        max_force: largest force of the rod, the spring or each limit [N]; infinity by default.

    The other arguments and the errors are those of `Joint`; there is no `point`. The default anchors are the origins.
    Raises ValueError if `min_length` is above `max_length`, or for a rope or a winch with a
    `length`.
    """

    __slots__ = ()
    kind = kinds.DISTANCE
    _anchors_meet = False

    rest_length = Field(NUMBERS.REST, length_or_current, wrap=current_as_none)
    """Rest length [m]; it may be written at any time, as for a winch: see `Joint`."""
    min_length = Field(NUMBERS.LOWER, minimum_length, wrap=zero_as_none)
    """Least distance of the anchors [m], 0 for no limit."""
    max_length = Field(NUMBERS.UPPER, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest distance of the anchors [m], infinity for no limit."""

    motor_speed = Field(NUMBERS.MOTOR_SPEED, finite)
    """Speed of the winch [m/s], above 0 to pay out; with a `max_motor_force`, 0 makes it a brake."""
    _winch_force = Field(NUMBERS.MAX_MOTOR, non_negative_or_infinite, wrap=largest_as_infinity)
    """Value of `max_motor_force`."""
    max_force = Field(NUMBERS.MAX_FORCE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest force of the rod, the spring or each limit [N]; the joint yields to a greater one."""

    def __init__(
        self,
        a: int,
        b: int | None = None,
        *,
        anchor_a: Point | None = None,
        anchor_b: Point | None = None,
        length: float | None = None,
        min_length: float = 0.0,
        max_length: float = inf,
        hertz: float = 0.0,
        damping_ratio: float = 1.0,
        stiffness: float = 0.0,
        damping: float = 0.0,
        motor_speed: float = 0.0,
        max_motor_force: float = 0.0,
        max_force: float = inf,
        break_force: float = inf,
        break_torque: float = inf,
        force_threshold: float = inf,
        torque_threshold: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._init_common(a, b, anchor_a, anchor_b, None, collide_connected)
        self._init_loads(break_force, break_torque, force_threshold, torque_threshold)
        self.rest_length = length
        self.min_length, self.max_length = min_length, max_length
        self.motor_speed, self.max_motor_force = motor_speed, max_motor_force
        self.max_force = max_force
        self._init_spring(hertz, damping_ratio, stiffness, damping)
        self._check_order()
        if length is not None and self._is_rope and max_motor_force > 0.0:
            raise ValueError(
                f"DistanceJoint: length {length} is what a rod or a spring keeps; with max_motor_force "
                f"{max_motor_force} it is a winch, which starts at the present length: leave length out, or give it "
                "hertz above 0 to make it a spring"
            )
        if length is not None and self._is_rope:
            raise ValueError(
                f"DistanceJoint: length {length} is what a rod or a spring keeps; with min_length {min_length} and "
                f"max_length {max_length} it is a rope, which holds at these only: leave length out, or give it hertz "
                "above 0 to make it a spring"
            )

    @property
    def max_motor_force(self) -> float:
        """Return the largest force of the winch [N], 0 for none; a winch that is switched off keeps its length."""
        return self._winch_force

    @max_motor_force.setter
    def max_motor_force(self, value: float) -> None:
        most = self._checked(non_negative_or_infinite, value, "max_motor_force")
        if most == 0.0 < self._winch_force and not self._has_spring:
            self.rest_length = None
        self._winch_force = most

    @property
    def length(self) -> float:
        """Return the distance of the anchors after the last step [m]."""
        return self._values()[NUMBERS.POSITION]

    @length.setter
    def length(self, value: float) -> NoReturn:
        raise AttributeError(
            "DistanceJoint.length is the present distance of the anchors, which is read-only: write rest_length instead"
        )

    @property
    def speed(self) -> float:
        """Return the velocity of `length` [m/s]."""
        return self._values()[NUMBERS.SPEED]

    @property
    def _is_rope(self) -> bool:
        """Return True if the joint has no rest length: it holds by a motor, or at its least and largest length."""
        has_limits = self.min_length > 0.0 or self.max_length < inf
        return not self._has_spring and (has_limits or self.max_motor_force > 0.0)

    def _rest(self) -> float | None:
        return self.rest_length

    def _present_rest(self, angle_a: float, angle_b: float, point_a: Point, point_b: Point) -> float:
        return hypot(point_b[0] - point_a[0], point_b[1] - point_a[1])

    def _default_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        return None

    def _order_error(self) -> str | None:
        return super()._order_error() or bounds_error(
            self, self.min_length, self.max_length, ("min_length", "max_length")
        )

    def _arguments(self) -> dict[str, Any]:
        return super()._arguments() | {"length": None if self._is_rope else self.rest_length}
