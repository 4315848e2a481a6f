"""The body that follows from the components of an entity."""

from __future__ import annotations

from itertools import chain

from ecs_collide import shapes
from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import STATIC
from ecs_collide.components.described import shorten_repr
from ecs_collide.data.shape_store import NO_SHAPE, Geometry, StoredShape
from ecs_collide.errors import PhysicsError
from ecs_collide.shapes import Shape
from ecs_collide.step.sync.component_set import ComponentSet
from ecs_collide.validate import LARGEST, LARGEST_ANGLE

NO_ROW = -1
NOT_ATTACHED = 0.0, 0.0, 0.0
"""The `place` of a body of its own."""


class Body:
    """A body of an entity: its components, what follows from them, and its rows in the columns.

    An attached collider is one as well. It is static in its own row, and its pieces belong to that of its `host`.
    """

    __slots__ = (
        "_host",
        "attached",
        "center_of_mass",
        "components",
        "entity",
        "kind",
        "pieces",
        "place",
        "row",
        "shape",
        "stored",
    )

    def __init__(self, entity: int, components: ComponentSet, kind: BodyKind) -> None:
        self.entity = entity
        self.components = components
        self.kind = kind
        self.shape = None if components.collider is None else components.collider.shape
        """Shape of the collider when the components were read."""
        rigid_body = components.rigid_body
        self.center_of_mass = None if rigid_body is None or kind is STATIC else rigid_body.center_of_mass
        """Centre of mass that differs from the centroid of the shape [m]; None for that centroid."""
        self.stored: StoredShape | None = None
        """Stored form of that shape."""
        self.row = NO_ROW
        self.pieces: tuple[int, ...] = ()
        """Pieces of its own collider."""
        self._host: Body | None = None
        """Body that its collider is attached to; None instead of itself, so that it is freed without a collection."""
        self.attached: tuple[Body, ...] = ()
        """Colliders that are attached to it, in the order of their entities."""
        self.place = NOT_ATTACHED if components.attached_to is None else components.attached_to.place
        """Place of an attached collider on its host [m, m, rad]."""

    @property
    def host(self) -> Body:
        """Body that its pieces belong to: itself, unless its collider is attached to another one."""
        return self._host or self

    @host.setter
    def host(self, body: Body) -> None:
        self._host = None if body is self else body

    @property
    def all_pieces(self) -> tuple[int, ...]:
        """Pieces that belong to its row: those of its own collider, and those of the attached ones."""
        if not self.attached:
            return () if self.host is not self else self.pieces
        return self.pieces + tuple(chain.from_iterable(each.pieces for each in self.attached))

    @property
    def stored_form(self) -> Shape | None:
        """Shape as the shape store keeps it; static bodies may use a simpler form."""
        if self.host is not self:
            assert self.shape is not None, "an attached entity has a collider"
            return shapes.Compound([(self.shape, self.place)])
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
            self.components.collider is former.components.collider
            and self.shape == former.shape
            and self.center_of_mass == former.center_of_mass
            and self.has_same_place(former)
            and (self.host is self) == (former.host is former)
            and (self.host is self or (self.place == former.place and self._has_same_host(former)))
        )

    def _has_same_host(self, former: Body) -> bool:
        """Return True if its pieces may stay in the row to which those of a former one belong."""
        return self.host.row == former.host.row and self.host.has_same_place(former.host)

    def has_same_place(self, former: Body) -> bool:
        """Return True if both bodies have the same Transform object and kind, which even a static bitmap must keep."""
        return self.components.transform is former.components.transform and self.kind is former.kind

    def can_replace(self, former: Body) -> bool:
        """Return True if both are bitmaps that differ in cells alone: the body stays, and so do most pieces."""
        if self.stored is None or former.stored is None:
            return False
        return self.has_same_place(former) and self.stored.shape.can_replace(former.stored.shape)

    def is_successor_of(self, former: Body) -> bool:
        """Return True if its entity had one of these components before; else an id was used again."""
        for component, old in zip(self.components, former.components, strict=True):
            if component is old is not None:
                return True
        return False


def check_body(entity: int, components: ComponentSet) -> None:
    """Raise PhysicsError if components of an entity do not go together, or have an invalid number."""
    if components.attached_to is not None:
        check_attached(entity, components)
    transform, *others = components
    if transform is None and components.attached_to is None:
        name = next(type(component).__name__ for component in others if component is not None)
        raise PhysicsError(f"entity {entity} has a {name} but no Transform: add one, or remove the {name}")
    for component in components:
        if component is not None and not component._is_sound():
            raise PhysicsError(
                f"entity {entity}: its {type(component).__name__} has a number that is not finite or beyond "
                f"{LARGEST:g}: {shorten_repr(component)}"
            )
    if transform is not None and not abs(transform.angle) <= LARGEST_ANGLE:
        raise PhysicsError(
            f"entity {entity}: Transform.angle must lie between ±{LARGEST_ANGLE:g} rad, got {transform.angle}"
        )


def check_attached(entity: int, components: ComponentSet) -> None:
    """Raise PhysicsError if an attached entity has no Collider, or components that only a body of its own can have."""
    if components.collider is None:
        raise PhysicsError(f"entity {entity} has an AttachedTo but no Collider: add one, or remove the AttachedTo")
    for component in (components.velocity, components.rigid_body, components.force):
        if component is not None:
            name = type(component).__name__
            raise PhysicsError(
                f"entity {entity} has an AttachedTo and a {name}: an attached collider moves with its body. Remove the "
                f"{name}, or the AttachedTo: {shorten_repr(component)}"
            )
