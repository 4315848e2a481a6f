"""Bring the entities' changes into the columns: all of them, or, where one is not possible, none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

import esper
import numpy as np

from ecs_collide.common.gc_pause import Uncollected
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components.body_kind import DYNAMIC, KINEMATIC, STATIC
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.native import adopt, detach, read_components
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.shape_store import NO_SHAPE, ShapeStore
from ecs_collide.step.broadphase.boxes import update_frames
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.sync import component_columns as of_component, fill_bodies as of_body
from ecs_collide.step.sync.body_definition import NO_ROW, Body, check_body
from ecs_collide.step.sync.changed_entities import Change, Roster
from ecs_collide.step.sync.component_columns import INTEGERS, NUMBERS
from ecs_collide.step.sync.component_owners import check_holders
from ecs_collide.step.sync.component_set import NOTHING, TYPES, Parts, are_same
from ecs_collide.step.sync.compute_masses import weigh_bodies
from ecs_collide.step.sync.fill_bodies import fill_bodies
from ecs_collide.step.sync.fill_pieces import fill_pieces
from ecs_collide.step.sync.mass_errors import refuse_mass
from ecs_collide.step.sync.moving_rows import list_movers

KINDS = STATIC, KINEMATIC, DYNAMIC
NOTHING_SAID = np.zeros((0, 0))


class Plan(NamedTuple):
    """A change that is possible: the bodies to be, what their components say of them, and how heavy they are."""

    change: Change
    bodies: list[Body]
    integers: np.ndarray
    numbers: np.ndarray
    """The tables of the survey, of these bodies."""
    masses: np.ndarray
    """Their rows of `body_mass`."""


class Membership:
    """Adopts entities into the columns and lets them go."""

    def __init__(
        self,
        bodies: BodyColumns,
        pieces: PieceColumns,
        finder: PairFinder,
        tolerances: Tolerances,
        bound: Iterable[type] = (),
    ) -> None:
        self.version = 0
        """How often anything has changed."""
        self.disturbed: Callable[[np.ndarray], None] = lambda rows: None
        """Called with the rows of bodies that are about to leave or to change."""
        self.checks: list[Callable[[Sequence[Body]], None]] = []
        """Called with bodies that come or change; raise PhysicsError for one that the response cannot move."""
        self.arriving: Callable[[list[Body], dict[int, Parts]], None] = lambda bodies, apart: None
        """Called with the bodies that are new, and what those hold that are on no layer, before anything is changed."""
        self.renewed: Callable[[Iterable[int]], None] = lambda entities: None
        """Called with the entities whose bodies come, go or are others now."""
        self.freed: list[Callable[[list[int]], None]] = []
        """Called with the rows of bodies that have gone: who keeps anything by rows forgets it, for they may be others'
        in the same step ..."""
        self.departed: list[Callable[[set[int]], None]] = []
        """... and with their entities, which may be others' too."""
        self.emptied: list[Callable[[], None]] = []
        """Called when the last body has gone: what comes then goes on as in a new world."""
        self.members: dict[int, Body] = {}
        """The bodies that there are, by their entities."""
        self.movers = np.zeros(0, np.int64)
        """Rows of the bodies that can move."""
        self._bodies = bodies
        self._pieces = pieces
        self._finder = finder
        self._shapes = ShapeStore(pieces)
        self._tolerances = tolerances
        self.roster = Roster(bound)
        """Who has changed; it watches the game's own components that are bound, too."""
        self.may_have_changed = self.roster.may_have_changed
        """Returns whether there may be something to bring in ..."""
        self.conditions = self.roster.conditions
        """... and while which conditions there is nothing."""
        self._cells = (bodies.pose, bodies.velocity, bodies.material, bodies.motion, bodies.force)
        """Where each of `TYPES` lives."""

    def plan(self) -> Plan | None:
        """What has to be brought in, None if nothing. Raises PhysicsError where something is not possible."""
        change = self.roster.change()
        return None if change is None else self._plan_for(change)

    def _plan_for(self, change: Change) -> Plan:
        check_holders(change, self.roster)
        bodies, integers, numbers, apart = self._surveyed(change)
        for body, shape in zip(bodies, self._shapes.prepared([body.stored_form for body in bodies]), strict=True):
            body.stored = shape
        for check in self.checks:
            check(bodies)
        geometry = [NO_SHAPE if body.stored is None else body.stored.geometry for body in bodies]
        masses, weight = np.empty((len(bodies), of_body.MASS_WIDTH)), np.empty(2)
        if bodies:
            heavy = weigh_bodies(integers, numbers, np.array(geometry), weight, masses)
            if heavy >= 0:
                refuse_mass(bodies[heavy], *weight.tolist())
        self.arriving([body for body in bodies if self._former(body) is None], apart)
        return Plan(change, bodies, integers, numbers, masses)

    def _surveyed(self, change: Change) -> tuple[list[Body], np.ndarray, np.ndarray, dict[int, Parts]]:
        """The bodies of those that take part in physics, and what their components say.

        Besides, what those hold that are no members yet and on no layer: most without a collider, or one that is off.
        """
        held = {entity: parts for entity, parts in change.parts.items() if parts is not NOTHING}
        integers = np.empty((len(held), INTEGERS.WIDTH), np.int64)
        numbers = np.empty((len(held), NUMBERS.WIDTH))
        wrong = read_components(list(held.values()), integers, numbers)
        if wrong >= 0:
            check_body(*list(held.items())[wrong])
        kinds = integers[:, INTEGERS.KIND].tolist()
        bodies = [
            Body(entity, parts, KINDS[kind])
            for (entity, parts), kind in zip(held.items(), kinds, strict=True)
            if kind != of_component.NO_BODY
        ]
        apart, layers = {}, integers[:, INTEGERS.FILTER].tolist()
        if 0 in layers:
            apart = {
                entity: parts
                for (entity, parts), layer in zip(held.items(), layers, strict=True)
                if layer == 0 and entity not in self.members
            }
        if len(bodies) < len(held):
            taking_part = integers[:, INTEGERS.KIND] != of_component.NO_BODY
            integers, numbers = integers[taking_part], numbers[taking_part]
        return bodies, integers, numbers, apart

    def carry_out(self, plan: Plan) -> None:
        """Bring a plan's change into the columns, before esper's world changes further."""
        self._apply(plan)
        self.roster.accept(plan.change)

    def update(self) -> None:
        """Bring in what changed since the last call. Raises PhysicsError, with nothing changed, where it cannot."""
        with Uncollected():
            plan = self.plan()
            if plan is not None:
                self.carry_out(plan)

    def is_current(self, entity: int) -> bool:
        """Whether an entity's body is made from the components that it has now."""
        member = self.members.get(entity)
        if member is None or entity in self.roster.restructured:
            return False
        try:
            components: tuple[object, ...] = esper.components_for_entity(entity)
        except KeyError:
            return False
        made_from = {id(part) for part in member.parts if part is not None}
        return made_from == {id(component) for component in components if isinstance(component, TYPES)}

    def release(self) -> None:
        """Let go of every entity; components keep their last values."""
        gone = self.roster.release()
        self._apply(Plan(gone, [], NOTHING_SAID, NOTHING_SAID, NOTHING_SAID))
        self.roster.accept(gone)

    def _apply(self, plan: Plan) -> None:
        change, bodies, members, known = plan.change, plan.bodies, self.members, self.roster.known
        before = {entity: body for entity in change.parts if (body := members.get(entity)) is not None}
        leaving, states = before, [of_body.ARRIVES] * len(bodies)
        if before:
            leaving, untouched = self._put_in_place(plan, before, states)
            disturbed = [body.row for entity, body in before.items() if entity not in untouched]
            if disturbed:
                self.disturbed(np.array(disturbed, np.int64))
        self.version += 1
        self.renewed(change.parts)
        if known:
            detach([parts for entity in change.parts if (parts := known.get(entity)) is not None])
        arriving = [body for body, state in zip(bodies, states, strict=True) if state] if before else bodies
        for body in arriving:
            if body.stored is not None:
                body.stored.users += 1
        rows = [body.row for body in leaving.values()]
        if leaving:
            self._remove(leaving.values())
            gone = leaving.keys() - {body.entity for body in bodies if body.row != NO_ROW}
            if gone:
                self._part_with(gone)
        if arriving:
            rows += self._give_rows(arriving)
        self._fill(plan, states)
        if arriving:
            self._add_pieces(arriving)
        if rows:
            self._bodies.shrink()
            self._pieces.shrink()
            changed, movers = np.array(sorted(set(rows)), np.int64), np.empty(len(self.movers) + len(rows), np.int64)
            count = list_movers(self.movers, changed, self._bodies.rows.high, self._bodies.arrays.kind, movers)
            self.movers = movers[:count]

    def _put_in_place(self, plan: Plan, before: dict[int, Body], states: list[int]) -> tuple[dict[int, Body], set[int]]:
        """Give bodies the rows of those that they continue, and say how they differ.

        Returns those that leave, for the others go on with their pieces, and the entities of static bitmaps of which
        nothing has changed but cells, if that.
        """
        leaving, untouched = before.copy(), set[int]()
        for k, body in enumerate(plan.bodies):
            former = self._former(body)
            if former is None:
                continue
            body.row = former.row
            is_still, follows = body.is_still(former), body.can_replace(former)
            if not ((is_still or follows) and self._meets_the_same(plan, k, former.row)):
                continue
            if follows and are_same(body.parts, former.parts) and self._has_surface_of(body):
                untouched.add(body.entity)
            if is_still:
                body.stored, body.pieces = former.stored, former.pieces
            else:
                self._exchange_cells(body, former)
            states[k] = 0
            del leaving[body.entity]
        return leaving, untouched

    def _former(self, body: Body) -> Body | None:
        """The body that one goes on as, None where it is new."""
        former = self.members.get(body.entity)
        return former if former is not None and body.continues(former) else None

    def _meets_the_same(self, plan: Plan, place: int, row: int) -> bool:
        """Whether a body of a plan is to meet what its row says, from the same sides."""
        bodies, of_filter, of_one_way = (
            self._bodies.arrays,
            plan.integers[place, INTEGERS.FILTER :],
            plan.numbers[place, NUMBERS.ONE_WAY : NUMBERS.SURFACE],
        )
        return bool((of_filter == bodies.filter[row]).all() and (of_one_way == bodies.one_way[row]).all())

    def _has_surface_of(self, body: Body) -> bool:
        """Whether a body's surface is as its row says."""
        collider = body.parts.collider
        return collider is not None and self._bodies.arrays.surface[body.row].tolist() == list(collider._surface)

    def _exchange_cells(self, body: Body, former: Body) -> None:
        """Give a static bitmap of which cells are others now the pieces that it lacks: it is the same body."""
        assert body.stored is not None and former.stored is not None
        splice = self._shapes.exchange(former.stored, body.stored)
        forms, gone = body.stored.forms, [former.pieces[place] for place in splice.removed]
        came = [forms[place] for place in splice.added]
        rows = self._filled_pieces(came, [body.row], [len(came)], [body.stored.most_pieces])
        self._finder.exchange(gone, rows, body.row, splice.change)
        self._pieces.free_rows(gone)
        former.pieces = body.pieces = splice.apply(former.pieces, rows)  # whoever asks in this step asks the former

    def rows_of(self, entities: Iterable[int]) -> np.ndarray:
        """For each row of a body whether it is one of these entities' (n,) bool."""
        concerned = np.zeros(self._bodies.rows.high, np.bool_)
        rows = [self.members[entity].row for entity in entities if entity in self.members]
        concerned[rows] = True
        return concerned

    def velocity_to_be(self, body: Body) -> list[float]:
        """The velocity [m/s, m/s, rad/s] that a body will have once its plan is carried out."""
        if body.parts.velocity is not None:
            return body.parts.velocity._values()
        old = self._former(body)
        if old is None:
            return [0.0, 0.0, 0.0]
        kept: list[float] = self._bodies.arrays.velocity[old.row].tolist()
        return kept

    def _remove(self, leaving: Collection[Body]) -> None:
        """Take out the pieces of bodies and let go of their shapes."""
        pieces = [piece for body in leaving for piece in body.pieces]
        if pieces:
            self._finder.remove(pieces)
            self._pieces.free_rows(pieces)
        self._shapes.release([body.stored for body in leaving if body.stored is not None])

    def _part_with(self, gone: set[int]) -> None:
        """Free the rows of entities' bodies, and have all that is kept by them forgotten."""
        rows = [self.members.pop(entity).row for entity in sorted(gone)]
        self._bodies.free_rows(rows)
        for forget_rows in self.freed:
            forget_rows(rows)
        for forget_entities in self.departed:
            forget_entities(gone)
        if not self.members:
            for begin_anew in self.emptied:
                begin_anew()

    def _give_rows(self, arriving: list[Body]) -> list[int]:
        """Give rows to those bodies that have none yet, and put their shapes into the pools; return all rows."""
        new = [body for body in arriving if body.row == NO_ROW]
        for body, row in zip(new, self._bodies.allocate_rows(len(new)), strict=True):
            body.row = row
        self._shapes.store([body.stored for body in arriving if body.stored is not None])
        return [body.row for body in arriving]

    def _add_pieces(self, arriving: list[Body]) -> None:
        """Make the pieces of new bodies."""
        owners = [(body, body.stored) for body in arriving if body.stored is not None]
        shares, totals = [len(stored.forms) for _, stored in owners], [stored.most_pieces for _, stored in owners]
        rows = self._filled_pieces(
            [form for _, stored in owners for form in stored.forms], [body.row for body, _ in owners], shares, totals
        )
        if rows:
            self._finder.add(rows)
        first = 0
        for (body, _), share in zip(owners, shares, strict=True):
            stop = first + share
            body.pieces = tuple(rows[first:stop])
            first = stop

    def _filled_pieces(self, forms: list[int], owners: list[int], counts: list[int], totals: list[int]) -> list[int]:
        """Fill rows of pieces from `forms`, of each of the bodies `owners` so many in turn, which may have `totals`;
        return the rows."""
        if not forms:
            return []
        rows, most, columns = self._pieces.allocate_rows(len(forms)), self._tolerances.box_margin, self._bodies
        lists = [np.array(each, np.int64) for each in (rows, forms, owners, counts, totals)]
        fill_pieces(*lists, self._shapes.forms, most, columns.arrays, columns.span, self._pieces.arrays)
        return rows

    def _fill(self, plan: Plan, states: list[int]) -> None:
        """Bring bodies' numbers into their rows, and let components look there."""
        members, columns, bodies, parts = self.members, self._bodies, plan.bodies, plan.change.parts
        rows = [body.row for body in bodies]
        places = np.array(rows, np.int64)
        if bodies:
            owners = [body.entity for body in bodies]
            members.update(zip(owners, bodies, strict=True))
            for k, body in enumerate(bodies):
                if body.stored is not None and len(body.stored.forms) > 1:
                    states[k] |= of_body.IS_SEVERAL
            who = places, np.array(owners, np.int64), np.array(states, np.int64)
            more_one_way, more_surfaces = fill_bodies(*who, *plan[2:], columns.arrays, columns.span)
            columns.one_way_count += more_one_way
            columns.surface_count += more_surfaces
        entities = list(parts)
        if len(rows) < len(entities):
            rows = [NO_ROW if (held := members.get(entity)) is None else held.row for entity in entities]
        adopt(self._cells, list(parts.values()), rows, entities, self.roster.restructured)
        if bodies:
            update_frames(places, columns.arrays)
