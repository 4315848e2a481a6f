"""A straight line without thickness."""

from dataclasses import dataclass

from ecs_collide.shapes import mass
from ecs_collide.shapes.piece import Hull, Piece, PieceKind
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, vector2


@dataclass(frozen=True, slots=True, repr=False)
class Segment(Shape):
    """A straight line without thickness, which collides on both sides.

    It has no area: the density of a collider counts as mass per length [kg/m].

    Args:
        a: first end [m].
        b: second end [m].

    Raises:
        ValueError: both ends are equal, or a number is not finite.
    """

    a: Vector2
    b: Vector2

    def __post_init__(self) -> None:
        self._store(a=vector2(self.a, "Segment.a"), b=vector2(self.b, "Segment.b"))
        if self.a == self.b:
            raise ValueError(f"Segment.a and Segment.b must differ, got {self.a} twice")

    def hull(self) -> Hull:
        return Hull(PieceKind.CAPSULE, (self.a, self.b), 0.0)

    def pieces(self) -> tuple[Piece, ...]:
        return (self.hull().piece(),)

    def mass_properties(self) -> mass.MassProperties:
        """Return length [m] as area, centroid [m] and second moment of length, L³ / 12 [m³]."""
        return mass.rod(self.a, self.b)
