"""The ratchet joint: one body turns one way only against another."""

from __future__ import annotations

from math import inf
from typing import Any

from ecs_collide.components.joints import kinds
from ecs_collide.components.joints.joint import Joint, largest_as_infinity
from ecs_collide.components.joints.weld_joint import angle_or_current, current_angle_as_none
from ecs_collide.data.joints import NUMBERS
from ecs_collide.native import Field
from ecs_collide.validate import finite, non_negative_or_infinite


def angle_of_tooth(value: Any, name: str) -> float:
    """Return an angle between teeth; raise ValueError if it is 0."""
    number = finite(value, name)
    if number == 0.0:
        raise ValueError(f"{name} must not be 0: give a small angle for a ratchet that holds everywhere")
    return number


class RatchetJoint(Joint):
    """Ratchet joint: `b` turns freely one way against `a`; the other way the tooth that it passed last stops it.

    Without `b` it acts on `a` against the world. It holds no point: the wheel needs a hinge of its own.

    Args:
        tooth: angle between two teeth [rad]. Above 0, `b` turns freely to the left (counterclockwise), below 0 to the
            right.
        phase: angle of `b` against `a` at a tooth [rad]; None (default) for the angle at which a step takes the joint
            in.
        max_torque: largest torque of the stop [N m]; infinity by default.
        break_torque: torque above which the joint breaks [N m]; infinity by default.
        torque_threshold: torque above which each step sends the event `joint_overload` [N m]; infinity by default.
        collide_connected: True if the two bodies collide; False by default.

    The errors are those of `Joint`. Raises ValueError for a tooth of 0.
    """

    __slots__ = ()
    kind = kinds.RATCHET

    tooth = Field(NUMBERS.RATIO, angle_of_tooth, wrap=float)
    """Angle between two teeth [rad]; above 0, `b` turns freely to the left, below 0 to the right."""
    phase = Field(NUMBERS.REST, angle_or_current, wrap=current_angle_as_none)
    """Angle of `b` against `a` at a tooth [rad]; writing it turns the teeth."""
    max_torque = Field(NUMBERS.MAX_TORQUE, non_negative_or_infinite, wrap=largest_as_infinity)
    """Largest torque of the stop [N m]; the ratchet yields to a greater one."""

    def __init__(
        self,
        a: int,
        b: int | None = None,
        *,
        tooth: float,
        phase: float | None = None,
        max_torque: float = inf,
        break_torque: float = inf,
        torque_threshold: float = inf,
        collide_connected: bool = False,
    ) -> None:
        self._init_common(a, b, None, None, None, collide_connected)
        self._init_loads(inf, break_torque, inf, torque_threshold)
        self.tooth, self.phase = tooth, phase
        self.max_torque = max_torque

    @property
    def angle(self) -> float:
        """Return the angle of `b` against `a`, less `phase`, after the last step [rad]."""
        return self._values()[NUMBERS.POSITION]

    @property
    def speed(self) -> float:
        """Return the velocity of `angle` [rad/s]."""
        return self._values()[NUMBERS.SPEED]

    def _rest(self) -> float | None:
        return self.phase
