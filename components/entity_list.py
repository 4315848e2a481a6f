"""Base of the components that list other entities and have no numbers."""

from __future__ import annotations

from typing import Any, Self

from ecs_collide.components.view import View, classes_of


class EntityList:
    """A component with a tuple of entities in place of numbers; a game may derive classes from it."""

    __slots__ = ("__weakref__",)
    entities: Any

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        View.class_count += 1

    @classmethod
    def kinds(cls) -> tuple[type[Self], ...]:
        """Return this class and all that a game has derived from it."""
        return classes_of(cls)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(entities={self.entities!r})"
