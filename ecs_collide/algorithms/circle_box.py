"""A circle against an axis-aligned box by Voronoi regions (row 10).

The lines through the box's edges divide the plane into nine regions. These are the box itself, and the regions closest
to one of its four edges or corners. With the distances past the box in each direction,

    s_x = max(x_min − c_x, 0, c_x − x_max)    s_y = max(y_min − c_y, 0, c_y − y_max)    s_x² + s_y² ≤ r²

Source: PC "Testing overlap of circle and AABB". y need not point up: `TOP` is the side of the greater y.

Deviation: PC returns `d < Cr*Cr`, so that a circle of radius 0 overlaps nothing, even inside the box. Here the argument
`touching` decides.
"""

from __future__ import annotations

from enum import IntEnum

from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


class BoxRegion(IntEnum):
    """The part of a box closest to a point.

    The value is three times the row, from the bottom, plus the column, from the left.
    """

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
    """Return the Voronoi region of an axis-aligned box that contains a point: an edge, a corner or the inside.

    A point on a border line belongs to the region nearer the middle of the box. An edge goes before a corner, and the
    inside before an edge. Source: PC.

    Args:
        x, y: point [m].
        x_min, y_min, x_max, y_max: limits of the box [m].

    Returns:
        A `BoxRegion`; an array of its numbers if an argument is an array.
    """
    column = 1 - int(x < x_min) + int(x > x_max)
    row = 1 - int(y < y_min) + int(y > y_max)
    return 3 * row + column  # type: ignore[return-value]  # numba cannot create a member of an enum


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
    """Return True if a disk and an axis-aligned box have a point in common.

    `box_region` gives the deciding region. Source: PC.

    Args:
        x, y, radius: centre and radius of the circle [m].
        x_min, y_min, x_max, y_max: limits of the box [m].
        touching: True if a circle that only touches counts (PC: <). If False, a circle of radius 0 overlaps nothing.

    Returns:
        A bool; an array of bool if an argument is an array.
    """
    past_x, past_y = max(x_min - x, max(0.0, x - x_max)), max(y_min - y, max(0.0, y - y_max))
    square = past_x * past_x + past_y * past_y
    return square <= radius * radius if touching else square < radius * radius
