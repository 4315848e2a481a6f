"""Convex pieces: the common form in which broadphase and narrowphase take shapes.

A piece is the Minkowski sum of the convex hull of its vertices and a disk of its radius.

| kind       | vertices (k, 2)              | normals (k, 2)                                 |
|------------|------------------------------|------------------------------------------------|
| CIRCLE     | the centre                   | zero                                           |
| CAPSULE    | a, b                         | to the right of a → b, and of b → a            |
| POLYGON    | 3 or more, counter-clockwise | outward from the edge i → i+1                  |
| HALF_PLANE | normal * offset              | outward from the solid                         |

A half-plane is the exception: it is the side of the line through its vertex that its normal points away from.
"""

from enum import IntEnum
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ecs_collide.validate import Vector2

FloatArray: TypeAlias = NDArray[np.float64]


class PieceKind(IntEnum):
    """What a piece is; the values index the pair table."""

    CIRCLE = 0
    CAPSULE = 1
    POLYGON = 2
    HALF_PLANE = 3


class Piece(NamedTuple):
    """One convex piece: `vertices` [m] (k, 2) and unit `normals` (k, 2), C-contiguous float64, and `radius` [m]."""

    kind: PieceKind
    vertices: FloatArray
    normals: FloatArray
    radius: float


def circle_piece(center: Vector2, radius: float) -> Piece:
    """Return the disk of `radius` [m] around `center` [m]."""
    return Piece(PieceKind.CIRCLE, np.array([center]), np.zeros((1, 2)), radius)


def capsule_piece(a: Vector2, b: Vector2, radius: float) -> Piece:
    """Return all points within `radius` [m] of the segment from `a` to `b` [m]."""
    vertices = np.array([a, b])
    return Piece(PieceKind.CAPSULE, vertices, edge_normals(vertices), radius)


def polygon_piece(vertices: FloatArray, radius: float) -> Piece:
    """Return the convex polygon of counter-clockwise `vertices` [m] (k, 2), grown by `radius` [m]."""
    return Piece(PieceKind.POLYGON, vertices, edge_normals(vertices), radius)


def half_plane_piece(normal: Vector2, offset: float) -> Piece:
    """Return the half-plane normal·p <= offset [m] of a unit `normal`."""
    return Piece(PieceKind.HALF_PLANE, np.array([normal]) * offset, np.array([normal]), 0.0)


def edge_normals(vertices: FloatArray) -> FloatArray:
    """Return the unit normals (k, 2) to the right of the edges i → i+1 between `vertices` (k, 2), cyclically."""
    edges = np.roll(vertices, -1, axis=0) - vertices
    normals = np.stack((edges[:, 1], -edges[:, 0]), axis=1)
    return normals / np.hypot(edges[:, 0], edges[:, 1])[:, np.newaxis]
