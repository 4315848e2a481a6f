"""The two ways to write a line, and the way from each to the other (row 17).

    a·x + b·y + c = 0        no infinities for vertical lines; here with a² + b² = 1
    P + u (Q − P)            0 ≤ u ≤ 1 on the segment from P to Q, any u on the line

    (a, b) = (−D_y, D_x) / ‖D‖,    c = −(a P_x + b P_y)        D = Q − P

So (a, b) is the unit normal to the left of the way from P to Q, and a·x + b·y + c the signed distance of (x, y),
positive to the left.

Sources: PC "Intersections of lines". CC writes the same line as A·x + B·y = C: A = a, B = b, C = −c. Neither says
what happens for P = Q: two equal points have no line through them and are refused (a segment of length 0 is a point,
though).
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

from ecs_collide.algorithms.closest_point import point_along
from ecs_collide.kernels.elementwise import Number, elementwise, refusing


class Line(NamedTuple):
    """The line a·x + b·y + c = 0; (`a`, `b`) is a unit vector, `c` in [m]."""

    a: float
    b: float
    c: float


class LinePoints(NamedTuple):
    """Two points of a line [m]: P, the one closest to the origin, and Q, 1 m further."""

    px: float
    py: float
    qx: float
    qy: float


class Point(NamedTuple):
    """A point [m]."""

    x: float
    y: float


@refusing("P and Q must differ")
def line_through(px: Number, py: Number, qx: Number, qy: Number) -> Line:
    """The line from P through Q as a·x + b·y + c = 0, with the unit normal (a, b) to the left of the way from P to Q.

    All [m], each a number or an array. Raises `ValueError` where P and Q are the same.
    """
    dx, dy = qx - px, qy - py
    length = sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return Line(nan, nan, nan)
    a, b = -dy / length, dx / length
    return Line(a, b, 0.0 - (a * px + b * py))


@refusing("a and b must not both be 0")
def line_points(a: Number, b: Number, c: Number) -> LinePoints:
    """Two points of the line a·x + b·y + c = 0: P closest to the origin, and Q 1 m further, with (a, b) to the left.

    (a, b) may have any length but 0, and c is in [m] times this length; each a number or an array.
    Raises `ValueError` where a and b are both 0.
    """
    square = a * a + b * b
    if square == 0.0:
        return LinePoints(nan, nan, nan, nan)
    px, py, length = -a * c / square, -b * c / square, sqrt(square)
    return LinePoints(px, py, px + b / length, py - a / length)


@elementwise
def point_on_line(px: Number, py: Number, qx: Number, qy: Number, u: Number) -> Point:
    """The point P + u (Q − P); exactly P at u = 0 and Q at u = 1. P, Q [m], each a number or an array."""
    x, y = point_along(px, py, qx, qy, u)
    return Point(x, y)


@elementwise
def line_distance(x: Number, y: Number, a: Number, b: Number, c: Number) -> float:
    """The value a·x + b·y + c: the signed distance [m] of (x, y) from the line where (a, b) is a unit vector.

    Positive on the side to which (a, b) points. Each a number or an array.
    """
    return a * x + b * y + c
