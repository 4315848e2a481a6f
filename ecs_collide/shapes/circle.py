"""A disk."""

from dataclasses import dataclass

from ecs_collide.shapes import mass
from ecs_collide.shapes.piece import Hull, Piece, PieceKind
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, positive, vector2

ORIGIN = (0.0, 0.0)
"""Default centre [m]."""


@dataclass(frozen=True, slots=True, repr=False)
class Circle(Shape):
    """A disk.

    Args:
        radius: radius, above 0 [m].
        center: centre [m].

    Raises:
        ValueError: the radius is not positive, or a number is not finite.
    """

    radius: float
    center: Vector2 = ORIGIN

    def __post_init__(self) -> None:
        radius = positive(self.radius, "Circle.radius")
        if radius is not self.radius:
            self._store(radius=radius)
        if self.center is not ORIGIN:
            self._store(center=vector2(self.center, "Circle.center"))

    def hull(self) -> Hull:
        return Hull(PieceKind.CIRCLE, (self.center,), self.radius)

    def pieces(self) -> tuple[Piece, ...]:
        return (self.hull().piece(),)

    def mass_properties(self) -> mass.MassProperties:
        return mass.disk(self.center, self.radius)
