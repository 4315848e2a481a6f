"""A circle against an axis-aligned box by Voronoi regions (row 10).

The lines through the box's edges part the plane into nine regions: the box itself and the regions that are closest to
one of its four edges or four corners. With the distances past the box in each direction,

    s_x = max(x_min − c_x, 0, c_x − x_max)    s_y = max(y_min − c_y, 0, c_y − y_max)    s_x² + s_y² ≤ r²

Source: PC "Testing overlap of circle and AABB". y need not point up: `TOP` is the side of the greater y.
PC returns `d < Cr*Cr`, strictly, by which a circle of radius 0 overlaps nothing, not even from within;
here the answer for touching is the caller's.
"""

from __future__ import annotations

from enum import IntEnum

from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


class BoxRegion(IntEnum):
    """What of a box is closest to a point. Three times the row from below, plus the column from the left."""

    BOTTOM_LEFT = 0
    BOTTOM = 1
    BOTTOM_RIGHT = 2
    LEFT = 3
    INSIDE = 4
    RIGHT = 5
    TOP_LEFT = 6
    TOP = 7
    TOP_RIGHT = 8


@elementwise
def box_region(x: Number, y: Number, x_min: Number, y_min: Number, x_max: Number, y_max: Number) -> BoxRegion:
    """In which Voronoi region of the axis-aligned box the point (x, y) lies: at an edge, at a corner or inside.

    All [m], each a number or an array. On a border line the answer is the region nearer the box's middle: an edge
    rather than a corner, inside rather than an edge. Arrays hold the numbers of `BoxRegion`.
    """
    column = 1 - int(x < x_min) + int(x > x_max)
    row = 1 - int(y < y_min) + int(y > y_max)
    return 3 * row + column  # type: ignore[return-value]  # numba has no way to make a member of it


@elementwise
def circle_box_overlap(
    x: Number,
    y: Number,
    radius: NonNegative,
    x_min: Number,
    y_min: Number,
    x_max: Number,
    y_max: Number,
    touching: bool = True,
) -> bool:
    """Whether the disk around (x, y) and an axis-aligned box have a point in common.

    All [m], each a number or an array. A circle that just touches counts with `touching` and does not without (PC: <).
    `box_region` says which region decides. Without `touching` a circle of radius 0 overlaps nothing.
    """
    past_x, past_y = max(x_min - x, max(0.0, x - x_max)), max(y_min - y, max(0.0, y - y_max))
    square = past_x * past_x + past_y * past_y
    return square <= radius * radius if touching else square < radius * radius
