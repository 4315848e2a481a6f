"""The pairs of bodies that `IgnoredEntities` components keep from colliding.

A change of components is read and checked before a step, and carried out once the bodies have changed. Each holder then
has links, which are the pairs of body rows of itself and of those that it names. Only holders that changed, or whose
bodies or named bodies did, are read and linked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import esper

from ecs_collide.common.warn_once import WarnOnce
from ecs_collide.components import IgnoredEntities
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.errors import PhysicsError
from ecs_collide.native.guards import Condition, IsSame
from ecs_collide.step.broadphase.excluded_pairs import ExcludedPairs
from ecs_collide.step.sync import watched_sets as watch
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.body_sync import BodySync
from ecs_collide.step.sync.held_kinds import any_held
from ecs_collide.step.sync.plan_bodies import PlannedBodies, future_bodies

PlannedIgnoredEntities = dict[int, tuple[int, ...] | None]
"""Entities that each changed holder names, None for one that has no component any more."""

UNREAD = -1
"""Count of writes that no world has read."""


class IgnoredSync(WarnOnce):
    """Keeps the pairs that do not collide up to date with the `IgnoredEntities` of a world."""

    state_list = list_state(
        contents="_named _links _pending _renewed",
        groups="_holders",
        renewed={"_read_writes": UNREAD},
        left_out="refusal _topics",
    )

    def __init__(self, bodies: BodyColumns, body_sync: BodySync, excluded_pairs: ExcludedPairs) -> None:
        super().__init__()
        self.refusal: str | None = None
        """Reason for which this world can have no ignored entities; None if it can."""
        self._bodies = bodies
        self._body_sync = body_sync
        self._excluded_pairs = excluded_pairs
        self._named: dict[int, tuple[int, ...]] = {}
        """Entities that each holder named at the last step."""
        self._holders: dict[int, set[int]] = {}
        """Holders that name each entity."""
        self._links: dict[int, frozenset[tuple[int, int]]] = {}
        """Pairs of body rows that each holder keeps from colliding."""
        self._pending: set[int] = set()
        """Entities whose components may have changed, among changes that queries have applied."""
        self._renewed: dict[int, Body | None] = {}
        """Holders and named entities whose bodies were added, removed or changed, with their former bodies."""
        self._read_writes = UNREAD
        """Value of `IgnoredEntities.write_count` at the last step."""

    def record_changing(self, entities: Iterable[int]) -> None:
        """Record those of the entities whose bodies are about to change that are holders or named."""
        if self._named:
            for entity in entities:
                if entity in self._named or entity in self._holders:
                    self._renewed.setdefault(entity, self._body_sync.members.get(entity))

    def read_candidates(self) -> None:
        """Record entities that have changed before the registry forgets them."""
        if self._named or _any_ignored():
            self._pending |= self._body_sync.registry.candidates

    def may_have_changed(self) -> bool:
        """Return True if there may be changes to carry out, beside those that the bodies' registry reports."""
        if self._pending or self._renewed:
            return True
        was_written = self._read_writes != IgnoredEntities.write_count or not watch.is_possible()
        return was_written and bool(self._named or _any_ignored())

    def conditions(self) -> tuple[Condition, ...]:
        """Return the conditions under which no list was written."""
        return (IsSame(IgnoredEntities, "write_count", IgnoredEntities.write_count),) if self._named else ()

    def plan(self, before: PlannedBodies | None) -> PlannedIgnoredEntities:
        """Return the changes to carry out. Raises PhysicsError, with nothing changed, for an invalid one.

        `before` is the change of bodies that will be carried out first.
        """
        if not (self._named or _any_ignored()):
            return {}
        found = {entity: _named_by(entity) for entity in self._pending | self._body_sync.registry.candidates}
        change = {entity: now for entity, now in found.items() if now is not None or entity in self._named}
        if self._read_writes != IgnoredEntities.write_count or not watch.is_possible():
            written = set(self._named).union(*(dict(esper.get_component(kind)) for kind in IgnoredEntities.kinds()))
            for entity in written - change.keys():
                if (now := _named_by(entity)) != self._named.get(entity):
                    change[entity] = now
        renewed = self._renewed.keys() | ({} if before is None else before.change.components).keys()
        if change or renewed:
            body_of = future_bodies(before, self._body_sync.members)
            for entity in sorted(change.keys() | self._holders_of(renewed)):
                self._check(entity, change.get(entity, self._named.get(entity)), body_of)
        return change

    def _holders_of(self, entities: Iterable[int]) -> set[int]:
        """Return the holders among some entities, and those that name one of them."""
        if not self._named:
            return set()
        held = {entity for entity in entities if entity in self._named}
        return held.union(*(self._holders.get(entity, ()) for entity in entities))

    def _check(self, entity: int, names: tuple[int, ...] | None, body_of: Callable[[int], Body | None]) -> None:
        """Raise PhysicsError if this world has no ignored entities; warn if a named entity does not exist."""
        if names is None:
            return
        if self.refusal is not None:
            raise PhysicsError(f"entity {entity} has an IgnoredEntities: {self.refusal}. The step was not made")
        known = self._named.get(entity, ())
        for other in (entity, *names):
            body = body_of(other)
            if body is None and other not in known and not esper.entity_exists(other):
                self._warn(
                    "missing", f"entity {entity}: its IgnoredEntities names entity {other}, which does not exist"
                )

    def carry_out(self, change: PlannedIgnoredEntities) -> bool:
        """Carry out a change, once the change of bodies is carried out; return True if pairs have changed."""
        self._pending.clear()
        self._read_writes = IgnoredEntities.write_count
        if not (change or self._renewed):
            return False
        for entity, names in change.items():
            self._record(entity, names)
        holders = change.keys() | self._holders_of(self._renewed)
        for entity in sorted(self._renewed.keys() | {name for names in change.values() for name in names or ()}):
            body = self._body_sync.members.get(entity)
            naming = self._holders.get(entity, set())
            if body is None:
                if not esper.entity_exists(entity):
                    self._strike(entity, naming)
            elif (former := self._renewed.get(entity)) is not None and not body.is_successor_of(former):
                self._strike(entity, naming - change.keys())
        self._renewed.clear()
        return self._relink(sorted(holders)) if holders else False

    def _record(self, entity: int, names: tuple[int, ...] | None) -> None:
        """Record the entities that a holder names now."""
        for other in self._named.pop(entity, ()):
            self._holders[other].discard(entity)
            if not self._holders[other]:
                del self._holders[other]
        if names is not None:
            self._named[entity] = names
            for other in names:
                self._holders.setdefault(other, set()).add(entity)

    def _strike(self, entity: int, holders: set[int]) -> None:
        """Remove an entity that was deleted, also if another one has its id by now, from the lists of some holders."""
        for holder in sorted(holders):
            for component in _components_of(holder):
                component.entities = [name for name in component.entities if name != entity]
            self._record(holder, _named_by(holder))
        self._read_writes = IgnoredEntities.write_count

    def _relink(self, holders: list[int]) -> bool:
        """Link the bodies of holders with those that they name, and wake those for which that changes something."""
        removed, added = list[tuple[int, int]](), list[tuple[int, int]]()
        for holder in holders:
            before = self._links.pop(holder, frozenset[tuple[int, int]]())
            now = self._pairs_of(holder)
            if now:
                self._links[holder] = now
            if before != now:
                removed += sorted(before - now)
                added += sorted(now - before)
        if not (removed or added):
            return False
        self._excluded_pairs.change(removed, added)
        owners, members = self._bodies.arrays.entity, self._body_sync.members
        rows = {row for pair in (*removed, *added) for row in pair if row < len(owners) and owners[row] != 0}
        self._bodies.written.update(sorted({members[owners.item(row)].host.row for row in rows}))
        return True

    def _pairs_of(self, holder: int) -> frozenset[tuple[int, int]]:
        """Return the pairs of the rows of a holder and of those that it names."""
        bodies = [self._body_sync.members.get(entity) for entity in (holder, *self._named.get(holder, ()))]
        rows = [None if body is None else body.row for body in bodies]
        own = rows[0]
        if own is None:
            return frozenset()
        return frozenset((min(own, row), max(own, row)) for row in rows[1:] if row is not None and row != own)


def _any_ignored() -> bool:
    """Return True if an entity of the current esper world has, or may have, an `IgnoredEntities`."""
    return any_held(IgnoredEntities.kinds())


def _components_of(entity: int) -> list[IgnoredEntities]:
    """Return the components of an entity, which may be of several derived classes."""
    found = (esper.try_component(entity, kind) for kind in IgnoredEntities.kinds())
    return [component for component in found if component is not None]


def _named_by(entity: int) -> tuple[int, ...] | None:
    """Return the entities that an entity names, ascending; None if it has no component."""
    components = _components_of(entity)
    if not components:
        return None
    return tuple(sorted({name for component in components for name in component.entities}))
