"""The classes of components that entities have."""

from __future__ import annotations

import esper


def is_held(kind: type) -> bool:
    """Return True if an entity of the current esper world has, or may have, a component of a type."""
    table = getattr(esper, "_components", None)
    return bool(table.get(kind) if isinstance(table, dict) else esper.get_component(kind))
