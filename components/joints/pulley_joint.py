"""The pulley joint: a rope from one body over two fixed points to another."""

from __future__ import annotations

from math import hypot, inf
from typing import Any, NoReturn

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.distance_joint import current_as_none, length_or_current
from ecs_collide.components.joints.joint import Joint, Point, largest_as_infinity
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field, Fields, Value
from ecs_collide.validate import SMALLEST, entity_id, non_negative_or_infinite, positive, vector2


class PulleyJoint(Joint):
    """Pulley joint: a rope from a point of `a` over two fixed points of the world to a point of `b`.

    With l_a and l_b the distances of the bodies from their fixed points, it keeps l_a + ratio l_b at most as long as
    the rope. The rope only pulls. A ratio above 1 is a block and tackle on the side of `b`: the pull on `b` is `ratio`
    times that on `a`.

    Args:
        ground_a: fixed point above `a` in the world [m].
        ground_b: fixed point above `b` in the world [m].
        anchor_a: point of `a` in its local axes from its origin [m]; the origin by default.
        anchor_b: point of `b` in its local axes from its origin [m]; the origin by default.
        length: length of the rope, l_a + ratio l_b [m]; None (default) for the one at which a step takes the joint in.
        ratio: how often the rope runs between `b` and its fixed point, above 0; 1 by default.
        max_force: largest pull on `a` [N]; infinity by default. Above it the rope runs out.
        break_force: pull on `a` above which the joint breaks [N]; infinity by default.
        force_threshold: pull on `a` above which each step sends the event `joint_overload` [N]; infinity by default.
        collide_connected: True (default) if the two bodies collide.

    The errors are those of `Joint`.
    """

    __slots__ = ()
    kind = kinds.PULLEY
    _anchors_meet = False

    b = Value(entity_id)
    """Entity of the second body."""
    rest_length: Field[float | None] = Field(NUMBERS.REST, length_or_current, wrap=current_as_none)
    """Length of the rope [m]; it may be written at any time, as for a winch: see `Joint`. None for the present one."""
    ground_a: Fields[Point] = Fields(NUMBERS.TARGET_X, 2, vector2)
    """Fixed point above `a` in the world (x, y) [m]."""
    ground_b: Fields[Point] = Fields(NUMBERS.SECOND_X, 2, vector2)
    """Fixed point above `b` in the world (x, y) [m]."""
    ratio = Field(NUMBERS.RATIO, positive, SMALLEST)
    """How often the rope runs between `b` and its fixed point, above 0."""
    max_force = Field(NUMBERS.MAX_FORCE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest pull on `a` [N]; the rope runs out above it."""

    def __init__(
        self,
        a: int,
        b: int,
        ground_a: Point,
        ground_b: Point,
        *,
        anchor_a: Point = (0.0, 0.0),
        anchor_b: Point = (0.0, 0.0),
        length: float | None = None,
        ratio: float = 1.0,
        max_force: float = inf,
        break_force: float = inf,
        force_threshold: float = inf,
        collide_connected: bool = True,
    ) -> None:
        self._init_common(a, b, anchor_a, anchor_b, None, collide_connected)
        self._init_loads(break_force, inf, force_threshold, inf)
        self.ground_a, self.ground_b = ground_a, ground_b
        self.rest_length, self.ratio = length, ratio
        self.max_force = max_force

    @property
    def length(self) -> float:
        """Return l_a + ratio l_b after the last step [m]; less than `rest_length` if the rope is slack."""
        return self._values()[NUMBERS.POSITION]

    @length.setter
    def length(self, value: float) -> NoReturn:
        raise AttributeError("PulleyJoint.length is the present length, which is read-only: write rest_length instead")

    def _rest(self) -> float | None:
        return self.rest_length

    def _present_rest(self, angle_a: float, angle_b: float, point_a: Point, point_b: Point) -> float:
        (ax, ay), (bx, by) = self.ground_a, self.ground_b
        return hypot(point_a[0] - ax, point_a[1] - ay) + self.ratio * hypot(point_b[0] - bx, point_b[1] - by)

    def _default_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        return None

    def _arguments(self) -> dict[str, Any]:
        return super()._arguments() | {"length": self.rest_length}
