"""A segment with a radius."""

from dataclasses import dataclass

from ecs_collide.shapes import mass
from ecs_collide.shapes.piece import Hull, Piece, PieceKind
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, positive, vector2


@dataclass(frozen=True, slots=True, repr=False)
class Capsule(Shape):
    """All points within `radius` of a segment: a rectangle with a half disk at each end.

    Args:
        a: first end of the segment [m].
        b: second end of the segment [m].
        radius: greatest distance from the segment, above 0 [m].

    Raises:
        ValueError: both ends are equal, the radius is not positive, or a number is not finite.
    """

    a: Vector2
    b: Vector2
    radius: float

    def __post_init__(self) -> None:
        self._store(
            a=vector2(self.a, "Capsule.a"),
            b=vector2(self.b, "Capsule.b"),
            radius=positive(self.radius, "Capsule.radius"),
        )
        if self.a == self.b:
            raise ValueError(f"Capsule.a and Capsule.b must differ, got {self.a} twice; use Circle")

    def hull(self) -> Hull:
        return Hull(PieceKind.CAPSULE, (self.a, self.b), self.radius)

    def pieces(self) -> tuple[Piece, ...]:
        return (self.hull().piece(),)

    def mass_properties(self) -> mass.MassProperties:
        return mass.capsule(self.a, self.b, self.radius)
