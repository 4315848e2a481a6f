"""Keeps a game's own components and the physics' columns in line: read before each step, written after it.

To the entities that have a bound component and a `Collider`, a `Transform` or `Velocity` is added, which nobody needs
to know of. What the game wrote since the last step differs from what was written to its components then: it is brought
into the rows, a place as a teleport. What a step changed in the rows is written to the game's components. Each number
is looked at alone: who writes x leaves y to the physics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import esper
import numpy as np

from ecs_collide.common.binding import Binding
from ecs_collide.common.interrupts import Uninterrupted
from ecs_collide.common.settings import Settings
from ecs_collide.components import Collider, Transform, Velocity
from ecs_collide.components.view import View
from ecs_collide.data.attributes import Path, path_of
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.dirty_rows import DirtyRows
from ecs_collide.data.native import read_numbers, write_numbers
from ecs_collide.data.row_lists import each_once
from ecs_collide.errors import PhysicsError
from ecs_collide.step.sync.body_definition import NO_ROW
from ecs_collide.step.sync.component_set import TYPES, Held, classes
from ecs_collide.step.sync.membership import Membership
from ecs_collide.step.sync.usage_warnings import Advice


class Bond(NamedTuple):
    """Which of our components stands for one of the game's, and where its numbers are."""

    kind: type[Transform] | type[Velocity]
    column: Callable[[BodyColumns], np.ndarray]
    marks: Callable[[BodyColumns], DirtyRows]
    fields: tuple[str, str, str]


PLACE = Bond(
    Transform,
    lambda bodies: bodies.arrays.pose,
    lambda bodies: bodies.touched,
    ("x", "y", "angle"),
)
MOTION = Bond(
    Velocity,
    lambda bodies: bodies.arrays.velocity,
    lambda bodies: bodies.written,
    ("x", "y", "angular"),
)


def bound_components(settings: Settings, bodies: BodyColumns, membership: Membership, advice: Advice) -> list[Bound]:
    """What keeps the kinds in line that a world was told of."""
    pairs = (settings.transform, PLACE), (settings.velocity, MOTION)
    return [Bound(binding, bond, bodies, membership, advice) for binding, bond in pairs if binding is not None]


class Tables(NamedTuple):
    """What is known of each entity: two or three numbers in a row, for those that are bound."""

    said: np.ndarray
    """What the game's components said when they were last in line (n, 2 or 3)."""
    shown: np.ndarray
    """What our rows held then (n, 2 or 3)."""
    offset: np.ndarray
    """What is added to the game's numbers ... (n, 2 or 3)."""
    factor: np.ndarray
    """... and what they are then multiplied by, to be the physics' (n, 2 or 3)."""
    entity: np.ndarray
    """(n,) int64."""
    row: np.ndarray
    """The row of each entity, `NO_ROW` for those that wait for a body yet (n,) int64."""

    def taken(self, order: np.ndarray, more: Tables) -> Tables:
        """Some of the rows in an order, and then more of them."""
        return Tables(*(np.concatenate((old.take(order, axis=0), new)) for old, new in zip(self, more, strict=True)))


class Bound:
    """One kind of component of the game's own, in one world."""

    def __init__(
        self, binding: Binding, bond: Bond, bodies: BodyColumns, membership: Membership, advice: Advice
    ) -> None:
        self._binding = binding
        self._advice = advice
        self._bond = bond
        self._paths = tuple(map(path_of, binding.paths))
        self._keeps_floats = False
        """Whether the game's components said floats when they were last read: a pygame.Rect says whole numbers."""
        self._bodies = bodies
        self._membership = membership
        membership.roster.followers.append(self._follow)
        self._looked_at: set[int] = set()
        """The entities that were looked at last, of those that may have changed ..."""
        self._missed: set[int] = set()
        """... and those that came to them later, before the membership forgot who they are."""
        self._entities: list[int] = []
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}
        """The place of each entity in these lists and in the tables."""
        self._ours: dict[int, Any] = {}
        """The component that was added to each entity."""
        self._tables = self._tables_of([], [])
        self._places: np.ndarray = np.zeros((0, len(self._paths)), np.int64)
        """Where each number is in the column of our rows, below 0 for who has none yet (n, 2 or 3)."""
        self._some_wait = False
        """Whether anybody has none yet."""
        self._version = -1
        """The state of the membership that `_places` belongs to."""

    def _follow(self, candidates: set[int]) -> None:
        self._missed |= candidates - self._looked_at
        self._looked_at = set()

    def find(self) -> None:
        """Take up which entities have such a component now."""
        candidates = self._membership.roster.candidates
        if not candidates and not self._missed:
            return
        candidates = candidates | self._missed
        coming: dict[int, Any] = {}
        exchanged: dict[int, Any] = {}
        going: list[int] = []
        for entity in sorted(candidates):
            component, own = self._held_by(entity)
            if component is None or own is None:
                if entity in self._ours:
                    going.append(entity)
                if component is not None:
                    coming[entity] = component
            elif self._objects[self._numbers[entity]] is not component:
                exchanged[entity] = component
        new = self._tables_of(list(coming), list(coming.values()))
        offset = self._offsets(list(exchanged), list(exchanged.values()))
        with Uninterrupted():
            self._tables = self._tables.taken(self._let_go(going), new)
            self._take_up(coming, new.shown.tolist())
            for place, (entity, component) in enumerate(exchanged.items()):
                number = self._numbers[entity]
                self._objects[number], self._tables.offset[number] = component, offset[place]
            self._looked_at, self._missed, self._version = candidates, set(), -1

    def _held_by(self, entity: int) -> tuple[Any, Any]:
        """The bound component of an entity, None where ours is not to stand for it, and ours, None if it has none."""
        held = self._membership.roster.held_by(entity)
        component = held.get(self._binding.component)
        own = _first_held(held, self._bond.kind)
        if component is None or _first_held(held, Collider) is None:
            return None, own
        if own is not self._ours.get(entity) and stands_in(own):
            return component, None  # it was copied, loaded or taken along with what it stood for
        if own is not None and own is not self._ours.get(entity):
            self._advice.on_own(entity, type(component).__name__, type(own).__name__)
            return None, own
        return component, own

    def _let_go(self, going: Iterable[int]) -> np.ndarray:
        """Let entities go, the last ones taking their places; return which rows of the tables stay, in their order."""
        order = np.arange(len(self._entities))
        for entity in going:
            self._take_away(entity, self._ours[entity])
            number, last = self._numbers.pop(entity), self._entities.pop()
            one = self._objects.pop()
            if last != entity:
                self._entities[number], self._objects[number], self._numbers[last] = last, one, number
                order[number] = order[len(self._entities)]
        return order[: len(self._entities)]

    def _take_up(self, coming: dict[int, Any], shown: list[list[float]]) -> None:
        """Add our components, of these numbers, to those that come."""
        for (entity, component), numbers in zip(coming.items(), shown, strict=True):
            self._numbers[entity] = len(self._entities)
            self._entities.append(entity)
            self._objects.append(component)
            self._ours[entity] = added = self._bond.kind(*numbers)
            added._stands_in = True
            esper.add_component(entity, added, self._bond.kind)

    def take_in(self) -> None:
        """Bring what the game wrote into the rows."""
        self.find()
        said = self._read(self._entities, self._objects, self._paths)
        changed = np.flatnonzero(said != self._tables.said)
        if len(changed):
            with Uninterrupted():
                self._write_rows(said, changed)

    def _write_rows(self, said: np.ndarray, changed: np.ndarray) -> None:
        """Write the numbers that are others; `changed` says which of all they are."""
        tables, width = self._tables, len(self._paths)
        shown = (said.take(changed) + tables.offset.take(changed)) * tables.factor.take(changed)
        tables.said.put(changed, said.take(changed))
        tables.shown.put(changed, shown)
        places, column = self._find_places().take(changed), self._bond.column(self._bodies)
        adopted = places >= 0
        column.put(places[adopted], shown[adopted])
        self._bond.marks(self._bodies).mark(each_once(places[adopted] // column.shape[1]))
        for number, value in zip(changed[~adopted].tolist(), shown[~adopted].tolist(), strict=True):
            setattr(self._ours[self._entities[number // width]], self._bond.fields[number % width], value)

    def give_back(self) -> None:
        """Write what has changed in the rows to the game's components."""
        places = self._find_places()
        now = self._bond.column(self._bodies).take(places, mode="clip")
        if self._some_wait:
            np.copyto(now, self._tables.shown, where=places < 0)
        changed = now != self._tables.shown
        if changed.any():
            with Uninterrupted():
                self._write_objects(now, changed)

    def _write_objects(self, now: np.ndarray, changed: np.ndarray) -> None:
        tables = self._tables
        numbers = now if self._binding.is_plain else now / tables.factor - tables.offset
        write_numbers(self._objects, self._paths, numbers, changed)
        if not self._keeps_floats:
            numbers = self._read(self._entities, self._objects, self._paths, changed)
        np.copyto(tables.said, numbers, where=changed)
        self._tables = tables._replace(shown=now)

    def release(self) -> None:
        """Take away what was added."""
        self._tables = self._tables.taken(self._let_go(list(self._ours)), self._tables_of([], []))

    def _take_away(self, entity: int, ours: Any) -> None:
        del self._ours[entity]
        if esper.entity_exists(entity) and esper.try_component(entity, self._bond.kind) is ours:
            esper.remove_component(entity, self._bond.kind)

    def _find_places(self) -> np.ndarray:
        """Where each number is in the column of our rows, below 0 for those that wait for a body yet."""
        if self._version != self._membership.version:
            members, row = self._membership.members, self._tables.row
            is_other = self._bodies.arrays.entity.take(row, mode="clip") != self._tables.entity
            for number in np.flatnonzero(is_other | (row < 0)).tolist():
                member = members.get(self._entities[number])
                row[number] = NO_ROW if member is None else member.row
            self._places = row[:, None] * self._bond.column(self._bodies).shape[1] + np.arange(len(self._paths))
            self._some_wait = bool((row < 0).any())
            self._version = self._membership.version
        return self._places

    def _tables_of(self, entities: list[int], objects: list[Any]) -> Tables:
        """What some of the game's components say, of entities that wait for a body."""
        said, offset = self._read(entities, objects, self._paths), self._offsets(entities, objects)
        factor = self._binding.factors() + np.zeros((len(entities), 1))
        rows = np.full(len(entities), NO_ROW, np.int64)
        return Tables(said, (said + offset) * factor, offset, factor, np.array(entities, np.int64), rows)

    def _offsets(self, entities: list[int], objects: list[Any]) -> np.ndarray:
        """What lies between the corner that the game knows and the middle (n, 2 or 3)."""
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
        """What some of the game's components say now, or those of their numbers that `which` says.

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
                return PhysicsError(f"entity {entity}: {one!r} has no number at {'.'.join(path)!r}: {error}")
    return None


def stands_in(component: View | None) -> bool:
    """Whether a component was added beside one of a game's own, or is a copy of one that was, in whatever world."""
    return component is not None and component._stands_in


def _first_held(held: Held, kind: type[View]) -> Any:
    """What an entity holds of a component of ours, or of a class that a game has derived from it."""
    for derived in classes()[TYPES.index(kind)]:
        one = held.get(derived)
        if one is not None:
            return one
    return None
