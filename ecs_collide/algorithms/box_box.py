"""Overlap of two axis-aligned boxes (row 9).

    not (x_min1 > x_max2  or  x_min2 > x_max1  or  y_min1 > y_max2  or  y_min2 > y_max1)

Source: OC "Box and box collision". Its sentence, "at least one of them has a minimum coordinate not greater than the
corresponding maximum coordinate", contradicts its formula and code. These are right, and used here.
"""

from __future__ import annotations

from ecs_collide.geometry.aabb import boxes_touch
from ecs_collide.kernels.elementwise import Number, elementwise


@elementwise
def boxes_overlap(
    a_x_min: Number,
    a_y_min: Number,
    a_x_max: Number,
    a_y_max: Number,
    b_x_min: Number,
    b_y_min: Number,
    b_x_max: Number,
    b_y_max: Number,
    touching: bool = True,
) -> bool:
    """Return True if two axis-aligned boxes have a point in common.

    A box without width or height is a segment or a point. A box whose minimum exceeds its maximum is invalid; the
    formula is applied as it is. Source: OC.

    Args:
        a_x_min, a_y_min, a_x_max, a_y_max: limits of box A [m].
        b_x_min, b_y_min, b_x_max, b_y_max: limits of box B [m].
        touching: True if boxes that share only an edge or a corner count (OC: not >).

    Returns:
        A bool; an array of bool if an argument is an array.
    """
    if touching:
        return bool(boxes_touch(a_x_min, a_y_min, a_x_max, a_y_max, b_x_min, b_y_min, b_x_max, b_y_max))
    return bool((a_x_min < b_x_max) & (b_x_min < a_x_max) & (a_y_min < b_y_max) & (b_y_min < a_y_max))
