"""The intersection of two segments (row 8).

Segments A = P + u_a (Q − P) and B = R + u_b (S − R), both u in [0, 1]. With the heights of one segment's ends over the
other's line, h_r = (Q − P)×(R − P), h_s = (Q − P)×(S − P), h_p = (S − R)×(P − R), h_q = (S − R)×(Q − R),

    u_a = h_p / (h_p − h_q)        u_b = h_r / (h_r − h_s)        if h_p, h_q and h_r, h_s have no common sign

Source: PC "Intersections of lines". h_p and h_r are its numerators and the differences its denominator. In this form
the signs alone ensure that u is in [0, 1]. u is exactly 0 or 1 at an end that the segments share.

Deviation: PC does not treat parallel segments. If both lie on one line, the result is their common interval. An end
counts as on the other's line within 1e-12 of the longer segment's length, so that rotation hardly matters.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.algorithms.closest_point import point_along
from ecs_collide.geometry.segment_intersection import find_common_part
from ecs_collide.kernels.elementwise import Number, elementwise


class SegmentIntersection(NamedTuple):
    """The common points of two segments, from a first to a last one in A's direction.

    Both are equal if the segments cross. Positions u are 0 at a segment's first point and 1 at its second.
    """

    x: float
    """x of the first common point [m]."""
    y: float
    """y of the first common point [m]."""
    u_a: float
    """Position of the first common point on A."""
    u_b: float
    """Position of the first common point on B."""
    x_end: float
    """x of the last common point [m]."""
    y_end: float
    """y of the last common point [m]."""
    u_a_end: float
    """Position of the last common point on A."""
    u_b_end: float
    """Position of the last common point on B."""


@elementwise
def segment_segment_intersection(
    px: Number, py: Number, qx: Number, qy: Number, rx: Number, ry: Number, sx: Number, sy: Number
) -> SegmentIntersection | None:
    """Return the common points of the segments A from P to Q and B from R to S.

    Ends belong to their segments. A segment of length 0 is a point. Source: PC.

    Args:
        px, py, qx, qy: ends P and Q of segment A [m].
        rx, ry, sx, sy: ends R and S of segment B [m].

    Returns:
        The intersection, or None if there is none; fields are arrays, with NaN, if an argument is an array.
    """
    u_a, u_b, u_a_end, u_b_end = find_common_part(px, py, qx, qy, rx, ry, sx, sy)
    x, y = point_along(px, py, qx, qy, u_a)
    x_end, y_end = point_along(px, py, qx, qy, u_a_end)
    return SegmentIntersection(x=x, y=y, u_a=u_a, u_b=u_b, x_end=x_end, y_end=y_end, u_a_end=u_a_end, u_b_end=u_b_end)
