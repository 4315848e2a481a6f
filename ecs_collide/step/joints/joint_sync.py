"""Adopts joints, lets them go, and turns them off and on as their bodies go and come."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from ecs_collide.components.joints.joint import Joint
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.joints import JOINT, NUMBERS, PLACE, WORLD
from ecs_collide.data.native import adopt
from ecs_collide.errors import PhysicsError
from ecs_collide.kernels.calls import Condition, Empty
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.joints.changed_joints import JointRoster
from ecs_collide.step.joints.joint_definition import (
    JointDefinition,
    checked_definition,
    definition_for,
    fault_of,
    has_lost_body,
)
from ecs_collide.step.joints.joint_graph import JointGraph
from ecs_collide.step.joints.joint_view import JointView
from ecs_collide.step.joints.joint_warnings import JointWarnings
from ecs_collide.step.joints.trees.structure import Link
from ecs_collide.step.notify.events import Event
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.membership import Membership, Plan


class JointPlan(NamedTuple):
    """A change of joints that is possible."""

    change: dict[int, Joint | None]
    """What entities hold another joint, or one that is another now, and what they hold."""
    definitions: list[JointDefinition]
    """The joints among them that will work."""


class JointSync:
    """Keeps a world's joints in line with its entities.

    A joint that has lost a body is off: it holds no row, is told by `joint_end`, and works again when it can. One that
    comes as such, out of a saved game, is off too.
    """

    def __init__(
        self,
        bodies: BodyColumns,
        membership: Membership,
        finder: PairFinder,
        refusal: str | None,
    ) -> None:
        self.events: list[Event] = []
        """What is to be told when the step is complete."""
        self.assembly = JointGraph()
        """The same joints as the solver takes them."""
        self._columns = self.assembly.columns
        self._bodies = bodies
        self._membership = membership
        self._finder = finder
        self._refusal = refusal
        """Why there can be no joints in this world."""
        self._roster = JointRoster()
        self._advice = JointWarnings()
        self._rows: dict[int, int] = {}
        """The row of each joint that works, by its entity."""
        self._relinked: set[int] = set()
        """The entities of joints that began or ceased to work, or may link others, since the last `_renew`."""
        self._of_body: dict[int, set[int]] = {}
        """The entities of each body's joints, working or not."""
        self._named: dict[int, tuple[int | None, int | None]] = {}
        """And the bodies of each joint."""
        self._disturbed: set[int] = set()
        """Entities whose bodies came, went or are others since the last step."""
        membership.renewed = self._note_renewed

    def _note_renewed(self, entities: Iterable[int]) -> None:
        """Bodies come, go or are others now: that matters where any joint names one."""
        if self._of_body:
            self._disturbed.update(entities)

    def may_have_changed(self) -> bool:
        """Whether there may be anything to bring in."""
        return bool(self._columns.written) or bool(self._disturbed) or self._roster.may_have_changed()

    def conditions(self) -> tuple[Condition, ...] | None:
        """While these hold there is nothing to bring in, no number either; None where there are no such."""
        known = self._roster.conditions()
        return None if known is None else (Empty(self._columns.written), Empty(self._disturbed), *known)

    @property
    def rows(self) -> list[tuple[int, int]]:
        """Entity and row of each joint that works, in the order of the entities."""
        return sorted(self._rows.items())

    def view(self) -> JointView:
        """The joints that work, as arrays."""
        rows = np.array([row for _, row in self.rows], np.int64)
        return JointView(self._columns.arrays, rows, self._bodies.arrays.entity)

    def of_body(self, entity: int) -> list[int]:
        """The entities of the joints that name a body, ascending, whether they work or not."""
        return sorted(self._of_body.get(entity, ()))

    def plan(self, before: Plan | None) -> JointPlan | None:
        """What has to be brought in, None if nothing. Raises PhysicsError where something is not possible.

        `before` is what of the bodies will be brought in first.
        """
        change = self._roster.change()
        coming = {} if before is None else {body.entity: body for body in before.bodies}
        leaving = set() if before is None else before.change.parts.keys() - coming.keys()

        def body_of(entity: int) -> Body | None:
            if entity in coming:
                return coming[entity]
            return None if entity in leaving else self._membership.members.get(entity)

        others = self._disturbed.union(() if before is None else before.change.parts)
        self._check_order((self._written() | self._joints_of(others)) - change.keys(), body_of)
        if not change:
            return None
        self._check_holders(change)
        for entity, joint in change.items():
            if joint is not None and self._refusal is not None:
                raise PhysicsError(f"entity {entity} has a {type(joint).__name__}: {self._refusal}")
        definitions = [
            checked_definition(entity, joint, body_of)
            for entity, joint in change.items()
            if joint is not None and not joint.broken and not has_lost_body(joint, body_of)
        ]
        known = self._roster.known
        self._advice.on_arrival(
            (definition.entity, definition.joint)
            for definition in definitions
            if known.get(definition.entity) is not definition.joint
        )
        return JointPlan(change, definitions)

    def _written(self) -> set[int]:
        """Entities of joints that were written since the last step."""
        written = self._columns.written
        return set(self._columns.arrays.index[written.rows(), JOINT.ENTITY].tolist()) if written else set()

    def _joints_of(self, bodies: Iterable[int]) -> set[int]:
        """Entities of the joints of some bodies, working or not."""
        return {joint for body in bodies for joint in self._of_body.get(body, ())} if self._of_body else set()

    def _check_order(self, entities: set[int], body_of: Callable[[int], Body | None]) -> None:
        """Raise PhysicsError where two numbers exclude each other of a joint that will work."""
        for entity in sorted(entities):
            joint = self._roster.known[entity]
            disorder = joint._disorder()
            if disorder is not None and not joint.broken and fault_of(joint, body_of) is None:
                raise PhysicsError(f"entity {entity}: {disorder}. The step was not made")

    def _check_holders(self, change: dict[int, Joint | None]) -> None:
        """Raise PhysicsError where two entities share one joint, or another world holds it."""
        known = self._roster.known
        holder: dict[int, int] = {}
        for entity, joint in change.items():
            if joint is None:
                continue
            name = type(joint).__name__
            if not hasattr(joint, "_entity"):
                raise PhysicsError(f"entity {entity}: its {name} has no numbers yet: call {name}'s __init__")
            held_by = joint._entity
            if held_by is not None and held_by not in change and known.get(held_by) is joint:
                holder[id(joint)] = held_by
            other = holder.setdefault(id(joint), entity)
            if other != entity:
                raise PhysicsError(f"entities {other} and {entity} share one {name}, {joint!r}: give each a copy")
            if held_by is not None and known.get(held_by) is not joint:
                raise PhysicsError(
                    f"entity {entity}: {joint!r} is still held by entity {held_by} of another world: "
                    "give this one a copy"
                )

    def take_in_numbers(self) -> bool:
        """Take in numbers that were written, where no more than that can have changed; return whether there were any.

        Those that exclude each other are left for `plan`, which refuses them, and lengths left open for `carry_out`.
        """
        if not self._columns.written or self._disturbed or self._roster.may_have_changed():
            return False
        written = self._written()
        joints = [self._roster.known[entity] for entity in written]
        if any(joint._disorder() is not None or joint._rest() is None for joint in joints):
            return False
        for entity in written:
            self._wake(entity)
        self._columns.written.clear()
        return True

    def is_changing(self, plan: JointPlan | None) -> bool:
        """Whether `carry_out` will do anything."""
        return plan is not None or bool(self._disturbed) or bool(self._columns.written)

    def carry_out(self, plan: JointPlan | None) -> None:
        """Bring in a plan, once that of the bodies is carried out; and turn off what has lost a body."""
        if not self.is_changing(plan):
            return
        for entity in sorted(self._written()):
            self._take_in_written(entity)
        self._columns.written.clear()
        if plan is None and not self._disturbed:
            return
        disturbed = self._joints_of(self._disturbed)
        self._disturbed.clear()
        if plan is None and not disturbed:
            return
        if plan is not None:
            same = {entity for entity, joint in plan.change.items() if joint is self._roster.known.get(entity)}
            worked = same & self._rows.keys()
            for entity in plan.change:
                self._let_go(entity)
            for entity, joint in plan.change.items():
                if joint is not None:
                    self._claim(entity, joint)
            for definition in plan.definitions:
                self._turn_on(definition)
            self.events += [Event("joint_end", (entity,)) for entity in sorted(worked - self._rows.keys())]
            self._roster.accept(plan.change)
            disturbed -= plan.change.keys()
        for entity in sorted(disturbed):
            self._look_at(entity)
        self._renew()

    def _take_in_written(self, entity: int) -> None:
        """Wake the bodies of a joint that was written; a length that it leaves open is the present one."""
        joint = self._roster.known[entity]
        self._wake(entity)
        if joint._rest() is None and fault_of(joint, self._body_of) is None:
            joint._store(NUMBERS.REST, definition_for(entity, joint, self._body_of).rest)

    def _wake(self, entity: int) -> None:
        """Wake those of a joint's bodies that are there."""
        for body in self._named[entity]:
            member = None if body is None else self._membership.members.get(body)
            if member is not None:
                self._bodies.written.add(member.row)

    def _look_at(self, entity: int) -> None:
        """Turn a joint, whose bodies are others now, off or on."""
        joint, row = self._roster.known[entity], self._rows.get(entity)
        works = fault_of(joint, self._body_of) is None and not joint.broken
        if works and row is None:
            self._turn_on(definition_for(entity, joint, self._body_of))
        elif works and row is not None:
            self._fill_index(row, entity, joint)
        elif row is not None:
            self._turn_off(entity)
            self.events.append(Event("joint_end", (entity,)))

    def _body_of(self, entity: int) -> Body | None:
        return self._membership.members.get(entity)

    def _claim(self, entity: int, joint: Joint) -> None:
        joint._claim(entity, self._roster.restructured)
        self._named[entity] = joint.a, joint.b
        for body in self._named[entity]:
            if body is not None:
                self._of_body.setdefault(body, set()).add(entity)

    def _let_go(self, entity: int) -> None:
        """An entity has another joint now, or none."""
        joint = self._roster.known.get(entity)
        if joint is None:
            return
        if entity in self._rows:
            self._turn_off(entity)
        for body in set(self._named.pop(entity)):  # a broken joint may name one body twice
            if body is not None:
                self._of_body[body].discard(entity)
                if not self._of_body[body]:
                    del self._of_body[body]
        joint._detach()

    def _turn_on(self, definition: JointDefinition) -> None:
        entity, joint = definition.entity, definition.joint
        row = self._rows[entity] = self._columns.take_row()
        joint._fix(definition.anchor_a, definition.anchor_b, definition.place[PLACE.REFERENCE], definition.rest)
        arrays = self._columns.arrays
        arrays.place[row] = definition.place
        adopt((self._columns.numbers,), [(joint,)], [row], [entity], self._roster.restructured)
        self._fill_index(row, entity, joint)
        self._wake(entity)

    def _fill_index(self, row: int, entity: int, joint: Joint) -> None:
        members = self._membership.members
        a = members[joint.a].row
        bodies = (WORLD, a) if joint.b is None else (a, members[joint.b].row)
        self._columns.arrays.index[row] = joint.kind, *bodies, entity
        self._relinked.add(entity)

    def _turn_off(self, entity: int) -> None:
        """Let a joint hold nothing; it keeps its last values."""
        row, joint = self._rows.pop(entity), self._roster.known[entity]
        self._wake(entity)
        changed = joint._changed
        joint._detach()
        if changed is not None:
            joint._claim(entity, changed)
        self._columns.free_row(row)
        self._relinked.add(entity)

    def _renew(self) -> None:
        """After a change: link bodies by joints that are others now, and keep connected ones apart."""
        change = {entity: self._link(entity) for entity in self._relinked}
        self._relinked.clear()
        gone = self.assembly.relink(change, self._bodies.arrays)
        self._finder.connected.relink(_apart(gone), _apart(change.values()))

    def _link(self, entity: int) -> Link | None:
        row = self._rows.get(entity)
        if row is None:
            return None
        joint = self._roster.known[entity]
        a, b = self._columns.arrays.index[row, JOINT.BODY_A : JOINT.BODY_B + 1].tolist()
        return Link(entity, row, joint.kind, a, b, a != WORLD and not joint.collide_connected)

    def break_overloaded(self) -> None:
        """After a step: turn off the joints that bore more than they can, and have that told."""
        numbers = self._columns.arrays.numbers
        broken = [
            (entity, row)
            for entity, row in self.rows
            if numbers[row, NUMBERS.FORCE] > numbers[row, NUMBERS.BREAK_FORCE]
            or abs(numbers[row, NUMBERS.TORQUE]) > numbers[row, NUMBERS.BREAK_TORQUE]
        ]
        for entity, row in broken:
            force, torque = numbers[row, [NUMBERS.FORCE, NUMBERS.TORQUE]].tolist()
            self.events.append(Event("joint_break", (entity, force, torque)))
            self._roster.known[entity]._broken = True
            self._turn_off(entity)
        if broken:
            self._renew()

    def links(self) -> np.ndarray:
        """Body rows of A and B of all joints that work, and whether each has a motor that drives it (k, 3)."""
        rows = np.array(list(self._rows.values()), np.int64)
        arrays = self._columns.arrays
        numbers = arrays.numbers[rows]
        drives = (numbers[:, NUMBERS.MOTOR_SPEED] != 0.0) & (numbers[:, NUMBERS.MAX_MOTOR] > 0.0)
        found: np.ndarray = np.column_stack((arrays.index[rows, JOINT.BODY_A : JOINT.BODY_B + 1], drives))
        return found

    def taken_events(self) -> list[Event]:
        """What is to be told, once."""
        events, self.events = self.events, []
        return events

    def release(self) -> None:
        """Let go of all joints; they keep their last values."""
        for joint in self._roster.known.values():
            joint._detach()
        for row in self._rows.values():
            self._columns.free_row(row)
        self._relinked.update(self._rows)
        self._rows.clear()
        self._of_body.clear()
        self._named.clear()
        self._roster.release()
        self._renew()


def _apart(links: Iterable[Link | None]) -> list[tuple[int, int]]:
    """The body rows of links that keep their bodies from colliding."""
    return [(link.a, link.b) for link in links if link is not None and link.keeps_apart]
