"""Changed entities, reported by esper's own sets.

For each component type esper keeps a set of its entities. It calls `add` when an entity is given such a component, also
in place of another one, and `discard` when the component is removed. A subclass of set that records the entity as well
reports the changed entities, however many did not change. A game sees no difference.

Such sets stand in esper's table for each of our types, including types that no entity has. esper removes an emptied set
from the table, and creates a plain one when it needs it again. `clear_database` drops all. So each step compares the
table. If another set stands in it, all entities of both sets count as changed.

None of this is a public interface of esper. If an esper behaves otherwise, `compare_entities.py` takes over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, islice
from operator import is_
from typing import Any

import esper

from ecs_collide.common.interrupts import DelayedInterrupts
from ecs_collide.components import CollidingEntities, IgnoredEntities, Transform
from ecs_collide.components.view import View
from ecs_collide.data.state_list import list_state
from ecs_collide.native.guards import Condition, IsEmpty, IsSame
from ecs_collide.step.sync.component_set import Held, classes

NONE_HELD: Held = {}

_add, _discard = set.add, set.discard


class WatchedSet(set[int]):
    """Entities with a component of one type; changes are recorded in `changed_entities`, which many sets share."""

    __slots__ = ("changed_entities",)

    def __init__(self, entities: Iterable[int], changed_entities: set[int]) -> None:
        super().__init__(entities)
        self.changed_entities = changed_entities

    def add(self, entity: int) -> None:
        """Add an entity and record it as changed."""
        self.changed_entities.add(entity)  # first: Ctrl-C between the two must not lose it
        _add(self, entity)

    def update(self, *entities: Iterable[int]) -> None:
        """Add entities and record them as changed."""
        self.changed_entities.update(*entities)
        super().update(*entities)

    def discard(self, entity: int) -> None:  # type: ignore[override]  # esper passes no other type
        """Remove an entity and record it as changed."""
        self.changed_entities.add(entity)
        _discard(self, entity)


class Watch:
    """The entities of the current esper world that have changed since the last `accept`."""

    state_list = list_state(contents="_changed", left_out="_bound _sets _class_count")

    first: type = Transform
    """One of the watched types."""
    counting: Any = View
    """Holder of the number of component classes; each new class may be a new type to watch."""

    def __init__(self, bound: Iterable[type] = ()) -> None:
        self._bound = tuple(bound)
        """Types of the game that are watched as well."""
        self._changed: set[int] = set()
        self._sets: dict[type, WatchedSet] = {}
        self._class_count = -1
        """Number of component classes when the sets were put in place."""

    def changed(self) -> set[int]:
        """Return all entities that may hold other components than at the last `accept`."""
        table = esper._components
        are_in_place = table.get(self.first) is self._sets.get(self.first)
        if are_in_place and self._changed:
            are_in_place = all(map(is_, map(table.get, self._sets), self._sets.values()))
        if not are_in_place or self._class_count != self.counting.class_count:
            self._install_sets(table)
        return self._changed

    def conditions(self) -> tuple[Condition, ...]:
        """Return conditions under which `changed` is empty, as long as the esper world is the current one."""
        first, counting = self.first, self.counting
        in_place = IsSame(esper._components, first, self._sets.get(first))
        return IsEmpty(self._changed), in_place, IsSame(counting, "class_count", self._class_count)

    def _install_sets(self, table: dict[type, set[int]]) -> None:
        with DelayedInterrupts():
            for kind in self.kinds():
                watched, present = self._sets.get(kind), table.get(kind)
                if present is None or present is not watched:
                    self._changed.update(watched or (), present or ())
                    table[kind] = self._sets[kind] = WatchedSet(present or (), self._changed)
            self._class_count = self.counting.class_count

    def kinds(self) -> Iterable[type]:
        """Return the watched types."""
        return *chain.from_iterable(classes()), type, *self._bound, *CollidingEntities.kinds(), *IgnoredEntities.kinds()

    def held_by(self, entity: int) -> Held:
        """Return the components of an entity of the current esper world, none if it does not exist."""
        return esper._entities.get(entity, NONE_HELD)

    def watched_sets(self) -> dict[type, set[int]]:
        """Return the sets that stand in esper's table, by type."""
        return dict(self._sets)

    def accept(self) -> None:
        """Record the present state of the world as known."""
        self._changed.clear()

    def release(self) -> None:
        """Replace the watched sets by plain ones."""
        table = esper._components
        for kind, watched in self._sets.items():
            if table.get(kind) is watched:
                del table[kind]
                if watched:
                    table[kind] = set(watched)
        self._sets.clear()


def create_entities(by_kind: Sequence[Sequence[Any]]) -> list[int]:
    """Create entities from lists of components, one class for each list, and return the entities.

    The result is that of `esper.create_entity` for each row of components. The function writes to esper's own tables if
    these are as expected, which is faster.
    """
    if not is_possible():
        return [esper.create_entity(*own) for own in zip(*by_kind, strict=True)]
    entities = list(islice(esper._entity_count, len(by_kind[0])))
    if not entities:
        return []
    kinds = [type(components[0]) for components in by_kind]
    with DelayedInterrupts():
        esper._entities.update(
            zip(entities, [dict(zip(kinds, own)) for own in zip(*by_kind, strict=True)], strict=True)
        )
        for kind in kinds:
            esper._components.setdefault(kind, set()).update(entities)
        esper.clear_cache()
    return entities


@cache
def is_possible() -> bool:
    """Return True if this esper reports every change to its sets, as a trial in a world of its own shows."""
    before, trial = esper.current_world, "ecs_collide tries esper out"
    with DelayedInterrupts():
        esper.switch_world(trial)
        try:
            return _reports_all()
        except Exception:  # whatever another esper may make of it
            return False
        finally:
            esper.switch_world(before)
            esper.delete_world(trial)


def _reports_all() -> bool:
    changed_entities: set[int] = set()
    table: dict[type, Any] = esper._components
    table[Transform] = WatchedSet((), changed_entities)
    a, b, c = (esper.create_entity(Transform()) for _ in range(3))
    is_counted = next(esper._entity_count) == c + 1
    results = [is_counted, changed_entities == {a, b, c}, list(esper._entities[a]) == [Transform]]

    def delete_later() -> None:
        esper.delete_entity(c)
        esper.clear_dead_entities()

    changes: tuple[tuple[Callable[[], object], int], ...] = (
        (lambda: esper.add_component(a, Transform()), a),
        (lambda: esper.remove_component(a, Transform), a),
        (lambda: esper.delete_entity(b, immediate=True), b),
        (delete_later, c),
    )
    for change, entity in changes:
        changed_entities.clear()
        change()
        results.append(changed_entities == {entity})
    return all(results) and Transform not in table
