"""Row 22 for whole polygons: when two convex polygons first touch while every vertex moves on a straight line.

EQ tests every vertex of B against every edge of A. That misses a vertex of A that meets an edge of B, as when a small
polygon runs with a flat side into a corner of a large one: both directions are needed, and are enough, since edges
stay straight while their ends move on straight lines. The earliest of all the hits counts.

What EQ leaves open: polygons that overlap at the start, where vertices may cross edges from inside or not at all. The
separating axes at t = 0 tell: the greatest distance s of one polygon from the line of an edge of the other is

    s < 0    overlap: t = 0 and `overlapping`
    s = 0    touching: t = 0, unless s is greater a moment later; then the hits at that moment are left out
    s > 0    apart

with what is within 1e-12 of the greatest coordinate taken as 0, since flush boxes are never flush to the last bit.

The model is that of the document: rotation is replaced by straight motion of the vertices. How far that
is off is shown in `tests/sweep/test_turning_edge.py`.
"""

from __future__ import annotations

from math import isnan, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecs_collide.jit import device, kernel
from ecs_collide.shapes.convex import convex_corners
from ecs_collide.sweep.circle_end_points import earlier
from ecs_collide.sweep.touch import FirstTouch
from ecs_collide.sweep.vertex_edge import TOLERANCE, moving_vertex_moving_edge
from ecs_collide.validate import vector2_sequence

MOMENT = 1e-3
"""Fraction of the step after which touching polygons that move apart are seen to have done so."""

vertex_edge = moving_vertex_moving_edge.kernel


def moving_polygon_moving_polygon(
    vertices_a: ArrayLike, motion_a: ArrayLike, vertices_b: ArrayLike, motion_b: ArrayLike
) -> FirstTouch:
    """When two convex polygons, all of whose vertices move on straight lines, first touch.

    Vertices at t = 0 [m] (n, 2), in order, either way round. Motions over the step [m] (n, 2), one per vertex, or (2,)
    for the whole polygon. The time is a fraction of the step, None if they do not touch within it. Raises `TypeError`
    and `ValueError`, naming the argument, for what is not a convex polygon or not a motion.
    """
    start_a, start_b = _polygon(vertices_a, "vertices_a"), _polygon(vertices_b, "vertices_b")
    whole_a, whole_b = _motion(motion_a, start_a, "motion_a"), _motion(motion_b, start_b, "motion_b")
    time, overlapping = polygon_polygon(start_a, whole_a, start_b, whole_b)
    return FirstTouch(None if isnan(time) else time, overlapping)


@kernel
def polygon_polygon(vertices_a, motion_a, vertices_b, motion_b):
    """(t, overlapping) of two convex polygons; vertices and motions [m] (n, 2); t in [0, 1] or NaN."""
    size = max(_size(vertices_a), _size(vertices_b))
    start = _separation(vertices_a, motion_a, vertices_b, motion_b, 0.0)
    if start < -TOLERANCE * size:
        return 0.0, True
    after = 0.0
    if start <= TOLERANCE * size:
        if _separation(vertices_a, motion_a, vertices_b, motion_b, MOMENT) <= start + TOLERANCE * size:
            return 0.0, False
        after = MOMENT
    t = earlier(
        _vertices_on_edges(vertices_a, motion_a, vertices_b, motion_b, after),
        _vertices_on_edges(vertices_b, motion_b, vertices_a, motion_a, after),
    )
    return t, False


@device
def _vertices_on_edges(vertices_a, motion_a, vertices_b, motion_b, after):
    """The first time, not before `after`, at which a vertex of B meets an edge of A, or NaN."""
    first = nan
    i = len(vertices_a) - 1
    for j in range(len(vertices_a)):
        for k in range(len(vertices_b)):
            t, _ = vertex_edge(
                vertices_b[k, 0],
                vertices_b[k, 1],
                motion_b[k, 0],
                motion_b[k, 1],
                vertices_a[i, 0],
                vertices_a[i, 1],
                motion_a[i, 0],
                motion_a[i, 1],
                vertices_a[j, 0],
                vertices_a[j, 1],
                motion_a[j, 0],
                motion_a[j, 1],
            )
            if t >= after:
                first = earlier(first, t)
        i = j
    return first


@device
def _separation(vertices_a, motion_a, vertices_b, motion_b, t):
    """The greatest distance [m] of one polygon from the line of an edge of the other at t; negative if they overlap."""
    return max(
        _distance_from_edges(vertices_a, motion_a, vertices_b, motion_b, t),
        _distance_from_edges(vertices_b, motion_b, vertices_a, motion_a, t),
    )


@device
def _distance_from_edges(vertices_a, motion_a, vertices_b, motion_b, t):
    winding = 1.0 if _doubled_area(vertices_a) > 0.0 else -1.0
    greatest = -np.inf
    i = len(vertices_a) - 1
    for j in range(len(vertices_a)):
        x, y = vertices_a[i, 0] + t * motion_a[i, 0], vertices_a[i, 1] + t * motion_a[i, 1]
        edge_x = vertices_a[j, 0] + t * motion_a[j, 0] - x
        edge_y = vertices_a[j, 1] + t * motion_a[j, 1] - y
        length = sqrt(edge_x * edge_x + edge_y * edge_y)
        i = j
        if length == 0.0:
            continue
        nearest = np.inf
        for k in range(len(vertices_b)):
            to_x = vertices_b[k, 0] + t * motion_b[k, 0] - x
            to_y = vertices_b[k, 1] + t * motion_b[k, 1] - y
            nearest = min(nearest, winding * (edge_y * to_x - edge_x * to_y) / length)
        greatest = max(greatest, nearest)
    return greatest


@device
def _doubled_area(vertices):
    """Twice the area [m²], positive if counter-clockwise."""
    total = 0.0
    for i in range(2, len(vertices)):
        ux, uy = vertices[i - 1, 0] - vertices[0, 0], vertices[i - 1, 1] - vertices[0, 1]
        vx, vy = vertices[i, 0] - vertices[0, 0], vertices[i, 1] - vertices[0, 1]
        total += ux * vy - uy * vx
    return total


@device
def _size(vertices):
    """The greatest coordinate [m], to which rounding errors are in proportion."""
    size = 0.0
    for i in range(len(vertices)):
        size = max(size, max(abs(vertices[i, 0]), abs(vertices[i, 1])))
    return size


def _polygon(vertices: ArrayLike, name: str) -> NDArray[np.float64]:
    points = vector2_sequence(vertices, name)
    convex_corners(points, name)
    return np.array(points)


def _motion(motion: ArrayLike, vertices: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    try:
        array = np.asarray(motion, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers, got {motion!r}") from None
    if array.shape not in ((2,), vertices.shape):
        raise ValueError(f"{name} must have the shape (2,) or {vertices.shape}, got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return np.ascontiguousarray(np.broadcast_to(array, vertices.shape))
