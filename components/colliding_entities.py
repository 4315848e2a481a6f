"""The component that lists the entities that touch an entity now."""

from __future__ import annotations

from typing import Any

from ecs_collide.components.view import View
from ecs_collide.data.field_docs import document_fields


@document_fields
class CollidingEntities:
    """The entities that touch or overlap its entity, as they were when the last step was complete.

    Add one to an entity and read its `entities`, a tuple in ascending order, which each step renews. A touch and a
    reported overlap count for both entities: a sensor lists the entities that it overlaps, and these list the sensor.
    """

    __slots__ = ("__weakref__", "entities")

    entities: tuple[int, ...]
    """Entities that touch or overlap this one, ascending."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        View.class_count += 1

    def __init__(self) -> None:
        self.entities = ()

    @classmethod
    def kinds(cls) -> list[type[CollidingEntities]]:
        """Return this class and all that a game has derived from it."""
        found = [CollidingEntities]
        for kind in found:
            found.extend(kind.__subclasses__())
        return found

    def __repr__(self) -> str:
        return f"{type(self).__name__}(entities={self.entities!r})"
