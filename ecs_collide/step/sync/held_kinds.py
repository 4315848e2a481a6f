"""The classes of components that entities have."""

from __future__ import annotations

from collections.abc import Iterable

import esper


def any_held(kinds: Iterable[type]) -> bool:
    """Return True if an entity of the current esper world has, or may have, a component of one of some types."""
    table = getattr(esper, "_components", None)
    return any(map(table.get if isinstance(table, dict) else esper.get_component, kinds))
