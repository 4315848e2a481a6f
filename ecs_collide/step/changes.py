"""Changes of a game before a step: bodies, joints and ignored entities are planned together, then carried out.

| what changes | planned and carried out by |
| --- | --- |
| bodies | `BodySync` in `sync/body_sync.py` |
| joints | `JointSync` in `joints/joint_sync.py` |
| pairs that do not collide | `IgnoredSync` in `sync/ignored_sync.py` |

Each has `plan`, which reads and checks and may raise, and `carry_out`, which writes and must not. All are planned
before the first is carried out, so an invalid change of any kind leaves everything as it was. Between steps, a query
needs the bodies alone: `update_bodies` plans and carries out their changes, and leaves the others to the next step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ecs_collide.common.gc_pause import GcPause
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.native.guards import Condition
from ecs_collide.step.body_frames import BodyFrames
from ecs_collide.step.broadphase.boxes import update_frames
from ecs_collide.step.joints.world_joints import WorldJoints
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.step.sync.body_sync import BodySync
from ecs_collide.step.sync.ignored_sync import IgnoredSync, PlannedIgnoredEntities
from ecs_collide.step.sync.plan_bodies import PlannedBodies
from ecs_collide.step.sync.usage_warnings import UsageWarnings

if TYPE_CHECKING:
    from ecs_collide.step.joints.joint_sync import PlannedJoints


class PlannedChanges(NamedTuple):
    """The checked changes before a step."""

    bodies: PlannedBodies | None
    joints: PlannedJoints | None
    ignored: PlannedIgnoredEntities


class Changes:
    """Plans the changes before a step, and carries them out in order."""

    def __init__(
        self,
        bodies: BodyColumns,
        body_sync: BodySync,
        joints: WorldJoints,
        ignored_entities: IgnoredSync,
        sleepers: Sleepers,
        frames: BodyFrames,
        usage_warnings: UsageWarnings,
    ) -> None:
        self._bodies = bodies
        self._body_sync = body_sync
        self._joints = joints
        self._ignored_entities = ignored_entities
        self._sleepers = sleepers
        self._frames = frames
        self._usage_warnings = usage_warnings

    def may_be_structural(self) -> bool:
        """Return True if more than numbers of bodies may have changed since the last step."""
        joints = self._joints.present
        return (
            self._frames.has_unplaced_statics
            or (joints is not None and joints.may_have_changed())
            or self._ignored_entities.may_have_changed()
            or self._body_sync.may_have_changed()  # last: it may have to read a list from esper
        )

    def update_bodies(self) -> None:
        """Plan and carry out the changes of bodies. Raises PhysicsError, with nothing changed, if one is not possible.

        Ctrl-C must wait meanwhile.
        """
        self._sleepers.sort_moves()  # before frames are updated, by which moves of static bodies are found
        with GcPause():
            plan = self._body_sync.plan()
            if plan is not None:
                self._body_sync.carry_out(plan)

    def conditions(self) -> tuple[Condition, ...] | None:
        """Return the conditions under which no more than numbers of bodies has changed, joints apart; None if none."""
        bodies = self._body_sync.conditions()
        return None if bodies is None else (*bodies, *self._ignored_entities.conditions())

    def plan(self) -> PlannedChanges:
        """Wake what was written to, and return the changes. Raises PhysicsError if one is not possible."""
        if self._bodies.written:
            self._usage_warnings.check_written_velocities(self._bodies)
        if self._bodies.teleported:
            self._usage_warnings.check_attached_places(self._bodies)
        with GcPause():
            self._sleepers.wake_disturbed()
            plan, joints = self._body_sync.plan(), self._joints.present
            joint_plan = None if joints is None else joints.plan(plan)
            ignored = self._ignored_entities.plan(plan)
            self._body_sync.dependents.check_step(plan)
        if plan is not None or (joints is not None and joints.is_changing(joint_plan)):
            for rows in (self._sleepers.awake, self._frames.moved_statics()):
                if update_frames(rows, self._bodies.arrays) >= 0:  # it may be one of those that are about to change
                    changing = self._body_sync.rows_of(() if plan is None else plan.change.components)
                    self._frames.update(rows[~changing[rows]])
        return PlannedChanges(plan, joint_plan, ignored)

    def carry_out(self, plan: PlannedChanges) -> None:
        """Carry out planned changes, before the esper world changes further. Ctrl-C must wait meanwhile."""
        with GcPause():
            joints = self._joints.present
            if plan.bodies is not None:
                self._body_sync.carry_out(plan.bodies)
            if joints is not None:
                joints.carry_out(plan.joints)
            have_pairs_changed = self._ignored_entities.carry_out(plan.ignored)
        if joints is not None or have_pairs_changed:
            self._sleepers.wake_disturbed()
        statics = self._frames.moved_statics()
        if len(statics):
            self._frames.update(statics)
        teleported = self._bodies.teleported
        if teleported:
            self._bodies.arrays.settled[teleported.rows()] = False
            teleported.clear()
