"""The closest point of a line and of a segment (row 5).

    u = (p − a)·(b − a) / ‖b − a‖²        closest = a + u (b − a),    for a segment with u clamped to [0, 1]

Source: CC "The Closest Point on a Line to a Point Algorithm", whose Cramer's rule on Ax + By = C and −Bx + Ay = C gives
the same point.

Deviations: the text of CC treats the segment, its code the infinite line; here are both. If a = b, the code of CC
returns the query point itself, so that a circle that does not move "hits" everything. Here the result is the end point
a, with u = 0.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.geometry.point_on_segment import segment_fraction
from ecs_collide.kernels.elementwise import Number, elementwise
from ecs_collide.kernels.kernel import device


class ClosestPoint(NamedTuple):
    """A point of a line."""

    x: float
    """x of the point [m]."""
    y: float
    """y of the point [m]."""
    u: float
    """Position on the line: 0 at a, 1 at b."""


@device
def line_fraction(ax, ay, bx, by, x, y):
    """Return the u at which the line a + u (b − a) is closest to (x, y); 0 if a = b."""
    dx, dy = bx - ax, by - ay
    length_squared = dx * dx + dy * dy
    if length_squared == 0.0:
        return 0.0
    return ((x - ax) * dx + (y - ay) * dy) / length_squared


@device
def point_along(ax, ay, bx, by, u):
    """Return the point a + u (b − a), exactly b for u = 1."""
    if u == 1.0:
        return bx, by
    return ax + u * (bx - ax), ay + u * (by - ay)


@elementwise
def closest_point_on_line(x: Number, y: Number, ax: Number, ay: Number, bx: Number, by: Number) -> ClosestPoint:
    """Return the point of the infinite line through a and b that is closest to (x, y); a if a = b.

    Source: CC.

    Args:
        x, y: point [m].
        ax, ay, bx, by: points of the line [m].

    Returns:
        The closest point; fields are arrays if an argument is an array.
    """
    u = line_fraction(ax, ay, bx, by, x, y)
    closest_x, closest_y = point_along(ax, ay, bx, by, u)
    return ClosestPoint(closest_x, closest_y, u)


@elementwise
def closest_point_on_segment(x: Number, y: Number, ax: Number, ay: Number, bx: Number, by: Number) -> ClosestPoint:
    """Return the point of the segment from a to b that is closest to (x, y); a if a = b.

    Source: CC.

    Args:
        x, y: point [m].
        ax, ay, bx, by: ends of the segment [m].

    Returns:
        The closest point; fields are arrays if an argument is an array.
    """
    u = segment_fraction(ax, ay, bx, by, x, y)
    closest_x, closest_y = point_along(ax, ay, bx, by, u)
    return ClosestPoint(closest_x, closest_y, u)
