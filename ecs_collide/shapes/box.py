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
"""Corners of the unit square around the origin (4, 2)."""
NORMALS = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
"""Outward normals of its edges (4, 2)."""


@dataclass(frozen=True, slots=True, repr=False)
class Box(Shape):
    """A rectangle.

    Args:
        width: length of the sides along x before it is rotated, above 0 [m].
        height: length of the sides along y before it is rotated, above 0 [m].
        center: centre [m].
        angle: rotation about the centre, counter-clockwise [rad].

    Raises:
        ValueError: a size is not positive, or a number is not finite.
    """

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
        return (
            Piece(
                kind=PieceKind.POLYGON, vertices=vertices, normals=normals, radius=0.0, outline=plain_outline(normals)
            ),
        )

    def mass_properties(self) -> mass.MassProperties:
        return mass.rectangle(self.center, self.width, self.height)

    def _turned(self, vectors: FloatArray) -> FloatArray:
        """Return `vectors` rotated by the angle of the box (k, 2)."""
        cosine, sine = cosine_and_sine(self.angle)
        x, y = vectors[:, 0], vectors[:, 1]
        return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=1)
