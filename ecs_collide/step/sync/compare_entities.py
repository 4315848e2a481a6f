"""Changed entities found by comparing esper's lists.

esper returns the same list object from `get_component` until something is added or removed anywhere. So one comparison
recognises an unchanged world. After a change all lists are compared with the known components.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import esper

from ecs_collide.components.view import View
from ecs_collide.step.sync.component_set import TYPES, ComponentSet, Held, classes


class Comparison:
    """The fallback for `Watch`: it uses only the public interface of esper and takes time that grows with the world."""

    def __init__(self, known: Mapping[int, ComponentSet], bound: Iterable[type] = ()) -> None:
        self._known = known
        self._bound = tuple(bound)
        """Types of the game; an entity that has or had one of them may always have changed."""
        self._had_bound: set[int] = set()
        self._seen: Any = None
        """List that the world had at the last `accept`."""

    def changed(self) -> set[int]:
        """Return all entities that may hold other components than those known."""
        if esper.get_component(TYPES[0]) is self._seen:
            return set()
        changed = {entity for entity, component in esper.get_component(type) if issubclass(component, View)}
        for number, derived in enumerate(classes()):
            held = list(chain.from_iterable(map(esper.get_component, derived)))
            now = dict(held)
            changed.update(entity for entity, component in held if now[entity] is not component)  # two of a kind
            before = {entity: held[number] for entity, held in self._known.items() if held[number] is not None}
            changed.update(before.keys() - now.keys())
            changed.update(entity for entity, component in held if before.get(entity) is not component)
        return changed | self._had_bound | self._have_bound()

    def _have_bound(self) -> set[int]:
        return {entity for kind in self._bound for entity, _ in esper.get_component(kind)}

    def conditions(self) -> None:
        """Return None: only the lists of esper can show that nothing has changed."""

    def held_by(self, entity: int) -> Held:
        """Return the components of an entity of the current esper world, none if it does not exist."""
        kinds = (*chain.from_iterable(classes()), type, *self._bound)
        return {kind: held for kind in kinds if (held := esper.try_component(entity, kind)) is not None}

    def watched_sets(self) -> dict[type, set[int]]:
        """Return no sets: esper's own ones report nothing."""
        return {}

    def accept(self) -> None:
        """Record the present state of the world as known."""
        self._seen, self._had_bound = esper.get_component(TYPES[0]), self._have_bound()

    def release(self) -> None:
        """Leave the esper world as it is."""
