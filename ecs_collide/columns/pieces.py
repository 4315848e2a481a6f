"""Piece columns: one row for each convex piece of a collider, and the pool of their vertices.

Vertices are stored relative to the body's centre of mass, in the body's axes. Pieces of equal
shapes share their vertices, so 20,000 equal boxes store four.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.columns.growth import RowPool, grown, next_capacity

# piece_index
BODY, KIND, VERTEX_START, VERTEX_COUNT = 0, 1, 2, 3

NO_BODY = -1
"""`BODY` of a free row."""

# piece_size: rounding radius, box of the vertices in the body's axes (centre and half extents), fat margin
RADIUS, LOCAL_X, LOCAL_Y, HALF_X, HALF_Y, MARGIN = 0, 1, 2, 3, 4, 5

# piece_box and piece_old_box
MIN_X, MIN_Y, MAX_X, MAX_Y = 0, 1, 2, 3


class Pieces(NamedTuple):
    """The piece columns as kernels take them; every array has one row per piece except the vertex pool."""

    index: np.ndarray  # type: ignore[assignment]  # hides tuple.index, which nobody needs
    """Body row, `PieceKind`, first vertex, vertex count (p, 4) int64."""
    size: np.ndarray
    """Radius, local box and fat margin [m] (p, 6)."""
    box: np.ndarray
    """Fat box [m] (p, 4)."""
    old_box: np.ndarray
    """Fat box at the last pair update [m] (p, 4): two pieces have a pair exactly when these overlap."""
    moved: np.ndarray
    """1 where `box` differs from `old_box` (p,) int64."""
    leaf: np.ndarray
    """Node in the static tree, -1 where there is none (p,) int64."""
    vertices: np.ndarray
    """Vertex pool [m] (v, 2)."""
    normals: np.ndarray
    """Outward unit normal of the edge from each vertex to the next (v, 2)."""


_SHAPES: dict[str, tuple[tuple[int, ...], type]] = {
    "index": ((4,), np.int64),
    "size": ((6,), np.float64),
    "box": ((4,), np.float64),
    "old_box": ((4,), np.float64),
    "moved": ((), np.int64),
    "leaf": ((), np.int64),
}

EMPTY_BOX = (np.inf, np.inf, -np.inf, -np.inf)
"""A box that overlaps nothing."""


class PieceColumns:
    """Owns the piece arrays and their growth; the vertices come and go through a `ShapeStore`."""

    def __init__(self, capacity: int = 64) -> None:
        columns: dict[str, np.ndarray] = {}
        for name, (shape, dtype) in _SHAPES.items():
            columns[name] = np.zeros((capacity, *shape), dtype)
        pool = np.zeros((capacity, 2))
        self.arrays = Pieces(**columns, vertices=pool, normals=pool.copy())
        self.rows = RowPool()

    def take_rows(self, count: int) -> list[int]:
        rows = self.rows.take(count)
        capacity = len(self.arrays.moved)
        if self.rows.high > capacity:
            capacity = next_capacity(capacity, self.rows.high)
            self.arrays = self.arrays._replace(
                **{name: grown(getattr(self.arrays, name), capacity) for name in _SHAPES}
            )
        return rows

    def free_row(self, row: int) -> None:
        for name in _SHAPES:
            getattr(self.arrays, name)[row] = 0
        self.arrays.index[row, BODY] = NO_BODY
        self.rows.give_back(row)

    def reserve_vertices(self, needed: int) -> None:
        """Make the vertex pool at least `needed` rows long."""
        capacity = next_capacity(len(self.arrays.vertices), needed)
        if capacity > len(self.arrays.vertices):
            self.arrays = self.arrays._replace(
                vertices=grown(self.arrays.vertices, capacity), normals=grown(self.arrays.normals, capacity)
            )
