"""Enumerations whose errors name the members."""

from __future__ import annotations

from enum import EnumType
from typing import Any

from ecs_collide.hints import find_similar


class NamedMembers(EnumType):
    """Type of enumerations; an error about a member that does not exist lists those that do."""

    def __getattr__(cls, name: str) -> Any:
        """Return a member; Python 3.11 looks members up here, later versions only what does not exist."""
        members: dict[str, Any] = cls.__dict__.get("_member_map_", {})
        if name in members:
            return members[name]
        near = None if name.startswith("_") else find_similar(name, members)
        there_are = f"did you mean {cls.__name__}.{near}?" if near else f"it has {', '.join(members)}"
        raise AttributeError(f"{cls.__name__} has no member {name!r}: {there_are}")
