"""The vertices of all shapes in use: colliders of equal shapes share them, the last one frees them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.shapes import Shape


class StoredPiece(NamedTuple):
    """A convex piece in the pool."""

    kind: int
    vertex_start: int
    vertex_count: int
    size: tuple[float, float, float, float, float]
    """Radius, then centre and half extents of the vertices' box [m], relative to the shape's centroid."""


class StoredShape:
    """A shape's pieces in the pool, and how many colliders use it."""

    __slots__ = ("pieces", "users")

    def __init__(self, pieces: tuple[StoredPiece, ...]) -> None:
        self.pieces = pieces
        self.users = 0


class ShapeStore:
    """Puts shapes into the vertex pool of the piece columns and takes them out again."""

    def __init__(self, columns: PieceColumns) -> None:
        self._columns = columns
        self._shapes: dict[Shape, StoredShape] = {}
        self._free: dict[int, list[int]] = {}
        """Starts of freed runs of vertices, by their length."""
        self._end = 0

    def acquire(self, shape: Shape) -> StoredShape:
        """The stored form of a shape, for one more collider."""
        stored = self._shapes.get(shape)
        if stored is None:
            stored = self._shapes[shape] = self._store(shape)
        stored.users += 1
        return stored

    def release(self, shape: Shape) -> None:
        """One collider less uses the shape."""
        stored = self._shapes[shape]
        stored.users -= 1
        if stored.users == 0:
            del self._shapes[shape]
            for piece in stored.pieces:
                self._free.setdefault(piece.vertex_count, []).append(piece.vertex_start)

    def _store(self, shape: Shape) -> StoredShape:
        center = np.asarray(shape.mass_properties().centroid)
        stored = []
        for piece in shape.pieces():
            count = len(piece.vertices)
            start = self._take(count)
            vertices = piece.vertices - center
            self._columns.arrays.vertices[start : start + count] = vertices
            self._columns.arrays.normals[start : start + count] = piece.normals
            low, high = vertices.min(axis=0), vertices.max(axis=0)
            (x, y), (half_x, half_y) = ((low + high) / 2).tolist(), ((high - low) / 2).tolist()
            stored.append(StoredPiece(int(piece.kind), start, count, (piece.radius, x, y, half_x, half_y)))
        return StoredShape(tuple(stored))

    def _take(self, count: int) -> int:
        freed = self._free.get(count)
        if freed:
            return freed.pop()
        start = self._end
        self._end += count
        self._columns.reserve_vertices(self._end)
        return start
