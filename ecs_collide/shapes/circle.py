"""A disk."""

from dataclasses import dataclass

from ecs_collide.shapes import mass
from ecs_collide.shapes.piece import Hull, Piece, PieceKind
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, positive, vector2


@dataclass(frozen=True, slots=True)
class Circle(Shape):
    """The disk of `radius` [m] around `center` [m]."""

    radius: float
    center: Vector2 = (0.0, 0.0)

    def __post_init__(self) -> None:
        self._store(radius=positive(self.radius, "Circle.radius"), center=vector2(self.center, "Circle.center"))

    def hull(self) -> Hull:
        return Hull(PieceKind.CIRCLE, (self.center,), self.radius)

    def pieces(self) -> tuple[Piece, ...]:
        return (self.hull().piece(),)

    def mass_properties(self) -> mass.MassProperties:
        return mass.disk(self.center, self.radius)
