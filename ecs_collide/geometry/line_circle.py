"""Intersection of a line and a circle.

`algorithms/circle_line.py` (row 7) gives the formula and explains why it uses a cross product.
"""

from __future__ import annotations

from math import frexp, nan, sqrt

from ecs_collide.geometry.quadratic import is_ordinary, quarter_discriminant, times_power_of_two
from ecs_collide.kernels.kernel import device


@device
def find_crossing_fractions(px, py, qx, qy, x, y, radius):
    """Return the fractions u at which an infinite line enters and leaves a circle, NaN if it misses."""
    dx, dy, wx, wy = qx - px, qy - py, x - px, y - py
    if is_ordinary(radius * radius, 2.0 * (dx * wy - dy * wx), dx * dx + dy * dy):
        return _find_crossings(dx, dy, wx, wy, radius)
    along, across = frexp(max(abs(dx), abs(dy)))[1], frexp(max(max(abs(wx), abs(wy)), radius))[1]
    dx, dy = times_power_of_two(dx, -along), times_power_of_two(dy, -along)
    wx, wy = times_power_of_two(wx, -across), times_power_of_two(wy, -across)
    radius = times_power_of_two(radius, -across)
    if dx == 0.0 and dy == 0.0:
        return (0.0, 0.0) if wx * wx + wy * wy == radius * radius else (nan, nan)
    low, high = _find_crossings(dx, dy, wx, wy, radius)
    return times_power_of_two(low, across - along), times_power_of_two(high, across - along)


@device
def _find_crossings(dx, dy, wx, wy, radius):
    """Return both fractions for the direction D and the centre W as seen from P.

    The sizes must be ordinary, see `is_ordinary`.
    """
    length_squared = dx * dx + dy * dy
    half_squared = -quarter_discriminant(radius * radius, dx * wy - dy * wx, length_squared)
    if half_squared < 0.0:
        return nan, nan
    middle, half = dx * wx + dy * wy, sqrt(half_squared)
    return (middle - half) / length_squared, (middle + half) / length_squared
