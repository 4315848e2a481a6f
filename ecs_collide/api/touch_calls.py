"""Contacts, touching entities and joints of a single entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        """Return the contacts of an entity; contacts of sleeping bodies are as they were when these fell asleep."""
        pipeline = self._pipeline
        found = pipeline.response.contacts_of(entity, find_body(pipeline, entity).row)
        told = {(contact.entity_a, contact.entity_b) for contact in found}  # includes those that fell asleep just now
        kept = pipeline.sleepers.contacts.of(pipeline.touches.slots_of(entity))
        return found + [contact for contact in kept if (contact.entity_a, contact.entity_b) not in told]

    def touching(self, a: int, b: int) -> bool:
        """Return True if two entities touched at the beginning of the last step; a sensor touches what it overlaps."""
        return self._pipeline.touches.touching(a, b)

    def colliding(self, entity: int) -> list[int]:
        """Return the entities that touch an entity, ascending, including sensors and what a sensor overlaps."""
        find_body(self._pipeline, entity)
        return self._pipeline.touches.colliding(entity)

    def joints_of(self, entity: int) -> list[int]:
        """Return the entities of a body's joints, ascending, including broken ones."""
        find_body(self._pipeline, entity)
        return self._pipeline.joints.joints_of_body(entity)
