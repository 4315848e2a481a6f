"""What touches an entity now."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from ecs_collide.components.view import View


class CollidingEntities:
    """The entities that touch or overlap its entity, as they were when the last step was complete.

    It is kept filled: add one to an entity, and look at its `entities`, a tuple in ascending order. Sensors are among
    them, and what a sensor or what detects overlaps; who is told of whom makes no difference here.
    """

    __slots__ = ("__weakref__", "entities")
    were_made: ClassVar[bool] = False
    """Whether there has been one in this process: else no step looks for them."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        if not CollidingEntities.were_made:
            CollidingEntities.were_made = True
            View.class_count += 1
        return super().__new__(cls)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        View.class_count += 1

    def __init__(self) -> None:
        self.entities: tuple[int, ...] = ()

    @classmethod
    def kinds(cls) -> list[type[CollidingEntities]]:
        """This class and all that a game has derived from it; none as long as nothing was made of any."""
        found = [CollidingEntities] if CollidingEntities.were_made else []
        for kind in found:
            found.extend(kind.__subclasses__())
        return found

    def __repr__(self) -> str:
        return f"{type(self).__name__}(entities={self.entities!r})"
