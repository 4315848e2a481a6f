"""Kinds of bodies."""

from __future__ import annotations

from enum import IntEnum

from ecs_collide.components.named_members import NamedMembers


class BodyKind(IntEnum, metaclass=NamedMembers):
    """Cause of a body's motion.

    STATIC: never, such as walls and ground. KINEMATIC: by its own velocity alone, such as lifts, doors, and every body
    that the game itself moves each frame. DYNAMIC: by forces and contacts as well.
    """

    STATIC = 0
    KINEMATIC = 1
    DYNAMIC = 2


STATIC, KINEMATIC, DYNAMIC = BodyKind
"""The three kinds under names of their own: Python 3.11 takes long to look up a member of an enumeration."""
