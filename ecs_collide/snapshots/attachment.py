"""Which components refer to rows of a world, before and after its state is replaced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ecs_collide.components.joints.joint import Joint
from ecs_collide.native import adopt, detach
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.sync.body_definition import NO_ROW, Body
from ecs_collide.step.sync.component_set import ComponentSet


class Rows(NamedTuple):
    """Components of a state, and their rows."""

    known: Mapping[int, ComponentSet]
    """Components of each entity of the registry."""
    members: Mapping[int, Body]
    """Bodies of entities."""
    joints: Mapping[int, Joint]
    """Joint of each entity of the registry."""
    joint_rows: Mapping[int, int]
    """Row of each joint that works, by its entity."""

    def row_of(self, entity: int) -> int:
        """Return the row of an entity's body, `NO_ROW` without one."""
        member = self.members.get(entity)
        return NO_ROW if member is None else member.row


def present_rows(pipeline: Pipeline) -> Rows:
    """Return the components of the present state, and their rows."""
    body_sync, joints = pipeline.body_sync, pipeline.world_joints.joints
    return Rows(dict(body_sync.registry.known), dict(body_sync.members), dict(joints.registry.known), dict(joints.rows))


def detach_others(before: Rows, after: Rows) -> Rows:
    """Detach the components that have no row, or another one, in a coming state; return those that stay attached."""
    known = {
        entity: held
        for entity, held in before.known.items()
        if after.known.get(entity) is held and before.row_of(entity) == after.row_of(entity) != NO_ROW
    }
    detach([held for entity, held in before.known.items() if entity not in known])
    joints = {
        entity: joint
        for entity, joint in before.joints.items()
        if after.joints.get(entity) is joint
        and entity in after.joint_rows
        and before.joint_rows.get(entity) == after.joint_rows[entity]
    }
    for entity, joint in before.joints.items():
        if entity not in joints:
            joint._detach()
    return Rows(known, {}, joints, {})


def attach_others(pipeline: Pipeline, stayed: Rows) -> None:
    """Attach the components of the present state to their rows, except those that stayed.

    Their numbers are written to the rows.
    """
    body_sync, joints, present = pipeline.body_sync, pipeline.world_joints.joints, present_rows(pipeline)
    new = {entity: held for entity, held in present.known.items() if entity not in stayed.known}
    rows = [present.row_of(entity) for entity in new]
    adopt(body_sync.column_refs, list(new.values()), rows, list(new), body_sync.registry.restructured)
    changed = joints.registry.restructured
    for entity, joint in present.joints.items():
        if entity not in stayed.joints:
            if entity in present.joint_rows:
                row = present.joint_rows[entity]
                adopt((joints.columns.numbers,), [(joint,)], [row], [entity], changed)
            else:
                joint._claim(entity, changed)
