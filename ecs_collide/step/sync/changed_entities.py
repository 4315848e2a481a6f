"""Entities that have changed since the last step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from ecs_collide.data.state_list import list_state
from ecs_collide.step.sync import watched_sets as watch
from ecs_collide.step.sync.compare_entities import Comparison
from ecs_collide.step.sync.component_set import NOTHING, ComponentSet, Held, are_same, classes, components_of
from ecs_collide.step.sync.registry import Observer, Registry


class Change(NamedTuple):
    """The changed entities, in order of their ids, and the components that they hold now."""

    components: dict[int, ComponentSet]

    @property
    def entities(self) -> list[int]:
        """The changed entities."""
        return list(self.components)


class ComponentObserver(Observer, Protocol):
    """Finds the entities that may have changed, and reads their components."""

    def held_by(self, entity: int) -> Held:
        """Return the components of an entity of the current esper world; none if there is no such entity."""


class EntityRegistry(Registry[ComponentSet]):
    """Remembers which components each entity held at the last step."""

    state_list = list_state(contents="known restructured", objects="_observer", left_out="_is_released")
    _observer: ComponentObserver

    def __init__(self, bound: Iterable[type] = ()) -> None:
        super().__init__(lambda known: watch.Watch(bound) if watch.is_possible() else Comparison(known, bound))

    def held_by(self, entity: int) -> Held:
        """Return the components of an entity of the current esper world; none if there is no such entity."""
        return self._observer.held_by(entity)

    def change(self) -> Change | None:
        """Return the entities that differ from the recorded ones, or None; nothing is recorded before `accept`."""
        found = self._found_among(self.candidates_to_read())
        return Change(found) if found else None

    def _found_among(self, candidates: Iterable[int]) -> dict[int, ComponentSet]:
        """Return the components of the candidates that differ from the known ones, or must be read again."""
        found, kinds, held_by = {}, classes(), self._observer.held_by
        for entity in candidates:
            components = components_of(entity, held_by(entity), kinds)
            if not are_same(components, self.known.get(entity, NOTHING)) or entity in self.restructured:
                found[entity] = components
        return found

    def accept(self, change: Change) -> None:
        """Record a change that has been carried out."""
        self.record(change.components, NOTHING)

    def release(self) -> list[ComponentSet]:
        """Detach from the esper world for ever; return the components of all entities, and forget them."""
        self.detach()
        held = list(self.known.values())
        self.known.clear()
        return held

    def item_before(self, number: int, entity: int) -> object:
        """Return what an entity held at the last step as item `number` of its `ComponentSet`."""
        return self.known.get(entity, NOTHING)[number]

    def item_after(self, number: int, change: Change, entity: int) -> object:
        """Return what an entity holds after a change as item `number` of its `ComponentSet`."""
        return change.components.get(entity, self.known.get(entity, NOTHING))[number]
