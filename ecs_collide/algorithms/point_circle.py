"""Position of a point relative to a circle (row 1).

    ‖p − c‖² ≤ r²

Source: OC "Point and circle collision". Squares are compared, so that no root is needed.
"""

from __future__ import annotations

from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


@elementwise
def point_in_circle(
    x: Number, y: Number, center_x: Number, center_y: Number, radius: NonNegative, touching: bool = True
) -> bool:
    """Return True if a point lies in a disk: ‖p − c‖ ≤ radius.

    A circle of radius 0 is its centre. Source: OC.

    Args:
        x, y: point [m].
        center_x, center_y, radius: centre and radius of the circle [m].
        touching: True if a point on the circle counts (OC: ≤).

    Returns:
        A bool; an array of bool if an argument is an array.
    """
    dx, dy = x - center_x, y - center_y
    square = dx * dx + dy * dy
    return square <= radius * radius if touching else square < radius * radius
