"""A rectangle at any angle."""

from dataclasses import dataclass

import numpy as np

from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import mass
from ecs_collide.shapes.outline import plain_outline
from ecs_collide.shapes.piece import FloatArray, Piece, PieceKind
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, finite, positive, vector2

CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
NORMALS = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])


@dataclass(frozen=True, slots=True)
class Box(Shape):
    """The rectangle of `width` by `height` [m] around `center` [m], turned by `angle` [rad] about it."""

    width: float
    height: float
    center: Vector2 = (0.0, 0.0)
    angle: float = 0.0

    def __post_init__(self) -> None:
        self._store(
            width=positive(self.width, "Box.width"),
            height=positive(self.height, "Box.height"),
            center=vector2(self.center, "Box.center"),
            angle=finite(self.angle, "Box.angle"),
        )

    def pieces(self) -> tuple[Piece, ...]:
        vertices = np.array(self.center) + self._turned(CORNERS * (self.width, self.height))
        normals = self._turned(NORMALS)
        return (Piece(PieceKind.POLYGON, vertices, normals, 0.0, plain_outline(normals)),)

    def mass_properties(self) -> mass.MassProperties:
        return mass.rectangle(self.center, self.width, self.height)

    def _turned(self, vectors: FloatArray) -> FloatArray:
        cosine, sine = cosine_and_sine(self.angle)
        x, y = vectors[:, 0], vectors[:, 1]
        return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=1)
