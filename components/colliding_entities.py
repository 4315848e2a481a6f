"""The component that lists the entities that touch an entity now."""

from __future__ import annotations

from ecs_collide.components.entity_list import EntityList
from ecs_collide.data.field_docs import document_fields


@document_fields
class CollidingEntities(EntityList):
    """The entities that touch or overlap its entity, as they were when the last step was complete.

    Add one to an entity and read its `entities`, a tuple in ascending order, which each step renews. A touch and a
    reported overlap count for both entities: a sensor lists the entities that it overlaps, and these list the sensor.
    """

    __slots__ = ("entities",)

    entities: tuple[int, ...]
    """Entities that touch or overlap this one, ascending."""

    def __init__(self) -> None:
        self.entities = ()
