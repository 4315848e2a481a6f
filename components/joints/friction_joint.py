"""The friction joint: friction between two bodies, or between a body and the world."""

from __future__ import annotations

from math import inf

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint, Point, largest_as_infinity
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field
from ecs_collide.validate import non_negative_or_infinite


class FrictionJoint(Joint):
    """Friction joint: brakes how two bodies move and turn against each other.

    With the world it is the friction of the ground in a game seen from above. Beside a RevoluteJoint, with a torque
    alone, it is the friction of the pin.

    Args:
        max_force: largest force against the motion of the anchor of `a` [N]; 0 by default.
        max_torque: largest torque against the rotation [N m]; 0 by default.

    The other arguments and the errors are those of `Joint`. The default anchor is the origin of `a`.
    """

    __slots__ = ()
    kind = kinds.FRICTION

    max_force = Field(NUMBERS.MAX_FORCE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest force against the motion of the anchor of `a` [N]."""
    max_torque = Field(NUMBERS.MAX_MOTOR, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest torque against the rotation [N m]."""

    def __init__(
        self,
        a: int,
        b: int | None = None,
        *,
        anchor_a: Point | None = None,
        anchor_b: Point | None = None,
        point: Point | None = None,
        max_force: float = 0.0,
        max_torque: float = 0.0,
        break_force: float = inf,
        break_torque: float = inf,
        force_threshold: float = inf,
        torque_threshold: float = inf,
        collide_connected: bool = True,
    ) -> None:
        self._init_common(a, b, anchor_a, anchor_b, point, collide_connected)
        self._init_loads(break_force, break_torque, force_threshold, torque_threshold)
        self.max_force, self.max_torque = max_force, max_torque

    @property
    def speed(self) -> float:
        """Return the angular velocity of `b` against `a` [rad/s]."""
        return self._values()[NUMBERS.SPEED]
