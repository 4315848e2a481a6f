"""Which entities may hold other components than before, told by esper itself.

For each component type esper keeps a set of its entities, to which it says `add` when one of them is given such a
component, also in place of another, and `discard` when that goes. A set that also puts the entity down elsewhere tells
who changed, however many there are that did not; a game sees no difference.

Such sets stand in esper's table for each of our types, also those that no entity has. esper takes an emptied one out
of the table, and makes a plain one when it needs it again; `clear_database` drops all. So the table is looked at in
each step, and where another set stands in it than ours, all entities of both count as changed.

None of this is esper's interface. Where an esper does otherwise, `comparison.py` serves instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, islice
from typing import Any

import esper

from ecs_collide.common.interrupts import Uninterrupted
from ecs_collide.components import CollidingEntities, Transform
from ecs_collide.components.view import View
from ecs_collide.kernels.calls import Condition, Empty, Same
from ecs_collide.step.sync.component_set import Held, classes

NONE_HELD: Held = {}

_add, _discard = set.add, set.discard


class WatchedSet(set[int]):
    """The entities with a component of one type; who comes or goes is put down in `noted`, which many share."""

    __slots__ = ("noted",)

    def __init__(self, entities: Iterable[int], noted: set[int]) -> None:
        super().__init__(entities)
        self.noted = noted

    def add(self, entity: int) -> None:
        self.noted.add(entity)  # first: Ctrl-C between the two must not lose it
        _add(self, entity)

    def update(self, *entities: Iterable[int]) -> None:
        self.noted.update(*entities)
        super().update(*entities)

    def discard(self, entity: int) -> None:  # type: ignore[override]  # what esper says it to
        self.noted.add(entity)
        _discard(self, entity)


class Watch:
    """Knows which entities of the current esper world have changed since the last `accept`."""

    first: type = Transform
    """One of the types that are watched."""
    counting: Any = View
    """Counts classes: with each there may be more types."""

    def __init__(self, bound: Iterable[type] = ()) -> None:
        self._bound = tuple(bound)
        """Types of the game's own that are watched as well."""
        self._noted: set[int] = set()
        self._sets: dict[type, WatchedSet] = {}
        self._class_count = -1
        """How many classes of components there were when the sets were put in place."""

    def changed(self) -> set[int]:
        """Entities that may hold something else than at the last `accept`; none is left out."""
        table = esper._components
        if table.get(self.first) is not self._sets.get(self.first) or self._class_count != self.counting.class_count:
            self._put_in_place(table)
        elif self._noted:
            for kind, watched in self._sets.items():
                if table.get(kind) is not watched:
                    self._put_in_place(table)
                    break
        return self._noted

    def conditions(self) -> tuple[Condition, ...]:
        """While these hold there is nothing in `changed`, as long as the esper world is the current one."""
        first, counting = self.first, self.counting
        in_place = Same(esper._components, first, self._sets.get(first))
        return Empty(self._noted), in_place, Same(counting, "class_count", self._class_count)

    def _put_in_place(self, table: dict[type, set[int]]) -> None:
        with Uninterrupted():
            for kind in self.kinds():
                watched, present = self._sets.get(kind), table.get(kind)
                if present is None or present is not watched:
                    self._noted.update(watched or (), present or ())
                    table[kind] = self._sets[kind] = WatchedSet(present or (), self._noted)
            self._class_count = self.counting.class_count

    def kinds(self) -> Iterable[type]:
        """The types that are watched."""
        return *chain.from_iterable(classes()), type, *self._bound, *CollidingEntities.kinds()

    def held_by(self, entity: int) -> Held:
        """The components of an entity of the current esper world, none where there is no such entity."""
        return esper._entities.get(entity, NONE_HELD)

    def accept(self) -> None:
        """What has changed so far is known."""
        self._noted.clear()

    def release(self) -> None:
        """Leave plain sets behind."""
        table = esper._components
        for kind, watched in self._sets.items():
            if table.get(kind) is watched:
                del table[kind]
                if watched:
                    table[kind] = set(watched)
        self._sets.clear()


def create_entities(parts: Sequence[Sequence[Any]]) -> list[int]:
    """Create an entity of the first of each of some lists of components of one class each, of the second, and so on.

    As `esper.create_entity` for each, in a tenth of the time: into esper's own tables, where these are as expected.
    """
    if not is_possible():
        return [esper.create_entity(*own) for own in zip(*parts, strict=True)]
    entities = list(islice(esper._entity_count, len(parts[0])))
    if not entities:
        return []
    kinds = [type(components[0]) for components in parts]
    with Uninterrupted():
        esper._entities.update(zip(entities, [dict(zip(kinds, own)) for own in zip(*parts, strict=True)], strict=True))
        for kind in kinds:
            esper._components.setdefault(kind, set()).update(entities)
        esper.clear_cache()
    return entities


@cache
def is_possible() -> bool:
    """Whether this esper tells its sets of every change, as far as a trial in a world of its own shows."""
    before, trial = esper.current_world, "ecs_collide tries esper out"
    with Uninterrupted():
        esper.switch_world(trial)
        try:
            return _tells_all()
        except Exception:  # whatever another esper may make of it
            return False
        finally:
            esper.switch_world(before)
            esper.delete_world(trial)


def _tells_all() -> bool:
    noted: set[int] = set()
    table: dict[type, Any] = esper._components
    table[Transform] = WatchedSet((), noted)
    a, b, c = (esper.create_entity(Transform()) for _ in range(3))
    is_counted = next(esper._entity_count) == c + 1
    told = [is_counted, noted == {a, b, c}, list(esper._entities[a]) == [Transform]]

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
        noted.clear()
        change()
        told.append(noted == {entity})
    return all(told) and Transform not in table
