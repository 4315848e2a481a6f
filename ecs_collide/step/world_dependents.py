"""The subsystems of a world that depend on which bodies there are, in the order in which a change calls them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.body_dependents import BodyDependents, FormerBodies
from ecs_collide.step.sync.component_set import ComponentSet

if TYPE_CHECKING:
    from ecs_collide.step.pipeline import Pipeline
    from ecs_collide.step.sync.plan_bodies import PlannedBodies


class WorldDependents(BodyDependents):
    """Calls the subsystems of a world; `BodyDependents` says when, and what may raise."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._characters: FormerBodies | None = None

    def add_characters(self, characters: FormerBodies) -> None:
        """Call the memory of characters from now on."""
        self._characters = characters

    def check_bodies(self, bodies: Sequence[Body]) -> None:
        """Raise PhysicsError for a body that the response cannot move."""
        self._pipeline.response.check_bodies(bodies)

    def warn_of_new_bodies(self, bodies: list[Body], without_layer: dict[int, ComponentSet]) -> None:
        """Warn of likely mistakes."""
        self._pipeline.usage_warnings.check_new_bodies(bodies, without_layer)

    def check_step(self, plan: PlannedBodies | None) -> None:
        """Raise PhysicsError if the response cannot make a step."""
        self._pipeline.response.check_step(plan)

    def wake(self, rows: list[int]) -> None:
        """Wake bodies before they are removed or changed."""
        self._pipeline.sleepers.wake_changing(rows)

    def record_changing(self, entities: Iterable[int]) -> None:
        """Record which pairs and joints have to be linked again; they read the former bodies, which are still there."""
        self._pipeline.ignored_entities.record_changing(entities)
        joints = self._pipeline.world_joints.present
        if joints is not None:
            joints.record_changing(entities)

    def forget(self, rows: list[int], entities: set[int]) -> None:
        """Drop what is kept of removed bodies."""
        pipeline = self._pipeline
        pipeline.move_targets.forget(rows)
        pipeline.pushes.forget(rows)
        pipeline.interpolation.forget(rows)
        pipeline.sleepers.forget(rows)
        pipeline.ignored_pairs.forget(rows)
        pipeline.contact_finder.forget(rows)
        pipeline.contact_events.forget(entities)
        own_contacts = pipeline.response.own_contacts
        if own_contacts is not None:
            own_contacts.forget(entities)
        if self._characters is not None:
            self._characters.forget(rows, entities)

    def reset(self) -> None:
        """Begin again as a new world does."""
        self._pipeline.pair_finder.reset()
        self._pipeline.contact_finder.clear()
        self._pipeline.sleepers.reset()

    def read_candidates(self) -> None:
        """Read which entities may have changed."""
        for bound in self._pipeline.bound_components:
            bound.read_candidates()
        self._pipeline.ignored_entities.read_candidates()
