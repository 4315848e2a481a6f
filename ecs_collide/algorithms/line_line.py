"""The intersection of two infinite lines (row 8).

Lines P + u_a (Q − P) and R + u_b (S − R):

    u_a = ((S_x − R_x)(P_y − R_y) − (S_y − R_y)(P_x − R_x)) / ((S_y − R_y)(Q_x − P_x) − (S_x − R_x)(Q_y − P_y))
    u_b = ((Q_x − P_x)(P_y − R_y) − (Q_y − P_y)(P_x − R_x)) / the same

Source: PC "Intersections of lines". PC does not treat parallel lines; they have no single common point, even if they
coincide. The denominator is the product of the lengths and the sine of the angle between the lines. Computed directions
never give exactly 0, so lines count as parallel below a sine of 1e-12. The point is computed from the line on which it
is nearer.
"""

from __future__ import annotations

from math import frexp, nan, sqrt
from typing import NamedTuple

from ecs_collide.geometry.quadratic import times_power_of_two
from ecs_collide.kernels.elementwise import Number, elementwise_with_attempt
from ecs_collide.kernels.kernel import device

PARALLEL = 1e-12
"""Sine of the angle up to which lines count as parallel: the rounding of coordinates of 10⁴ times the length."""


class LineIntersection(NamedTuple):
    """The common point of two lines."""

    x: float
    """x of the point [m]."""
    y: float
    """y of the point [m]."""
    u_a: float
    """Position on A: 0 at its first point, 1 at its second, ±inf beyond the range of doubles."""
    u_b: float
    """Position on B, as on A."""


SMALL, LARGE = 1e-70, 1e70
"""Lengths between which products of four neither vanish nor overflow [m]."""


@device
def _fractions(ax, ay, bx, by, wx, wy):
    """Return (u_a, u_b) for the directions A and B and the vector W from R to P; NaN if the lines are parallel."""
    denominator = by * ax - bx * ay
    parallel = abs(denominator) <= PARALLEL * sqrt(ax * ax + ay * ay) * sqrt(bx * bx + by * by)
    divisor = nan if parallel else denominator
    return (bx * wy - by * wx) / divisor, (ax * wy - ay * wx) / divisor


@device
def _nearer(px, py, ax, ay, u_a, rx, ry, bx, by, u_b):
    """Return the point P + u_a A = R + u_b B, computed from the nearer end."""
    way_a, way_b = abs(u_a) * max(abs(ax), abs(ay)), abs(u_b) * max(abs(bx), abs(by))
    from_p = way_a <= way_b
    return px + u_a * ax if from_p else rx + u_b * bx, py + u_a * ay if from_p else ry + u_b * by


@device
def _branch_free(px, py, qx, qy, rx, ry, sx, sy):
    """Return (x, y, u_a, u_b, sure) without branches.

    The result is not sure if products could vanish or overflow.
    """
    ax, ay, bx, by, wx, wy = qx - px, qy - py, sx - rx, sy - ry, px - rx, py - ry
    u_a, u_b = _fractions(ax, ay, bx, by, wx, wy)
    x, y = _nearer(px, py, ax, ay, u_a, rx, ry, bx, by, u_b)
    size_a, size_b, way = max(abs(ax), abs(ay)), max(abs(bx), abs(by)), max(abs(wx), abs(wy))
    sure = (min(size_a, size_b) > SMALL) & (max(max(size_a, size_b), way) < LARGE)
    return x, y, u_a, u_b, sure


@elementwise_with_attempt(_branch_free)
def line_line_intersection(
    px: Number, py: Number, qx: Number, qy: Number, rx: Number, ry: Number, sx: Number, sy: Number
) -> LineIntersection | None:
    """Return the common point of the infinite lines A through P and Q and B through R and S.

    A line whose two points are equal has no direction and is parallel to all. Source: PC.

    Args:
        px, py, qx, qy: points P and Q of line A [m].
        rx, ry, sx, sy: points R and S of line B [m].

    Returns:
        The intersection, or None if the lines are parallel; fields are arrays, with NaN, if an argument is an array.
    """
    x, y, u_a, u_b, sure = _branch_free(px, py, qx, qy, rx, ry, sx, sy)
    if sure:
        return LineIntersection(x=x, y=y, u_a=u_a, u_b=u_b)
    ax, ay, of_a = _unit_sized(qx - px, qy - py)
    bx, by, of_b = _unit_sized(sx - rx, sy - ry)
    wx, wy, of_w = _unit_sized(px - rx, py - ry)
    u_a, u_b = _fractions(ax, ay, bx, by, wx, wy)
    x, y = _nearer(0.0, 0.0, ax, ay, u_a, -wx, -wy, bx, by, u_b)
    return LineIntersection(
        x=px + times_power_of_two(x, of_w),
        y=py + times_power_of_two(y, of_w),
        u_a=times_power_of_two(u_a, of_w - of_a),
        u_b=times_power_of_two(u_b, of_w - of_b),
    )


@device
def _unit_sized(x, y):
    """Return a vector divided by a power of two, and the exponent.

    The larger coordinate is then between 0.5 and 1.
    """
    exponent = frexp(max(abs(x), abs(y)))[1]
    return times_power_of_two(x, -exponent), times_power_of_two(y, -exponent), exponent
