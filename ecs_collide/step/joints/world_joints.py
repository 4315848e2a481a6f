"""The joints of a world, if it has any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.native.guards import Condition
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.joints import joint_sync
from ecs_collide.step.joints.joint_kinds import any_joint, no_joint_conditions
from ecs_collide.step.sync.body_sync import BodySync

if TYPE_CHECKING:
    from ecs_collide.step.joints.joint_sync import JointSync


class WorldJoints:
    """Makes what works with joints when the world gets its first one."""

    state_list = list_state(objects="joints", left_out="refusal present")

    def __init__(self, bodies: BodyColumns, body_sync: BodySync, finder: PairFinder) -> None:
        self.refusal: str | None = None
        """Reason for which the world can have no joints; None if it can. Its response sets it."""
        self.present: JointSync | None = None
        """The joints; None as long as none was found."""
        self._bodies = bodies
        self._body_sync = body_sync
        self._finder = finder

    @property
    def joints(self) -> JointSync:
        """The joints, of which there may be none."""
        if self.present is None:
            self.present = joint_sync.JointSync(self._bodies, self._body_sync, self._finder, self.refusal)
        return self.present

    def find(self) -> JointSync | None:
        """Return the joints; None if no entity of the current esper world ever had one."""
        return self.joints if self.present is None and any_joint() else self.present

    def conditions(self) -> tuple[Condition, ...] | None:
        """Return the conditions under which the joints are unchanged; None if there are none."""
        return no_joint_conditions() if self.present is None else self.present.conditions()
