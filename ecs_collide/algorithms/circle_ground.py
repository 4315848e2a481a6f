"""Overlap of a circle and the space below a horizontal strip of ground (row 3).

    c_y − y_g ≤ r    and    x_g ≤ c_x ≤ x'_g

Source: OC "Circle and ground collision". The ground is everything below the strip. It has no lower bound, so a circle
far below it collides too. Only the centre is compared with the ends of the strip: a circle that overlaps an end from
outside does not collide. The document means both.

`circle_segment_overlap` tests a strip with real ends, and `circle_half_plane_overlap` unbounded ground of any slope.
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
    """Return True if a circle reaches down to the ground and its centre is within the strip.

    Both ends belong to the strip. A strip with swapped ends contains nothing. Source: OC.

    Args:
        x, y, radius: centre and radius of the circle [m].
        ground_y: height of the ground [m].
        ground_x_min, ground_x_max: ends of the strip [m].
        touching: True if a circle that rests on the ground counts (OC: ≤).

    Returns:
        A bool; an array of bool if an argument is an array.
    """
    height = y - ground_y
    low_enough = height <= radius if touching else height < radius
    return low_enough and ground_x_min <= x and x <= ground_x_max
