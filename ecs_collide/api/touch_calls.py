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

        Contacts of sleeping bodies are as they were when these fell asleep.
        """
        pipeline = self._pipeline
        found = pipeline.response.contacts_of(find_body(pipeline, entity))
        return [contact for contact in found if self._exist(contact.entity_a, contact.entity_b)]

    def touching(self, a: int, b: int) -> bool:
        """Return True if two entities touched at the beginning of the last step; a sensor touches what it overlaps."""
        return self._pipeline.touches.touching(a, b) and self._exist(a, b)

    def colliding(self, entity: int) -> list[int]:
        """Return the entities that touch an entity, ascending, including sensors and what a sensor overlaps."""
        find_body(self._pipeline, entity)
        return [other for other in self._pipeline.touches.colliding(entity) if self._exist(entity, other)]

    def _exist(self, a: int, b: int) -> bool:
        """Return True if neither two entities nor their bodies were deleted since the last step."""
        hosts, events = self._pipeline.bodies.hosts, self._pipeline.events
        named = {a, b, hosts.body_of(a), hosts.body_of(b)}
        if events.is_in_current_world:
            return all(map(esper.entity_exists, named))
        with events.own_world() as is_there:
            return not is_there or all(map(esper.entity_exists, named))

    def joints_of(self, entity: int) -> list[int]:
        """Return the entities of a body's joints, ascending, including broken ones."""
        find_body(self._pipeline, entity)
        return self._pipeline.joints.joints_of_body(entity)
