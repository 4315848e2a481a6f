"""Values that all joints have: two bodies, anchors, and the load at which they break."""

from __future__ import annotations

from math import inf
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np

from ecs_collide.components.described import Described
from ecs_collide.components.view import View
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field, Numbers, Value
from ecs_collide.validate import LARGEST, entity_id, flag, non_negative_or_infinite, real, vector2

Point = tuple[float, float]

NO_LIMIT_AT_FIRST = (
    NUMBERS.BREAK_FORCE,
    NUMBERS.BREAK_TORQUE,
    NUMBERS.FORCE_THRESHOLD,
    NUMBERS.TORQUE_THRESHOLD,
    NUMBERS.MAX_FORCE,
    NUMBERS.MAX_TORQUE,
)
"""Loads of a new joint that have no bound."""


def optional_entity_id(value: object, name: str) -> int | None:
    """Return an entity id, or None for the world."""
    return None if value is None else entity_id(value, name)


def optional_point(value: Any, name: str) -> Point | None:
    """Return a point, or None if it is not given."""
    return None if value is None else vector2(value, name)


def number_or_infinite(value: Any, name: str) -> float:
    """Return any number; an infinity is stored as the largest number of its sign."""
    number = float(value) if isinstance(value, Real) and abs(value) == inf else real(value, name)
    return max(-LARGEST, min(number, LARGEST))


def largest_as_infinity(number: float) -> float:
    """Return a stored number; the largest number is read as infinity."""
    return number if abs(number) < LARGEST else float(np.copysign(inf, number))


class Joint(Described, Numbers):
    """Base of all joints: a component on an entity of its own, or on any other entity.

    Args:
        a: entity of the first body.
        b: entity of the second body; None (default) joins `a` with the world. One of the bodies must be dynamic.
        anchor_a: anchor in the local axes of `a` from its origin [m].
        anchor_b: anchor in the local axes of `b`, or in the world without `b` [m]. An anchor that is not given is
            placed where the other one is when a step takes the joint in.
        point: anchor of both bodies as a world point [m], in place of local anchors.
        break_force: force above which the joint breaks [N]; infinity by default.
        break_torque: torque above which the joint breaks [N m]; infinity by default.
        force_threshold: force above which each step sends the event `joint_overload` [N]; infinity by default.
        torque_threshold: torque above which it does [N m]; infinity by default.
        collide_connected: True if the two bodies collide; False by default.

    A joint that breaks sends the event `joint_break`. It is `broken` and has no effect until `mend` is called. Numbers
    may be written at any time; this wakes the bodies. A length, limit or reference angle that is written in each step
    moves the bodies with its speed. The speed may be up to 3 m/s or 12 rad/s in the first step, and up to twice that of
    the step before in later ones. A faster change is a jump, which is closed without giving the bodies a speed.

    Raises TypeError or ValueError for values of a wrong type or size, and ValueError for a point together with an
    anchor. The next step raises PhysicsError if a body is missing, if none is dynamic, or if `a` and `b` are one
    entity.
    """

    __slots__ = ("_a", "_anchor_a", "_anchor_b", "_b", "_broken", "_collide_connected", "_point", "_worked_with")
    class_count: ClassVar[int] = 0  # number of classes derived from it, including those of a game
    kind: ClassVar[int]  # number of the kind, see `kinds.py`
    _anchors_meet: ClassVar[bool] = True
    """True if both anchors coincide when the joint has no error."""

    a: Value[int] = Value(entity_id)
    """Entity of the first body."""
    b: Value[int | None] = Value(optional_entity_id)
    """Entity of the second body; None for the world."""
    anchor_a: Value[Point | None] = Value(optional_point)
    """Anchor in the local axes of `a` from its origin [m]; None until a step takes the joint in, if none was given."""
    anchor_b: Value[Point | None] = Value(optional_point)
    """Anchor in the local axes of `b`, or in the world without `b` [m]; None until a step takes the joint in."""
    point: Value[Point | None] = Value(optional_point)
    """Anchor of both bodies as a world point [m]; None once a step has taken the joint in."""
    collide_connected: Value[bool] = Value(flag, False, True)
    """True if the two bodies collide."""
    break_force = Field(NUMBERS.BREAK_FORCE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Force above which the joint breaks [N], infinity for never."""
    break_torque = Field(NUMBERS.BREAK_TORQUE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Torque above which the joint breaks [N m], infinity for never."""

    force_threshold = Field(NUMBERS.FORCE_THRESHOLD, non_negative_or_infinite, wrap=largest_as_infinity)
    """Force above which each step sends the event `joint_overload` [N], infinity for never."""
    torque_threshold = Field(NUMBERS.TORQUE_THRESHOLD, non_negative_or_infinite, wrap=largest_as_infinity)
    """Torque above which each step sends the event `joint_overload` [N m], infinity for never."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        Joint.class_count += 1
        View.class_count += 1  # worlds look for joints of all kinds that there are

    def _init_common(
        self,
        a: int,
        b: int | None,
        anchor_a: Point | None,
        anchor_b: Point | None,
        point: Point | None,
        collide_connected: bool,
    ) -> None:
        """Initialise a detached joint with the values that all kinds have."""
        numbers = [0.0] * NUMBERS.WIDTH
        numbers[NUMBERS.LOWER], numbers[NUMBERS.UPPER] = -LARGEST, LARGEST
        numbers[NUMBERS.DAMPING_RATIO] = numbers[NUMBERS.LINEAR_DAMPING_RATIO] = 1.0
        for column in NO_LIMIT_AT_FIRST:
            numbers[column] = LARGEST
        self._init_numbers(*numbers)
        self._broken = False
        self._worked_with: tuple[int, int | None] | None = None
        """Bodies with which a step took it in last, in any world."""
        self.a, self.b = a, b
        self.anchor_a, self.anchor_b, self.point = anchor_a, anchor_b, point
        if point is not None and (anchor_a is not None or anchor_b is not None):
            raise ValueError(
                f"{type(self).__name__}: give a world point or local anchors, not both: point {point!r}, "
                f"anchor_a {anchor_a!r}, anchor_b {anchor_b!r}"
            )
        self.collide_connected = collide_connected

    def _init_loads(
        self, break_force: float, break_torque: float, force_threshold: float, torque_threshold: float
    ) -> None:
        """Initialise the loads above which the joint breaks, and those above which it sends events."""
        self.break_force, self.break_torque = break_force, break_torque
        self.force_threshold, self.torque_threshold = force_threshold, torque_threshold

    @property
    def broken(self) -> bool:
        """Return True if the joint is broken; it has no effect then."""
        return self._broken

    def mend(self) -> None:
        """Repair a broken joint; the next step takes it in again."""
        self._broken = False
        if self._changed is not None and self._entity is not None:
            self._changed.add(self._entity)

    @property
    def force(self) -> float:
        """Return the force that the joint exerted in the last step [N]."""
        return self._values()[NUMBERS.FORCE]

    @property
    def torque(self) -> float:
        """Return the torque that the joint exerted in the last step, with motor, limits and spring [N m]."""
        return self._values()[NUMBERS.TORQUE]

    @property
    def gap(self) -> float:
        """Return how far the joint was from holding its anchors after the last step [m].

        It is 0 if the joint is satisfied. Otherwise it is the distance of the anchors from where the joint holds them,
        or how far a limit is exceeded. A spring that stands in place of a rigid row counts from its rest.
        """
        return self._values()[NUMBERS.GAP]

    @property
    def angle_gap(self) -> float:
        """Return how far the joint was from holding the angle of its bodies after the last step [rad], at least 0."""
        return self._values()[NUMBERS.ANGLE_GAP]

    def _axis(self) -> Point:
        """Return the axis in the axes of `a`, of length 1."""
        return 1.0, 0.0

    def _rest(self) -> float | None:
        """Return the rest length [m] or the reference angle [rad]; None for the present one."""
        return self._values()[NUMBERS.REST]

    def _present_rest(self, angle_a: float, angle_b: float, point_a: Point, point_b: Point) -> float:
        """Return the present rest length [m] or reference angle [rad], given angles and anchors in the world."""
        return angle_a if self.b is None else angle_b - angle_a

    def _default_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        """Return the default anchor in the world; None for the origins of both bodies."""
        return pose_a[:2]

    def _store_anchors(self, anchor_a: Point, anchor_b: Point, rest: float) -> None:
        """Store the local anchors, bodies and rest length or angle with which a step took the joint in [m, rad]."""
        self._anchor_a, self._anchor_b, self._point = anchor_a, anchor_b, None
        self._worked_with = self.a, self.b
        self._store(NUMBERS.REST, rest)

    def _order_error(self) -> str | None:
        """Return a message if two numbers contradict each other, else None."""
        return None

    def _check_order(self) -> None:
        """Raise ValueError if two numbers contradict each other."""
        order_error = self._order_error()
        if order_error is not None:
            raise ValueError(order_error)

    def __copy__(self) -> Self:
        """Return a detached joint with the present values."""
        return self.__reduce__()[0](*self.__reduce__()[1])  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what copies and pickles need; they are detached, and their `__init__` is not called."""
        slots = {name: getattr(self, name) for kind in type(self).__mro__ for name in _own_slots(kind)}
        return _detached, (type(self), self._values(), slots, dict(getattr(self, "__dict__", {})))


def _own_slots(kind: type) -> list[str]:
    """Return the slots of a class of joints, as attributes."""
    return [] if kind in Numbers.__mro__ else list(kind.__dict__.get("__slots__", ()))


def _detached(kind: type[Joint], numbers: list[float], slots: dict[str, Any], attributes: dict[str, Any]) -> Joint:
    """Return a detached joint with given numbers and attributes."""
    joint = kind.__new__(kind)
    joint._init_numbers(*numbers)
    for name, value in (slots | attributes).items():
        object.__setattr__(joint, name, value)
    return joint


def bounds_error(joint: Joint, lower: float, upper: float, names: tuple[str, str] = ("lower", "upper")) -> str | None:
    """Return a message if a lower bound exceeds an upper one, else None."""
    return f"{type(joint).__name__}.{names[0]} {lower} is above {names[1]} {upper}" if lower > upper else None
