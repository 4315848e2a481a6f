"""The content of a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ecs_collide.common.settings import Settings
from ecs_collide.snapshots.component_forms import CopyFunction
from ecs_collide.snapshots.entity_structure import Structure
from ecs_collide.snapshots.world_state import StateImage


class SnapshotContent(NamedTuple):
    """The state of a world at one time."""

    settings: Settings
    image: StateImage
    """State of the physics."""
    structure: Structure
    """Entities, components and shapes."""
    changing: list[Any]
    """State of each component in `Structure.changing`."""
    loose: list[list[float]]
    """Numbers of each component in `Structure.loose`."""
    dead: set[int]
    """Entities that wait for their deletion."""
    following: int
    """Next entity that esper creates."""
    copies: Mapping[type, CopyFunction]
    """Functions that copy components of the game."""
