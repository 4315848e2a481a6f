"""The target joint: a spring pulls a point of a body to a target."""

from __future__ import annotations

from math import inf

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint, Point, largest_as_infinity
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field, Fields
from ecs_collide.validate import SMALLEST, finite, non_negative, positive, positive_or_infinite, vector2


class TargetJoint(Joint):
    """Target joint (mouse joint): a spring pulls a point of `a` to a target.

    Args:
        a: entity of the body.
        target: target in the world [m]. Write it in each frame; this is no structural change.
        anchor_a: pulled point in the local axes of `a` [m]. By default it is the point of `a` at the first target, so
            that
            a grabbed body does not jump.
        max_force: largest force [N], above 0; infinity by default.
        hertz: frequency of the spring [1/s], above 0; 5 by default.
        damping_ratio: damping of the spring; 0.7 by default.
        break_force: force above which the joint breaks [N]; infinity by default.

    Raises TypeError or ValueError for values of a wrong type or size.
    """

    __slots__ = ()
    kind = kinds.TARGET

    target: Fields[Point] = Fields(NUMBERS.TARGET_X, 2, vector2)
    """Target in the world (x, y) [m]. Write it in each frame; this is no structural change."""
    target_x = Field(NUMBERS.TARGET_X, finite)
    """Target along x [m]."""
    target_y = Field(NUMBERS.TARGET_Y, finite)
    """Target along y [m]."""
    max_force = Field(NUMBERS.MAX_FORCE, positive_or_infinite, wrap=largest_as_infinity)
    """Largest force of the spring [N], infinity for no limit."""
    hertz = Field(NUMBERS.HERTZ, positive, SMALLEST)
    """Frequency of the spring [1/s]."""
    damping_ratio = Field(NUMBERS.DAMPING_RATIO, non_negative, 0.0)
    """Damping of the spring, 1 for critical damping."""

    def __init__(
        self,
        a: int,
        target: Point,
        *,
        anchor_a: Point | None = None,
        max_force: float = inf,
        hertz: float = 5.0,
        damping_ratio: float = 0.7,
        break_force: float = inf,
    ) -> None:
        self._init_common(a, None, anchor_a, None, target if anchor_a is None else None, True)
        self.break_force = break_force
        self.target = target
        self.max_force, self.hertz, self.damping_ratio = max_force, hertz, damping_ratio

    def _default_point(self, pose_a: tuple[float, float, float], pose_b: tuple[float, float, float]) -> Point | None:
        return self.target
