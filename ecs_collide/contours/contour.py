"""Contours: the form of shapes in the functions of any two shapes.

A contour has one row for each corner of each piece of the shape, and the edge from that corner to the next. `CONTOUR`
lists the columns:

- The normals of the piece's hull at a corner are those from `FROM` counter-clockwise to `TO`, at most half a turn. Both
  are zero for a circle, which has all normals.
- The normal of an edge of no length, next to an arc, is the direction in which the arc ends. It is zero for a circle.
- A hollow edge bends inwards. An unbounded piece has an `UNBOUNDED` or `ROUND` edge.

Hidden edges and corners still bound their piece, so they count when pieces are compared. Only rays, which see the
union, read `OPEN_EDGE` and `OPEN_CORNER`. These states stand in the row of floats, since a row is copied and turned as
a unit. Half-planes and rings have one row each: an `UNBOUNDED` line at a point of it, and a `ROUND` arc around the
corner. A wedge of a ring has the row of the whole ring.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ecs_collide.kernels.arrays import Floats, FloatTable, IntTable
from ecs_collide.kernels.layout import layout

FloatArray: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

CONTOUR = layout(
    "contour row",
    X="corner, or the centre of a corner that is an arc, x [m]",
    Y="corner, or the centre of a corner that is an arc, y [m]",
    NORMAL_X="outward unit normal of the edge, x",
    NORMAL_Y="outward unit normal of the edge, y",
    FROM_X="first normal of the corner, x",
    FROM_Y="first normal of the corner, y",
    TO_X="last normal of the corner, counter-clockwise, x",
    TO_Y="last normal of the corner, counter-clockwise, y",
    REACH="radius of a corner that is an arc, else 0 [m]",
    EDGE="`NONE`, `STRAIGHT`, `HOLLOW`, `UNBOUNDED` or `ROUND`",
    ARC_X="centre of a hollow edge's arc, x [m]",
    ARC_Y="centre of a hollow edge's arc, y [m]",
    ARC_RADIUS="radius of a hollow edge's arc [m]",
    OPEN_EDGE="0 if other pieces of the shape hide the edge",
    OPEN_CORNER="0 if other pieces of the shape hide the corner",
)

NONE, STRAIGHT, HOLLOW, UNBOUNDED, ROUND = 0.0, 1.0, 2.0, 3.0, 4.0
"""Values of `EDGE`; pieces are unbounded from `UNBOUNDED` on."""

CONTOUR_PIECE = layout(
    "contour piece",
    FIRST="first row of the piece",
    COUNT="number of its rows",
    IS_HOLLOW="1 if one of its edges is hollow",
)

CONTOUR_SIZE = layout(
    "contour size",
    RADIUS="rounding radius [m]",
    BOUND_X="centre of the bounding circle, x [m]",
    BOUND_Y="centre of the bounding circle, y [m]",
    BOUND_RADIUS="radius of the bounding circle, infinite for an unbounded piece [m]",
    ARM="greatest distance from the origin [m]",
)


class Contour(NamedTuple):
    """A shape in the form that the kernels of this package take."""

    pieces: IntTable
    """Rows of each piece, with columns of `CONTOUR_PIECE` (p, 3)."""
    sizes: FloatTable
    """Sizes of each piece, with columns of `CONTOUR_SIZE` [m] (p, 5)."""
    rows: FloatTable
    """Corners and edges, with columns of `CONTOUR` (k, 15)."""
    whole: Floats
    """Sizes of all pieces together, as a row of `sizes` with radius 0 [m] (5,)."""

    @property
    def is_bounded(self) -> bool:
        """True if the shape is bounded."""
        return bool(np.isfinite(self.whole[CONTOUR_SIZE.BOUND_RADIUS]))
