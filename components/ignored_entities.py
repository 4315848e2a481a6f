"""The component that lists the entities with which an entity does not collide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from ecs_collide.components.entity_list import EntityList
from ecs_collide.validate import entity_id


class IgnoredEntities(EntityList):
    """Lets its entity and some others pass through each other, as `PhysicsWorld.ignore` does for two.

    They send no events, and no sensor reports the other one. It is enough that one of two entities names the other. A
    name of its own entity has no effect, so that all parts of a ragdoll may get one list. A body goes with all
    colliders that are attached to it, an attached collider goes alone. An entity without a body is ignored as soon as
    it has one. A deleted entity leaves the list, and a later one with its id is not ignored. A name
    of an entity that never existed leaves the list too, with a warning.

    Queries and `move_and_slide` have an `ignore` of their own.

    Args:
        entities: the entities to ignore.

    Raises TypeError or ValueError if these are not ids of entities. A step raises PhysicsError if the world has the
    exact response.
    """

    __slots__ = ("_entities",)
    write_count: ClassVar[int] = 0
    """Number of writes to the lists of all such components, by which worlds see that one has changed."""

    _entities: tuple[int, ...]

    def __init__(self, entities: Iterable[int] = ()) -> None:
        self.entities = entities

    @property
    def entities(self) -> tuple[int, ...]:
        """Entities that its own entity ignores, ascending, each once; a game may write others at any time."""
        return self._entities

    @entities.setter
    def entities(self, value: Iterable[int]) -> None:
        name = f"{type(self).__name__}.entities"
        if isinstance(value, str | int) or not isinstance(value, Iterable):
            one = f": write [{value}] for one entity" if isinstance(value, int) else ""
            raise TypeError(f"{name} must be entities, got {value!r}{one}")
        self._entities = tuple(sorted({entity_id(entity, name) for entity in value}))
        IgnoredEntities.write_count += 1
