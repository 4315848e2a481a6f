"""The body that follows from the components of an entity."""

from __future__ import annotations

from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import STATIC
from ecs_collide.components.described import shorten_repr
from ecs_collide.data.shape_store import NO_SHAPE, Geometry, StoredShape
from ecs_collide.errors import PhysicsError
from ecs_collide.shapes import Shape
from ecs_collide.step.sync.component_set import ComponentSet
from ecs_collide.validate import LARGEST, LARGEST_ANGLE

NO_ROW = -1


class Body:
    """A body of an entity: its components, what follows from them, and its rows in the columns."""

    __slots__ = ("center_of_mass", "entity", "kind", "parts", "pieces", "row", "shape", "stored")

    def __init__(self, entity: int, parts: ComponentSet, kind: BodyKind) -> None:
        self.entity = entity
        self.parts = parts
        self.kind = kind
        self.shape = None if parts.collider is None else parts.collider.shape
        """Shape of the collider when the components were read."""
        rigid_body = parts.rigid_body
        self.center_of_mass = None if rigid_body is None or kind is STATIC else rigid_body.center_of_mass
        """Centre of mass that the game has set [m]; None for the centroid of the shape."""
        self.stored: StoredShape | None = None
        """Stored form of that shape."""
        self.row = NO_ROW
        self.pieces: tuple[int, ...] = ()

    @property
    def stored_form(self) -> Shape | None:
        """Shape as the shape store keeps it; static bodies may use a simpler form."""
        return self.shape.static_shape() if self.shape and self.kind is STATIC else self.shape

    @property
    def geometry(self) -> Geometry:
        """Geometry of the stored shape, or of none."""
        if self.stored is not None:
            return self.stored.geometry
        area, second_moment, *center = NO_SHAPE
        x, y = self.center_of_mass or center
        return area, second_moment, x, y

    def keeps_contacts(self, former: Body) -> bool:
        """Return True if this body continues a former one of its entity with equal collisions; else contacts end.

        Components are compared by identity, whatever a subclass defines as equality.
        """
        return (
            self.parts.collider is former.parts.collider
            and self.shape == former.shape
            and self.center_of_mass == former.center_of_mass
            and self.has_same_place(former)
        )

    def has_same_place(self, former: Body) -> bool:
        """Return True if both bodies have the same Transform object and kind, which even a static bitmap must keep."""
        return self.parts.transform is former.parts.transform and self.kind is former.kind

    def can_replace(self, former: Body) -> bool:
        """Return True if both are bitmaps that differ in cells alone: the body stays, and so do most pieces."""
        if self.stored is None or former.stored is None:
            return False
        return self.has_same_place(former) and self.stored.can_replace(former.stored)

    def is_successor_of(self, former: Body) -> bool:
        """Return True if its entity had one of these components before; else an id was used again."""
        for part, old in zip(self.parts, former.parts, strict=True):
            if part is old is not None:
                return True
        return False


def check_body(entity: int, parts: ComponentSet) -> None:
    """Raise PhysicsError if an entity has components without a Transform, or an invalid number."""
    transform, *others = parts
    if transform is None:
        name = next(type(part).__name__ for part in others if part is not None)
        raise PhysicsError(f"entity {entity} has a {name} but no Transform: add one, or remove the {name}")
    for part in parts:
        if part is not None and not part._is_sound():
            raise PhysicsError(
                f"entity {entity}: its {type(part).__name__} has a number that is not finite or beyond {LARGEST:g}: "
                f"{shorten_repr(part)}"
            )
    if not abs(transform.angle) <= LARGEST_ANGLE:
        raise PhysicsError(
            f"entity {entity}: Transform.angle must lie between ±{LARGEST_ANGLE:g} rad, got {transform.angle}"
        )
