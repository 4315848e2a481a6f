"""The kinds of joints that a game may use, without loading what works with them."""

from __future__ import annotations

import esper

from ecs_collide.components.joints.joint import Joint
from ecs_collide.components.view import classes_of
from ecs_collide.native.guards import Condition, IsSame
from ecs_collide.step.sync.held_kinds import any_held


def joint_kinds() -> tuple[type[Joint], ...]:
    """Return the kinds of joints whose files were loaded, and the classes that a game has derived from them."""
    return classes_of(Joint)[1:]


def any_joint() -> bool:
    """Return True if an entity of the current esper world has a joint."""
    return any_held(joint_kinds())


def no_joint_conditions() -> tuple[Condition, ...] | None:
    """Return the conditions under which no entity of the current esper world has a joint; None if there are none."""
    table = getattr(esper, "_components", None)
    return tuple(IsSame(table, kind, None) for kind in joint_kinds()) if isinstance(table, dict) else None
