"""Bring the entities' changes into the columns: all of them, or, where one is not possible, none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import esper
import numpy as np

from ecs_collide.columns import bodies as of_body
from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.growth import run_of
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.columns.shape_store import ShapeStore, masses_of
from ecs_collide.components.body_kind import STATIC
from ecs_collide.engine.basis import tuning
from ecs_collide.engine.basis.tuning import Tolerances
from ecs_collide.engine.broadphase.boxes import refresh_frames
from ecs_collide.engine.broadphase.finder import PairFinder
from ecs_collide.engine.membership.blueprint import Blueprint, MassRow, blueprint_of, check_holders, mass_row
from ecs_collide.engine.membership.parts import NOTHING, TYPES
from ecs_collide.engine.membership.roster import Change, Roster
from ecs_collide.shapes import MassProperties, Shape

NO_FORCE = [0.0, 0.0, 0.0]
PLAIN_MOTION = [1.0, 0.0, 0.0, 1.0]
NO_MATERIAL = [0.0, 0.0, 0.0, 0.0]


class Member:
    """An adopted entity: what it was made from, its body row and its piece rows."""

    __slots__ = ("blueprint", "pieces", "row")

    def __init__(self, blueprint: Blueprint, row: int) -> None:
        self.blueprint = blueprint
        self.row = row
        self.pieces: list[int] = []


class Plan(NamedTuple):
    """A change that is possible: the bodies to be, their rows of `body_mass`, and what their shapes' areas are."""

    change: Change
    blueprints: list[Blueprint]
    masses: list[MassRow]
    geometry: dict[Shape, MassProperties]


class Membership:
    """Adopts entities into the columns and lets them go."""

    def __init__(
        self,
        bodies: BodyColumns,
        pieces: PieceColumns,
        finder: PairFinder,
        tolerances: Tolerances,
        check: Callable[[Blueprint], None] = lambda blueprint: None,
    ) -> None:
        self.version = 0
        """How often anything has changed."""
        self.disturbed: Callable[[np.ndarray], None] = lambda rows: None
        """Called with the rows of bodies that are about to leave or to change."""
        self._check = check
        """Raises PhysicsError for a body that the world's response cannot treat."""
        self.arriving: Callable[[list[Blueprint]], None] = lambda blueprints: None
        """Called with the bodies that are new, before anything is changed."""
        self.members: dict[int, Member] = {}
        self.movers = np.zeros(0, np.int64)
        """Rows of the bodies that can move."""
        self._bodies = bodies
        self._pieces = pieces
        self._finder = finder
        self._shapes = ShapeStore(pieces)
        self._tolerances = tolerances
        self._roster = Roster()
        self._cells = (bodies.pose, bodies.velocity, bodies.material, bodies.motion, bodies.force)
        """Where each of `TYPES` lives."""

    def plan(self) -> Plan | None:
        """What has to be brought in, None if nothing. Raises PhysicsError where something is not possible."""
        change = self._roster.change()
        if change is None:
            return None
        check_holders(change, self._roster)
        blueprints = [
            made for entity, parts in change.parts.items() if (made := blueprint_of(entity, parts)) is not None
        ]
        for blueprint in blueprints:
            self._check(blueprint)
        geometry = self._geometry(blueprints)
        masses = [
            mass_row(blueprint, None if blueprint.shape is None else geometry[blueprint.shape])
            for blueprint in blueprints
        ]
        self.arriving([blueprint for blueprint in blueprints if blueprint.entity not in self.members])
        return Plan(change, blueprints, masses, geometry)  # type: ignore[arg-type]  # mass_row refuses None

    def _geometry(self, blueprints: list[Blueprint]) -> dict[Shape, MassProperties | None]:
        """The mass properties of the shapes that are to be, None where they leave the range of numbers."""
        found: dict[Shape, MassProperties | None] = {}
        new = []
        for blueprint in blueprints:
            shape = blueprint.shape
            if shape is not None and shape not in found:
                stored = self._shapes.get(shape)
                found[shape] = None if stored is None else stored.mass
                if stored is None:
                    new.append(shape)
        found.update(zip(new, masses_of(new), strict=True))
        return found

    def carry_out(self, plan: Plan) -> None:
        """Bring a plan's change into the columns, before esper's world changes further."""
        self._apply(*plan)
        self._roster.accept(plan.change)

    def update(self) -> None:
        """Bring in what changed since the last call. Raises PhysicsError, with nothing changed, where it cannot."""
        plan = self.plan()
        if plan is not None:
            self.carry_out(plan)

    @property
    def may_have_changed(self) -> bool:
        """Whether there may be something to bring in."""
        return self._roster.may_have_changed

    def is_current(self, entity: int) -> bool:
        """Whether an entity's body is made from the components that it has now."""
        member = self.members.get(entity)
        if member is None or entity in self._roster.restructured:
            return False
        try:
            components: tuple[object, ...] = esper.components_for_entity(entity)
        except KeyError:
            return False
        made_from = {id(part) for part in member.blueprint.parts if part is not None}
        return made_from == {id(component) for component in components if isinstance(component, TYPES)}

    def release(self) -> None:
        """Let go of every entity; components keep their last values."""
        gone = self._roster.release()
        self._apply(gone, [], [], {})
        self._roster.accept(gone)

    def _apply(
        self, change: Change, plans: list[Blueprint], masses: list[MassRow], geometry: dict[Shape, MassProperties]
    ) -> None:
        rows = [self.members[entity].row for entity in change.parts if entity in self.members]
        if rows:
            self.disturbed(np.array(rows))
        self.version += 1
        before = [self._roster.known.get(entity, NOTHING) for entity in change.parts]
        for parts in before:
            for part in parts:
                if part is not None:
                    part._detach()

        kept = {plan.entity for plan in plans if self._is_same_body(plan)}
        leaving = [self.members[entity] for entity in change.parts if entity in self.members and entity not in kept]
        arriving = [plan for plan in plans if plan.entity not in kept]
        if leaving:
            self._remove(leaving, {plan.entity for plan in arriving})
        if arriving:
            self._add(arriving, geometry)
        for plan in plans:
            self.members[plan.entity].blueprint = plan
        self._fill(plans, masses)

        for entity, parts in change.parts.items():
            for part in parts:
                if part is not None:
                    part._claim(entity, self._roster.restructured)
        if leaving or arriving:
            self._bodies.shrink()
            self._pieces.shrink()
            self._renew_movers({*rows, *(self.members[plan.entity].row for plan in arriving)})

    def _renew_movers(self, rows: set[int]) -> None:
        """Bring `movers` up to date for bodies that came, went or are others now, in these rows."""
        changed = np.fromiter(rows, np.int64, len(rows))
        is_changed = np.zeros(1 + max(self.movers.max(initial=0), changed.max()), np.bool_)
        is_changed[changed] = True
        others = self.movers[~is_changed[self.movers]]
        present = changed[changed < self._bodies.rows.high]
        moving = present[self._bodies.arrays.kind[present] != STATIC]
        self.movers = np.sort(np.concatenate((others, moving)))

    def is_in(self, change: Change) -> np.ndarray:
        """For each row of a body whether a change concerns it (n,) bool."""
        concerned = np.zeros(self._bodies.rows.high, np.bool_)
        rows = [self.members[entity].row for entity in change.parts if entity in self.members]
        concerned[rows] = True
        return concerned

    def _is_same_body(self, plan: Blueprint) -> bool:
        member = self.members.get(plan.entity)
        return member is not None and member.blueprint.structure == plan.structure

    def _is_continued(self, plan: Blueprint) -> bool:
        """Whether the entity had one of these components before: else it is another one with an id used again."""
        member = self.members.get(plan.entity)
        return member is not None and any(
            part is not None and part is old for part, old in zip(plan.parts, member.blueprint.parts, strict=True)
        )

    def velocity_to_be(self, plan: Blueprint) -> list[float]:
        """The velocity [m/s, m/s, rad/s] that a body will have once its blueprint is carried out."""
        if plan.parts.velocity is not None:
            return plan.parts.velocity._values()
        if not self._is_continued(plan):
            return [0.0, 0.0, 0.0]
        kept: list[float] = self._bodies.arrays.velocity[self.members[plan.entity].row].tolist()
        return kept

    def _remove(self, leaving: list[Member], returning: set[int]) -> None:
        """Take bodies out; an entity in `returning` gets another one and keeps its row and its `Member` until then."""
        piece_rows = [row for member in leaving for row in member.pieces]
        self._finder.remove(piece_rows)
        self._pieces.free_rows(piece_rows)
        shapes = {id(member.blueprint.shape): member.blueprint.shape for member in leaving}
        users = Counter(id(member.blueprint.shape) for member in leaving)
        for key, shape in shapes.items():
            if shape is not None:
                self._shapes.release(shape, users[key])
        gone = [member for member in leaving if member.blueprint.entity not in returning]
        self._bodies.free_rows([member.row for member in gone])
        for member in gone:
            del self.members[member.blueprint.entity]

    def _add(self, arriving: list[Blueprint], geometry: dict[Shape, MassProperties]) -> None:
        """Give bodies and pieces their rows, and fill what stays the same as long as the body does."""
        fresh = iter(self._bodies.take_rows(sum(plan.entity not in self.members for plan in arriving)))
        rows = [member.row if (member := self.members.get(plan.entity)) else next(fresh) for plan in arriving]
        bodies = self._bodies.arrays
        known = [(plan, member.row) for plan in arriving if (member := self.members.get(plan.entity))]
        strangers = [row for plan, row in known if not self._is_continued(plan)]
        if strangers:
            bodies.velocity[strangers] = 0.0
            bodies.push[strangers] = 0.0
        places = run_of(rows)
        bodies.entity[places] = [plan.entity for plan in arriving]
        bodies.kind[places] = [plan.kind for plan in arriving]
        bodies.filter[places] = [plan.filter for plan in arriving]
        bodies.frame[places, of_body.FRAME_ANGLE] = np.nan

        self._shapes.store({plan.shape: geometry[plan.shape] for plan in arriving if plan.shape is not None})
        index, size = [], []
        owners = []
        for plan, row in zip(arriving, rows, strict=True):
            member = self.members[plan.entity] = Member(plan, row)
            if plan.shape is None:
                continue
            stored = self._shapes.acquire(plan.shape).pieces
            several = int(len(stored) > 1)
            for piece in stored:
                radius, _, _, half_x, half_y = piece.size
                margin = min(self._tolerances.box_margin, tuning.BOX_MARGIN_FRACTION * (max(half_x, half_y) + radius))
                index.append((row, piece.kind, piece.vertex_start, piece.vertex_count, several))
                size.append((*piece.size, 0.0 if plan.kind is STATIC else margin))
                owners.append(member)
        if not owners:
            return
        piece_rows = self._pieces.take_rows(len(owners))
        places = run_of(piece_rows)
        self._pieces.arrays.index[places] = index
        self._pieces.arrays.size[places] = size
        for member, row in zip(owners, piece_rows, strict=True):
            member.pieces.append(row)
        self._finder.add(piece_rows)

    def _fill(self, plans: list[Blueprint], masses: list[MassRow]) -> None:
        """Bring the components' numbers into the rows and let the components look there."""
        if not plans:
            return
        bodies = self._bodies.arrays
        rows = [self.members[plan.entity].row for plan in plans]
        places = run_of(rows)
        bodies.mass[places] = masses
        self._bodies.span[places] = [self._span(plan) for plan in plans]
        without = ((bodies.material, NO_MATERIAL), (bodies.motion, PLAIN_MOTION), (bodies.force, NO_FORCE))
        for number, (column, default) in enumerate(without, 2):
            bare = [row for row, plan in zip(rows, plans, strict=True) if plan.parts[number] is None]
            if bare:
                column[bare] = default
        for number, cells in enumerate(self._cells):
            held = [
                (part, row) for row, plan in zip(rows, plans, strict=True) if (part := plan.parts[number]) is not None
            ]
            cells.adopt([part for part, _ in held], [row for _, row in held])
        refresh_frames(np.array(rows), bodies)

    def _span(self, plan: Blueprint) -> tuple[float, float, bool]:
        """What a sweep has to know of a body, see `BodyColumns.span`.

        What is made of several pieces counts as a bullet: once it is deep in another such body, each piece's way out
        may lie through the next one, and nothing would part them.
        """
        if plan.shape is None:
            return 0.0, 0.0, False
        stored = self._shapes[plan.shape]
        body = plan.parts.rigid_body
        return stored.core, stored.extent, len(stored.pieces) > 1 or (body is not None and body.bullet)
