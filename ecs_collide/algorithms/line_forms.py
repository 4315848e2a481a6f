"""Two forms of a line, and conversions between them (row 17).

    a·x + b·y + c = 0        no infinities for vertical lines; here with a² + b² = 1
    P + u (Q − P)            0 ≤ u ≤ 1 on the segment from P to Q, any u on the line

    (a, b) = (−D_y, D_x) / ‖D‖,    c = −(a P_x + b P_y)        D = Q − P

(a, b) is the unit normal to the left of the direction from P to Q. a·x + b·y + c is the signed distance of (x, y),
positive on the left.

Sources: PC "Intersections of lines". CC writes the line as A·x + B·y = C: A = a, B = b, C = −c. Neither treats P = Q:
two equal points define no line and are refused. A segment of length 0 is a point, though.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

from ecs_collide.algorithms.closest_point import point_along
from ecs_collide.kernels.elementwise import Number, elementwise, elementwise_with_refusal


class Line(NamedTuple):
    """The line a·x + b·y + c = 0."""

    a: float
    """x of the unit normal."""
    b: float
    """y of the unit normal."""
    c: float
    """Negative distance of the line from the origin along the normal [m]."""


class LinePoints(NamedTuple):
    """Two points of a line."""

    px: float
    """x of P, the point closest to the origin [m]."""
    py: float
    """y of P [m]."""
    qx: float
    """x of Q, 1 m further [m]."""
    qy: float
    """y of Q [m]."""


class Point(NamedTuple):
    """A point."""

    x: float
    """x [m]."""
    y: float
    """y [m]."""


@elementwise_with_refusal("P and Q must differ")
def line_through(px: Number, py: Number, qx: Number, qy: Number) -> Line:
    """Return the line from P through Q as a·x + b·y + c = 0.

    The unit normal (a, b) points to the left of the direction from P to Q. Source: PC.

    Args:
        px, py, qx, qy: points P and Q [m].

    Returns:
        The line; fields are arrays if an argument is an array.

    Raises:
        ValueError: P equals Q.
    """
    dx, dy = qx - px, qy - py
    length = sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return Line(nan, nan, nan)
    a, b = -dy / length, dx / length
    return Line(a, b, 0.0 - (a * px + b * py))


@elementwise_with_refusal("a and b must not both be 0")
def line_points(a: Number, b: Number, c: Number) -> LinePoints:
    """Return two points of the line a·x + b·y + c = 0.

    P is the point closest to the origin. Q is 1 m further, in the direction that has (a, b) on its left. Source: PC.

    Args:
        a, b: normal of any length except 0.
        c: constant [m, times the length of (a, b)].

    Returns:
        The points; fields are arrays if an argument is an array.

    Raises:
        ValueError: a and b are both 0.
    """
    square = a * a + b * b
    if square == 0.0:
        return LinePoints(px=nan, py=nan, qx=nan, qy=nan)
    px, py, length = -a * c / square, -b * c / square, sqrt(square)
    return LinePoints(px=px, py=py, qx=px + b / length, qy=py - a / length)


@elementwise
def point_on_line(px: Number, py: Number, qx: Number, qy: Number, u: Number) -> Point:
    """Return the point P + u (Q − P), exactly P at u = 0 and Q at u = 1.

    Source: PC.

    Args:
        px, py, qx, qy: points P and Q [m].
        u: position on the line.

    Returns:
        The point; fields are arrays if an argument is an array.
    """
    x, y = point_along(px, py, qx, qy, u)
    return Point(x, y)


@elementwise
def line_distance(x: Number, y: Number, a: Number, b: Number, c: Number) -> float:
    """Return the value a·x + b·y + c, the signed distance of (x, y) from a line [m].

    It is positive on the side that (a, b) points to. Sources: PC, CC.

    Args:
        x, y: point [m].
        a, b: unit normal of the line.
        c: constant of the line [m].

    Returns:
        The value [m]; an array if an argument is an array.
    """
    return a * x + b * y + c
