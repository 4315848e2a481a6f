"""Rules that combine the coefficients of two touching colliders."""

from __future__ import annotations

from enum import IntEnum

from ecs_collide.components.named_members import NamedMembers


class Combine(IntEnum, metaclass=NamedMembers):
    """Rule that combines two coefficients. If two colliders have different rules, the one listed last here counts.

    USUAL is the geometric mean for friction and the maximum for restitution.
    """

    USUAL = 0
    AVERAGE = 1
    MINIMUM = 2
    MULTIPLY = 3
    GEOMETRIC_MEAN = 4
    MAXIMUM = 5
