"""A polygon without holes: convex ones with sharp or rounded corners, others with sharp ones."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.shapes import mass
from ecs_collide.shapes.convex import simple_corners, turns_at
from ecs_collide.shapes.corner_normals import corner, exposed_edge
from ecs_collide.shapes.decompose import cell_piece, joined, triangles
from ecs_collide.shapes.piece import Hull, Piece, PieceKind, edge_normals
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, non_negative, vector2_sequence


@dataclass(frozen=True, slots=True, init=False)
class Polygon(Shape):
    """The polygon of `vertices` [m] (n, 2); a convex one may be grown by `radius` [m], which rounds its corners.

    The vertices may run either way round and are kept counter-clockwise; those that add nothing, because they repeat
    a neighbour or lie on the edge between two, are left out. A polygon that is not convex becomes several pieces.
    Fewer than three points, points all on one line and an outline that meets itself are a `ValueError` each, and so is
    a radius for a polygon that is not convex: growing rounds its outer corners, but moves the inner ones.
    """

    vertices: tuple[Vector2, ...]
    radius: float
    _is_convex: bool = field(init=False, repr=False, compare=False)

    def __init__(self, vertices: ArrayLike, radius: float = 0.0) -> None:
        points = vector2_sequence(vertices, "Polygon.vertices")
        corners, reflex = simple_corners(points, "Polygon.vertices")
        self._store(vertices=corners, radius=non_negative(radius, "Polygon.radius"), _is_convex=reflex is None)
        if self.radius > 0.0 and reflex is not None:
            raise ValueError(
                f"Polygon.radius must be 0 where Polygon.vertices are not convex, got {self.radius}: growing would "
                f"move the inward corner {reflex} {points[reflex]} and close narrow gaps"
            )
        if reflex is not None:
            self.pieces()  # raises where the outline cannot be cut

    def hull(self) -> Hull | None:
        return Hull(PieceKind.POLYGON, self.vertices, self.radius) if self._is_convex else None

    def corners_alone(self) -> tuple[Vector2, ...] | None:
        return self.vertices if type(self) is Polygon and self.radius == 0.0 else None

    def pieces(self) -> tuple[Piece, ...]:
        if (hull := self.hull()) is not None:
            return (hull.piece(),)
        vertices, turns = np.array(self.vertices), turns_at(self.vertices)
        normals = edge_normals(vertices).tolist()
        tangents = [(-y, x) for x, y in normals]
        corners = {
            index: corner(tangents[index - 1], tangent, turn)
            for index, (tangent, turn) in enumerate(zip(tangents, turns, strict=True))
        }
        ring = list(corners)
        edges = {(i, j): exposed_edge(corners[i], corners[j]) for i, j in zip(ring, [*ring[1:], 0], strict=True)}
        cells = joined(vertices, triangles(vertices, ring, "Polygon.vertices"))
        return tuple(cell_piece(vertices, cell, edges, corners) for cell in cells)

    def mass_properties(self) -> mass.MassProperties:
        vertices = np.array(self.vertices)
        if self.radius == 0.0:
            return mass.polygon(vertices)
        return mass.rounded_polygon(vertices, edge_normals(vertices), self.radius)
