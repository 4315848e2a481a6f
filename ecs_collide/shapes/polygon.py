"""A convex polygon, with sharp or rounded corners."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.shapes import mass
from ecs_collide.shapes.convex import convex_corners
from ecs_collide.shapes.piece import Piece, polygon_piece
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, non_negative, vector2_sequence


@dataclass(frozen=True, slots=True, init=False)
class Polygon(Shape):
    """The convex polygon of `vertices` [m] (n, 2), grown by `radius` [m], which rounds its corners.

    The vertices may run either way round and are kept counter-clockwise; those that add nothing, because they repeat
    a neighbour or lie on the edge between two, are left out. Fewer than three points, points all on one line,
    an outline that meets itself and one that is not convex are a `ValueError` each.
    """

    vertices: tuple[Vector2, ...]
    radius: float

    def __init__(self, vertices: ArrayLike, radius: float = 0.0) -> None:
        points = vector2_sequence(vertices, "Polygon.vertices")
        self._store(
            vertices=convex_corners(points, "Polygon.vertices"),
            radius=non_negative(radius, "Polygon.radius"),
        )

    def pieces(self) -> tuple[Piece, ...]:
        return (polygon_piece(np.array(self.vertices), self.radius),)

    def mass_properties(self) -> mass.MassProperties:
        (piece,) = self.pieces()
        return mass.rounded_polygon(piece.vertices, piece.normals, piece.radius)
