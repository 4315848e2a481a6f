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
        outline = self.outline.copy()
        outline[outline[:, of_outline.ARC_RADIUS] > 0.0, of_outline.ARC_X : of_outline.ARC_Y + 1] += offset
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
    points = [piece.vertices]
    for k in np.flatnonzero(piece.outline[:, of_outline.CORNER_RADIUS]):
        row = piece.outline[k]
        first, last = row[of_outline.FROM_X : of_outline.FROM_Y + 1], row[of_outline.TO_X : of_outline.TO_Y + 1]
        points.extend(
            piece.vertices[k] + row[of_outline.CORNER_RADIUS] * np.array([[x, y]])
            for x, y in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
            if first[0] * y - first[1] * x >= 0.0 and x * last[1] - y * last[0] >= 0.0
        )
    corners = np.concatenate(points)
    return corners.min(axis=0), corners.max(axis=0)


def core_radius(piece: Piece) -> float:
    """Return the radius [m] of a disk around the mean of the vertices that the piece holds; infinite without end."""
    if piece.kind in UNBOUNDED:
        return np.inf
    if piece.kind == PieceKind.CIRCLE:
        return piece.radius
    depths = ((piece.vertices - piece.vertices.mean(axis=0)) * piece.normals).sum(axis=1)
    return float(depths.min()) + piece.radius


def farthest(piece: Piece) -> float:
    """Return how far the piece reaches from the origin [m], or a little more; infinite without end."""
    if piece.kind in UNBOUNDED:
        return np.inf
    return float((np.hypot(*piece.vertices.T) + piece.outline[:, of_outline.CORNER_RADIUS]).max()) + piece.radius


def edge_normals(vertices: FloatArray) -> FloatArray:
    """Return the unit normals (k, 2) to the right of the edges i → i+1 between `vertices` (k, 2), cyclically."""
    edges = np.roll(vertices, -1, axis=0) - vertices
    normals = np.stack((edges[:, 1], -edges[:, 0]), axis=1)
    return normals / np.hypot(edges[:, 0], edges[:, 1])[:, np.newaxis]
