"""Slow exact geometry over batches of placed convex pieces, independent of the engine's kernels.

A piece is the hull of its vertices, grown by a radius; a half-plane is a point of its boundary and its outward normal.
Every array has one row per case. Polygons with few vertices repeat the last one, which changes no hull.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from ecs_collide.shapes import Piece, PieceKind

Array = NDArray[np.float64]


class Placed(NamedTuple):
    """Pieces of one kind in the world, one row for each case."""

    kind: PieceKind
    vertices: Array
    """Vertices [m] (n, k, 2)."""
    radius: Array
    """Radii [m] (n,)."""
    normal: Array
    """Normals (n, 2), of half-planes only."""

    def moved(self, offset: Array) -> Placed:
        """Return the pieces, each moved by `offset` (n, 2) [m]."""
        return self._replace(vertices=self.vertices + offset[:, np.newaxis])

    def take(self, chosen: NDArray[np.bool_]) -> Placed:
        """Return the chosen cases only."""
        return Placed(self.kind, self.vertices[chosen], self.radius[chosen], self.normal[chosen])


def turned(vectors: Array, angle: Array) -> Array:
    """Return vectors (n, ..., 2), each turned by its angle (n,) [rad]."""
    shape = (-1,) + (1,) * (vectors.ndim - 2)
    cosine, sine = np.cos(angle).reshape(shape), np.sin(angle).reshape(shape)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=-1)


def padded(pieces: Sequence[Piece]) -> Array:
    """Return the vertices of pieces (n, k, 2); pieces with fewer vertices repeat the last one."""
    width = max(len(piece.vertices) for piece in pieces)
    rows = [[*piece.vertices, *[piece.vertices[-1]] * (width - len(piece.vertices))] for piece in pieces]
    return np.array(rows, np.float64)


def placed(pieces: Sequence[Piece], which: NDArray[np.int64], poses: Array) -> Placed:
    """Return, for each case, the piece with number `which` at the pose x [m], y [m], angle [rad] (n, 3)."""
    kind = pieces[0].kind
    vertices = turned(padded(pieces)[which], poses[:, 2]) + poses[:, np.newaxis, :2]
    normals = np.array([piece.normals[0] for piece in pieces], np.float64)[which]
    return Placed(
        kind, vertices, np.array([piece.radius for piece in pieces], np.float64)[which], turned(normals, poses[:, 2])
    )


def dot(a: Array, b: Array) -> Array:
    """Return the dot products of vectors (..., 2)."""
    return np.asarray((a * b).sum(axis=-1))


def length(a: Array) -> Array:
    """Return the lengths of vectors (..., 2)."""
    return np.hypot(a[..., 0], a[..., 1])


def point_segment(point: Array, a: Array, b: Array) -> Array:
    """Return the distance of points from segments [m]; all (..., 2)."""
    along = b - a
    square = dot(along, along)
    u = np.clip(dot(point - a, along) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return length(point - a - u[..., np.newaxis] * along)


def cross(a: Array, b: Array) -> Array:
    """Return the cross products of vectors (..., 2)."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def segments_cross(p: Array, q: Array, r: Array, s: Array) -> NDArray[np.bool_]:
    """Return True where p-q and r-s cross at a point inside both; all (n, 2)."""
    sides_of_rs = cross(s - r, p - r) * cross(s - r, q - r) < 0.0
    sides_of_pq = cross(q - p, r - p) * cross(q - p, s - p) < 0.0
    return np.asarray(sides_of_rs & sides_of_pq)


def edge_normals(vertices: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return the outward unit normals of the edges i → i+1 (n, k, 2), and a mask of edges with a length."""
    edges = np.roll(vertices, -1, axis=1) - vertices
    lengths = length(edges)
    real = lengths > 0.0
    normals = np.stack((edges[..., 1], -edges[..., 0]), axis=-1) / np.where(real, lengths, 1.0)[..., np.newaxis]
    return normals, real


def greatest_separation(a: Array, b: Array, chunk: int = 500) -> Array:
    """Return the greatest separation along the normals of all edges of both hulls [m]; negative if they overlap."""
    result = np.empty(len(a))
    for start in range(0, len(a), chunk):
        part = slice(start, start + chunk)
        result[part] = np.maximum(_separation(a[part], b[part]), _separation(b[part], a[part]))
    return result


def _separation(a: Array, b: Array) -> Array:
    normals, real = edge_normals(a)
    # about the first vertex of a, so that nothing is lost far from the origin
    origin = a[:, :1]
    own = np.einsum("nkc,nkc->nk", normals, a - origin)
    other = np.einsum("nkc,nmc->nkm", normals, b - origin).min(axis=2)
    return np.asarray(np.where(real, other - own, -np.inf).max(axis=1))


def _core(piece: Placed) -> NDArray[np.object_]:
    if piece.kind is PieceKind.CIRCLE:
        return np.asarray(shapely.points(piece.vertices[:, 0]))
    if piece.kind is PieceKind.CAPSULE:
        return np.asarray(shapely.linestrings(piece.vertices))
    return np.asarray(shapely.polygons(piece.vertices))


def hull_distance(a: Placed, b: Placed) -> Array:
    """Return the signed distance of the hulls without radii [m]."""
    kinds = {a.kind, b.kind}
    if kinds == {PieceKind.CIRCLE}:
        return length(b.vertices[:, 0] - a.vertices[:, 0])
    if kinds == {PieceKind.CAPSULE, PieceKind.CIRCLE}:
        capsule, circle = (a, b) if a.kind is PieceKind.CAPSULE else (b, a)
        return point_segment(circle.vertices[:, 0], capsule.vertices[:, 0], capsule.vertices[:, 1])
    if kinds == {PieceKind.CAPSULE}:
        p, q, r, s = a.vertices[:, 0], a.vertices[:, 1], b.vertices[:, 0], b.vertices[:, 1]
        ends = [point_segment(p, r, s), point_segment(q, r, s), point_segment(r, p, q), point_segment(s, p, q)]
        apart = np.minimum.reduce(ends)
        return np.where(segments_cross(p, q, r, s), greatest_separation(a.vertices, b.vertices), apart)
    # shapely's coordinates about a's first vertex
    origin = -a.vertices[:, 0]
    a, b = a.moved(origin), b.moved(origin)
    outlines = _core(a), _core(b)
    apart = np.asarray(shapely.distance(*outlines))
    overlapping = np.asarray(shapely.intersects(*outlines))
    result = apart.copy()
    if overlapping.any():
        inside = greatest_separation(a.vertices[overlapping], b.vertices[overlapping])
        result[overlapping] = np.minimum(inside, 0.0)
    return np.asarray(result, np.float64)


def signed_distance(a: Placed, b: Placed) -> Array:
    """Return the distance of pieces [m] (n,); if they overlap, minus the least translation that separates them."""
    if a.kind is PieceKind.HALF_PLANE:
        heights = np.einsum("nkc,nc->nk", b.vertices - a.vertices[:, :1], a.normal)
        return np.asarray(heights.min(axis=1)) - b.radius
    return hull_distance(a, b) - a.radius - b.radius


def point_distance(point: Array, piece: Placed) -> Array:
    """Return the signed distance of points (n, 2) from the surface of pieces [m]."""
    if piece.kind is PieceKind.HALF_PLANE:
        return dot(point - piece.vertices[:, 0], piece.normal)
    if piece.kind is PieceKind.CIRCLE:
        return length(point - piece.vertices[:, 0]) - piece.radius
    if piece.kind is PieceKind.CAPSULE:
        return point_segment(point, piece.vertices[:, 0], piece.vertices[:, 1]) - piece.radius
    each = point[:, np.newaxis]
    normals, real = edge_normals(piece.vertices)
    inside = np.where(real, dot(each - piece.vertices, normals), -np.inf).max(axis=1)
    outside = point_segment(each, piece.vertices, np.roll(piece.vertices, -1, axis=1)).min(axis=1)
    return np.asarray(np.where(inside < 0.0, inside, outside) - piece.radius)
