"""Check that each joint belongs to one entity of one world."""

from __future__ import annotations

from collections.abc import Mapping

from ecs_collide.components.joints.joint import Joint
from ecs_collide.step.sync import owner_errors


def check_joint_owners(change: Mapping[int, Joint | None], known: Mapping[int, Joint]) -> None:
    """Raise PhysicsError if two entities share one joint, or if another world holds it.

    `change` has the new joints of entities, `known` the joints at the last step.
    """
    holder: dict[int, int] = {}
    for entity, joint in change.items():
        if joint is None:
            continue
        if not hasattr(joint, "_entity"):
            raise owner_errors.without_numbers(entity, joint, "that of its base class")
        held_by = joint._entity
        if held_by is not None and held_by not in change and known.get(held_by) is joint:
            holder[id(joint)] = held_by
        other = holder.setdefault(id(joint), entity)
        if other != entity:
            raise owner_errors.shared(other, entity, joint, "joint")
        if held_by is not None and known.get(held_by) is not joint:
            raise owner_errors.of_another_world(entity, held_by, joint, "joint")
