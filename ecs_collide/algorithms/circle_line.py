"""Where a line or a segment enters and leaves a circle (row 7).

With the circle's centre as the origin, P + u (Q − P) lies on the circle where

    ‖D‖² u² + 2 P·D u + ‖P‖² − r² = 0        D = Q − P
    u = (−P·D ± √(r²·‖D‖² − (D × P)²)) / ‖D‖²

Source: PC "Intersections of circle and line". Half the chord is computed from the cross product, which nothing divides
before it is compared: a tangent in whole numbers is one to the last bit. The shared routine would subtract ‖P‖² − r²,
which loses digits where P is far, and needs a division by ‖D‖² to avoid that.

Deviations: PC prints 0 ≤ u < 1, which misses a segment that ends on the circle. A segment here has both ends, 0 ≤ u ≤
1; `half_open` gives the printed rule, for chains whose neighbours must not count a shared end twice. PC leaves P = Q
open, where the equation is no equation for u: the line is then the point P, and meets the circle, at u = 0, only if
it lies on it.
"""

from __future__ import annotations

from math import nan
from typing import NamedTuple

from ecs_collide.algorithms.closest_point import point_along
from ecs_collide.geometry.line_circle import crossing_fractions
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


class CircleCrossing(NamedTuple):
    """Where a line from P to Q enters and leaves a circle: u is 0 at P and 1 at Q, points in [m]; none is None or NaN.

    A tangent enters and leaves at the same point.
    """

    u_enter: float | None
    x_enter: float | None
    y_enter: float | None
    u_leave: float | None
    x_leave: float | None
    y_leave: float | None


@elementwise
def line_circle_intersection(
    px: Number, py: Number, qx: Number, qy: Number, x: Number, y: Number, radius: NonNegative
) -> CircleCrossing | None:
    """Where the endless line from P through Q enters and leaves the circle around (x, y), or None.

    All [m], each a number or an array.
    """
    u_enter, u_leave = crossing_fractions(px, py, qx, qy, x, y, radius)
    x_enter, y_enter = point_along(px, py, qx, qy, u_enter)
    x_leave, y_leave = point_along(px, py, qx, qy, u_leave)
    return CircleCrossing(u_enter, x_enter, y_enter, u_leave, x_leave, y_leave)


@elementwise
def segment_circle_intersection(
    px: Number,
    py: Number,
    qx: Number,
    qy: Number,
    x: Number,
    y: Number,
    radius: NonNegative,
    half_open: bool = False,
) -> CircleCrossing | None:
    """Where the segment from P to Q enters and leaves the circle around (x, y), or None where it does neither.

    All [m], each a number or an array. The segment holds u in [0, 1], and with `half_open` (the rule of PC) in [0, 1).
    A segment that starts inside the circle only leaves it, one that ends inside only enters it, and one wholly inside
    does neither: whether it overlaps the disk is `circle_segment_overlap`.
    """
    u_enter, u_leave = crossing_fractions(px, py, qx, qy, x, y, radius)
    if not (u_enter >= 0.0 and (u_enter < 1.0 if half_open else u_enter <= 1.0)):
        u_enter = nan
    if not (u_leave >= 0.0 and (u_leave < 1.0 if half_open else u_leave <= 1.0)):
        u_leave = nan
    x_enter, y_enter = point_along(px, py, qx, qy, u_enter)
    x_leave, y_leave = point_along(px, py, qx, qy, u_leave)
    return CircleCrossing(u_enter, x_enter, y_enter, u_leave, x_leave, y_leave)
