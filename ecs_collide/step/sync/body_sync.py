"""Add, change and remove the bodies of entities: changes become a checked plan, which is then carried out.

An invalid change raises an error, and then no column has changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import esper
import numpy as np

from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.shape_store import ShapeStore
from ecs_collide.data.state_list import list_state
from ecs_collide.native import adopt, detach
from ecs_collide.step.broadphase.body_waker import BodyWaker
from ecs_collide.step.broadphase.boxes import update_frames
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.sync.attachments import (
    Attachments,
    changing_hosts,
    keep_point_velocities,
    state_with_attached,
)
from ecs_collide.step.sync.body_definition import NO_ROW, Body
from ecs_collide.step.sync.body_dependents import BodyDependents
from ecs_collide.step.sync.changed_entities import EntityRegistry
from ecs_collide.step.sync.compare_rows import compare_filters, has_surface_of
from ecs_collide.step.sync.component_set import TYPES, are_same
from ecs_collide.step.sync.fill_bodies import FILLED, IS_NEW, IS_SEVERAL, fill_bodies
from ecs_collide.step.sync.fill_pieces import fill_pieces
from ecs_collide.step.sync.mobile_bodies import list_mobile
from ecs_collide.step.sync.place_attached import place_attached
from ecs_collide.step.sync.plan_bodies import PlannedBodies, former_of, plan_bodies

NO_ROWS = np.zeros(0, np.int64)


class BodySync:
    """Keeps the bodies of a world up to date with its entities, and their rows in the columns."""

    state_list = list_state(
        values="version mobile",
        contents="members reshaped",
        objects="shapes registry _attachments",
        left_out="dependents column_refs _tolerances",
    )

    def __init__(
        self,
        bodies: BodyColumns,
        pieces: PieceColumns,
        finder: PairFinder,
        tolerances: Tolerances,
        bound: Iterable[type] = (),
    ) -> None:
        self.version = 0
        """Version, which every change raises."""
        self.dependents = BodyDependents()
        """The subsystems that a change calls; none until the world has them all, and once it is gone."""
        self.reshaped: set[int] = set()
        """Entities whose collider got another shape, but no other filter or kind, until the events of the step."""
        self.members: dict[int, Body] = {}
        """Bodies by their entities."""
        self.mobile = NO_ROWS
        """Rows of the bodies that can move."""
        self._bodies = bodies
        self._pieces = pieces
        self._finder = finder
        self.shapes = ShapeStore(pieces)
        self._tolerances = tolerances
        self.registry = EntityRegistry(bound)
        """Watch of the entities that change, including entities with bound components of the game."""
        self.may_have_changed = self.registry.may_have_changed
        """Returns True if there may be changes to apply."""
        self.conditions = self.registry.conditions
        """Returns the conditions under which there are no changes."""
        self.column_refs = (bodies.pose, bodies.velocity, bodies.material, bodies.motion, bodies.force, None)
        """Column of each of `TYPES`; an AttachedTo has none."""
        self._attachments = Attachments(bodies.hosts)

    def plan(self) -> PlannedBodies | None:
        """Return the checked plan of all changes, None if there are none. Raises PhysicsError for an invalid one."""
        change = self.registry.change()
        if change is not None:
            return plan_bodies(change, self.registry, self.members, self._attachments, self.shapes, self.dependents)
        if self.may_have_changed():  # what was touched holds what it held before
            self.dependents.read_candidates()
            self.registry.forget_candidates()
        return None

    def carry_out(self, plan: PlannedBodies) -> None:
        """Write a plan to the columns, before the esper world changes further."""
        self._write(plan)
        self.dependents.read_candidates()
        self.registry.accept(plan.change)

    def is_current(self, entity: int) -> bool:
        """Return True if an entity's body was made from its present components."""
        member = self.members.get(entity)
        if member is None or entity in self.registry.restructured:
            return False
        try:
            components: tuple[object, ...] = esper.components_for_entity(entity)
        except KeyError:
            return False
        made_from = {id(component) for component in member.components if component is not None}
        return made_from == {id(component) for component in components if isinstance(component, TYPES)}

    def disconnect(self) -> None:
        """Forget the subsystems that depend on bodies, once it is gone: they refer to it in circles."""
        self.dependents = BodyDependents()
        self._finder.waker = BodyWaker()

    def release(self) -> None:
        """Remove all bodies for ever; components keep their last values. Nothing that is kept by row is cleaned up."""
        held, members = self.registry.release(), self.members
        rows = [body.row for body in members.values()]
        if rows:
            self.dependents.wake(rows)
        detach(held)
        if rows:
            pieces = [piece for body in members.values() for piece in body.pieces]
            if pieces:
                self._finder.remove(pieces)
            members.clear()
            self._bodies.free_rows(rows)
            self.version, self.mobile = self.version + 1, NO_ROWS

    def _write(self, plan: PlannedBodies) -> None:
        change, bodies, members = plan.change, plan.bodies, self.members
        before = {entity: body for entity in change.components if (body := members.get(entity)) is not None}
        removed, untouched, states = self._assign_rows(plan, before)
        disturbed = [body.row for entity, body in before.items() if entity not in untouched]
        if disturbed:
            self.dependents.wake(disturbed)
        self.version += 1
        if plan.has_attached:
            self._attachments.record(change)
        self.dependents.record_changing(change.components)
        detach([held for entity in change.components if (held := self.registry.known.get(entity)) is not None])
        added = [body for body, state in zip(bodies, states, strict=True) if state]
        for body in added:  # before others are removed, which may have the same shapes
            if body.stored is not None:
                body.stored.users += 1
        if removed:
            self._remove(removed, plan)
        self._allocate_rows(added)
        hosts = changing_hosts(bodies, members, self._bodies.arrays) if plan.has_attached else []
        self._fill(plan, states)
        if plan.has_attached:
            self._follow_hosts(hosts)
        self._add_pieces(added)
        self._list_mobile({body.row for body in (*removed.values(), *added)})

    def _assign_rows(self, plan: PlannedBodies, before: dict[int, Body]) -> tuple[dict[int, Body], set[int], list[int]]:
        """Assign to bodies the rows of the bodies `before` that they continue.

        Return the former bodies whose pieces are removed, the entities of static bitmaps that differ in cells alone,
        and the states of the bodies for `fill_bodies`: 0 for those that keep their pieces.
        """
        removed = before.copy()
        untouched = set[int]()
        states = [IS_NEW] * len(plan.bodies)
        formers = plan.formers
        if not any(formers):
            return removed, untouched, states
        for body, former in zip(plan.bodies, formers, strict=True):
            body.row = NO_ROW if former is None else former.row
        rows = np.array([body.row for body in plan.bodies], np.int64)
        are_equal = np.empty(len(formers), np.bool_)
        _, integers, numbers = plan.table
        compare_filters(rows, integers, numbers, self._bodies.arrays, are_equal)
        former_of_each = zip(plan.bodies, formers, are_equal.tolist(), strict=True)
        for k, (body, former, has_same_filter) in enumerate(former_of_each):
            if former is None or not has_same_filter:
                continue
            keeps_contacts, differs_in_cells = body.keeps_contacts(former), body.can_replace(former)
            if not (keeps_contacts or differs_in_cells):
                if body.components.collider is former.components.collider and body.has_same_place(former):
                    self.reshaped.add(body.entity)
                continue
            if (
                differs_in_cells
                and are_same(body.components, former.components)
                and has_surface_of(body, self._bodies.arrays)
            ):
                untouched.add(body.entity)
            if keeps_contacts:
                body.stored, body.pieces = former.stored, former.pieces
            else:
                self._replace_cells(body, former)
            states[k] = 0
            del removed[body.entity]
        return removed, untouched, states

    def _replace_cells(self, body: Body, former: Body) -> None:
        """Replace the pieces of a static bitmap whose cells have changed; it stays the same body."""
        assert body.stored is not None and former.stored is not None
        splice = self.shapes.replace_terrain(former.stored, body.stored)
        forms, removed = body.stored.forms, [former.pieces[place] for place in splice.removed]
        added = [forms[place] for place in splice.added]
        rows = self._fill_pieces(added, [body], [len(added)], [body.stored.most_pieces])
        self._finder.replace_pieces(removed, rows, body.row, splice.change)
        self._pieces.free_rows(removed)
        body.pieces = splice.apply(former.pieces, rows.tolist())
        self.members[body.entity] = body  # at once: bodies that rest on it wake, and snapshots may hold the former one

    def _follow_hosts(self, hosts: list[tuple[Body, list[float]]]) -> None:
        """Put attached colliders where their bodies are, and keep the velocities of the points of these bodies."""
        columns = self._bodies
        columns.attached = self._attachments.rows(self.members, columns.attached)
        keep_point_velocities(hosts, columns.arrays)
        place_attached(columns.attached, columns.arrays)

    def rows_of(self, entities: Iterable[int]) -> np.ndarray:
        """Return for each row of a body whether it belongs to one of these entities (n,) bool."""
        concerned = np.zeros(self._bodies.rows.high, np.bool_)
        rows = [self.members[entity].row for entity in entities if entity in self.members]
        concerned[rows] = True
        return concerned

    def planned_velocity(self, body: Body) -> list[float]:
        """Return the velocity [m/s, m/s, rad/s] that a body has once its plan is carried out."""
        if body.components.velocity is not None:
            return body.components.velocity._values()
        old = former_of(body, self.members)
        if old is None:
            return [0.0, 0.0, 0.0]
        kept: list[float] = self._bodies.arrays.velocity[old.row].tolist()
        return kept

    def _remove(self, removed: dict[int, Body], plan: PlannedBodies) -> None:
        """Remove the pieces of bodies, and the bodies that do not continue in a plan."""
        pieces = [piece for body in removed.values() for piece in body.pieces]
        if pieces:
            self._finder.remove(pieces)
            self._pieces.free_rows(pieces)
        self.shapes.release([body.stored for body in removed.values() if body.stored is not None])
        freed = removed.keys() - {body.entity for body in plan.bodies if body.row != NO_ROW}
        if freed:
            self._free_bodies(freed)

    def _free_bodies(self, entities: set[int]) -> None:
        """Free the rows of removed bodies, and drop what is kept of these bodies elsewhere."""
        rows = [self.members.pop(entity).row for entity in sorted(entities)]
        self._bodies.free_rows(rows)
        self.dependents.forget(rows, entities)
        if not self.members:
            self.dependents.reset()

    def _allocate_rows(self, added: list[Body]) -> None:
        """Allocate rows for bodies without one, and store the shapes of all."""
        new = [body for body in added if body.row == NO_ROW]
        for body, row in zip(new, self._bodies.allocate_rows(len(new)), strict=True):
            body.row = row
        self.shapes.store([body.stored for body in added if body.stored is not None])

    def _add_pieces(self, added: list[Body]) -> None:
        """Add the pieces of new bodies."""
        owners = [body for body in added if body.stored]
        stored = [body.stored for body in added if body.stored]
        forms, counts = [form for each in stored for form in each.forms], [len(each.forms) for each in stored]
        if not forms:
            return
        rows = self._fill_pieces(forms, owners, counts, [each.most_pieces for each in stored])
        self._finder.add(rows)
        pieces = iter(rows.tolist())
        for body, count in zip(owners, counts, strict=True):
            body.pieces = tuple(islice(pieces, count))

    def _fill_pieces(self, forms: list[int], owners: list[Body], counts: list[int], totals: list[int]) -> np.ndarray:
        """Fill rows of pieces from `forms` and return the rows (p,) int64.

        The collider of owners[k] gets the next counts[k] forms, of totals[k] that it may have in all.
        """
        filled = np.array((self._pieces.allocate_rows(len(forms)), forms), np.int64)
        colliders, columns = [body.row for body in owners], self._bodies
        hosts = [body.host.row for body in owners] if columns.hosts.now else colliders
        shares = np.array((hosts, colliders, counts, totals), np.int64)
        rows: np.ndarray = filled[0]
        more_parts, more_materials = fill_pieces(
            rows,
            filled[1],
            shares,
            self.shapes.forms,
            self._tolerances.box_margin,
            columns.arrays,
            columns.span,
            self._pieces.arrays,
        )
        self._pieces.part_count += more_parts
        self._pieces.material_count += more_materials
        return rows

    def _fill(self, plan: PlannedBodies, states: list[int]) -> None:
        """Write the numbers of bodies to their rows, and turn their components into views of these."""
        members, columns, bodies, components = self.members, self._bodies, plan.bodies, plan.change.components
        rows, entities = [body.row for body in bodies], [body.entity for body in bodies]
        members.update(zip(entities, bodies, strict=True))
        for k, body in enumerate(bodies):
            if body.attached:
                states[k] |= state_with_attached(body)
            elif body.stored is not None and len(body.stored.forms) > 1:
                states[k] |= IS_SEVERAL
        filled = np.array((rows, entities, states), np.int64)
        _, integers, numbers = plan.table
        fill_bodies(filled, integers, numbers, plan.masses, columns.arrays, columns.span, columns.rare_count)
        if len(rows) < len(components):  # some entities have no body any more
            entities = list(components)
            rows = [NO_ROW if (held := members.get(entity)) is None else held.row for entity in entities]
        adopt(self.column_refs, list(components.values()), rows, entities, self.registry.restructured)
        update_frames(filled[FILLED.ROW], columns.arrays)

    def _list_mobile(self, changed: set[int]) -> None:
        """Update the list of the bodies that can move, after the pieces of some rows were removed or added."""
        if not changed:
            return
        self._bodies.shrink()
        self._pieces.shrink()
        rows = np.array(sorted(changed), np.int64)
        mobile = np.empty(len(self.mobile) + len(changed), np.int64)
        count = list_mobile(self.mobile, rows, self._bodies.rows.high, self._bodies.arrays.kind, mobile)
        self.mobile = mobile[:count]
