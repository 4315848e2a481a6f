"""Binding of a game's own components to the columns: read before each step, written after it.

An entity with a bound component and a `Collider` gets a `Transform` or `Velocity`, which the game need not know. A
number that the game wrote since the last step differs from the number that was last written to the component. It goes
into the rows, a position as a teleport. A number that a step changed in the rows goes to the game's component. Each
number is compared alone: a game that writes x leaves y to the physics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import esper
import numpy as np

from ecs_collide.common.binding import Binding
from ecs_collide.common.interrupts import DelayedInterrupts
from ecs_collide.common.settings import Settings
from ecs_collide.components import Collider, Transform, Velocity
from ecs_collide.components.described import shorten_repr
from ecs_collide.components.view import View
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.dirty_rows import DirtyRows
from ecs_collide.data.row_lists import each_once
from ecs_collide.data.state_list import list_state
from ecs_collide.errors import PhysicsError
from ecs_collide.native import read_numbers, write_numbers
from ecs_collide.native.attributes import Path, path_of
from ecs_collide.step.sync.body_definition import NO_ROW
from ecs_collide.step.sync.body_sync import BodySync
from ecs_collide.step.sync.component_set import TYPES, Held, classes
from ecs_collide.step.sync.usage_warnings import UsageWarnings


class BoundColumn(NamedTuple):
    """The component of the physics that stands for one of the game, and the column of its numbers."""

    kind: type[Transform] | type[Velocity]
    column: Callable[[BodyColumns], np.ndarray]
    marks: Callable[[BodyColumns], DirtyRows]
    fields: tuple[str, str, str]


PLACE = BoundColumn(
    Transform,
    lambda bodies: bodies.arrays.pose,
    lambda bodies: bodies.teleported,
    ("x", "y", "angle"),
)
MOTION = BoundColumn(
    Velocity,
    lambda bodies: bodies.arrays.velocity,
    lambda bodies: bodies.written,
    ("x", "y", "angular"),
)


def bound_components(
    settings: Settings, bodies: BodyColumns, body_sync: BodySync, usage_warnings: UsageWarnings
) -> list[BoundComponent]:
    """Return the bindings of a world: at most one for Transform and one for Velocity."""
    pairs = (settings.transform, PLACE), (settings.velocity, MOTION)
    return [
        BoundComponent(binding, column, bodies, body_sync, usage_warnings)
        for binding, column in pairs
        if binding is not None
    ]


class Tables(NamedTuple):
    """Numbers of the bound entities, two or three in a row."""

    written: np.ndarray
    """Numbers of the game's components at the last read or write (n, 2 or 3)."""
    exposed: np.ndarray
    """Numbers of the rows at that time (n, 2 or 3)."""
    offset: np.ndarray
    """Offset that is added to the game's numbers (n, 2 or 3)."""
    factor: np.ndarray
    """Factor by which the sum is then multiplied, to get the physics' numbers (n, 2 or 3)."""
    entity: np.ndarray
    """Entity (n,) int64."""
    row: np.ndarray
    """Row of each entity, `NO_ROW` while it waits for a body (n,) int64."""

    def in_use(self, order: np.ndarray, more: Tables) -> Tables:
        """Return some of the rows in an order, followed by more rows."""
        return Tables(*(np.concatenate((old.take(order, axis=0), new)) for old, new in zip(self, more, strict=True)))


class BoundComponent:
    """The binding of one component of the game in one world."""

    state_list = list_state(
        values="_keeps_floats _places _some_have_no_row _version",
        arrays="_tables",
        contents="_already_read _unread _entities _objects _numbers _ours",
        left_out="_binding _kind _paths _usage_warnings",
    )

    def __init__(
        self,
        binding: Binding,
        column: BoundColumn,
        bodies: BodyColumns,
        body_sync: BodySync,
        usage_warnings: UsageWarnings,
    ) -> None:
        self._binding = binding
        self._usage_warnings = usage_warnings
        self._kind = column
        self._paths = tuple(map(path_of, binding.paths))
        self._keeps_floats = False
        """True if the game's components held floats at the last read: a pygame.Rect holds whole numbers."""
        self._bodies = bodies
        self._body_sync = body_sync
        self._already_read: set[int] = set()
        """Changed entities that `find` has read already."""
        self._unread: set[int] = set()
        """Changed entities that came later, before `BodySync` has carried out all changes."""
        self._entities: list[int] = []
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}
        """Place of each entity in these lists and in the tables."""
        self._ours: dict[int, Any] = {}
        """Component that was added to each entity."""
        self._tables = self._tables_of([], [])
        self._places: np.ndarray = np.zeros((0, len(self._paths)), np.int64)
        """Index of each number in the column of the rows, below 0 without a row (n, 2 or 3)."""
        self._some_have_no_row = False
        """True if any entity has no row yet."""
        self._version = -1
        """Version of the bodies to which `_places` belongs."""

    def read_candidates(self) -> None:
        """Record the changed entities that `find` has not read, before the registry forgets them."""
        self._unread |= self._body_sync.registry.candidates - self._already_read
        self._already_read = set()

    def find(self) -> None:
        """Find the entities that have such a component now."""
        candidates = self._body_sync.registry.candidates
        if not candidates and not self._unread:
            return
        candidates = candidates | self._unread
        added: dict[int, Any] = {}
        renewed: dict[int, Any] = {}
        removed: list[int] = []
        for entity in sorted(candidates):
            component, own = self._held_by(entity)
            if component is None or own is None:
                if entity in self._ours:
                    removed.append(entity)
                if component is not None:
                    added[entity] = component
            elif self._objects[self._numbers[entity]] is not component:
                renewed[entity] = component
        new = self._tables_of(list(added), list(added.values()))
        offset = self._offsets(list(renewed), list(renewed.values()))
        with DelayedInterrupts():
            self._tables = self._tables.in_use(self._remove(removed), new)
            self._add(added, new.exposed.tolist())
            for place, (entity, component) in enumerate(renewed.items()):
                number = self._numbers[entity]
                self._objects[number], self._tables.offset[number] = component, offset[place]
            self._already_read, self._unread, self._version = candidates, set(), -1

    def _held_by(self, entity: int) -> tuple[Any, Any]:
        """Return the bound component of an entity, None if it does not count, and the component beside it."""
        held = self._body_sync.registry.held_by(entity)
        component = held.get(self._binding.component)
        own = _first_held(held, self._kind.kind)
        if component is None or _first_held(held, Collider) is None:
            return None, own
        if own is not self._ours.get(entity) and stands_in(own):
            return component, None  # it was copied, loaded or taken along with what it stood for
        if own is not None and own is not self._ours.get(entity):
            self._usage_warnings.warn_of_second_component(entity, type(component).__name__, type(own).__name__)
            return None, own
        return component, own

    def _remove(self, removed: Iterable[int]) -> np.ndarray:
        """Remove entities, the last ones taking their places; return the remaining rows of the tables in order."""
        order = np.arange(len(self._entities))
        for entity in removed:
            self._remove_component(entity, self._ours[entity])
            number, last = self._numbers.pop(entity), self._entities.pop()
            one = self._objects.pop()
            if last != entity:
                self._entities[number], self._objects[number], self._numbers[last] = last, one, number
                order[number] = order[len(self._entities)]
        return order[: len(self._entities)]

    def _add(self, added: dict[int, Any], exposed: list[list[float]]) -> None:
        """Add components with these numbers to new entities."""
        for (entity, component), numbers in zip(added.items(), exposed, strict=True):
            self._numbers[entity] = len(self._entities)
            self._entities.append(entity)
            self._objects.append(component)
            self._ours[entity] = ours = self._kind.kind(*numbers)
            ours._stands_in = True
            esper.add_component(entity, ours, self._kind.kind)

    def read(self) -> None:
        """Write to the rows what the game wrote to its components."""
        self.find()
        written = self._read(self._entities, self._objects, self._paths)
        changed = np.flatnonzero(written != self._tables.written)
        if len(changed):
            with DelayedInterrupts():
                self._write_rows(written, changed)

    def _write_rows(self, written: np.ndarray, changed: np.ndarray) -> None:
        """Write changed numbers to the rows; `changed` holds their flat indices."""
        tables, width = self._tables, len(self._paths)
        exposed = (written.take(changed) + tables.offset.take(changed)) * tables.factor.take(changed)
        tables.written.put(changed, written.take(changed))
        tables.exposed.put(changed, exposed)
        places = self._find_places().take(changed)
        column = self._kind.column(self._bodies)
        adopted = places >= 0
        column.put(_as_indices(places[adopted]), exposed[adopted])
        self._kind.marks(self._bodies).mark(each_once(places[adopted] // column.shape[1]))
        for number, value in zip(changed[~adopted].tolist(), exposed[~adopted].tolist(), strict=True):
            setattr(self._ours[self._entities[number // width]], self._kind.fields[number % width], value)

    def write(self) -> None:
        """Write to the game's components what has changed in the rows, or in the components of entities without one."""
        places = self._find_places()
        now = self._kind.column(self._bodies).take(_as_indices(places), mode="clip")
        if self._some_have_no_row:
            for number in np.flatnonzero(places[:, 0] < 0).tolist():
                now[number] = self._ours[self._entities[number]]._values()[: len(self._paths)]
        changed = now != self._tables.exposed
        if changed.any():
            with DelayedInterrupts():
                self._write_objects(now, changed)

    def _write_objects(self, now: np.ndarray, changed: np.ndarray) -> None:
        tables = self._tables
        numbers = now if self._binding.is_plain else now / tables.factor - tables.offset
        write_numbers(self._objects, self._paths, numbers, changed)
        if not self._keeps_floats:
            numbers = self._read(self._entities, self._objects, self._paths, changed)
        np.copyto(tables.written, numbers, where=changed)
        self._tables = tables._replace(exposed=now)

    def replace_objects(self, replaced: Mapping[int, Any]) -> None:
        """Refer to other components of the game, by the identities of those that they replace."""
        self._objects = [replaced.get(id(one), one) for one in self._objects]

    def release(self) -> None:
        """Remove the components that were added."""
        self._tables = self._tables.in_use(self._remove(list(self._ours)), self._tables_of([], []))

    def _remove_component(self, entity: int, ours: Any) -> None:
        del self._ours[entity]
        if esper.entity_exists(entity) and esper.try_component(entity, self._kind.kind) is ours:
            esper.remove_component(entity, self._kind.kind)

    def _find_places(self) -> np.ndarray:
        """Return the index of each number in the column of the rows, below 0 for an entity without a body."""
        if self._version != self._body_sync.version:
            members, row = self._body_sync.members, self._tables.row
            is_other = self._bodies.arrays.entity.take(_as_indices(row), mode="clip") != self._tables.entity
            for number in np.flatnonzero(is_other | (row < 0)).tolist():
                member = members.get(self._entities[number])
                row[number] = NO_ROW if member is None else member.row
            self._places = row[:, None] * self._kind.column(self._bodies).shape[1] + np.arange(len(self._paths))
            self._some_have_no_row = bool((row < 0).any())
            self._version = self._body_sync.version
        return self._places

    def _tables_of(self, entities: list[int], objects: list[Any]) -> Tables:
        """Return the tables of entities that wait for a body."""
        written = self._read(entities, objects, self._paths)
        offset = self._offsets(entities, objects)
        factor = self._binding.factors() + np.zeros((len(entities), 1))
        rows = np.full(len(entities), NO_ROW, np.int64)
        return Tables(written, (written + offset) * factor, offset, factor, np.array(entities, np.int64), rows)

    def _offsets(self, entities: list[int], objects: list[Any]) -> np.ndarray:
        """Return the offset from the corner that the game uses to the middle (n, 2 or 3)."""
        offset = np.zeros((len(objects), len(self._paths)))
        for axis, one in enumerate(self._binding.size or ()):
            if isinstance(one, str):
                offset[:, axis] = 0.5 * self._read(entities, objects, (path_of(one),))[:, 0]
            else:
                offset[:, axis] = 0.5 * one
        return offset

    def _read(
        self, entities: list[int], objects: list[Any], paths: tuple[Path, ...], which: np.ndarray | None = None
    ) -> np.ndarray:
        """Return the numbers of some of the game's components, or those that `which` selects.

        Raises PhysicsError, naming the first entity without a number.
        """
        numbers = np.empty((len(objects), len(paths)))
        try:
            self._keeps_floats = read_numbers(objects, paths, numbers, which)
        except (AttributeError, TypeError, ValueError, OverflowError) as error:
            raise _unreadable(entities, objects, paths) or error from None
        return numbers


def _unreadable(entities: list[int], objects: list[Any], paths: tuple[Path, ...]) -> PhysicsError | None:
    for entity, one in zip(entities, objects, strict=True):
        for path in paths:
            try:
                read_numbers([one], (path,), np.empty((1, 1)))
            except (AttributeError, TypeError, ValueError, OverflowError) as error:
                return PhysicsError(
                    f"entity {entity}: its {type(one).__name__} has no number at {'.'.join(path)!r} ({error}): "
                    f"{shorten_repr(one)}"
                )
    return None


def stands_in(component: View | None) -> bool:
    """Return True if a component was added beside one of a game's own, or is a copy of such a one."""
    return component is not None and component._stands_in


def _first_held(held: Held, kind: type[View]) -> Any:
    """Return an entity's component of a kind, or of a class that a game derived from it."""
    for derived in classes()[TYPES.index(kind)]:
        one = held.get(derived)
        if one is not None:
            return one
    return None


def _as_indices(places: np.ndarray) -> np.ndarray:
    """Return indices as `take` and `put` want them, which refuse int64 where addresses have 32 bits."""
    return places.astype(np.intp, copy=False)
