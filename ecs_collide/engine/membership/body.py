"""What an entity's components ask for, checked before anything is changed."""

from __future__ import annotations

from ecs_collide.columns.shape_store import StoredShape
from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import DYNAMIC, STATIC
from ecs_collide.engine.membership.parts import Parts
from ecs_collide.errors import PhysicsError
from ecs_collide.shapes import Shape
from ecs_collide.validate import LARGEST, LARGEST_ANGLE, Vector2

NO_FILTER = (0,) * 6
"""The row of `body_filter` of what meets nothing."""

FROM_ALL_SIDES = (0.0, 0.0)

NO_ROW = -1


class Body:
    """An entity that takes part in physics: its components, what follows from them, and its rows once it has them."""

    __slots__ = ("entity", "filter", "kind", "one_way", "parts", "pieces", "row", "shape", "stored")

    def __init__(self, entity: int, parts: Parts, kind: BodyKind, filter_: tuple[int, ...], one_way: Vector2) -> None:
        self.entity = entity
        self.parts = parts
        self.kind = kind
        self.filter = filter_
        """The row of `body_filter`."""
        self.one_way = one_way
        """The row of `body_one_way`."""
        self.shape = None if parts.collider is None else parts.collider.shape
        """That of its collider when it was looked at ..."""
        self.stored: StoredShape | None = None
        """... and what stands for it."""
        self.row = NO_ROW
        self.pieces: tuple[int, ...] = ()

    @property
    def stored_form(self) -> Shape | None:
        """The shape as the pools have it."""
        return self.shape.where_nothing_moves() if self.shape and self.kind is STATIC else self.shape

    def is_still(self, former: Body) -> bool:
        """Whether it is the same body as a former one of its entity: else contacts end.

        Two components are the same only if they are one object, whatever a subclass calls equal.
        """
        return self.parts.collider is former.parts.collider and self.shape == former.shape and self.stands_like(former)

    def stands_like(self, former: Body) -> bool:
        """The part of that which a body of a static bitmap cannot change either."""
        return (
            self.parts.transform is former.parts.transform
            and self.kind is former.kind
            and self.filter == former.filter
            and self.one_way == former.one_way
        )

    def can_follow(self, former: Body) -> bool:
        """Whether it is a bitmap of which only cells are others: it is the same body, and most pieces stay."""
        if self.stored is None or former.stored is None:
            return False
        return self.stands_like(former) and self.stored.can_follow(former.stored)

    def continues(self, former: Body) -> bool:
        """Whether its entity had one of these components before: else it is another one with an id used again."""
        for part, old in zip(self.parts, former.parts, strict=True):
            if part is old is not None:
                return True
        return False


def checked_body(entity: int, parts: Parts) -> Body | None:
    """The body of an entity, None where it takes no part in physics. Raises PhysicsError if it cannot."""
    transform, velocity, collider, rigid_body, force = parts
    if velocity is None and collider is None and rigid_body is None and force is None:
        return None
    if transform is None:
        name = next(type(part).__name__ for part in parts if part is not None)
        raise PhysicsError(f"entity {entity} has a {name} but no Transform: add one, or remove the {name}")
    for part in parts:
        if part is not None and not part._is_sound():
            raise PhysicsError(f"entity {entity}: {part!r} has a number that is not finite, or beyond {LARGEST:g}")
    if abs(transform.angle) > LARGEST_ANGLE:
        raise PhysicsError(f"entity {entity}: the angle of {transform!r} is beyond {LARGEST_ANGLE:g}")
    if rigid_body is not None:
        kind = rigid_body.kind
    else:
        kind = STATIC if velocity is None else DYNAMIC
    if collider is None:
        return Body(entity, parts, kind, NO_FILTER, FROM_ALL_SIDES)
    if kind is DYNAMIC and not collider.shape.is_bounded:
        raise PhysicsError(
            f"entity {entity}: Collider.shape {collider.shape!r} cannot be dynamic, it has no finite mass: "
            "remove the Velocity or give it RigidBody(BodyKind.STATIC)"
        )
    filter_ = collider._filter if collider.enabled else NO_FILTER
    return Body(entity, parts, kind, filter_, collider.one_way or FROM_ALL_SIDES)
