"""Keeps a game's own components and the physics' columns in line: read before each step, written after it.

To the entities that have a bound component and a `Collider`, a `Transform` or `Velocity` is added, which nobody needs
to know of. What the game wrote since the last step differs from what was written to its components then: it is brought
into the rows, a place as a teleport. What a step changed in the rows is written to the game's components.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import esper
import numpy as np

from ecs_collide.columns.attributes import Path, path_of, read_numbers, write_numbers
from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.dirty import DirtyRows
from ecs_collide.components import Collider, Transform, Velocity
from ecs_collide.components.view import View
from ecs_collide.engine.basis.binding import Binding
from ecs_collide.engine.basis.interrupts import Uninterrupted
from ecs_collide.engine.basis.settings import Settings
from ecs_collide.engine.membership.membership import Membership
from ecs_collide.engine.membership.parts import TYPES, classes
from ecs_collide.errors import PhysicsError

NONE = np.zeros((0, 3))


class Bond(NamedTuple):
    """Which of our components stands for one of the game's, and where its numbers are."""

    kind: type[Transform] | type[Velocity]
    column: Callable[[BodyColumns], np.ndarray]
    marks: Callable[[BodyColumns], DirtyRows]
    fields: tuple[str, str, str]


PLACE = Bond(Transform, lambda bodies: bodies.arrays.pose, lambda bodies: bodies.touched, ("x", "y", "angle"))
MOTION = Bond(Velocity, lambda bodies: bodies.arrays.velocity, lambda bodies: bodies.written, ("x", "y", "angular"))


def bound_components(settings: Settings, bodies: BodyColumns, membership: Membership) -> list[Bound]:
    """What keeps the kinds in line that a world was told of."""
    pairs = (settings.transform, PLACE), (settings.velocity, MOTION)
    return [Bound(binding, bond, bodies, membership) for binding, bond in pairs if binding is not None]


class Bound:
    """One kind of component of the game's own, in one world."""

    def __init__(self, binding: Binding, bond: Bond, bodies: BodyColumns, membership: Membership) -> None:
        self._binding = binding
        self._bond = bond
        self._paths = tuple(map(path_of, binding.paths))
        self._keeps_floats = False
        """Whether the game's components said floats when they were last read: a pygame.Rect says whole numbers."""
        self._bodies = bodies
        self._membership = membership
        self._seen: Any = None
        """esper's list of the game's components for which the rest was made."""
        self._entities: list[int] = []
        self._objects: list[Any] = []
        self._ours: dict[int, Any] = {}
        """The component that was added to each entity."""
        self._said = np.zeros((0, len(binding.paths)))
        """What the game's components said when they were last in line (n, 2 or 3)."""
        self._shown = NONE
        """What our rows held then (n, 3)."""
        self._half_size: np.ndarray = np.zeros((0, 2))
        self._rows = np.zeros(0, np.int64)
        self._some_wait = False
        """Whether any of them is -1."""
        self._version = -1
        """The state of the membership that `_rows` belongs to."""

    def find(self) -> None:
        """Take up which entities have such a component now."""
        held: list[tuple[int, Any]] = esper.get_component(self._binding.component)
        if held is self._seen:
            return
        colliders, own = dict(_held(Collider)), dict(_held(self._bond.kind))
        kept = [
            (entity, component)
            for entity, component in held
            if entity in colliders and (entity not in own or own[entity] is self._ours.get(entity))
        ]
        entities, objects = [entity for entity, _ in kept], [component for _, component in kept]
        half_size = self._half_sizes(entities, objects)
        said = self._read(entities, objects, self._paths)
        with Uninterrupted():
            self._take_up(entities, objects, half_size, said, own)

    def _take_up(
        self, entities: list[int], objects: list[Any], half_size: np.ndarray, said: np.ndarray, own: dict[int, Any]
    ) -> None:
        """Keep these entities in line from now on; `own` are those that have a component of our kind."""
        present = set(entities)
        for entity, ours in list(self._ours.items()):
            if entity not in present:
                self._take_away(entity, ours)
        place = {entity: number for number, entity in enumerate(self._entities)}
        shown = self._binding.to_physics(said, half_size)
        for number, entity in enumerate(entities):
            if entity not in own:
                self._ours[entity] = added = self._bond.kind(*shown[number].tolist())
                esper.add_component(entity, added)
            elif entity in place:
                said[number], shown[number] = self._said[place[entity]], self._shown[place[entity]]
        self._entities, self._objects, self._half_size = entities, objects, half_size
        self._said, self._shown = said, shown
        self._seen, self._version = esper.get_component(self._binding.component), -1

    def take_in(self) -> None:
        """Bring what the game wrote into the rows."""
        self.find()
        said = self._read(self._entities, self._objects, self._paths)
        changed = _rows_that_differ(said, self._said)
        if len(changed):
            with Uninterrupted():
                self._write_rows(said, changed)

    def _write_rows(self, said: np.ndarray, changed: np.ndarray) -> None:
        self._said[changed] = said[changed]
        self._shown[changed] = self._binding.to_physics(said[changed], self._half_size[changed])
        rows = self._row_of_each()[changed]
        adopted = rows >= 0
        self._bond.column(self._bodies)[rows[adopted]] = self._shown[changed[adopted]]
        self._bond.marks(self._bodies).mark(rows[adopted])
        for number in changed[~adopted].tolist():
            for field, value in zip(self._bond.fields, self._shown[number].tolist(), strict=True):
                setattr(self._ours[self._entities[number]], field, value)

    def give_back(self) -> None:
        """Write what has changed in the rows to the game's components."""
        rows = self._row_of_each()
        now = self._bond.column(self._bodies).take(rows, axis=0, mode="clip")
        if self._some_wait:
            now[rows < 0] = self._shown[rows < 0]
        changed = _rows_that_differ(now, self._shown)
        if len(changed) == 0:
            return
        with Uninterrupted():
            self._write_objects(now, changed)

    def _write_objects(self, now: np.ndarray, changed: np.ndarray) -> None:
        numbers = np.ascontiguousarray(self._binding.to_game(now[changed], self._half_size[changed]))
        entities, objects = self._entities, self._objects
        if len(changed) < len(objects):
            entities, objects = ([those[number] for number in changed.tolist()] for those in (entities, objects))
        write_numbers(objects, self._paths, numbers)
        self._shown[changed] = now[changed]
        if not self._keeps_floats:
            numbers = self._read(entities, objects, self._paths)
        self._said[changed] = numbers

    def release(self) -> None:
        """Take away what was added."""
        for entity, ours in list(self._ours.items()):
            self._take_away(entity, ours)
        self._seen, self._entities, self._objects = None, [], []
        self._said, self._shown = self._said[:0], NONE

    def _take_away(self, entity: int, ours: Any) -> None:
        del self._ours[entity]
        if esper.entity_exists(entity) and esper.try_component(entity, self._bond.kind) is ours:
            esper.remove_component(entity, self._bond.kind)

    def _row_of_each(self) -> np.ndarray:
        """The row of each entity, -1 for those that wait for a body yet."""
        if self._version != self._membership.version:
            members = self._membership.members
            self._rows = np.array(
                [member.row if (member := members.get(entity)) else -1 for entity in self._entities], np.int64
            )
            self._some_wait = bool((self._rows < 0).any())
            self._version = self._membership.version
        return self._rows

    def _half_sizes(self, entities: list[int], objects: list[Any]) -> np.ndarray:
        """What lies between the corner that the game knows and the middle (n, 2)."""
        half = np.zeros((len(objects), 2))
        for axis, one in enumerate(self._binding.size or ()):
            if isinstance(one, str):
                half[:, axis] = 0.5 * self._read(entities, objects, (path_of(one),))[:, 0]
            else:
                half[:, axis] = 0.5 * one
        return half

    def _read(self, entities: list[int], objects: list[Any], paths: tuple[Path, ...]) -> np.ndarray:
        """What some of the game's components say now. Raises PhysicsError, naming the first entity without a number."""
        numbers = np.empty((len(objects), len(paths)))
        try:
            self._keeps_floats = read_numbers(objects, paths, numbers)
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


def _rows_that_differ(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The rows in which two tables of a few columns differ; any(axis=1) takes ten times as long."""
    differ = a[:, 0] != b[:, 0]
    for k in range(1, a.shape[1]):
        differ |= a[:, k] != b[:, k]
    return np.flatnonzero(differ)


def _held(component: type[View]) -> Iterator[tuple[int, Any]]:
    """All entities with a component of ours, or of a class that a game has derived from it."""
    for kind in classes()[TYPES.index(component)]:
        yield from esper.get_component(kind)
