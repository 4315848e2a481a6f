"""Segments and convex polygons with integer corners, compared without any rounding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Corner: TypeAlias = tuple[int, int]


def side_of(a: Corner, b: Corner, c: Corner) -> int:
    """Return 1 if c is left of the line from a to b, -1 if it is right of it, 0 if it is on the line."""
    (ax, ay), (bx, by), (cx, cy) = a, b, c
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return (area > 0) - (area < 0)


def is_between(p: Corner, a: Corner, b: Corner) -> bool:
    """Return True if a point of the line through a and b is on the segment."""
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def segments_meet(a: Corner, b: Corner, c: Corner, d: Corner) -> bool:
    """Return True if two segments have a point in common."""
    if side_of(a, b, c) * side_of(a, b, d) < 0 and side_of(c, d, a) * side_of(c, d, b) < 0:
        return True
    ends = ((c, a, b), (d, a, b), (a, c, d), (b, c, d))
    return any(side_of(start, end, p) == 0 and is_between(p, start, end) for p, start, end in ends)


def polygons_share(a: Sequence[Corner], b: Sequence[Corner], touching: bool) -> bool:
    """Return True if two convex polygons, counter-clockwise, have a point in common, or without `touching` an area."""
    for own, other in ((a, b), (b, a)):
        for k, end in enumerate(own):
            sides = [side_of(own[k - 1], end, corner) for corner in other]
            if max(sides) < (0 if touching else 1):
                return False
    return True
