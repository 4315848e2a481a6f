"""Snapshots of a world: its state at one time, to which it can return."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ecs_collide.character.character_movement import CharacterMovement
from ecs_collide.snapshots import take_and_restore
from ecs_collide.step.pipeline import Pipeline

if TYPE_CHECKING:
    from ecs_collide.snapshots import world_state
    from ecs_collide.snapshots.snapshot import Snapshot


class SnapshotCalls:
    """The calls that take and restore snapshots."""

    __slots__ = ("_characters", "_pipeline", "_snapshots")

    def __init__(self, pipeline: Pipeline, characters: CharacterMovement) -> None:
        """Make the calls for the world that a pipeline steps."""
        self._pipeline = pipeline
        self._characters = characters
        self._snapshots: take_and_restore.Snapshots | None = None

    def snapshot(self, entities: bool = True, *, copy: Mapping[type, Callable[[Any], Any]] | None = None) -> Snapshot:
        """Return the present state of the world: all that decides its future.

        That is the state of the physics with its settings and the events that are not sent yet, and esper's entities
        with all their components. Handlers, processors and other values of the game are not part of it. A snapshot
        changes nothing, and can be restored any number of times.

        Args:
            entities: False to leave out esper's entities and the game's components. Such a snapshot can be restored
                while every entity holds the same components of the physics as now, and it has no bytes.
            copy: functions that copy components of the game, by their types. By default a component is copied as
                `copy.copy` does, so lists and dicts in its attributes are shared: give `copy.deepcopy` for such types.
                A function is called by `snapshot`, and by each `restore` with what it returned.

        Raises PhysicsError within a step, and while events are sent.
        """
        return self._of_world().take(bool(entities), {} if copy is None else dict(copy))

    def restore(self, snapshot: Snapshot) -> None:
        """Return to the state of a snapshot.

        Entities that were created since are gone, and those that were deleted since are back with their ids. Components
        that exist before and after stay the same objects. A component of the game that has other contents than
        attributes, such as a `pygame.Rect`, is replaced by a copy. Handlers and processors stay.

        A snapshot of another world, or of another process, brings copies of its components along. The world must have
        been installed with the settings of that one; gravity, `sleeping` and `continuous` are restored.

        Raises PhysicsError, with nothing changed, within a step, while events are sent, if a setting differs, or if a
        component belongs to another world now.
        """
        self._of_world().restore(snapshot)

    def world_state(self) -> world_state.WorldState:
        """Return the subsystems of the world that snapshots read."""
        return self._of_world().world_state()

    def _of_world(self) -> take_and_restore.Snapshots:
        if self._snapshots is None:
            self._snapshots = take_and_restore.Snapshots(self._pipeline, self._characters)
        return self._snapshots
