"""Changes of a game since the last step: found, checked, and written to the columns, or refused as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ecs_collide.common.gc_pause import GcPause
from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.errors import PhysicsError
from ecs_collide.native.guards import Condition
from ecs_collide.step.broadphase.body_waker import BodyWaker
from ecs_collide.step.broadphase.boxes import update_frames
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.joints.world_joints import WorldJoints
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.step.sync.body_dependents import BodyDependents
from ecs_collide.step.sync.body_plan import Plan
from ecs_collide.step.sync.ignored_sync import IgnoredChange, IgnoredSync
from ecs_collide.step.sync.membership import Membership
from ecs_collide.step.sync.usage_warnings import UsageWarnings
from ecs_collide.validate import LARGEST, LARGEST_ANGLE

if TYPE_CHECKING:
    from ecs_collide.step.joints.joint_sync import JointPlan

NO_ROWS = np.zeros(0, np.int64)
NOT_MADE = "The step was not made"


class ChangePlan(NamedTuple):
    """The changes of a frame, which are possible."""

    bodies: Plan | None
    joints: JointPlan | None
    ignored: IgnoredChange


class Changes:
    """Applies added, removed and replaced entities, components and joints, and values that the game wrote."""

    state_list = list_state(parts="ignored_entities", left_out="_usage_warnings")

    def __init__(
        self,
        bodies: BodyColumns,
        membership: Membership,
        finder: PairFinder,
        joints: WorldJoints,
        sleepers: Sleepers,
        usage_warnings: UsageWarnings,
    ) -> None:
        self._bodies = bodies
        self._membership = membership
        self._finder = finder
        self._joints = joints
        self.ignored_entities = IgnoredSync(bodies, membership, finder.joined_bodies)
        """The pairs that `IgnoredEntities` components keep from colliding."""
        self._sleepers = sleepers
        self._usage_warnings = usage_warnings

    def disconnect(self) -> None:
        """Forget other parts of a world that is gone: they refer to it in circles."""
        self._membership.dependents = BodyDependents()
        self._finder.waker = BodyWaker()

    def are_structural(self) -> bool:
        """Return True if more than numbers of bodies may have changed since the last step."""
        joints = self._joints.present
        return (
            self.has_unplaced_statics
            or (joints is not None and joints.may_have_changed())
            or self.ignored_entities.may_have_changed()
            or self._membership.may_have_changed()  # last: it may have to ask esper for a list
        )

    def conditions(self) -> tuple[Condition, ...] | None:
        """Return the conditions under which no more than numbers of bodies has changed, joints apart; None if none."""
        members = self._membership.conditions()
        return None if members is None else (*members, *self.ignored_entities.conditions())

    def apply(self) -> None:
        """Apply all changes. Raises PhysicsError, with nothing changed, if one is not possible."""
        self.carry_out(self.plan())

    def plan(self) -> ChangePlan:
        """Wake what was written to, and return the changes. Raises PhysicsError if one is not possible."""
        if self._bodies.written:
            self._usage_warnings.check_written_velocities(self._bodies)
        if self._bodies.touched:
            self._usage_warnings.check_attached_places(self._bodies)
        with GcPause():
            self._sleepers.wake_disturbed()
            plan, joints = self._membership.plan(), self._joints.present
            joint_plan = None if joints is None else joints.plan(plan)
            ignored = self.ignored_entities.plan(plan)
            self._membership.dependents.check_step(plan)
        if plan is not None or (joints is not None and joints.is_changing(joint_plan)):
            for rows in (self._sleepers.awake, self.moved_statics()):
                if update_frames(rows, self._bodies.arrays) >= 0:  # it may be one of those that are about to change
                    changes = self._membership.rows_of(() if plan is None else plan.change.parts)
                    self.update_frames(rows[~changes[rows]])
        return ChangePlan(plan, joint_plan, ignored)

    def carry_out(self, plan: ChangePlan) -> None:
        """Carry out planned changes, before the esper world changes further. Ctrl-C must wait meanwhile."""
        with GcPause():
            joints = self._joints.present
            if plan.bodies is not None:
                self._membership.carry_out(plan.bodies)
            if joints is not None:
                joints.carry_out(plan.joints)
            have_pairs_changed = self.ignored_entities.carry_out(plan.ignored)
        if joints is not None or have_pairs_changed:
            self._sleepers.wake_disturbed()
        statics = self.moved_statics()
        if len(statics):
            self.update_frames(statics)
        touched = self._bodies.touched
        if touched:
            self._bodies.arrays.settled[touched.rows()] = False
            touched.clear()

    @property
    def has_unplaced_statics(self) -> bool:
        """True if static bodies were moved whose moves kernels do not apply."""
        statics = self.moved_statics()
        return len(statics) > 0 and not self._bodies.relocated[statics].all()

    def moved_statics(self) -> np.ndarray:
        """Return the rows of the static bodies that were moved since Broadphase last looked."""
        moved = self._bodies.moved_statics
        if not moved:
            return NO_ROWS
        rows = moved.rows()
        statics: np.ndarray = rows[self._bodies.arrays.kind[rows] == BodyKind.STATIC]
        return statics

    def pop_moved_statics(self) -> np.ndarray:
        """Return the rows of static bodies that the game moved, and forget them."""
        rows = self.moved_statics()
        self._bodies.moved_statics.clear()
        return rows

    def update_touched_frames(self, outcome: str) -> None:
        """Update the frames of all bodies whose `Transform` was written, as `update_frames` does."""
        touched = self._bodies.touched
        self._sleepers.sort_moves()
        self.update_frames(touched.marked[: len(touched)], outcome)

    def update_frames(self, rows: np.ndarray, outcome: str = NOT_MADE) -> None:
        """Update the frames of bodies to their poses. Raises PhysicsError, with nothing done, for a bad number."""
        bad_row = update_frames(rows, self._bodies.arrays)
        if bad_row >= 0:
            raise self.bad_number(bad_row, outcome)

    def bad_number(self, row: int, outcome: str = NOT_MADE) -> PhysicsError:
        """Return the error that names the invalid number of a body."""
        bodies = self._bodies.arrays
        fields = (
            ("Transform", ("x", "y", "angle"), bodies.pose),
            ("Velocity", ("x", "y", "angular"), bodies.velocity),
            ("Force", ("x", "y", "torque"), bodies.force),
            ("apply_force's", ("x", "y", "torque"), bodies.push),
        )
        bad = [
            f"{component}.{name} is {column[row, k]}"
            for component, names, column in fields
            for k, name in enumerate(names)
            if not abs(column[row, k]) <= (LARGEST_ANGLE if name == "angle" else LARGEST)
        ]
        return PhysicsError(
            f"entity {bodies.entity[row]}: {', '.join(bad)}; numbers must be finite and "
            f"not exceed {LARGEST:g}, angles {LARGEST_ANGLE:g}. {outcome}"
        )
