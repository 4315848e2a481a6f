"""Whether two circles overlap (row 2).

    ‖b − a‖² ≤ (r_a + r_b)²

Sources: OC "Circle and circle collision"; CC "Static Circle-Circle Collision Detection". Squares are compared, as in
CC, so that no root is taken.
"""

from __future__ import annotations

from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


@elementwise
def circles_overlap(
    ax: Number, ay: Number, radius_a: NonNegative, bx: Number, by: Number, radius_b: NonNegative, touching: bool = True
) -> bool:
    """Whether the disks of two circles have a point in common: ‖b − a‖ ≤ radius_a + radius_b.

    Centres and radii [m], each a number or an array. Circles that just touch count with `touching` (OC: ≤) and do not
    without (CC: <). A radius may be 0: the circle is its centre. Coincident centres are nothing special.
    """
    dx, dy, reach = bx - ax, by - ay, radius_a + radius_b
    square = dx * dx + dy * dy
    return square <= reach * reach if touching else square < reach * reach
