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

from math import frexp, nan, sqrt
from typing import NamedTuple

from ecs_collide.algorithms.closest_point import between
from ecs_collide.compiled.elementwise import NonNegative, Number, elementwise
from ecs_collide.compiled.jit import device
from ecs_collide.geometry.quadratic import ordinary, quarter_discriminant, times_power_of_two


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


@device
def crossing_fractions(px, py, qx, qy, x, y, radius):
    """The u at which the endless line enters and leaves the circle; both NaN where it passes by."""
    dx, dy, wx, wy = qx - px, qy - py, x - px, y - py
    if ordinary(radius * radius, 2.0 * (dx * wy - dy * wx), dx * dx + dy * dy):
        return _crossings(dx, dy, wx, wy, radius)
    along, across = frexp(max(abs(dx), abs(dy)))[1], frexp(max(max(abs(wx), abs(wy)), radius))[1]
    dx, dy = times_power_of_two(dx, -along), times_power_of_two(dy, -along)
    wx, wy = times_power_of_two(wx, -across), times_power_of_two(wy, -across)
    radius = times_power_of_two(radius, -across)
    if dx == 0.0 and dy == 0.0:
        return (0.0, 0.0) if wx * wx + wy * wy == radius * radius else (nan, nan)
    low, high = _crossings(dx, dy, wx, wy, radius)
    return times_power_of_two(low, across - along), times_power_of_two(high, across - along)


@device
def _crossings(dx, dy, wx, wy, radius):
    """The same for the direction D and the centre W, both seen from P, of ordinary sizes."""
    length_squared = dx * dx + dy * dy
    half_squared = -quarter_discriminant(radius * radius, dx * wy - dy * wx, length_squared)
    if half_squared < 0.0:
        return nan, nan
    middle, half = dx * wx + dy * wy, sqrt(half_squared)
    return (middle - half) / length_squared, (middle + half) / length_squared


@elementwise
def line_circle_intersection(
    px: Number, py: Number, qx: Number, qy: Number, x: Number, y: Number, radius: NonNegative
) -> CircleCrossing | None:
    """Where the endless line from P through Q enters and leaves the circle around (x, y), or None.

    All [m], each a number or an array.
    """
    u_enter, u_leave = crossing_fractions(px, py, qx, qy, x, y, radius)
    x_enter, y_enter = between(px, py, qx, qy, u_enter)
    x_leave, y_leave = between(px, py, qx, qy, u_leave)
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
    x_enter, y_enter = between(px, py, qx, qy, u_enter)
    x_leave, y_leave = between(px, py, qx, qy, u_leave)
    return CircleCrossing(u_enter, x_enter, y_enter, u_leave, x_leave, y_leave)
