"""Search for a point where a closed polyline touches or crosses itself.

The edge from s with direction e holds every point p with |p - s - t e| <= tolerance, t = clamp((p - s)·e / e·e, 0, 1).
Two edges cross if each separates the ends of the other: the signs of e × (p - s) differ.
"""

import math
from typing import NamedTuple

import numpy as np

from ecs_collide.geometry.vector import X, Y
from ecs_collide.shapes.outline import FloatArray
from ecs_collide.validate import Vector2

TOLERANCE = 1e-7
"""Distance within which points count as equal or as lying on a line, for an outline of diagonal 1.

It is above the rounding of float32 coordinates and far below visible sizes. A regular 8,000-gon keeps all its corners.
"""


class Meeting(NamedTuple):
    """A place where a polyline meets itself."""

    edge: int
    """First point of an edge."""
    other: int
    """Point on that edge, or first point of the edge that crosses it."""
    is_crossing: bool
    """True if two edges cross."""


def scale_to_unit_size(points: FloatArray) -> FloatArray:
    """Return `points` (n, 2), moved to the first of them and divided by the diagonal of their bounding box."""
    width, height = np.ptp(points, axis=0).tolist()
    unit: FloatArray = (points - points[0]) / math.hypot(width, height)
    return unit


def find_self_intersection(points: FloatArray) -> Meeting | None:
    """Return where the closed polyline through `points` (n, 2), of unit size, first meets itself, or None."""
    count = len(points)
    edges = np.roll(points, -1, axis=0) - points
    for i, edge in enumerate(edges):
        own = [i, (i + 1) % count]
        spokes = points - points[i]
        fractions = np.clip((spokes * edge).sum(axis=1) / (edge * edge).sum(), 0.0, 1.0)
        gaps = spokes - fractions[:, np.newaxis] * edge
        touching = np.sqrt((gaps * gaps).sum(axis=1)) <= TOLERANCE
        touching[own] = False
        if touching.any():
            return Meeting(i, int(np.argmax(touching)), False)
        sides = np.sign(cross(edge, spokes))
        parts_others = sides * np.roll(sides, -1) < 0.0
        is_parted = np.sign(cross(edges, spokes)) * np.sign(cross(edges, spokes - edge)) < 0.0
        crossing = parts_others & is_parted
        if crossing.any():
            return Meeting(i, int(np.argmax(crossing)), True)
    return None


def distance_to_segment(point: Vector2, a: Vector2, b: Vector2) -> float:
    """Return the distance of `point` to the segment from `a` to `b`, which may have no length.

    Plain Python: shapes need only a few distances, and most shapes are created before any kernel is loaded.
    """
    edge_x, edge_y = b[0] - a[0], b[1] - a[1]
    x, y = point[0] - a[0], point[1] - a[1]
    square = edge_x * edge_x + edge_y * edge_y
    fraction = min(max((x * edge_x + y * edge_y) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return math.hypot(x - fraction * edge_x, y - fraction * edge_y)


def signed_area(points: FloatArray) -> float:
    """Return the area of the closed polyline through `points` (n, 2), positive if it runs counter-clockwise."""
    spokes = points - points[0]
    return 0.5 * float(cross(spokes, np.roll(spokes, -1, axis=0)).sum())


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return a_x b_y - a_y b_x along the last axis."""
    return a[..., X] * b[..., Y] - a[..., Y] * b[..., X]
