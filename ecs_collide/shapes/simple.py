"""Where a closed polyline touches or crosses itself.

The edge from s with direction e holds every point p with |p - s - t e| <= tolerance, t = clamp((p - s)·e / e·e, 0, 1).
Two edges cross where each parts the ends of the other: the signs of e × (p - s) differ.
"""

import math
from typing import NamedTuple

import numpy as np

from ecs_collide.shapes.outline import FloatArray
from ecs_collide.validate import Vector2

TOLERANCE = 1e-7
"""Distance within which points count as one, or as lying on a line; the outline's bounding box has diagonal 1.

Above the rounding of float32 coordinates and far below what can be seen; a regular 8,000-gon keeps all its corners."""


class Meeting(NamedTuple):
    """The edge from point `edge` to the next, and the point `other` on it, or the edge from there that crosses it."""

    edge: int
    other: int
    is_crossing: bool


def unit_size(points: FloatArray) -> FloatArray:
    """Return `points` (n, 2), moved to the first of them and divided by the diagonal of their bounding box."""
    width, height = np.ptp(points, axis=0).tolist()
    unit: FloatArray = (points - points[0]) / math.hypot(width, height)
    return unit


def first_meeting(points: FloatArray) -> Meeting | None:
    """Return where the closed polyline through `points` (n, 2), of unit size, first meets itself."""
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
    """Return how far `point` is from the segment from `a` to `b`, which may have no length.

    In plain Python: a shape asks it of a few points, and most are made before any kernel is loaded.
    """
    edge_x, edge_y = b[0] - a[0], b[1] - a[1]
    x, y = point[0] - a[0], point[1] - a[1]
    square = edge_x * edge_x + edge_y * edge_y
    fraction = min(max((x * edge_x + y * edge_y) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return math.hypot(x - fraction * edge_x, y - fraction * edge_y)


def signed_area(points: FloatArray) -> float:
    """Return the area of the closed polyline through `points` (n, 2), positive where it runs counter-clockwise."""
    spokes = points - points[0]
    return 0.5 * float(cross(spokes, np.roll(spokes, -1, axis=0)).sum())


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return a_x b_y - a_y b_x along the last axis."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
