"""A rod, a rope or a spring: two points keep a distance."""

from __future__ import annotations

from math import inf
from typing import Any, NoReturn

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint, Point, endless, ordered, up_to
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field
from ecs_collide.validate import LARGEST, non_negative

PRESENT = -1.0
"""What is kept where the rest length is to be the distance there is when the joint is adopted."""


def length_or_present(value: Any, name: str) -> float:
    """A length, or None for the one there is when the joint is adopted."""
    return PRESENT if value is None else non_negative(value, name)


def none_if_present(number: float) -> float | None:
    """And back."""
    return None if number == PRESENT else number


def least(value: Any, name: str) -> float:
    """A least length; 0 is kept as none."""
    number = non_negative(value, name)
    return number if number > 0.0 else -LARGEST


def none_is_zero(number: float) -> float:
    """What is kept as none is read as 0."""
    return max(number, 0.0)


class DistanceJoint(Joint):
    """Keeps a point of `a` and a point of `b` at a distance: without anchors, their origins.

    A rod of `length` [m], or of the distance there is when it is adopted. With `hertz` [1/s] above 0 a spring of that
    frequency and `damping_ratio`. With `min_length` or `max_length` [m] and no spring, a rope: it holds at these only,
    and takes no `length`.
    """

    __slots__ = ()
    kind = kinds.DISTANCE
    _anchors_meet = False

    rest_length = Field(NUMBERS.REST, length_or_present, wrap=none_if_present)
    """`length` as it was asked for; it may be written at any time, as for a winch."""
    min_length = Field(NUMBERS.LOWER, least, wrap=none_is_zero)
    max_length = Field(NUMBERS.UPPER, up_to, wrap=endless)
    hertz = Field(NUMBERS.HERTZ, non_negative, 0.0)
    damping_ratio = Field(NUMBERS.DAMPING_RATIO, non_negative, 0.0)

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
        self._begin(a, b, anchor_a, anchor_b, None, break_force, break_torque, collide_connected)
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
        """The distance of the points after the last step [m]."""
        return self._values()[NUMBERS.POSITION]

    @length.setter
    def length(self, value: float) -> NoReturn:
        raise AttributeError("DistanceJoint.length is the length that there is: write rest_length, the one asked for")

    @property
    def speed(self) -> float:
        """How fast it grew [m/s]."""
        return self._values()[NUMBERS.SPEED]

    @property
    def _is_rope(self) -> bool:
        """Whether it holds at its least and greatest length only."""
        return self.hertz == 0.0 and (self.min_length > 0.0 or self.max_length < inf)

    def _rest(self) -> float | None:
        return self.rest_length

    def _usual_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        return None

    def _disorder(self) -> str | None:
        return ordered(self, self.min_length, self.max_length, ("min_length", "max_length"))

    def _arguments(self) -> dict[str, Any]:
        given = self._anchors() | {"length": None if self._is_rope else self.rest_length}
        return given | {
            "min_length": self.min_length,
            "max_length": self.max_length,
            "hertz": self.hertz,
            "damping_ratio": self.damping_ratio,
            **self._common(),
        }
