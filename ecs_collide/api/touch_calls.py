"""Contacts, touching entities and joints of a single entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import esper

from ecs_collide.api.body_lookup import find_body
from ecs_collide.step.pipeline import Pipeline

if TYPE_CHECKING:
    from ecs_collide.step.notify.contact import Contact


class TouchCalls:
    """The calls that read what an entity touches and which joints hold it."""

    __slots__ = ("_pipeline",)

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the calls for the world that a pipeline steps."""
        self._pipeline = pipeline

    def contacts_of(self, entity: int) -> list[Contact]:
        """Return the contacts of an entity that touch: those with the entities of `colliding`, except sensors.

        A body on the seam of two flush colliders has one contact with both, which names one of them.
        Contacts of sleeping bodies are as they were when these fell asleep.
        """
        found = self._pipeline.response.contacts_of(find_body(self._pipeline, entity))
        deleted = self._deleted({each for contact in found for each in (contact.entity_a, contact.entity_b)})
        if not deleted:
            return found
        return [contact for contact in found if deleted.isdisjoint((contact.entity_a, contact.entity_b))]

    def touching(self, a: int, b: int) -> bool:
        """Return True if two entities touched at the beginning of the last step; a sensor touches what it overlaps."""
        return self._pipeline.touches.touching(a, b) and not self._deleted({a, b})

    def colliding(self, entity: int) -> list[int]:
        """Return the entities that touch an entity, ascending, including sensors and what a sensor overlaps."""
        find_body(self._pipeline, entity)
        others = self._pipeline.touches.colliding(entity)
        deleted = self._deleted({entity, *others})
        return others if not deleted else [other for other in others if deleted.isdisjoint((entity, other))]

    def _deleted(self, entities: set[int]) -> set[int]:
        """Return those of some entities that were deleted since the last step, or whose bodies were."""
        events = self._pipeline.events
        if not events.is_in_current_world:
            with events.own_world() as is_there:
                return self._deleted(entities) if is_there else set()
        body_of, exists = self._pipeline.bodies.hosts.body_of, esper.entity_exists
        return {entity for entity in entities if not (exists(entity) and exists(body_of(entity)))}

    def joints_of(self, entity: int) -> list[int]:
        """Return the entities of a body's joints, ascending, including broken ones."""
        find_body(self._pipeline, entity)
        return self._pipeline.world_joints.joints.joints_of_body(entity)
