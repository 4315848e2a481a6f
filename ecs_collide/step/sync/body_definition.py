"""What an entity's components ask for, checked before anything is changed."""

from __future__ import annotations

from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import STATIC
from ecs_collide.data.shape_store import StoredShape
from ecs_collide.errors import PhysicsError
from ecs_collide.shapes import Shape
from ecs_collide.step.sync.component_set import Parts
from ecs_collide.validate import LARGEST, LARGEST_ANGLE

NO_ROW = -1


class Body:
    """An entity that takes part in physics: its components, what follows from them, and its rows once it has them."""

    __slots__ = ("entity", "kind", "parts", "pieces", "row", "shape", "stored")

    def __init__(self, entity: int, parts: Parts, kind: BodyKind) -> None:
        self.entity = entity
        self.parts = parts
        self.kind = kind
        self.shape = None if parts.collider is None else parts.collider.shape
        """That of its collider when it was looked at ..."""
        self.stored: StoredShape | None = None
        """... and what stands for it."""
        self.row = NO_ROW
        self.pieces: tuple[int, ...] = ()

    @property
    def stored_form(self) -> Shape | None:
        """The shape as the pools have it."""
        return self.shape.static_shape() if self.shape and self.kind is STATIC else self.shape

    def is_still(self, former: Body) -> bool:
        """Whether it is the same body as a former one of its entity that meets the same: else contacts end.

        Two components are the same only if they are one object, whatever a subclass calls equal.
        """
        return self.parts.collider is former.parts.collider and self.shape == former.shape and self.stands_like(former)

    def stands_like(self, former: Body) -> bool:
        """The part of that which a body of a static bitmap cannot change either."""
        return self.parts.transform is former.parts.transform and self.kind is former.kind

    def can_replace(self, former: Body) -> bool:
        """Whether it is a bitmap of which only cells are others: it is the same body, and most pieces stay."""
        if self.stored is None or former.stored is None:
            return False
        return self.stands_like(former) and self.stored.can_replace(former.stored)

    def continues(self, former: Body) -> bool:
        """Whether its entity had one of these components before: else it is another one with an id used again."""
        for part, old in zip(self.parts, former.parts, strict=True):
            if part is old is not None:
                return True
        return False


def check_body(entity: int, parts: Parts) -> None:
    """Raise PhysicsError where an entity has components but no Transform, or one with a number that is not sound."""
    transform, *others = parts
    if transform is None:
        name = next(type(part).__name__ for part in others if part is not None)
        raise PhysicsError(f"entity {entity} has a {name} but no Transform: add one, or remove the {name}")
    for part in parts:
        if part is not None and not part._is_sound():
            raise PhysicsError(f"entity {entity}: {part!r} has a number that is not finite, or beyond {LARGEST:g}")
    if not abs(transform.angle) <= LARGEST_ANGLE:
        raise PhysicsError(f"entity {entity}: the angle of {transform!r} is beyond {LARGEST_ANGLE:g}")
