"""Whether two axis-aligned boxes overlap (row 9).

    not (x_min1 > x_max2  or  x_min2 > x_max1  or  y_min1 > y_max2  or  y_min2 > y_max1)

Source: OC "Box and box collision". Its sentence, "at least one of them has a minimum coordinate not greater than the
corresponding maximum coordinate", does not say what its formula and its code say; those are right, and used here.
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
    """Whether two axis-aligned boxes have a point in common.

    All [m], each a number or an array. Boxes that share an edge or a corner count with `touching` (OC: not >) and do
    not without. A box without width or height is a segment or a point; one whose minimum exceeds its maximum is no
    box, and the formula answers as it stands.
    """
    if touching:
        return bool(boxes_touch(a_x_min, a_y_min, a_x_max, a_y_max, b_x_min, b_y_min, b_x_max, b_y_max))
    return bool((a_x_min < b_x_max) & (b_x_min < a_x_max) & (a_y_min < b_y_max) & (b_y_min < a_y_max))
