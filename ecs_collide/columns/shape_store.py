"""The vertices of all shapes in use: colliders of equal shapes share them, the last one frees them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.shapes import Shape
from ecs_collide.shapes.piece import FloatArray, bounds, core_radius, farthest
from ecs_collide.validate import Vector2


class StoredPiece(NamedTuple):
    """A convex piece in the pools."""

    kind: int
    vertex_start: int
    vertex_count: int
    size: tuple[float, float, float, float, float]
    """Radius, then centre and half extents of the box without it [m], relative to the shape's centroid."""


class StoredShape:
    """A shape's pieces in the pools, and how many colliders use it."""

    __slots__ = ("core", "extent", "pieces", "users")

    def __init__(self, pieces: tuple[StoredPiece, ...], core: float, extent: float) -> None:
        self.pieces = pieces
        self.core = core
        """The least radius that is solid around the middle of a piece [m]."""
        self.extent = extent
        """How far the shape reaches from its centroid [m]; infinite for what has no end."""
        self.users = 0


class ShapeStore:
    """Puts shapes into the pools of the piece columns and takes them out again."""

    def __init__(self, columns: PieceColumns) -> None:
        self._columns = columns
        self._shapes: dict[Shape, StoredShape] = {}

    def acquire(self, shape: Shape, centroid: Vector2) -> StoredShape:
        """The stored form of a shape, for one more collider; `centroid` [m] is what its mass properties say."""
        stored = self._shapes.get(shape)
        if stored is None:
            stored = self._shapes[shape] = self._store(shape, np.array(centroid))
        stored.users += 1
        return stored

    def stored(self, shape: Shape) -> StoredShape:
        """The stored form of a shape that a collider has."""
        return self._shapes[shape]

    def release(self, shape: Shape, users: int = 1) -> None:
        """So many colliders less use the shape."""
        stored = self._shapes[shape]
        stored.users -= users
        if stored.users == 0:
            del self._shapes[shape]
            for piece in stored.pieces:
                self._columns.discard(piece.vertex_start, piece.vertex_count)

    def _store(self, shape: Shape, center: FloatArray) -> StoredShape:
        stored = []
        core, extent = np.inf, 0.0
        for piece in shape.pieces():
            moved = piece.moved(-center)
            core, extent = min(core, core_radius(moved)), max(extent, farthest(moved))
            start = self._columns.store(moved)
            low, high = bounds(moved)
            (x, y), (half_x, half_y) = ((low + high) / 2).tolist(), ((high - low) / 2).tolist()
            size = (piece.radius, x, y, half_x, half_y)
            stored.append(StoredPiece(int(piece.kind), start, len(piece.vertices), size))
        return StoredShape(tuple(stored), core, extent)
