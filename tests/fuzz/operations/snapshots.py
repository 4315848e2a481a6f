"""Operations that take snapshots and restore them."""

from __future__ import annotations

import esper

import ecs_collide as ec
from tests.fuzz import checks
from tests.fuzz.operations.operation import Operation, nothing
from tests.fuzz.play import Play


def take_and_restore(play: Play) -> None:
    """Take a snapshot and restore it at once, which must change nothing; within a step both must be refused."""
    physics = play.room.physics
    if physics is None:
        return
    pipeline = physics.pipeline
    is_refused = pipeline.is_under_way or pipeline.is_before_step or pipeline.events.is_sending
    try:
        snapshot = physics.snapshot()
    except ec.PhysicsError as error:
        if not is_refused:
            play.unexpected(error, "a snapshot between steps")
        return
    if is_refused:
        play.fault("snapshot", "a snapshot was taken within a step")
        return
    ec.Snapshot.from_bytes(bytes(snapshot))
    before, held = checks.digest(physics), {entity: list(parts.values()) for entity, parts in esper._entities.items()}
    physics.restore(snapshot)
    now = {entity: list(parts.values()) for entity, parts in esper._entities.items()}
    if checks.digest(physics) != before:
        play.fault("snapshot", "a restore of the present state changed the columns")
    if held.keys() != now.keys() or any(
        a is not b for entity, parts in held.items() for a, b in zip(parts, now[entity], strict=True)
    ):
        play.fault("snapshot", "a restore of the present state changed entities or components")


ROWS = (Operation("snapshot", 1, nothing, take_and_restore),)
