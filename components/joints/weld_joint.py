"""The weld joint: two bodies keep their relative position and angle."""

from __future__ import annotations

from math import inf
from typing import Any

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint, Point
from ecs_collide.data.joints import NUMBERS
from ecs_collide.data.native import Field, Part
from ecs_collide.validate import angle, non_negative


def angle_or_current(value: Any, name: str) -> float | None:
    """Return an angle, or None for the one at which a step takes the joint in."""
    return None if value is None else angle(value, name)


class WeldJoint(Joint):
    """Weld joint: two bodies keep their relative position and angle.

    Args:
        reference_angle: angle of `b` against `a` [rad]; None (default) for the angle at which a step takes the joint
            in.
        hertz: frequency of a spring in place of the rigid angle [1/s]; 0 (rigid) by default.
        damping_ratio: damping of the spring; 1 (critical) by default.

    The other arguments and the errors are those of `Joint`. The default anchor is the origin of `a`.
    """

    __slots__ = ("_reference_angle",)
    kind = kinds.WELD

    hertz = Field(NUMBERS.HERTZ, non_negative, 0.0)
    damping_ratio = Field(NUMBERS.DAMPING_RATIO, non_negative, 0.0)
    reference_angle: Part[float | None] = Part(angle_or_current)

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
        """How far the angle of `b` against `a` is from the reference angle after the last step [rad]."""
        return self._values()[NUMBERS.POSITION]

    def _reference(self) -> float | None:
        return self.reference_angle

    def _store_anchors(self, anchor_a: Point, anchor_b: Point, reference: float, rest: float) -> None:
        super()._store_anchors(anchor_a, anchor_b, reference, rest)
        self._reference_angle = reference

    def _arguments(self) -> dict[str, Any]:
        return self._anchors() | {
            "reference_angle": self.reference_angle,
            "hertz": self.hertz,
            "damping_ratio": self.damping_ratio,
            **self._common(),
        }
