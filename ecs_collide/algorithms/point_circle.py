"""Whether a point lies in a circle (row 1).

    ‖p − c‖² ≤ r²

Source: OC "Point and circle collision". The squares are compared, so that no root is taken.
"""

from __future__ import annotations

from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


@elementwise
def point_in_circle(
    x: Number, y: Number, center_x: Number, center_y: Number, radius: NonNegative, touching: bool = True
) -> bool:
    """Whether the point (x, y) lies in the disk: ‖p − c‖ ≤ radius.

    All [m], each a number or an array. A point on the circle counts with `touching` (OC: ≤) and does not without.
    A circle of radius 0 is its centre.
    """
    dx, dy = x - center_x, y - center_y
    square = dx * dx + dy * dy
    return square <= radius * radius if touching else square < radius * radius
