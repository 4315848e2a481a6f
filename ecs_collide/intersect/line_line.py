"""Where two endless lines meet (row 8).

Lines P + u_a (Q − P) and R + u_b (S − R):

    u_a = ((S_x − R_x)(P_y − R_y) − (S_y − R_y)(P_x − R_x)) / ((S_y − R_y)(Q_x − P_x) − (S_x − R_x)(Q_y − P_y))
    u_b = ((Q_x − P_x)(P_y − R_y) − (Q_y − P_y)(P_x − R_x)) / the same

Source: PC "Intersections of lines". PC leaves parallel lines out; they meet nowhere, nor in one point if they coincide.
The denominator is the lengths times the sine of the angle between the lines, and no two directions that were computed
give exactly 0: lines count as parallel below a sine of 1e-12.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

from ecs_collide.elementwise import Number, elementwise

PARALLEL = 1e-12
"""Sine of the angle up to which lines count as parallel: the rounding of coordinates of 10⁴ times the length."""


class LineIntersection(NamedTuple):
    """The common point (`x`, `y`) [m] of two lines, and where it lies: u is 0 at a line's first point, 1 at its
    second."""

    x: float
    y: float
    u_a: float
    u_b: float


@elementwise
def line_line_intersection(
    px: Number, py: Number, qx: Number, qy: Number, rx: Number, ry: Number, sx: Number, sy: Number
) -> LineIntersection | None:
    """Where the endless lines A through P and Q and B through R and S meet, or None where they are parallel.

    All [m], each a number or an array. Lines whose two points are the same have no direction and are parallel to all.
    """
    ax, ay, bx, by, wx, wy = qx - px, qy - py, sx - rx, sy - ry, px - rx, py - ry
    denominator = by * ax - bx * ay
    if abs(denominator) <= PARALLEL * sqrt(ax * ax + ay * ay) * sqrt(bx * bx + by * by):
        return LineIntersection(nan, nan, nan, nan)
    u_a = (bx * wy - by * wx) / denominator
    u_b = (ax * wy - ay * wx) / denominator
    return LineIntersection(px + u_a * ax, py + u_a * ay, u_a, u_b)
