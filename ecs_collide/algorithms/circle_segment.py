"""Overlap of a circle and a segment (row 6).

With the direction D = b − a and the centre W = c − a as seen from a,

    (D × W)² ≤ r²·‖D‖²             beside the segment, 0 < D·W < ‖D‖²
    ‖c − the nearer end‖² ≤ r²     past an end

Source: OC "Circle and line segment collision": the shortest distance is at most r, to the closest point of row 5. Here
values are compared before any division, so that a tangent in whole numbers is decided exactly.
"""

from __future__ import annotations

from math import frexp

from ecs_collide.geometry.quadratic import times_power_of_two
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise_with_attempt
from ecs_collide.kernels.kernel import device

SMALL = 1e-70
"""Length above which fourth powers are exact [m]."""


@device
def _branch_free(x, y, radius, ax, ay, bx, by, touching):
    """Return (overlap, sure) without branches.

    The result is not sure if products could vanish.
    """
    dx, dy, wx, wy, from_b_x, from_b_y = bx - ax, by - ay, x - ax, y - ay, x - bx, y - by
    length_squared, along, across = dx * dx + dy * dy, dx * wx + dy * wy, dx * wy - dy * wx
    past_b = along >= length_squared
    end_x, end_y = from_b_x if past_b else wx, from_b_y if past_b else wy
    beside = (along > 0.0) & ~past_b
    square = across * across if beside else end_x * end_x + end_y * end_y
    limit = radius * radius * (length_squared if beside else 1.0)
    overlap = square <= limit if touching else square < limit
    return overlap, (max(abs(dx), abs(dy)) > SMALL) & ((radius > SMALL) | (radius == 0.0))


@elementwise_with_attempt(_branch_free)
def circle_segment_overlap(
    x: Number,
    y: Number,
    radius: NonNegative,
    ax: Number,
    ay: Number,
    bx: Number,
    by: Number,
    touching: bool = True,
) -> bool:
    """Return True if a disk and the segment from a to b have a point in common.

    A segment wholly inside the circle overlaps it. If a = b, the segment is the point a. Source: OC.

    Args:
        x, y, radius: centre and radius of the circle [m].
        ax, ay, bx, by: ends of the segment [m].
        touching: True if a segment that only touches counts (OC: ≤).

    Returns:
        A bool; an array of bool if an argument is an array.
    """
    overlap, sure = _branch_free(x, y, radius, ax, ay, bx, by, touching)
    if not sure:
        wx, wy, dx, dy = x - ax, y - ay, bx - ax, by - ay
        exponent = -frexp(max(max(max(abs(wx), abs(wy)), max(abs(dx), abs(dy))), radius))[1]
        overlap, _ = _branch_free(
            times_power_of_two(wx, exponent),
            times_power_of_two(wy, exponent),
            times_power_of_two(radius, exponent),
            0.0,
            0.0,
            times_power_of_two(dx, exponent),
            times_power_of_two(dy, exponent),
            touching,
        )
    return bool(overlap)
