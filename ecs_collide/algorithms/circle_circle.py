"""Overlap of two circles (row 2).

    ‖b − a‖² ≤ (r_a + r_b)²

Sources: OC "Circle and circle collision"; CC "Static Circle-Circle Collision Detection". As in CC, squares are
compared, so that no root is needed.
"""

from __future__ import annotations

from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


@elementwise
def circles_overlap(
    ax: Number, ay: Number, radius_a: NonNegative, bx: Number, by: Number, radius_b: NonNegative, touching: bool = True
) -> bool:
    """Return True if the disks of two circles have a point in common: ‖b − a‖ ≤ radius_a + radius_b.

    A circle of radius 0 is its centre. Coincident centres need no special case. Sources: OC, CC.

    Args:
        ax, ay, radius_a: centre and radius of circle A [m].
        bx, by, radius_b: centre and radius of circle B [m].
        touching: True if circles that only touch count (OC: ≤, CC: <).

    Returns:
        A bool; an array of bool if an argument is an array.
    """
    dx, dy, reach = bx - ax, by - ay, radius_a + radius_b
    square = dx * dx + dy * dy
    return square <= reach * reach if touching else square < reach * reach
