"""How a body takes part in the physics."""

from __future__ import annotations

from enum import IntEnum


class BodyKind(IntEnum):
    """What moves a body: nothing (STATIC), its own velocity alone (KINEMATIC), or forces and contacts (DYNAMIC)."""

    STATIC = 0
    KINEMATIC = 1
    DYNAMIC = 2


STATIC, KINEMATIC, DYNAMIC = BodyKind
"""The same by names of their own: Python 3.11 takes a third of a microsecond to find a member of an enumeration."""
