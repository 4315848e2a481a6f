"""Add the joints of entities to the world, remove them, and turn them off and on with their bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from ecs_collide.components.joints.joint import Joint
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.joints import JOINT, LOAD, NUMBERS, WORLD, JointColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.errors import PhysicsError
from ecs_collide.native import adopt
from ecs_collide.native.guards import Condition, IsEmpty
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.joints.changed_joints import JointRegistry
from ecs_collide.step.joints.joint_definition import (
    JointDefinition,
    checked_definition,
    definition_for,
    find_fault,
    has_lost_body,
)
from ecs_collide.step.joints.joint_layout import JointLayout
from ecs_collide.step.joints.joint_loads import is_breaking, overload_events
from ecs_collide.step.joints.joint_view import JointView
from ecs_collide.step.joints.joint_warnings import JointWarnings
from ecs_collide.step.joints.trees.joint_graph import JointGraph
from ecs_collide.step.joints.trees.structure import Link
from ecs_collide.step.notify.events import Event
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.body_sync import BodySync
from ecs_collide.step.sync.component_owners import check_owner
from ecs_collide.step.sync.plan_bodies import PlannedBodies, future_bodies


class PlannedJoints(NamedTuple):
    """A change of joints that is possible."""

    change: dict[int, Joint | None]
    """Joint, or None, of each entity whose joint was replaced or changed in structure."""
    definitions: list[JointDefinition]
    """Definitions of those that will work."""
    lost: list[int]
    """Entities of those that never worked, because a body is deleted in the step in which they are added."""


class JointSync:
    """Keeps the joints of a world up to date with its entities.

    A joint that loses a body is off: it has no row, sends `joint_end`, and works again as soon as it can. A joint that
    is loaded in such a state is off as well.
    """

    state_list = list_state(
        values="version",
        contents="events _rows _changed_links _bodies_of _renewed_bodies",
        groups="_of_body",
        objects="columns graph layout registry",
        left_out="_warnings _refusal",
    )

    def __init__(
        self,
        bodies: BodyColumns,
        body_sync: BodySync,
        finder: PairFinder,
        refusal: str | None,
    ) -> None:
        self.version = 0
        """Version, which every change of joints in more than numbers raises."""
        self.events: list[Event] = []
        """Events to send when the step is complete."""
        self.columns = JointColumns()
        self.graph = JointGraph()
        """The links of the joints that work, and the trees that they make."""
        self.layout = JointLayout(self.columns, self.graph)
        """The joints of awake bodies, as the solver takes them."""
        self._bodies = bodies
        self._body_sync = body_sync
        self._finder = finder
        self._refusal = refusal
        """Reason for which this world can have no joints; None if it can."""
        self.registry = JointRegistry()
        self._warnings = JointWarnings()
        self._rows: dict[int, int] = {}
        """Row of each joint that works, by its entity."""
        self._changed_links: set[int] = set()
        """Entities of joints whose links may have changed since the last `_relink`."""
        self._of_body: dict[int, set[int]] = {}
        """Entities of each body's joints, working or not."""
        self._bodies_of: dict[int, tuple[int | None, int | None]] = {}
        """Entities of each joint's bodies, by the joint's entity."""
        self._renewed_bodies: set[int] = set()
        """Entities whose bodies were added, removed or replaced since the last step."""

    def record_changing(self, entities: Iterable[int]) -> None:
        """Record entities whose bodies are about to be added, removed or replaced."""
        self._renewed_bodies.update(entities)

    def may_have_changed(self) -> bool:
        """Return True if there may be changes to carry out."""
        return bool(self.columns.written) or bool(self._renewed_bodies) or self.registry.may_have_changed()

    def conditions(self) -> tuple[Condition, ...] | None:
        """Return the conditions under which joints are unchanged, numbers included; None if there are none."""
        known = self.registry.conditions()
        return None if known is None else (IsEmpty(self.columns.written), IsEmpty(self._renewed_bodies), *known)

    @property
    def rows(self) -> list[tuple[int, int]]:
        """Return entity and row of each joint that works, in the order of the entities."""
        return sorted(self._rows.items())

    @property
    def working_rows(self) -> np.ndarray:
        """The rows of the joints that work (k,) int64."""
        return np.array(list(self._rows.values()), np.int64)

    def view(self) -> JointView:
        """Return the joints that work, as arrays."""
        rows = np.array([row for _, row in self.rows], np.int64)
        return JointView(self.columns.arrays, rows, self._bodies.arrays.entity)

    def joints_of_body(self, entity: int) -> list[int]:
        """Return the entities of the joints that name a body, ascending, whether they work or not."""
        return sorted(self._of_body.get(entity, ()))

    def plan(self, before: PlannedBodies | None) -> PlannedJoints | None:
        """Return the changes of joints to carry out, None if there are none. Raises PhysicsError for an invalid change.

        `before` is the change of bodies that will be carried out first.
        """
        change = self.registry.change()
        body_of = future_bodies(before, self._body_sync.members)
        others = self._renewed_bodies.union(() if before is None else before.change.components)
        self._check_order((self._written() | self._joints_of(others)) - change.keys(), body_of)
        if not change:
            return None
        known = self.registry.known
        owners: dict[int, int] = {}
        for entity, joint in change.items():
            if joint is None:
                continue
            check_owner(entity, joint, "joint", owners, known.get, lambda holder: change.get(holder, known.get(holder)))
            if self._refusal is not None:
                raise PhysicsError(f"entity {entity} has a {type(joint).__name__}: {self._refusal}")
        definitions: list[JointDefinition] = []
        lost: list[int] = []
        for entity, joint in change.items():
            if joint is None or joint.broken:
                continue
            if not has_lost_body(joint, body_of, self._body_sync.members):
                definitions.append(checked_definition(entity, joint, body_of))
            elif joint._worked_with is None:
                lost.append(entity)
        self._warnings.check_new_joints(
            (definition.entity, definition.joint)
            for definition in definitions
            if known.get(definition.entity) is not definition.joint
        )
        return PlannedJoints(change, definitions, lost)

    def _written(self) -> set[int]:
        """Return the entities of joints that were written since the last step."""
        written = self.columns.written
        return set(self.columns.arrays.index[written.rows(), JOINT.ENTITY].tolist()) if written else set()

    def _joints_of(self, bodies: Iterable[int]) -> set[int]:
        """Return the entities of the joints of some bodies, working or not."""
        return {joint for body in bodies for joint in self._of_body.get(body, ())}

    def _check_order(self, entities: set[int], body_of: Callable[[int], Body | None]) -> None:
        """Raise PhysicsError if two numbers of a joint that will work contradict each other."""
        for entity in sorted(entities):
            joint = self.registry.known[entity]
            order_error = joint._order_error()
            if order_error is not None and not joint.broken and find_fault(joint, body_of) is None:
                raise PhysicsError(f"entity {entity}: {order_error}. The step was not made")

    def read_written_numbers(self) -> bool:
        """Apply written numbers, if nothing else can have changed; return True if there were any.

        Numbers that contradict each other are left to `plan`, which raises; open rest lengths are left to `carry_out`.
        """
        if not self.columns.written or self._renewed_bodies or self.registry.may_have_changed():
            return False
        written = self._written()
        joints = [self.registry.known[entity] for entity in written]
        if any(joint._order_error() is not None or joint._rest() is None for joint in joints):
            return False
        for entity in written:
            self._wake(entity)
        self.columns.written.clear()
        return True

    def is_changing(self, plan: PlannedJoints | None) -> bool:
        """Return True if `carry_out` will change anything."""
        return plan is not None or bool(self._renewed_bodies) or bool(self.columns.written)

    def carry_out(self, plan: PlannedJoints | None) -> None:
        """Carry out a plan, once the change of bodies is carried out, and turn off joints that lost a body."""
        for entity in sorted(self._written()):
            self._read_written(entity)
        self.columns.written.clear()
        disturbed = self._joints_of(self._renewed_bodies)
        self._renewed_bodies.clear()
        if plan is None and not disturbed:
            return
        if plan is not None:
            self._replace_joints(plan)
            disturbed -= plan.change.keys()
        for entity in sorted(disturbed):
            self._update(entity)
        self._relink()

    def _replace_joints(self, plan: PlannedJoints) -> None:
        """Replace the joints of a plan.

        A joint that worked, stays with its entity and works no more sends its end. So does one that never worked
        because it lost a body at once.
        """
        same = {entity for entity, joint in plan.change.items() if joint is self.registry.known.get(entity)}
        worked = same & self._rows.keys()
        for entity in plan.change:
            self._remove(entity)
        for entity, joint in plan.change.items():
            if joint is not None:
                self._record(entity, joint)
        for definition in plan.definitions:
            self._turn_on(definition)
        for entity in plan.lost:
            joint = plan.change[entity]
            assert joint is not None
            joint._worked_with = joint.a, joint.b  # a game may save and load it in this state
        self.events += [("joint_end", (entity,)) for entity in sorted((worked - self._rows.keys()).union(plan.lost))]
        self.registry.accept(plan.change)

    def _read_written(self, entity: int) -> None:
        """Wake the bodies of a joint that was written; an open rest length or angle becomes the present one."""
        joint = self.registry.known[entity]
        self._wake(entity)
        if joint._rest() is None and find_fault(joint, self._body_of) is None:
            rest = definition_for(entity, joint, self._body_of).rest
            joint._store(NUMBERS.REST, rest)
            self.columns.arrays.load[self._rows[entity], LOAD.LAST] = rest  # the new rest is no motion of the joint

    def _wake(self, entity: int) -> None:
        """Wake the bodies of a joint that exist."""
        for body in self._bodies_of[entity]:
            member = None if body is None else self._body_sync.members.get(body)
            if member is not None:
                self._bodies.written.add(member.row)

    def _update(self, entity: int) -> None:
        """Turn a joint on or off after its bodies were replaced."""
        joint, row = self.registry.known[entity], self._rows.get(entity)
        works = find_fault(joint, self._body_of) is None and not joint.broken
        if works and row is None:
            self._turn_on(definition_for(entity, joint, self._body_of))
        elif works and row is not None:
            self._fill_index(row, entity, joint)
        elif row is not None:
            self._turn_off(entity)
            self.events.append(("joint_end", (entity,)))

    def _body_of(self, entity: int) -> Body | None:
        return self._body_sync.members.get(entity)

    def _record(self, entity: int, joint: Joint) -> None:
        """Record a joint with the entity that holds it now."""
        joint._claim(entity, self.registry.restructured)
        self._bodies_of[entity] = joint.a, joint.b
        for body in self._bodies_of[entity]:
            if body is not None:
                self._of_body.setdefault(body, set()).add(entity)

    def _remove(self, entity: int) -> None:
        """Remove the joint that an entity held, if it held one."""
        joint = self.registry.known.get(entity)
        if joint is None:
            return
        if entity in self._rows:
            self._turn_off(entity)
        for body in set(self._bodies_of.pop(entity)):  # a broken joint may name one body twice
            if body is not None:
                self._of_body[body].discard(entity)
                if not self._of_body[body]:
                    del self._of_body[body]
        joint._detach()

    def _turn_on(self, definition: JointDefinition) -> None:
        """Assign a row to a joint, so that it works."""
        entity, joint = definition.entity, definition.joint
        row = self._rows[entity] = self.columns.allocate_row()
        joint._store_anchors(definition.anchor_a, definition.anchor_b, definition.rest)
        arrays = self.columns.arrays
        arrays.anchors[row] = definition.anchor_row
        adopt((self.columns.numbers,), [(joint,)], [row], [entity], self.registry.restructured)
        self._fill_index(row, entity, joint)
        self._wake(entity)

    def _fill_index(self, row: int, entity: int, joint: Joint) -> None:
        """Write kind, bodies and entity of a joint's row."""
        members = self._body_sync.members
        a = members[joint.a].row
        bodies = (WORLD, a) if joint.b is None else (a, members[joint.b].row)
        self.columns.arrays.index[row] = joint.kind, *bodies, entity
        self._changed_links.add(entity)

    def _turn_off(self, entity: int) -> None:
        """Free the row of a joint; the joint keeps its last values."""
        row, joint = self._rows.pop(entity), self.registry.known[entity]
        self._wake(entity)
        changed = joint._changed
        joint._detach()
        if changed is not None:
            joint._claim(entity, changed)
        self.columns.free_row(row)
        self._changed_links.add(entity)

    def _relink(self) -> None:
        """Update the joint graph and the pairs that do not collide, after joints changed."""
        self.version += 1
        change = {entity: self._link(entity) for entity in self._changed_links}
        self._changed_links.clear()
        former = self.graph.relink(change, self._bodies.arrays)
        self.layout.forget()
        self._finder.excluded_pairs.change(_excluded_pairs(former), _excluded_pairs(change.values()))

    def _link(self, entity: int) -> Link | None:
        """Return the link of an entity's joint, None if it does not work."""
        row = self._rows.get(entity)
        if row is None:
            return None
        joint = self.registry.known[entity]
        a, b = self.columns.arrays.index[row, JOINT.BODY_A : JOINT.BODY_B + 1].tolist()
        return Link(
            entity=entity,
            joint=row,
            kind=joint.kind,
            a=a,
            b=b,
            prevents_collision=a != WORLD and not joint.collide_connected,
        )

    def record_overloaded(self) -> None:
        """Record events of joints that bore more than their thresholds in a step, and turn off those that break."""
        numbers = self.columns.arrays.numbers
        self.events += overload_events(numbers, self.rows)
        broken = [(entity, row) for entity, row in self.rows if is_breaking(numbers[row])]
        for entity, row in broken:
            force, torque = numbers[row, [NUMBERS.FORCE, NUMBERS.TORQUE]].tolist()
            self.events.append(("joint_break", (entity, force, torque)))
            self.registry.known[entity]._broken = True
            self._turn_off(entity)
        if broken:
            self._relink()

    def pop_events(self) -> list[Event]:
        """Return the events to send, and clear the list."""
        events, self.events = self.events, []
        return events

    def release(self) -> None:
        """Detach all joints; they keep their last values."""
        for joint in self.registry.known.values():
            joint._detach()
        for row in self._rows.values():
            self.columns.free_row(row)
        self._changed_links.update(self._rows)
        self._rows.clear()
        self._of_body.clear()
        self._bodies_of.clear()
        self.registry.release()
        self._relink()


def _excluded_pairs(links: Iterable[Link | None]) -> list[tuple[int, int]]:
    """Return the body rows of links whose bodies do not collide."""
    return [(link.a, link.b) for link in links if link is not None and link.prevents_collision]
