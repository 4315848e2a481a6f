"""A polygon without holes; a convex one may have rounded corners."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.shapes import mass
from ecs_collide.shapes.convex import find_simple_corners, find_turns
from ecs_collide.shapes.corner_normals import corner, exposed_edge
from ecs_collide.shapes.decompose import cell_piece, merge_cells, triangulate
from ecs_collide.shapes.piece import Hull, Piece, PieceKind, edge_normals
from ecs_collide.shapes.points import read_corners
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, non_negative


@dataclass(frozen=True, slots=True, init=False)
class Polygon(Shape):
    """A polygon without holes.

    The vertices may run either way round and are stored counter-clockwise. Vertices that repeat a neighbour or lie on
    the edge between two others are removed. A polygon that is not convex becomes several convex pieces.

    Args:
        vertices: corners [m] (n, 2).
        radius: distance by which a convex polygon grows, which rounds its corners [m].

    Raises:
        ValueError: fewer than three points, all points on one line, an outline that intersects itself, or a radius for
            a
            polygon that is not convex.
    """

    vertices: tuple[Vector2, ...]
    """Corners, counter-clockwise [m] (n, 2)."""
    radius: float
    """Radius of the rounded corners [m]."""
    _is_convex: bool = field(init=False, repr=False, compare=False)
    """True if the polygon is one convex piece."""

    def __init__(self, vertices: ArrayLike, radius: float = 0.0) -> None:
        points = read_corners(vertices, "Polygon.vertices")
        corners, reflex = find_simple_corners(points, "Polygon.vertices")
        self._store(vertices=corners, radius=non_negative(radius, "Polygon.radius"), _is_convex=reflex is None)
        if self.radius > 0.0 and reflex is not None:
            raise ValueError(
                f"Polygon.radius must be 0 if Polygon.vertices are not convex, got {self.radius}: growing would "
                f"move the inward corner {reflex} {points[reflex]} and close narrow gaps"
            )
        if reflex is not None:
            self.pieces()  # raises if the outline cannot be cut

    def hull(self) -> Hull | None:
        return Hull(PieceKind.POLYGON, self.vertices, self.radius) if self._is_convex else None

    def plain_corners(self) -> tuple[Vector2, ...] | None:
        return self.vertices if type(self) is Polygon and self.radius == 0.0 else None

    def pieces(self) -> tuple[Piece, ...]:
        if (hull := self.hull()) is not None:
            return (hull.piece(),)
        vertices, turns = np.array(self.vertices), find_turns(self.vertices)
        normals = edge_normals(vertices).tolist()
        tangents = [(-y, x) for x, y in normals]
        corners = {
            index: corner(tangents[index - 1], tangent, turn)
            for index, (tangent, turn) in enumerate(zip(tangents, turns, strict=True))
        }
        ring = list(corners)
        edges = {(i, j): exposed_edge(corners[i], corners[j]) for i, j in zip(ring, [*ring[1:], 0], strict=True)}
        cells = merge_cells(vertices, triangulate(vertices, ring, "Polygon.vertices"))
        return tuple(cell_piece(vertices, cell, edges, corners) for cell in cells)

    def mass_properties(self) -> mass.MassProperties:
        vertices = np.array(self.vertices)
        if self.radius == 0.0:
            return mass.polygon(vertices)
        return mass.rounded_polygon(vertices, edge_normals(vertices), self.radius)
