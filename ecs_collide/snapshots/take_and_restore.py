"""Take and restore the snapshots of a world."""

from __future__ import annotations

from collections.abc import Mapping
from threading import get_ident
from typing import Any

from ecs_collide.character.character_movement import CharacterMovement
from ecs_collide.common import user_thread
from ecs_collide.common.gc_pause import GcPause
from ecs_collide.common.interrupts import DelayedInterrupts
from ecs_collide.components.described import shorten_repr
from ecs_collide.errors import PhysicsError
from ecs_collide.snapshots import esper_tables as of_esper
from ecs_collide.snapshots.attachment import Rows, attach_others, detach_others, present_rows
from ecs_collide.snapshots.component_forms import CopyFunction
from ecs_collide.snapshots.entity_structure import Structure
from ecs_collide.snapshots.snapshot import Snapshot
from ecs_collide.snapshots.snapshot_content import SnapshotContent
from ecs_collide.snapshots.world_state import StateImage, WorldState
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.sync import watched_sets as watch

CHANGEABLE = ("gravity", "sleeping", "continuous")
"""Settings that may be changed after `install`; all others of a snapshot must be those of the world."""


class Snapshots:
    """The calls that take and restore snapshots of a world."""

    __slots__ = ("_characters", "_list", "_pipeline", "_state", "_structure", "_versions")

    def __init__(self, pipeline: Pipeline, characters: CharacterMovement) -> None:
        """Make the calls for the world that a pipeline steps."""
        self._pipeline = pipeline
        self._characters = characters
        self._state: WorldState | None = None
        self._structure: Structure | None = None
        """Structure that was read or restored last."""
        self._list: object = None
        """List of esper that is replaced with every change of entities, as it was then."""
        self._versions: tuple[object, ...] = ()
        """Versions of bodies and joints at that time."""

    def take(self, has_entities: bool, copies: Mapping[type, CopyFunction]) -> Snapshot:
        """Return the present state of the world, see `SnapshotCalls.snapshot`."""
        pipeline = self._pipeline
        self._check_between_steps("take a snapshot")
        with pipeline.events.own_world() as exists:
            self._check_exists(exists)
            state = self.world_state()
            structure = self._present_structure(has_entities)
            content = SnapshotContent(
                settings=pipeline.settings,
                image=state.read(),
                structure=structure,
                changing=[each.read(copies) for each in structure.changing],
                loose=[each._values() for each in structure.loose],
                dead=of_esper.read_dead(),
                following=of_esper.next_entity(),
                copies=copies,
            )
        return Snapshot(content, pipeline)

    def restore(self, snapshot: Snapshot) -> None:
        """Return to the state of a snapshot, see `SnapshotCalls.restore`."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"restore takes a Snapshot, got {shorten_repr(snapshot)}")
        self._check_between_steps("restore a snapshot")
        with self._pipeline.events.own_world() as exists:
            self._check_exists(exists)
            content = snapshot.content_for(self._pipeline)
            self._check_settings(content)
            self._restore(content)

    def _restore(self, snapshot: SnapshotContent) -> None:
        pipeline, structure, image = self._pipeline, snapshot.structure, snapshot.image
        state = self.world_state()
        present = self._present_structure(structure.entities is not None)
        if not state.fits(image):
            raise PhysicsError("the snapshot is of a world with other subsystems, and cannot be restored in this one")
        is_same = structure is present
        if not is_same:
            structure.check_owners(pipeline)
            if structure.entities is None:
                structure.check_held()
        saved = zip(structure.changing, snapshot.changing, strict=True)
        prepared = [each.prepare(one, snapshot.copies) for each, one in saved]
        with DelayedInterrupts(), GcPause():
            if is_same:
                state.write(image)
                for own, numbers in zip(structure.loose, snapshot.loose, strict=True):
                    for place, number in enumerate(numbers):
                        own._store(place, number)
            else:
                self._write_others(state, snapshot)
            replaced: dict[int, Any] = {}
            for each, one in zip(structure.changing, prepared, strict=True):
                now = each.put(one)
                if now is not each.component:
                    replaced[id(each.component)] = now
            if structure.entities is not None:
                if replaced or not is_same:
                    of_esper.restore_entities(structure.entities, replaced, _watched_sets(pipeline))
                of_esper.restore_others(snapshot.dead, snapshot.following)
            for bound in pipeline.bound_components if replaced else ():
                bound.replace_objects(replaced)
            if not is_same:
                pipeline.world_joints.joints.layout.forget()
            pipeline.state.restores += 1
            pipeline.response.forget_reachable()
            pipeline.invalidate()
            self._remember(None if replaced else structure)

    def _write_others(self, state: WorldState, snapshot: SnapshotContent) -> None:
        """Write the state of a snapshot with other components or shapes than the present ones."""
        pipeline, structure, image = self._pipeline, snapshot.structure, snapshot.image
        stayed = detach_others(present_rows(pipeline), self._rows_of(state, image))
        state.write(image)
        structure.write_values_and_uses(pipeline.body_sync.shapes.stored_shapes())
        for own, numbers in zip(structure.loose, snapshot.loose, strict=True):
            own._init_numbers(*numbers)
        attach_others(pipeline, stayed)
        state.write_arrays(image)  # a second time, because the components have written their numbers

    def _rows_of(self, state: WorldState, image: StateImage) -> Rows:
        """Return the components of an image, and their rows."""
        body_sync, joints = self._pipeline.body_sync, self._pipeline.world_joints.joints
        return Rows(
            known=state.contents_in(image, body_sync.registry, "known"),
            members=state.contents_in(image, body_sync, "members"),
            joints=state.contents_in(image, joints.registry, "known"),
            joint_rows=state.contents_in(image, joints, "_rows"),
        )

    def world_state(self) -> WorldState:
        """Return the subsystems of the world, with those that are made late."""
        if not watch.is_possible():
            raise PhysicsError("this version of esper stores its entities in another way, which snapshots do not know")
        if self._state is None:
            characters = self._characters
            of_characters = characters.memory, characters.loads_of_world(), characters.shoves_of_world()
            self._state = WorldState(self._pipeline, *of_characters)
        return self._state

    def _present_structure(self, has_entities: bool) -> Structure:
        """Return the present structure: the one of the last time, unless it may have changed since."""
        pipeline = self._pipeline
        registries = pipeline.body_sync.registry, pipeline.world_joints.joints.registry
        may_differ = [
            bool(each.candidates or each.restructured) for each in registries
        ]  # both have looked at esper now
        structure = self._structure
        if (
            structure is None
            or any(may_differ)
            or (structure.entities is not None) is not has_entities
            or of_esper.present_list() is not self._list
            or self._present_versions() != self._versions
        ):
            structure = Structure(pipeline, has_entities)
            self._remember(structure)
        return structure

    def _remember(self, structure: Structure | None) -> None:
        """Remember the present structure."""
        self._structure = structure
        self._list = of_esper.present_list()
        self._versions = self._present_versions()

    def _present_versions(self) -> tuple[object, ...]:
        return self._pipeline.body_sync.version, self._pipeline.world_joints.joints.version

    def _check_between_steps(self, action: str) -> None:
        """Raise PhysicsError within a step, while events are sent, or in another thread."""
        if get_ident() != user_thread.user:
            user_thread.claim(action)
        pipeline = self._pipeline
        if pipeline.is_under_way or pipeline.is_before_step:
            raise PhysicsError(f"cannot {action} within a step: call it before or after esper.process")
        if pipeline.events.is_sending:
            raise PhysicsError(f"cannot {action} while a handler is given an event: call it after esper.process")
        if pipeline.body_sync.registry.is_released:
            raise PhysicsError(f"cannot {action}: this physics was uninstalled")

    def _check_exists(self, exists: bool) -> None:
        if not exists:
            raise PhysicsError("the esper world of this physics was deleted")

    def _check_settings(self, snapshot: SnapshotContent) -> None:
        """Raise PhysicsError if a setting of a snapshot is not that of the world and cannot be restored."""
        here = self._pipeline.settings
        for name, value in snapshot.settings._asdict().items():
            if name not in CHANGEABLE and value != getattr(here, name):
                raise PhysicsError(
                    f"the snapshot has {name}={value!r}, and this world was installed with "
                    f"{name}={getattr(here, name)!r}"
                )


def _watched_sets(pipeline: Pipeline) -> dict[type, set[int]]:
    """Return the sets of esper's table that report changes to a world, by type."""
    return pipeline.body_sync.registry.watched_sets() | pipeline.world_joints.joints.registry.watched_sets()
