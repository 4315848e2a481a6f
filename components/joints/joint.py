"""What all joints share: two bodies, where they are joined, and when that breaks."""

from __future__ import annotations

from math import inf
from typing import Any, ClassVar, Self

import numpy as np

from ecs_collide.components.described import Described
from ecs_collide.components.view import View
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field, Numbers, Part
from ecs_collide.validate import LARGEST, flag, integer, non_negative, real, vector2

Point = tuple[float, float]


def body(value: object, name: str) -> int:
    """An entity."""
    return integer(value, name, 0, (1 << 63) - 1)


def other_body(value: object, name: str) -> int | None:
    """An entity, or None for the world."""
    return None if value is None else body(value, name)


def place(value: Any, name: str) -> Point | None:
    """A point, or None where it is not given."""
    return None if value is None else vector2(value, name)


def up_to(value: Any, name: str) -> float:
    """A number of at least zero; infinity is kept as the largest number that there is."""
    return LARGEST if isinstance(value, float) and value == inf else non_negative(value, name)


def bound(value: Any, name: str) -> float:
    """A number of any size; an infinity is kept as the largest number of its sign."""
    number = value if isinstance(value, float) and abs(value) == inf else real(value, name)
    return max(-LARGEST, min(number, LARGEST))


def endless(number: float) -> float:
    """What is kept as the largest number is read as infinity."""
    return number if abs(number) < LARGEST else float(np.copysign(inf, number))


class Joint(Described, Numbers):
    """The base of all joints: a component on an entity of its own, or on any other.

    `a` and `b` are entities, of which one must be dynamic; without `b` the joint is with the world. Anchors are local
    to each entity's origin (to the world's, where there is no `b`); `point` is a world point instead, made local when
    the joint is adopted. An anchor that is not given is where the other one is.
    It breaks in a step in which its force or torque exceeds `break_force` [N] or `break_torque` [N m]: that is told by
    `joint_break`, and it is `broken` then until `mend`. The two bodies do not collide unless `collide_connected`.
    Numbers may be written at any time; they wake the bodies.
    """

    __slots__ = ("_a", "_anchor_a", "_anchor_b", "_b", "_broken", "_collide_connected", "_point", "_worked_with")
    class_count: ClassVar[int] = 0
    """How many classes have been derived from it, by a game too."""
    kind: ClassVar[int]
    """The row of the table of kinds."""
    _anchors_meet: ClassVar[bool] = True
    """Whether both anchors are one point where the joint is as it should be."""

    a = Part(body)
    b: Part[int | None] = Part(other_body)
    anchor_a: Part[Point | None] = Part(place)
    anchor_b: Part[Point | None] = Part(place)
    point: Part[Point | None] = Part(place)
    collide_connected = Part(flag, False, True)
    break_force = Field(NUMBERS.BREAK_FORCE, up_to, wrap=endless)
    break_torque = Field(NUMBERS.BREAK_TORQUE, up_to, wrap=endless)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        Joint.class_count += 1
        View.class_count += 1  # worlds look for joints of all kinds that there are

    def _begin(
        self,
        a: int,
        b: int | None,
        anchor_a: Point | None,
        anchor_b: Point | None,
        point: Point | None,
        break_force: float,
        break_torque: float,
        collide_connected: bool,
    ) -> None:
        """Begin detached, with what all joints have."""
        numbers = [0.0] * NUMBERS.WIDTH
        numbers[NUMBERS.LOWER], numbers[NUMBERS.UPPER] = -LARGEST, LARGEST
        numbers[NUMBERS.DAMPING_RATIO] = 1.0
        self._hold(*numbers)
        self._broken = False
        self._worked_with: tuple[int, int | None] | None = None
        """The bodies between which it was adopted last, in whatever world."""
        self.a, self.b = a, b
        self.anchor_a, self.anchor_b, self.point = anchor_a, anchor_b, point
        if point is not None and (anchor_a is not None or anchor_b is not None):
            raise ValueError(
                f"{type(self).__name__}: give a world point or local anchors, not both: point {point!r}, "
                f"anchor_a {anchor_a!r}, anchor_b {anchor_b!r}"
            )
        self.break_force, self.break_torque = break_force, break_torque
        self.collide_connected = collide_connected

    @property
    def broken(self) -> bool:
        """Whether it broke; it does nothing then."""
        return self._broken

    def mend(self) -> None:
        """Let a broken joint work again."""
        self._broken = False
        if self._changed is not None and self._entity is not None:
            self._changed.add(self._entity)

    @property
    def force(self) -> float:
        """How strongly it held its bodies together in the last step [N]."""
        return self._values()[NUMBERS.FORCE]

    @property
    def torque(self) -> float:
        """The torque by which it held them, with its motor, limits and spring [N m]."""
        return self._values()[NUMBERS.TORQUE]

    def _axis(self) -> Point:
        """The axis in the axes of `a`, of length 1."""
        return 1.0, 0.0

    def _reference(self) -> float | None:
        """The angle of `b` against `a` that counts as none [rad]; None: the present one."""
        return 0.0

    def _rest(self) -> float | None:
        """The rest length that it says [m]; None: the present one."""
        return self._values()[NUMBERS.REST]

    def _usual_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        """Where in the world it joins bodies if nothing is said; None: at both origins."""
        return pose_a[:2]

    def _fix(self, anchor_a: Point, anchor_b: Point, reference: float, rest: float) -> None:
        """It was adopted: from now on its anchors are these local ones, and what it left open is so [rad, m]."""
        self._anchor_a, self._anchor_b, self._point = anchor_a, anchor_b, None
        self._worked_with = self.a, self.b
        self._store(NUMBERS.REST, rest)

    def _disorder(self) -> str | None:
        """What two of its numbers say against each other, None if nothing."""
        return None

    def _check_order(self) -> None:
        """Raise ValueError where two numbers exclude each other."""
        disorder = self._disorder()
        if disorder is not None:
            raise ValueError(disorder)

    def _common(self) -> dict[str, Any]:
        """The arguments that all kinds have."""
        return {
            "break_force": self.break_force,
            "break_torque": self.break_torque,
            "collide_connected": self.collide_connected,
        }

    def _anchors(self) -> dict[str, Any]:
        """The arguments that say between whom and where."""
        given = {"a": self.a, "b": self.b}
        where = {"anchor_a": self.anchor_a, "anchor_b": self.anchor_b, "point": self.point}
        return given | {name: value for name, value in where.items() if value is not None}

    def __copy__(self) -> Self:
        """A joint with the present values, of no entity."""
        return self.__reduce__()[0](*self.__reduce__()[1])  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are detached; their `__init__` is not called."""
        slots = {name: getattr(self, name) for kind in type(self).__mro__ for name in _own_slots(kind)}
        return _detached, (type(self), self._values(), slots, dict(getattr(self, "__dict__", {})))


def _own_slots(kind: type) -> list[str]:
    """The slots of a class of joints, as attributes."""
    return [] if kind in Numbers.__mro__ else list(kind.__dict__.get("__slots__", ()))


def _detached(kind: type[Joint], numbers: list[float], slots: dict[str, Any], attributes: dict[str, Any]) -> Joint:
    """A joint with these numbers and parts."""
    joint = kind.__new__(kind)
    joint._hold(*numbers)
    for name, value in (slots | attributes).items():
        object.__setattr__(joint, name, value)
    return joint


def ordered(joint: Joint, lower: float, upper: float, names: tuple[str, str] = ("lower", "upper")) -> str | None:
    """What is wrong where a lower bound exceeds an upper one."""
    return f"{type(joint).__name__}.{names[0]} {lower} is above {names[1]} {upper}" if lower > upper else None
