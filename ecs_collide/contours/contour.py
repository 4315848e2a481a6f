"""Contours: the form in which the functions on any two shapes take a shape.

A contour has one row for each corner of each piece of the shape, and the edge from that corner to the next:

| column        | of a row                                                                                            |
|---------------|-----------------------------------------------------------------------------------------------------|
| `X`, `Y`      | the corner [m]; the centre of a corner that is an arc                                               |
| `NORMAL_X, _Y`| outward unit normal of the edge; of a joint, the direction in which the arc ends; zero for a circle |
| `FROM_X, _Y`  | the normals of the piece's hull at the corner are those from here, counter-clockwise                |
| `TO_X, _Y`    | to here, at most half a turn further; both zero for a circle, which has all normals                 |
| `REACH`       | radius of a corner that is an arc, else 0 [m]                                                       |
| `EDGE`        | `NONE`, `STRAIGHT`, or `HOLLOW`: it bends inwards                                                   |
| `ARC_X, _Y`   | centre of a hollow edge's arc [m]                                                                   |
| `ARC_RADIUS`  | its radius [m]                                                                                      |
| `OPEN_EDGE`   | 0 where other pieces of the shape cover the edge                                                    |
| `OPEN_CORNER` | 0 where they cover the corner                                                                       |

What other pieces cover still bounds the piece, so it counts like the rest when pieces are compared; rays alone, which
see the union, look at the last two columns. The wedges of a ring are one piece here: a single hollow row.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ecs_collide.compiled.arrays import Floats, FloatTable, IntTable
from ecs_collide.shapes import Piece, PieceKind, Shape, outline as fields
from ecs_collide.shapes.piece import UNBOUNDED, bounds

FloatArray: TypeAlias = NDArray[np.float64]

X, Y, NORMAL_X, NORMAL_Y, FROM_X, FROM_Y, TO_X, TO_Y, REACH, EDGE = range(10)
ARC_X, ARC_Y, ARC_RADIUS, OPEN_EDGE, OPEN_CORNER = range(10, 15)
ROW_WIDTH = 15

NONE, STRAIGHT, HOLLOW = 0.0, 1.0, 2.0

# Contour.pieces
KIND, FIRST, COUNT, IS_HOLLOW = range(4)

# Contour.sizes and Contour.whole: rounding radius; centre and radius of a circle around it all
RADIUS, BOUND_X, BOUND_Y, BOUND_RADIUS, ARM = range(5)

HALF_PLANE_KIND, RING_KIND = int(PieceKind.HALF_PLANE), int(PieceKind.RING)


class Contour(NamedTuple):
    """A shape, ready for the kernels of this package."""

    pieces: IntTable
    """Kind, first row, number of rows, whether any edge is hollow (p, 4)."""
    sizes: FloatTable
    """Rounding radius, bounding circle (infinite for what has no end), greatest distance from the origin [m] (p, 5)."""
    rows: FloatTable
    """(k, 15), see above."""
    whole: Floats
    """As a row of `sizes`, for all pieces together; the radius is 0 (5,)."""

    @property
    def is_bounded(self) -> bool:
        return bool(np.isfinite(self.whole[BOUND_RADIUS]))


@lru_cache(maxsize=512)
def contour(shape: Shape) -> Contour:
    """Return the contour of a shape; equal shapes have one contour."""
    return contour_of(shape.pieces())


def contour_of(pieces: Iterable[Piece]) -> Contour:
    """Return the contour of a union of pieces."""
    pieces = tuple(pieces)
    rings = {(*piece.vertices[0], piece.radius): piece for piece in pieces if piece.kind == PieceKind.RING}
    merged = [*(piece for piece in pieces if piece.kind != PieceKind.RING), *rings.values()]
    blocks = [_rows(piece) for piece in merged]
    first = np.cumsum([0, *(len(block) for block in blocks[:-1])])
    kinds = [
        (piece.kind, start, len(block), bool((block[:, EDGE] == HOLLOW).any()))
        for piece, start, block in zip(merged, first, blocks)
    ]
    sizes = np.array([_size(piece) for piece in merged])
    return Contour(np.array(kinds, np.int64), sizes, np.concatenate(blocks), _whole(sizes))


def _rows(piece: Piece) -> FloatArray:
    if piece.kind == PieceKind.RING:
        rows = np.zeros((1, ROW_WIDTH))
        rows[:, X : Y + 1] = rows[:, ARC_X : ARC_Y + 1] = piece.vertices[0]
        rows[:, ARC_RADIUS] = piece.radius
        rows[:, EDGE] = HOLLOW
        rows[:, OPEN_EDGE] = 1.0
        return rows
    rows = np.zeros((len(piece.vertices), ROW_WIDTH))
    rows[:, X : Y + 1] = piece.vertices
    rows[:, NORMAL_X : NORMAL_Y + 1] = rows[:, TO_X : TO_Y + 1] = piece.normals
    rows[:, FROM_X : FROM_Y + 1] = np.roll(piece.normals, 1, axis=0)
    rows[:, EDGE] = STRAIGHT if piece.normals.any() else NONE
    rows[:, OPEN_EDGE] = rows[:, OPEN_CORNER] = 1.0
    if len(piece.outline):
        outline = piece.outline
        hollow = outline[:, fields.ARC_RADIUS] > 0.0
        rows[:, EDGE] = np.where(outline[:, fields.EDGE] == fields.JOINT, NONE, np.where(hollow, HOLLOW, STRAIGHT))
        rows[:, REACH] = outline[:, fields.CORNER_RADIUS]
        rows[:, ARC_X : ARC_RADIUS + 1] = outline[:, fields.ARC_X : fields.ARC_RADIUS + 1]
        rows[:, OPEN_EDGE] = outline[:, fields.EDGE] == fields.EXPOSED
        rows[:, OPEN_CORNER] = outline[:, fields.CORNER] != 0.0
    return rows


def _size(piece: Piece) -> tuple[float, float, float, float, float]:
    if piece.kind in UNBOUNDED:
        return (0.0, 0.0, 0.0, np.inf, np.inf)
    low, high = bounds(piece)
    center = (low + high) / 2.0
    radius = np.hypot(*(high - center)) + piece.radius
    return (piece.radius, *center, radius, np.hypot(*center) + radius)


def _whole(sizes: FloatArray) -> FloatArray:
    if not np.isfinite(sizes[:, BOUND_RADIUS]).all():
        return np.array((0.0, 0.0, 0.0, np.inf, np.inf))
    low = (sizes[:, BOUND_X : BOUND_Y + 1] - sizes[:, [BOUND_RADIUS]]).min(axis=0)
    high = (sizes[:, BOUND_X : BOUND_Y + 1] + sizes[:, [BOUND_RADIUS]]).max(axis=0)
    center = (low + high) / 2.0
    radius = (np.hypot(*(sizes[:, BOUND_X : BOUND_Y + 1] - center).T) + sizes[:, BOUND_RADIUS]).max()
    return np.array((0.0, *center, radius, sizes[:, ARM].max()))
