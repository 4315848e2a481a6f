"""The common part of two segments, as fractions of their lengths.

`algorithms/segment_segment.py` (row 8) gives the formulas.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

from ecs_collide.kernels.kernel import device, subroutine

ON_LINE = 1e-12
"""Distance up to which a point counts as on a line, in lengths of the longer segment."""


class CommonPart(NamedTuple):
    """Fractions at which the common part of two segments begins and ends.

    They are 0 at the first point of a segment, 1 at its second, and NaN if there is no common part.
    """

    u_a: float
    """Begin, on A."""
    u_b: float
    """Begin, on B."""
    u_a_end: float
    """End, on A."""
    u_b_end: float
    """End, on B."""


@subroutine
def find_common_part(px, py, qx, qy, rx, ry, sx, sy):
    """Return the common part of the segments A (P to Q) and B (R to S) in A's direction, all NaN if none."""
    ax, ay, bx, by = qx - px, qy - py, sx - rx, sy - ry
    if ax * ax + ay * ay >= bx * bx + by * by:
        u_a, u_b, u_a_end, u_b_end = _find_common_fractions(px, py, qx, qy, rx, ry, sx, sy)
    else:
        u_b, u_a, u_b_end, u_a_end = _find_common_fractions(rx, ry, sx, sy, px, py, qx, qy)
        if u_a > u_a_end:
            u_a, u_b, u_a_end, u_b_end = u_a_end, u_b_end, u_a, u_b
    return CommonPart(u_a=u_a, u_b=u_b, u_a_end=u_a_end, u_b_end=u_b_end)


@device
def _find_common_fractions(px, py, qx, qy, rx, ry, sx, sy):
    """Return u_a and u_b at both ends of the common part, all NaN if none; A is the longer segment."""
    ax, ay, bx, by = qx - px, qy - py, sx - rx, sy - ry
    r_x, r_y, s_x, s_y = rx - px, ry - py, sx - px, sy - py
    a_squared, b_squared = ax * ax + ay * ay, bx * bx + by * by
    if a_squared == 0.0:  # two points
        u = 0.0 if r_x == 0.0 and r_y == 0.0 else nan
        return u, u, u, u
    near = ON_LINE * a_squared
    height_r, height_s = _snap_to_zero(ax * r_y - ay * r_x, near), _snap_to_zero(ax * s_y - ay * s_x, near)
    near = ON_LINE * sqrt(a_squared) * sqrt(b_squared)
    height_p, height_q = _snap_to_zero(by * r_x - bx * r_y, near), _snap_to_zero(bx * (qy - ry) - by * (qx - rx), near)

    b_on_a = height_r == 0.0 and height_s == 0.0
    a_on_b = height_p == 0.0 and height_q == 0.0 and b_squared > 0.0
    if b_on_a or a_on_b:
        u_r, u_s = (r_x * ax + r_y * ay) / a_squared, (s_x * ax + s_y * ay) / a_squared
        low, high = max(0.0, min(u_r, u_s)), min(1.0, max(u_r, u_s))
        if low > high:
            return nan, nan, nan, nan
        return low, _fraction_between(u_r, u_s, low), high, _fraction_between(u_r, u_s, high)

    same_side_of_a = (height_r > 0.0 and height_s > 0.0) or (height_r < 0.0 and height_s < 0.0)
    same_side_of_b = (height_p > 0.0 and height_q > 0.0) or (height_p < 0.0 and height_q < 0.0)
    if same_side_of_a or same_side_of_b or b_squared == 0.0:
        return nan, nan, nan, nan
    u_a, u_b = 0.0 + height_p / (height_p - height_q), 0.0 + height_r / (height_r - height_s)  # never -0.0
    return u_a, u_b, u_a, u_b


@device
def _snap_to_zero(height, near):
    """Return the height, 0 if it is at most `near`."""
    return 0.0 if abs(height) <= near else height


@device
def _fraction_between(start, end, value):
    """Return the fraction of a value from start (0) to end (1), clamped; 0 if start equals end."""
    return 0.0 if start == end else max(0.0, min(1.0, (value - start) / (end - start)))
