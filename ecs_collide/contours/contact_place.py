"""The point at which two pieces touch."""

from __future__ import annotations

from math import inf

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.corner import is_corner_normal
from ecs_collide.kernels.kernel import device, subroutine

FLAT = 1e-6
"""Two corners whose extents along a direction differ by less, in units of the size, are both furthest: an edge."""


@device
def reach_along(rows, k, x, y):
    """Return the extent of a corner along a unit vector (x, y) [m]; -inf for an arc that does not face that way."""
    if rows[k, CONTOUR.REACH] > 0.0 and not is_corner_normal(rows, k, x, y):
        return -inf
    return x * rows[k, CONTOUR.X] + y * rows[k, CONTOUR.Y] + rows[k, CONTOUR.REACH]


@subroutine
def furthest_part(rows, count, radius, x, y, slack):
    """Return (extent along a unit vector (x, y), least and greatest place along (−y, x) of the furthest points) [m].

    The two places are equal for a corner or an arc and differ for an edge across the direction.
    """
    most = -inf
    for k in range(count):
        most = max(most, reach_along(rows, k, x, y))
    low, high = inf, -inf
    for k in range(count):
        if reach_along(rows, k, x, y) >= most - slack:
            along = x * rows[k, CONTOUR.Y] - y * rows[k, CONTOUR.X]
            low, high = min(low, along), max(high, along)
    return most + radius, low, high


@subroutine
def place_of_contact(a, b, count_a, count_b, radius_a, radius_b, normal_x, normal_y, slack):
    """Return the point (x, y) [m] where piece B touches piece A, both in A's axes, with the normal from A to B.

    The point is the middle of the furthest points that both share across the normal. If A is concave or unbounded, only
    those of B count.
    """
    bends = a[0, CONTOUR.EDGE] >= form.UNBOUNDED
    for k in range(count_a):
        bends = bends or a[k, CONTOUR.EDGE] == form.HOLLOW
    height, low, high = furthest_part(b, count_b, radius_b, -normal_x, -normal_y, slack)
    height, low, high = -height, -high, -low
    if not bends:
        height, low_a, high_a = furthest_part(a, count_a, radius_a, normal_x, normal_y, slack)
        low, high = max(low, low_a), min(high, high_a)
    middle = 0.5 * (low + high)
    return height * normal_x - middle * normal_y, height * normal_y + middle * normal_x
