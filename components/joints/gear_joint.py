"""The gear joint: the angle of one body follows that of another."""

from __future__ import annotations

from math import inf

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint, Point, largest_as_infinity
from ecs_collide.components.joints.weld_joint import angle_or_current, current_angle_as_none
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field, Value
from ecs_collide.validate import entity_id, finite, non_negative_or_infinite


class GearJoint(Joint):
    """Gear joint: keeps the angle of `b` at `ratio` times the angle of `a`, plus `phase`.

    It holds no point: each wheel needs a hinge of its own. For toothed wheels of radius r_a and r_b the ratio is
    -r_a / r_b. For a belt or a chain it is r_a / r_b. The torque on `a` is `ratio` times that on `b`, and opposite.

    Args:
        ratio: angle by which `b` turns while `a` turns by 1 [rad/rad]; 1 by default.
        phase: angle of `b` less `ratio` times that of `a` [rad]; None (default) for the one at which a step takes the
            joint in.
        max_torque: largest torque on `b` [N m]; infinity by default. Above it the gear slips, and turns back later.
        break_torque: torque on `b` above which the joint breaks [N m]; infinity by default.
        torque_threshold: torque on `b` above which each step sends the event `joint_overload` [N m]; infinity by
            default.
        collide_connected: True if the two bodies collide; False by default.

    The errors are those of `Joint`.
    """

    __slots__ = ()
    kind = kinds.GEAR

    b = Value(entity_id)
    """Entity of the second body."""
    phase = Field(NUMBERS.REST, angle_or_current, wrap=current_angle_as_none)
    """Angle of `b` less `ratio` times the angle of `a` [rad]; write it at any time, None for the present one."""
    max_torque = Field(NUMBERS.MAX_TORQUE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest torque on `b` [N m]; the gear slips above it."""
    _stored_ratio = Field(NUMBERS.RATIO, finite)
    """Value of `ratio`."""

    def __init__(
        self,
        a: int,
        b: int,
        *,
        ratio: float = 1.0,
        phase: float | None = None,
        max_torque: float = inf,
        break_torque: float = inf,
        torque_threshold: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._init_common(a, b, None, None, None, collide_connected)
        self._init_loads(inf, break_torque, inf, torque_threshold)
        self.ratio = ratio
        self.phase = phase
        self.max_torque = max_torque

    @property
    def ratio(self) -> float:
        """Return the angle by which `b` turns while `a` turns by 1; writing it sets `phase` to the present one."""
        return self._stored_ratio

    @ratio.setter
    def ratio(self, value: float) -> None:
        self._stored_ratio = self._checked(finite, value, "ratio")
        self.phase = None

    @property
    def speed(self) -> float:
        """Return the angular velocity of `b` less `ratio` times that of `a` [rad/s]."""
        return self._values()[NUMBERS.SPEED]

    def _rest(self) -> float | None:
        return self.phase

    def _present_rest(self, angle_a: float, angle_b: float, point_a: Point, point_b: Point) -> float:
        return angle_a if self.b is None else angle_b - self.ratio * angle_a
