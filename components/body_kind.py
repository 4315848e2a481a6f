"""How a body takes part in the physics."""

from __future__ import annotations

from enum import IntEnum


class BodyKind(IntEnum):
    """What moves a body: nothing (STATIC), its own velocity alone (KINEMATIC), or forces and contacts (DYNAMIC)."""

    STATIC = 0
    KINEMATIC = 1
    DYNAMIC = 2
