"""Contours: the form in which the functions on any two shapes take a shape.

A contour has one row for each corner of each piece of the shape, and the edge from that corner to the next:

| column        | of a row                                                                                            |
|---------------|-----------------------------------------------------------------------------------------------------|
| `X`, `Y`      | the corner [m]; the centre of a corner that is an arc                                               |
| `NORMAL_X, _Y`| outward unit normal of the edge; of a joint, the direction in which the arc ends; zero for a circle |
| `FROM_X, _Y`  | the normals of the piece's hull at the corner are those from here, counter-clockwise                |
| `TO_X, _Y`    | to here, at most half a turn further; both zero for a circle, which has all normals                 |
| `REACH`       | radius of a corner that is an arc, else 0 [m]                                                       |
| `EDGE`        | `NONE`, `STRAIGHT`, or `HOLLOW`: it bends inwards; of what has no end `ENDLESS` or `ROUND`          |
| `ARC_X, _Y`   | centre of a hollow edge's arc [m]                                                                   |
| `ARC_RADIUS`  | its radius [m]                                                                                      |
| `OPEN_EDGE`   | 0 where other pieces of the shape cover the edge                                                    |
| `OPEN_CORNER` | 0 where they cover the corner                                                                       |

What other pieces cover still bounds the piece, so it counts like the rest when pieces are compared; rays alone, which
see the union, look at the last two columns. Half-planes and rings are one row each: an `ENDLESS` line at a point of it,
and a `ROUND` arc around the corner. A ring's wedge has the row of the whole ring.
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
    EDGE="`NONE`, `STRAIGHT`, `HOLLOW`, `ENDLESS` or `ROUND`",
    ARC_X="centre of a hollow edge's arc, x [m]",
    ARC_Y="centre of a hollow edge's arc, y [m]",
    ARC_RADIUS="radius of a hollow edge's arc [m]",
    OPEN_EDGE="0 if other pieces of the shape cover the edge",
    OPEN_CORNER="0 if other pieces of the shape cover the corner",
)

NONE, STRAIGHT, HOLLOW, ENDLESS, ROUND = 0.0, 1.0, 2.0, 3.0, 4.0
"""`EDGE`; from `ENDLESS` on the piece has no end."""

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
    BOUND_RADIUS="radius of the bounding circle, infinite for an endless piece [m]",
    ARM="greatest distance from the origin [m]",
)


class Contour(NamedTuple):
    """A shape, ready for the kernels of this package."""

    pieces: IntTable
    """First row, number of rows, whether any edge is hollow (p, 3)."""
    sizes: FloatTable
    """Rounding radius, bounding circle (infinite for what has no end), greatest distance from the origin [m] (p, 5)."""
    rows: FloatTable
    """(k, 15), see above."""
    whole: Floats
    """As a row of `sizes`, for all pieces together; the radius is 0 (5,)."""

    @property
    def is_bounded(self) -> bool:
        return bool(np.isfinite(self.whole[CONTOUR_SIZE.BOUND_RADIUS]))
