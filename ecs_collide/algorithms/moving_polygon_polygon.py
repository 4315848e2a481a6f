"""Row 22 for whole polygons: the first touch of two convex polygons whose vertices move on straight lines.

EQ tests every vertex of B against every edge of A. That misses a vertex of A that meets an edge of B. An example is a
small polygon that runs with a flat side into a corner of a large one. Both directions are needed. They are sufficient,
since edges stay straight while their ends move on straight lines. The earliest hit counts.

EQ does not treat polygons that overlap at the start, whose vertices may cross edges from inside or not at all. The
separating axes at t = 0 decide. The greatest distance s of one polygon from the line of an edge of the other is

    s < 0    overlap: t = 0 and `overlapping`
    s = 0    touching: t = 0, unless s is greater a moment later; hits at the first moment are then ignored
    s > 0    apart

Values within 1e-12 of the greatest coordinate count as 0, since flush boxes are never flush to the last bit.

The model is that of the document: straight motion of the vertices replaces rotation.
`tests/algorithms/test_moving_turning_edge.py` measures the error.

The separation at a time is found here for a single pair. `convex_polygons.py` finds it for many pairs side by side,
which is slower for one pair.
"""

from __future__ import annotations

from math import isnan, nan, prod, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.algorithms.convex_polygons import refuse_concave
from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.algorithms.moving_circle_end_points import earlier
from ecs_collide.algorithms.moving_vertex_edge import TOLERANCE, moving_vertex_moving_edge
from ecs_collide.algorithms.polygon_vertices import common_shape, first_beyond, frozen, on_one_axis, polygon_vertices
from ecs_collide.geometry.polygon_corners import doubled_area
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Flags, FloatCubeIn, Floats
from ecs_collide.kernels.elementwise import LARGEST, FloatArray, float_array
from ecs_collide.kernels.kernel import device, kernel

MOMENT = 1e-3
"""Fraction of the step after which touching polygons that move apart are separated."""

vertex_edge = moving_vertex_moving_edge.kernel


def moving_polygon_moving_polygon(
    vertices_a: ArrayLike, motion_a: ArrayLike, vertices_b: ArrayLike, motion_b: ArrayLike
) -> FirstTouch:
    """Return the first touch of two convex polygons whose vertices all move on straight lines.

    The axes before the last two broadcast. Source: EQ 13–21, with both directions and the overlap at the start.

    Args:
        vertices_a, vertices_b: corners at t = 0, in order, either way round [m] (..., n, 2), n >= 3.
        motion_a, motion_b: motion over the step [m]: one for each vertex (..., n, 2), one for each polygon (..., 1, 2),
            or
            one for all (2,).

    Returns:
        Time, a fraction of the step, and the overlap at the start; fields are arrays if an argument is an array. The
            time
        is None, or NaN in arrays, if they do not touch within the step.

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a convex polygon or not a motion.
    """
    a, b = polygon_vertices(vertices_a, "vertices_a"), polygon_vertices(vertices_b, "vertices_b")
    whole_a, whole_b = vertex_motions(motion_a, a, "motion_a"), vertex_motions(motion_b, b, "motion_b")
    shape = common_shape({"vertices_a": a, "motion_a": whole_a, "vertices_b": b, "motion_b": whole_b})
    refuse_concave(a, b)
    columns, steps = zip(*(on_one_axis(array, shape) for array in (a, whole_a, b, whole_b)))
    time, overlapping = np.empty(prod(shape)), np.empty(prod(shape), np.bool_)
    moving_polygons_meet(*map(frozen, columns), steps, time, overlapping)
    if shape:
        return FirstTouch(time.reshape(shape), overlapping.reshape(shape))  # type: ignore[arg-type]  # arrays of them
    return FirstTouch(None if isnan(time[0]) else float(time[0]), bool(overlapping[0]))


@kernel
def moving_polygons_meet(
    a: FloatCubeIn,
    motion_a: FloatCubeIn,
    b: FloatCubeIn,
    motion_b: FloatCubeIn,
    steps: tuple[int, int, int, int],
    time: Floats,
    overlapping: Flags,
):
    """Write (t, overlapping) of each pair; pair i is number i·step of vertices and motions [m] (·, n, 2)."""
    for i in range(len(time)):
        time[i], overlapping[i] = polygon_polygon(
            a[steps[0] * i], motion_a[steps[1] * i], b[steps[2] * i], motion_b[steps[3] * i]
        )


@device
def polygon_polygon(vertices_a, motion_a, vertices_b, motion_b):
    """Return (t, overlapping) of two convex polygons; t is in [0, 1] or NaN.

    Vertices and motions are in [m] (n, 2).
    """
    size = max(_greatest_coordinate(vertices_a), _greatest_coordinate(vertices_b))
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
    """Return the first time, not before `after`, at which a vertex of B meets an edge of A, or NaN."""
    first = nan
    i = len(vertices_a) - 1
    for j in range(len(vertices_a)):
        for k in range(len(vertices_b)):
            t, _ = vertex_edge(
                vertices_b[k, X],
                vertices_b[k, Y],
                motion_b[k, X],
                motion_b[k, Y],
                vertices_a[i, X],
                vertices_a[i, Y],
                motion_a[i, X],
                motion_a[i, Y],
                vertices_a[j, X],
                vertices_a[j, Y],
                motion_a[j, X],
                motion_a[j, Y],
            )
            if t >= after:
                first = earlier(first, t)
        i = j
    return first


@device
def _separation(vertices_a, motion_a, vertices_b, motion_b, t):
    """Return the greatest distance of one polygon from the line of an edge of the other at t [m].

    The distance is negative if they overlap.
    """
    return max(
        _distance_from_edges(vertices_a, motion_a, vertices_b, motion_b, t),
        _distance_from_edges(vertices_b, motion_b, vertices_a, motion_a, t),
    )


@device
def _distance_from_edges(vertices_a, motion_a, vertices_b, motion_b, t):
    """Return the greatest distance of B from the line of an edge of A at t [m]."""
    winding = 1.0 if doubled_area(vertices_a) > 0.0 else -1.0
    greatest = -np.inf
    i = len(vertices_a) - 1
    for j in range(len(vertices_a)):
        x, y = vertices_a[i, X] + t * motion_a[i, X], vertices_a[i, Y] + t * motion_a[i, Y]
        edge_x = vertices_a[j, X] + t * motion_a[j, X] - x
        edge_y = vertices_a[j, Y] + t * motion_a[j, Y] - y
        length = sqrt(edge_x * edge_x + edge_y * edge_y)
        i = j
        if length == 0.0:
            continue
        nearest = np.inf
        for k in range(len(vertices_b)):
            to_x = vertices_b[k, X] + t * motion_b[k, X] - x
            to_y = vertices_b[k, Y] + t * motion_b[k, Y] - y
            nearest = min(nearest, winding * (edge_y * to_x - edge_x * to_y) / length)
        greatest = max(greatest, nearest)
    return greatest


@device
def _greatest_coordinate(vertices):
    """Return the greatest coordinate [m], to which rounding errors are proportional."""
    size = 0.0
    for i in range(len(vertices)):
        size = max(size, max(abs(vertices[i, X]), abs(vertices[i, Y])))
    return size


def vertex_motions(motion: ArrayLike, vertices: FloatArray, name: str) -> FloatArray:
    """Return the motion [m] as an array (..., n, 2) for polygons with n vertices.

    Errors call it `name`.
    """
    array = float_array(motion, name)
    if array.shape != (2,) and (
        array.ndim < 2 or array.shape[-2] not in (1, vertices.shape[-2]) or array.shape[-1] != 2
    ):
        corners = vertices.shape[-2]
        raise ValueError(f"{name} must have the shape (2,), (..., 1, 2) or (..., {corners}, 2), got {array.shape}")
    wrong = first_beyond(array.reshape(-1), LARGEST)
    if wrong >= 0:
        raise ValueError(f"{name} must be finite numbers between ±1e75, got {array.reshape(-1)[wrong]}")
    return np.ascontiguousarray(np.broadcast_to(array, (*array.shape[:-2], *vertices.shape[-2:])))
