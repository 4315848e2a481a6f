"""Whether a circle touches or lies below a horizontal strip of ground (row 3).

    c_y − y_g ≤ r    and    x_g ≤ c_x ≤ x'_g

Source: OC "Circle and ground collision". The ground is everything below it: there is no lower bound, so a circle far
below the ground collides too. And only the centre is held against the ends of the strip: a circle that overlaps an end
from outside does not collide. Both are the document's meaning and kept. A strip that ends where it ends is the segment
test (`circle_segment_overlap`); ground without ends, of any slope, is `circle_half_plane_overlap`.
"""

from __future__ import annotations

from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


@elementwise
def circle_ground_overlap(
    x: Number,
    y: Number,
    radius: NonNegative,
    ground_y: Number,
    ground_x_min: Number,
    ground_x_max: Number,
    touching: bool = True,
) -> bool:
    """Whether a circle with its centre over, in or under the strip reaches down to the height `ground_y`.

    All [m], each a number or an array. A circle that rests on the ground counts with `touching` (OC: ≤) and does not
    without. Both ends of the strip belong to it; a strip whose ends are swapped holds nothing.
    """
    height = y - ground_y
    low_enough = height <= radius if touching else height < radius
    return low_enough and ground_x_min <= x and x <= ground_x_max
