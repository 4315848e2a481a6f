"""Convex pieces: the common form in which broadphase and narrowphase take shapes.

A piece is the Minkowski sum of the convex hull of its vertices and a disk of its radius.

| kind       | vertices (k, 2)              | normals (k, 2)                |
|------------|------------------------------|-------------------------------|
| CIRCLE     | the centre                   | zero                          |
| CAPSULE    | a, b                         | to the right of a → b, b → a  |
| POLYGON    | 3 or more, counter-clockwise | outward from the edge i → i+1 |
| OUTLINE    | 2 or more, counter-clockwise | outward from the edge i → i+1 |
| HALF_PLANE | normal * offset              | outward from the solid        |
| RING       | the centre                   | zero                          |

An outline row for each corner says the rest (`outline.py`). A piece of kind OUTLINE is a capsule or polygon with arcs,
or with parts that nothing can touch because other pieces cover them. Two kinds have no end. A half-plane is the side of
the line through its vertex that its normal points away from. A ring's wedge is what lies further from its centre than
the radius of its arc, between two directions less than half a turn apart, counter-clockwise.
"""

import math
from enum import IntEnum
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ecs_collide.shapes import outline as of_outline
from ecs_collide.validate import Vector2

FloatArray: TypeAlias = NDArray[np.float64]


class PieceKind(IntEnum):
    """What a piece is; the values index the pair table."""

    CIRCLE = 0
    CAPSULE = 1
    POLYGON = 2
    OUTLINE = 3
    HALF_PLANE = 4
    RING = 5


UNBOUNDED = (PieceKind.HALF_PLANE, PieceKind.RING)
"""The kinds without end: nothing that has such a piece can be dynamic."""

CORE_PLACES = (0.0, 0.25, 0.5)
"""How far from a piece's middle towards its corners `core_radius` looks for the middle of a disk."""


class Piece(NamedTuple):
    """One convex piece: `vertices` [m] (k, 2) and unit `normals` (k, 2), C-contiguous float64, and `radius` [m].

    `outline` (k, 12) holds the fields named in `outline.py`.
    """

    kind: PieceKind
    vertices: FloatArray
    normals: FloatArray
    radius: float
    outline: FloatArray

    def moved(self, offset: FloatArray) -> "Piece":
        """Return the piece at another place, `offset` [m] (2,) away."""
        outline, is_arc = self.outline, self.outline[:, of_outline.ARC_RADIUS] > 0.0
        if is_arc.any():
            outline = outline.copy()
            outline[is_arc, of_outline.ARC_X : of_outline.ARC_Y + 1] += offset
        return self._replace(vertices=self.vertices + offset, outline=outline)

    def turned(self, angle: float) -> "Piece":
        """Return the piece, turned about the origin by `angle` [rad]."""
        cosine, sine = math.cos(angle), math.sin(angle)
        to_turned = np.array([(cosine, sine), (-sine, cosine)])
        outline = self.outline.copy()
        for x in (of_outline.ARC_X, of_outline.FROM_X, of_outline.TO_X):
            outline[:, x : x + 2] = outline[:, x : x + 2] @ to_turned
        return self._replace(vertices=self.vertices @ to_turned, normals=self.normals @ to_turned, outline=outline)


def circle_piece(center: Vector2, radius: float) -> Piece:
    """Return the disk of `radius` [m] around `center` [m]."""
    return Piece(PieceKind.CIRCLE, np.array([center]), np.zeros((1, 2)), radius, of_outline.round_outline())


def capsule_piece(a: Vector2, b: Vector2, radius: float) -> Piece:
    """Return all points within `radius` [m] of the segment from `a` to `b` [m]."""
    return plain_piece(PieceKind.CAPSULE, np.array([a, b]), radius)


def polygon_piece(vertices: FloatArray, radius: float) -> Piece:
    """Return the convex polygon of counter-clockwise `vertices` [m] (k, 2), grown by `radius` [m]."""
    return plain_piece(PieceKind.POLYGON, vertices, radius)


def plain_piece(kind: PieceKind, vertices: FloatArray, radius: float) -> Piece:
    """Return the hull of counter-clockwise `vertices` [m] (k, 2), grown by `radius` [m], all of it open to contacts."""
    normals = edge_normals(vertices)
    return Piece(kind, vertices, normals, radius, of_outline.plain_outline(normals))


def half_plane_piece(normal: Vector2, offset: float) -> Piece:
    """Return the half-plane normal·p <= offset [m] of a unit `normal`."""
    normals = np.array([normal])
    outline = of_outline.endless_outline(normal, normal, (0.0, 0.0), 0.0)
    return Piece(PieceKind.HALF_PLANE, normals * offset, normals, 0.0, outline)


def ring_piece(center: Vector2, radius: float, first: Vector2, last: Vector2) -> Piece:
    """Return what is further than `radius` [m] from `center` [m], from the direction `first` to `last`."""
    outline = of_outline.endless_outline(first, last, center, radius)
    return Piece(PieceKind.RING, np.array([center]), np.zeros((1, 2)), 0.0, outline)


def bounds(piece: Piece) -> tuple[FloatArray, FloatArray]:
    """Return the lower left and upper right corner [m] (2,) of a piece's box, its radius left out."""
    points, arcs = _points_and_arcs(piece)
    ends = [
        center + row[of_outline.CORNER_RADIUS] * np.array([x, y])
        for center, row in arcs
        for x, y in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
        if _faces(row, x, y)
    ]
    corners = np.array([*points, *ends])
    return corners.min(axis=0), corners.max(axis=0)


def farthest(piece: Piece) -> float:
    """Return how far the piece reaches from the origin [m]; infinite without end."""
    if piece.kind in UNBOUNDED:
        return np.inf
    points, arcs = _points_and_arcs(piece)
    tops = [float(np.hypot(*center) + row[of_outline.CORNER_RADIUS]) for center, row in arcs if _faces(row, *center)]
    return max(float(np.hypot(*points.T).max()), *tops, 0.0) + piece.radius


def core_radius(piece: Piece) -> float:
    """Return the radius [m] of a disk inside the piece, not much less than the largest one; infinite without end.

    Arcs that bend outwards count as far as the polygon through their ends and middles. The disk's centre is the best of
    the mean of that polygon's corners and points on the way from there to each.
    """
    if piece.kind in UNBOUNDED:
        return np.inf
    if piece.kind == PieceKind.CIRCLE:
        return piece.radius
    corners = _with_middles_of_arcs(piece)
    normals = edge_normals(corners)
    middle = corners.mean(axis=0)
    places = np.concatenate([middle + share * (corners - middle) for share in CORE_PLACES])
    depths = ((corners * normals).sum(axis=1) - places @ normals.T).min(axis=1)
    for row in piece.outline[piece.outline[:, of_outline.ARC_RADIUS] > 0.0]:
        beside_arc = places - row[of_outline.ARC_X : of_outline.ARC_Y + 1]
        depths = np.minimum(depths, np.hypot(*beside_arc.T) - row[of_outline.ARC_RADIUS])
    return float(depths.max()) + piece.radius


def _points_and_arcs(piece: Piece) -> tuple[FloatArray, list[tuple[FloatArray, FloatArray]]]:
    """Return the corners [m] (k, 2) that are points, and the centre [m] (2,) and outline row of each that is an arc."""
    is_arc = piece.outline[:, of_outline.CORNER_RADIUS] > 0.0
    return piece.vertices[~is_arc], list(zip(piece.vertices[is_arc], piece.outline[is_arc], strict=True))


def _faces(arc: FloatArray, x: float, y: float) -> bool:
    """Return whether the corner with an outline row (12,), an arc, has a point in the direction (x, y)."""
    (from_x, from_y), (to_x, to_y) = arc[of_outline.FROM_X : of_outline.TO_X], arc[of_outline.TO_X :][:2]
    return bool(from_x * y - from_y * x >= 0.0 and x * to_y - y * to_x >= 0.0)


def _with_middles_of_arcs(piece: Piece) -> FloatArray:
    """Return the vertices [m] (k, 2) of a piece, the middle of its arc for each that is an arc's centre."""
    corners = piece.vertices.copy()
    for index in np.flatnonzero(piece.outline[:, of_outline.CORNER_RADIUS]):
        row = piece.outline[index]
        ahead = np.array([row[of_outline.TO_Y] - row[of_outline.FROM_Y], row[of_outline.FROM_X] - row[of_outline.TO_X]])
        corners[index] += row[of_outline.CORNER_RADIUS] / np.hypot(*ahead) * ahead
    return corners


def edge_normals(vertices: FloatArray) -> FloatArray:
    """Return the unit normals (k, 2) to the right of the edges i → i+1 between `vertices` (k, 2), cyclically."""
    edges = np.concatenate((vertices[1:], vertices[:1])) - vertices
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    normals = np.empty_like(edges)
    normals[:, 0] = edges[:, 1] / lengths
    normals[:, 1] = -edges[:, 0] / lengths
    return normals
