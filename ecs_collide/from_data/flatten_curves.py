"""Polylines along the curves of SVG paths.

A polyline through n equal steps of the parameter leaves a curve B by at most max |B''| / (8 n²). For Bézier curves B''
is greatest at an end of the control polygon:

    quadratic  |B''| = 2 |p_0 - 2 p_1 + p_2|
    cubic      |B''| <= 6 max(|p_0 - 2 p_1 + p_2|, |p_1 - 2 p_2 + p_3|)

An elliptic arc is an affine image of a circular one. With the greater radius r, a step of the angle α leaves it by at
most r (1 - cos(α/2)) <= r α²/8.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import svgelements

WIDEST_STEP = math.pi / 4.0
"""Greatest angle of a step along an arc [rad]."""


def flatten_segment(segment: svgelements.PathSegment, tolerance: float) -> list[tuple[float, float]]:
    """Return the points of a polyline that stays within `tolerance` of a segment, without its start.

    Both are in the units of the segment.
    """
    count = _step_count(segment, tolerance)
    fractions = np.arange(1, count) / count
    points = [(float(point[0]), float(point[1])) for point in (segment.point(fraction) for fraction in fractions)]
    return [*points, (float(segment.end.x), float(segment.end.y))]


def _step_count(segment: svgelements.PathSegment, tolerance: float) -> int:
    """Return the number of steps of a polyline along a segment."""
    kind = type(segment).__name__
    if kind == "Arc":
        radius = max(float(segment.rx), float(segment.ry))
        widest = math.sqrt(8.0 * tolerance / radius) if radius > 0.0 else WIDEST_STEP
        return max(1, math.ceil(abs(float(segment.sweep)) / min(widest, WIDEST_STEP) - 1e-9))
    if kind == "QuadraticBezier":
        bend = 2.0 * _bend(segment.start, segment.control, segment.end)
    elif kind == "CubicBezier":
        start, first, second, end = segment.start, segment.control1, segment.control2, segment.end
        bend = 6.0 * max(_bend(start, first, second), _bend(first, second, end))
    else:  # a line
        return 1
    return max(1, math.ceil(math.sqrt(bend / (8.0 * tolerance)) - 1e-9))


def _bend(a: svgelements.Point, b: svgelements.Point, c: svgelements.Point) -> float:
    """Return the length of a - 2 b + c."""
    return math.hypot(a.x - 2.0 * b.x + c.x, a.y - 2.0 * b.y + c.y)
