"""The distance joint: a rod, a rope or a spring between two points."""

from __future__ import annotations

from math import inf
from typing import Any, NoReturn

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import (
    Joint,
    Point,
    bounds_error,
    largest_as_infinity,
    non_negative_or_infinite,
)
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field
from ecs_collide.validate import LARGEST, non_negative

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


class DistanceJoint(Joint):
    """Distance joint: a rod, a rope or a spring between a point of `a` and a point of `b`.

    A rod keeps `length`. A spring, with `hertz` above 0, pulls the distance back to `length`. A rope, with `min_length`
    or `max_length` and no spring, holds at these only.

    Args:
        length: rest length of a rod or a spring [m]; None (default) for the distance at which a step takes the joint
            in.
        min_length: least distance [m]; 0 (no limit) by default.
        max_length: largest distance [m]; no limit by default.
        hertz: frequency of the spring [1/s]; 0 (no spring) by default.
        damping_ratio: damping of the spring; 1 (critical) by default.

    The other arguments and the errors are those of `Joint`; there is no `point`. The default anchors are the origins.
    Raises ValueError if `min_length` is above `max_length`, or for a rope with a `length`.
    """

    __slots__ = ()
    kind = kinds.DISTANCE
    _anchors_meet = False
    _rest_is_angle = False

    rest_length = Field(NUMBERS.REST, length_or_current, wrap=current_as_none)
    """Rest length [m]; it may be written at any time, as for a winch: see `Joint`."""
    min_length = Field(NUMBERS.LOWER, minimum_length, wrap=zero_as_none)
    """Least distance of the anchors [m], 0 for no limit."""
    max_length = Field(NUMBERS.UPPER, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest distance of the anchors [m], infinity for no limit."""
    hertz = Field(NUMBERS.HERTZ, non_negative, 0.0)
    """Frequency of the spring [1/s], 0 for a rod or a rope."""
    damping_ratio = Field(NUMBERS.DAMPING_RATIO, non_negative, 0.0)
    """Damping of the spring, 1 for critical damping."""

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
        break_force: float = inf,
        break_torque: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._init_common(a, b, anchor_a, anchor_b, None, break_force, break_torque, collide_connected)
        self.rest_length = length
        self.min_length, self.max_length = min_length, max_length
        self.hertz, self.damping_ratio = hertz, damping_ratio
        self._check_order()
        if length is not None and self._is_rope:
            raise ValueError(
                f"DistanceJoint: length {length} is what a rod or a spring keeps; with min_length {min_length} and "
                f"max_length {max_length} it is a rope, which holds at these only: leave length out, or give it hertz "
                "above 0 to make it a spring"
            )

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
        """Return True if the joint holds at its least and largest length only."""
        return self.hertz == 0.0 and (self.min_length > 0.0 or self.max_length < inf)

    def _rest(self) -> float | None:
        return self.rest_length

    def _default_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        return None

    def _order_error(self) -> str | None:
        return bounds_error(self, self.min_length, self.max_length, ("min_length", "max_length"))

    def _arguments(self) -> dict[str, Any]:
        given = self._anchors() | {"length": None if self._is_rope else self.rest_length}
        return given | {
            "min_length": self.min_length,
            "max_length": self.max_length,
            "hertz": self.hertz,
            "damping_ratio": self.damping_ratio,
            **self._common(),
        }
