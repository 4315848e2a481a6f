"""Finding the body of an entity."""

from __future__ import annotations

from threading import get_ident
from typing import TYPE_CHECKING

import esper

from ecs_collide.common import user_thread
from ecs_collide.errors import PhysicsError
from ecs_collide.step.pipeline import Pipeline

if TYPE_CHECKING:
    from ecs_collide.step.sync.body_definition import Body


def find_body(pipeline: Pipeline, entity: int) -> Body:
    """Return the body of an entity, after applying its changes. Raises PhysicsError if it has none."""
    if get_ident() != user_thread.user:
        user_thread.claim("read or change physics")
    body_sync = pipeline.body_sync
    if not pipeline.events.is_in_current_world or (pipeline.may_have_changes and not body_sync.is_current(entity)):
        pipeline.update_bodies()
    member = body_sync.members.get(entity)
    if member is None:
        lost = pipeline.bodies.hosts.now.get(entity)
        if lost is not None:
            raise PhysicsError(f"entity {entity} has no body: entity {lost}, to which it is attached, has none")
        with pipeline.events.own_world():
            if entity not in esper._entities:
                raise PhysicsError(f"entity {entity} has no body: it was deleted, or is not of this esper world")
        during = " (an entity that is created during a step gets its body at the next one)"
        raise PhysicsError(
            f"entity {entity} has no body{during if pipeline.is_under_way else ''}: "
            "it needs a Transform and a Collider, Velocity, RigidBody or Force"
        )
    return member


def find_own_body(pipeline: Pipeline, entity: int, call: str) -> Body:
    """Return the body of an entity for a call that takes no attached collider. Raises PhysicsError for such a one."""
    body = find_body(pipeline, entity)
    if body.host is not body:
        raise PhysicsError(f"entity {entity} is attached to entity {body.host.entity}: pass that body to {call}")
    return body
