"""Where two segments meet (row 8).

Segments A = P + u_a (Q − P) and B = R + u_b (S − R), both u in [0, 1]. With the heights of one segment's ends over the
other's line, h_r = (Q − P)×(R − P), h_s = (Q − P)×(S − P), h_p = (S − R)×(P − R), h_q = (S − R)×(Q − R),

    u_a = h_p / (h_p − h_q)        u_b = h_r / (h_r − h_s)        where h_p, h_q and h_r, h_s have no common sign

Source: PC "Intersections of lines". h_p and h_r are its numerators and the differences its denominator; written like
this u is in [0, 1] by the signs alone, and exactly 0 or 1 at an end that the segments share.

Deviation: PC leaves parallel segments out. Where the two lie on one line, the answer is their common interval.
Ends count as on the other's line within 1e-12 of the longer segment's length, so turning the two hardly matters.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.algorithms.closest_point import point_along
from ecs_collide.geometry.segment_intersection import common_part
from ecs_collide.kernels.elementwise import Number, elementwise


class SegmentIntersection(NamedTuple):
    """The common points of two segments: those from (`x`, `y`) to (`x_end`, `y_end`) [m], in A's direction.

    u is 0 at a segment's first point and 1 at its second. Segments that cross have one common point: both ends are it.
    """

    x: float
    y: float
    u_a: float
    u_b: float
    x_end: float
    y_end: float
    u_a_end: float
    u_b_end: float


@elementwise
def segment_segment_intersection(
    px: Number, py: Number, qx: Number, qy: Number, rx: Number, ry: Number, sx: Number, sy: Number
) -> SegmentIntersection | None:
    """What the segments A from P to Q and B from R to S have in common, or None.

    All [m], each a number or an array. Ends belong to their segments. A segment of length 0 is a point.
    """
    u_a, u_b, u_a_end, u_b_end = common_part(px, py, qx, qy, rx, ry, sx, sy)
    x, y = point_along(px, py, qx, qy, u_a)
    x_end, y_end = point_along(px, py, qx, qy, u_a_end)
    return SegmentIntersection(x, y, u_a, u_b, x_end, y_end, u_a_end, u_b_end)
