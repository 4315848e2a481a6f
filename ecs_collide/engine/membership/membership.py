"""Bring the entities' changes into the columns: all of them, or, where one is not possible, none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import esper
import numpy as np

from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.columns.shape_store import ShapeStore, StoredPiece, StoredShape
from ecs_collide.engine.basis.collection import Uncollected
from ecs_collide.engine.basis.tuning import Tolerances
from ecs_collide.engine.broadphase.boxes import refresh_frames
from ecs_collide.engine.broadphase.finder import PairFinder
from ecs_collide.engine.membership.blueprint import Blueprint, MassRow, blueprint_of, check_holders, mass_rows
from ecs_collide.engine.membership.fill_bodies import fill_bodies
from ecs_collide.engine.membership.fill_pieces import fill_pieces
from ecs_collide.engine.membership.movers import list_movers
from ecs_collide.engine.membership.parts import TYPES, are_same
from ecs_collide.engine.membership.roster import Change, Roster


class Member:
    """An adopted entity: what it was made from, its body row and its piece rows."""

    __slots__ = ("blueprint", "pieces", "row", "shape")

    def __init__(self, blueprint: Blueprint, row: int, shape: StoredShape | None) -> None:
        self.blueprint = blueprint
        self.row = row
        self.shape = shape
        self.pieces: tuple[int, ...] = ()


class Plan(NamedTuple):
    """A change that is possible: the bodies to be, their rows of `body_mass`, and their shapes."""

    change: Change
    blueprints: list[Blueprint]
    masses: list[MassRow]
    shapes: list[StoredShape | None]


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
        self.renewed: Callable[[Iterable[int]], None] = lambda entities: None
        """Called with the entities whose bodies come, go or are others now."""
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
        with Uncollected():
            return self._plan_for(change)

    def _plan_for(self, change: Change) -> Plan:
        check_holders(change, self._roster)
        blueprints = [
            made for entity, parts in change.parts.items() if (made := blueprint_of(entity, parts)) is not None
        ]
        for blueprint in blueprints:
            self._check(blueprint)
        shapes = self._shapes.prepared([blueprint.stored_form for blueprint in blueprints])
        geometry = [None if shape is None else shape.mass for shape in shapes]
        masses = mass_rows(blueprints, geometry)
        self.arriving([blueprint for blueprint in blueprints if blueprint.entity not in self.members])
        return Plan(change, blueprints, masses, shapes)

    def carry_out(self, plan: Plan) -> None:
        """Bring a plan's change into the columns, before esper's world changes further."""
        with Uncollected():
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
        self._apply(gone, [], [], [])
        self._roster.accept(gone)

    def _apply(
        self, change: Change, plans: list[Blueprint], masses: list[MassRow], shapes: list[StoredShape | None]
    ) -> None:
        present = [member for entity in change.parts if (member := self.members.get(entity)) is not None]
        rows = [member.row for member in present]
        untouched = self._exchange_cells(plans, shapes) if present else set()
        disturbed = [member.row for member in present if member.blueprint.entity not in untouched]
        if disturbed:
            self.disturbed(np.array(disturbed))
        self.version += 1
        self.renewed(change.parts)
        for parts in map(self._roster.known.get, change.parts):
            for part in parts or ():
                if part is not None:
                    part._detach()

        kept = {plan.entity for plan in plans if self._is_same_body(plan)} if present else set()
        leaving = [member for member in present if member.blueprint.entity not in kept]
        arriving = [(plan, shape) for plan, shape in zip(plans, shapes, strict=True) if plan.entity not in kept]
        for _, shape in arriving:
            if shape is not None:
                shape.users += 1
        if leaving:
            self._remove(leaving, {plan.entity for plan, _ in arriving})
        strangers = {
            plan.entity for plan, _ in arriving if plan.entity in self.members and not self._is_continued(plan)
        }
        if arriving:
            rows += self._give_rows(arriving)
        if plans:
            self._fill(plans, masses, kept, strangers)
        if arriving:
            self._add_pieces(arriving)

        for entity, parts in change.parts.items():
            for part in parts:
                if part is not None:
                    part._claim(entity, self._roster.restructured)
        if leaving or arriving:
            self._bodies.shrink()
            self._pieces.shrink()
            changed, movers = np.array(sorted(set(rows))), np.empty(len(self.movers) + len(rows), np.int64)
            count = list_movers(self.movers, changed, self._bodies.rows.high, self._bodies.arrays.kind, movers)
            self.movers = movers[:count]

    def rows_of(self, entities: Iterable[int]) -> np.ndarray:
        """For each row of a body whether it is one of these entities' (n,) bool."""
        concerned = np.zeros(self._bodies.rows.high, np.bool_)
        rows = [self.members[entity].row for entity in entities if entity in self.members]
        concerned[rows] = True
        return concerned

    def _is_same_body(self, plan: Blueprint) -> bool:
        member = self.members.get(plan.entity)
        return member is not None and member.blueprint.structure == plan.structure

    def _exchange_cells(self, plans: list[Blueprint], shapes: list[StoredShape | None]) -> set[int]:
        """Give static bitmaps of which cells are others now the pieces that they lack: they are the same bodies.

        Returns the entities of which nothing else has changed.
        """
        untouched = set()
        for plan, shape in zip(plans, shapes, strict=True):
            member = self.members.get(plan.entity)
            if member is None or member.shape is None or shape is None or self._is_same_body(plan):
                continue
            if plan.standing != member.blueprint.standing or not shape.can_follow(member.shape):
                continue
            if are_same(plan.parts, member.blueprint.parts) and plan.surface == member.blueprint.surface:
                untouched.add(plan.entity)
            splice = self._shapes.exchange(member.shape, shape)
            gone = [member.pieces[place] for place in splice.left]
            if gone:
                self._finder.remove(gone, are_exchanged=True)
                self._pieces.free_rows(gone)
            came = [shape.pieces[place] for place in splice.came]
            rows = self._new_pieces([member.row] * len(came), [len(shape.pieces)] * len(came), came)
            member.blueprint, member.shape, member.pieces = plan, shape, splice.apply(member.pieces, rows)
        return untouched

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
        if piece_rows:
            self._finder.remove(piece_rows)
            self._pieces.free_rows(piece_rows)
        for member in leaving:
            if member.shape is not None:
                self._shapes.release(member.shape)
        gone = [member for member in leaving if member.blueprint.entity not in returning]
        if gone:
            self._bodies.free_rows([member.row for member in gone])
        for member in gone:
            del self.members[member.blueprint.entity]

    def _give_rows(self, arriving: list[tuple[Blueprint, StoredShape | None]]) -> list[int]:
        """Make members of bodies, with their rows, and put their shapes into the pools; return the rows."""
        known = sum(plan.entity in self.members for plan, _ in arriving)
        fresh = iter(self._bodies.take_rows(len(arriving) - known))
        self._shapes.store([shape for _, shape in arriving if shape is not None])
        rows = []
        for plan, shape in arriving:
            before = self.members.get(plan.entity)
            row = next(fresh) if before is None else before.row
            self.members[plan.entity] = Member(plan, row, shape)
            rows.append(row)
        return rows

    def _add_pieces(self, arriving: list[tuple[Blueprint, StoredShape | None]]) -> None:
        """Make the pieces of new bodies, and give them to their members."""
        members = [self.members[plan.entity] for plan, shape in arriving if shape is not None]
        stored: list[StoredPiece] = []
        owners: list[int] = []
        shares: list[int] = []
        for member in members:
            pieces = member.shape.pieces if member.shape is not None else ()
            stored += pieces
            owners += [member.row] * len(pieces)
            shares += [len(pieces)] * len(pieces)
        rows = self._new_pieces(owners, shares, stored)
        first = 0
        for member in members:
            stop = first + len(member.shape.pieces) if member.shape is not None else first
            member.pieces = tuple(rows[first:stop])
            first = stop

    def _new_pieces(self, owners: list[int], shares: list[int], stored: list[StoredPiece]) -> list[int]:
        """Fill rows of pieces of the bodies `owners`, which have `shares` of them in all; return the rows."""
        if not stored:
            return []
        rows, most = self._pieces.take_rows(len(stored)), self._tolerances.box_margin
        places = np.array((rows, owners, shares))
        fill_pieces(*places, np.array(stored), most, self._bodies.arrays, self._pieces.arrays)
        self._finder.add(rows)
        return rows

    def _fill(self, plans: list[Blueprint], masses: list[MassRow], kept: set[int], strangers: set[int]) -> None:
        """Bring bodies' numbers into their rows and let their components look there."""
        members = [self.members[plan.entity] for plan in plans]
        rows = [member.row for member in members]
        whole, numbers = [], []
        for member, plan, mass in zip(members, plans, masses, strict=True):
            member.blueprint = plan
            entity, (_, _, collider, body, force), kind, _, filter_, one_way, surface = plan
            present = (collider is not None) | (body is not None) << 1 | (force is not None) << 2
            whole.append((entity, kind, present, entity not in kept, entity in strangers, *filter_))
            numbers.append((*mass, *one_way, *surface, *_span(member)))
        places, columns = np.array(rows, np.int64), self._bodies
        has_one_way, has_surface = fill_bodies(
            places, np.array(whole, np.int64), np.array(numbers), columns.arrays, columns.span
        )
        columns.has_one_way = columns.has_one_way or has_one_way
        columns.has_surfaces = columns.has_surfaces or has_surface
        for parts, cells in zip(zip(*[plan.parts for plan in plans], strict=True), self._cells, strict=True):
            held = [row for row, part in zip(rows, parts, strict=True) if part is not None]
            if held:
                cells.adopt([part for part in parts if part is not None], held)
        refresh_frames(places, columns.arrays)


def _span(member: Member) -> tuple[float, float, bool]:
    """What a sweep has to know of a body, see `BodyColumns.span`.

    What is made of several pieces counts as a bullet: once it is deep in another such body, each piece's way out
    may lie through the next one, and nothing would part them.
    """
    shape, body = member.shape, member.blueprint.parts.rigid_body
    if shape is None:
        return 0.0, 0.0, False
    return shape.core, shape.extent, len(shape.pieces) > 1 or (body is not None and body.bullet)
