"""Piece columns: one row for each convex piece of a collider, and the pool of their corners.

The pool holds a vertex, an edge normal and an outline row (`shapes/outline.py`) for each corner, in arrays with common
row numbers. They are relative to the body's centre of mass, in the body's axes. Pieces of equal shapes share them, so
20,000 equal boxes store four corners.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import RowPool, RunPool, grown, is_spacious, new_columns, next_capacity, shrunk
from ecs_collide.data.state_list import list_state
from ecs_collide.geometry.aabb import BOX as BOX
from ecs_collide.kernels.arrays import Flags, FloatCube, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.shapes import Piece
from ecs_collide.shapes.material import MATERIAL_VALUE
from ecs_collide.shapes.measure import FORM_PART
from ecs_collide.shapes.outline import OUTLINE

PIECE = layout(
    "piece",
    BODY="row of its body, `NO_BODY` in a free row",
    KIND="`PieceKind`",
    VERTEX_START="row of its first vertex in the pool",
    VERTEX_COUNT="number of its vertices",
    SEVERAL="1 if its collider has several pieces",
    COLLIDER="row of its collider: entity, filter and material; the row of its body unless it is attached to it",
)

NO_BODY = -1
"""`PIECE.BODY` and `PIECE.COLLIDER` of a free row."""

PIECE_SIZE = layout(
    "piece size",
    RADIUS="rounding radius [m]",
    LOCAL_X="centre of the box of the vertices in the body's axes, x [m]",
    LOCAL_Y="centre of the box of the vertices in the body's axes, y [m]",
    HALF_X="half width of the box of the vertices [m]",
    HALF_Y="half height of the box of the vertices [m]",
    MARGIN="margin between the piece and its fat box [m]",
)


class Pieces(Bundle):
    """The piece columns that kernels take; every array has one row per piece except the vertex pool."""

    index: IntTable = rows_of(PIECE)  # type: ignore[assignment]  # hides tuple.index, which is not used
    """Body and corners of the piece, columns of `PIECE` (p, 6) int64."""
    size: FloatTable = rows_of(PIECE_SIZE)
    """Radius, local box and margin, columns of `PIECE_SIZE` (p, 6)."""
    part: IntTable = rows_of(FORM_PART)
    """Part of the collider's shape that the piece belongs to, columns of `FORM_PART` (p, 2) int64."""
    material: FloatTable = rows_of(MATERIAL_VALUE)
    """Values that the material of the part gives, columns of `MATERIAL_VALUE` (p, 4)."""
    box: FloatTable = rows_of(BOX)
    """Fat box, columns of `BOX` (p, 4)."""
    old_box: FloatTable = rows_of(BOX)
    """Fat box at the last pair update, columns of `BOX` (p, 4). Two pieces have a pair exactly if these overlap."""
    moved: Flags
    """True if `box` differs from `old_box` (p,) bool."""
    leaf: Ints
    """Leaf in the static tree, -1 if there is none (p,) int64."""
    vertices: FloatTable = rows_of(2)
    """Vertex pool [m] (v, 2)."""
    normals: FloatTable = rows_of(2)
    """Outward unit normal of the edge from each vertex to the next (v, 2)."""
    outlines: FloatTable = rows_of(OUTLINE)
    """Outline row of each corner and the edge that leaves it, columns of `OUTLINE` (v, 12)."""
    corners: FloatCube
    """Scratch space: vertices of eight pieces, x and y in turn, with room for the longest [m] (2, 2 c, 8)."""


OF_PIECES = ("index", "size", "part", "material", "box", "old_box", "moved", "leaf")
"""Fields of `Pieces` with a row for each piece."""

EMPTY_BOX = (np.inf, np.inf, -np.inf, -np.inf)
"""A box that overlaps nothing."""


@kernel
def clear_pieces(rows: Ints, pieces: Pieces):
    """Fill rows of all columns with zeros and mark them as free.

    Returns the number of pieces of other parts than the first one of their shape, and of pieces with a material.
    """
    part_count, material_count = 0, 0
    for row in rows:
        part_count += int(pieces.part[row, FORM_PART.NUMBER] != 0)
        material_count += int(pieces.part[row, FORM_PART.GIVEN] != 0)
        pieces.index[row, :] = 0
        pieces.size[row, :] = 0.0
        pieces.part[row, :] = 0
        pieces.material[row, :] = 0.0
        pieces.box[row, :] = 0.0
        pieces.old_box[row, :] = 0.0
        pieces.index[row, PIECE.BODY] = pieces.index[row, PIECE.COLLIDER] = NO_BODY
        pieces.moved[row], pieces.leaf[row] = False, 0
    return part_count, material_count


class PieceColumns:
    """Owns the piece arrays and their growth; a `ShapeStore` adds and removes the vertices."""

    state_list = list_state(values="longest part_count material_count", arrays="arrays", objects="rows _corners")

    def __init__(self, capacity: int = 64) -> None:
        pool = np.zeros((capacity, 2))
        self.arrays = Pieces(
            **new_columns(Pieces, OF_PIECES, capacity),
            vertices=pool,
            normals=pool.copy(),
            outlines=np.zeros((capacity, OUTLINE.WIDTH)),
            corners=lane_array((2, 16, LANES)),
        )
        self.longest = 0
        """Largest number of corners of any piece so far."""
        self.part_count = 0
        """Number of pieces that belong to another part than the first one of their shape."""
        self.material_count = 0
        """Number of pieces whose part has a material."""
        self.rows = RowPool()
        self._corners = RunPool()

    def allocate_rows(self, count: int) -> list[int]:
        """Allocate rows; the arrays grow as needed."""
        rows = self.rows.allocate(count)
        capacity = len(self.arrays.moved)
        if self.rows.high > capacity:
            capacity = next_capacity(capacity, self.rows.high)
            self.arrays = self.arrays._replace(
                **{name: grown(getattr(self.arrays, name), capacity) for name in OF_PIECES}
            )
        return rows

    def free_rows(self, rows: list[int]) -> None:
        """Clear rows and free them."""
        part_count, material_count = clear_pieces(np.array(rows, np.int64), self.arrays)
        self.part_count -= part_count
        self.material_count -= material_count
        self.rows.release(rows)

    def shrink(self) -> None:
        """Release memory if little of it is in use; no row changes its place."""
        if is_spacious(len(self.arrays.moved), self.rows.high):
            capacity = 2 * self.rows.high + 64
            self.arrays = self.arrays._replace(
                **{name: shrunk(getattr(self.arrays, name), capacity) for name in OF_PIECES}
            )

    def store(self, piece: Piece) -> int:
        """Copy a piece's corners to the pool; return the row of the first."""
        count = len(piece.vertices)
        (start,) = self.allocate_corners([count])
        arrays = self.arrays
        arrays.vertices[start : start + count] = piece.vertices
        arrays.normals[start : start + count] = piece.normals
        arrays.outlines[start : start + count] = piece.outline
        return start

    def allocate_corners(self, counts: list[int]) -> list[int]:
        """Make room in the pool for pieces of so many corners each; return where each begins."""
        starts = self._corners.allocate_each(counts)
        self.longest = max(self.longest, *counts)
        room = self.arrays.corners.shape[1]
        if 2 * self.longest + 2 > room:
            capacity = next_capacity(room, 2 * self.longest + 2)
            self.arrays = self.arrays._replace(corners=lane_array((2, capacity, LANES)))
        arrays = self.arrays
        capacity = next_capacity(len(arrays.vertices), self._corners.high)
        if capacity > len(arrays.vertices):
            self.arrays = arrays._replace(
                vertices=grown(arrays.vertices, capacity),
                normals=grown(arrays.normals, capacity),
                outlines=grown(arrays.outlines, capacity),
            )
        return starts

    def discard(self, start: int, count: int) -> None:
        """Free the corners of a piece."""
        self._corners.release(start, count)
