"""Convex polygons by separating axes (row 12).

For each edge of either polygon, with its outward unit normal n, the other polygon lies beyond the edge by

    separation = min(n · other vertices) − max(n · own vertices)

If the greatest separation is positive, the polygons are apart. Otherwise its negative is the least depth of
penetration, along the normal of that edge.

Source: PC "More on convex polygons". PC projects onto the normal (A_Ky − A_Jy, A_Jx − A_Kx) of any length and returns a
bool; unit normals make the projections lengths. PC compares on both sides of each edge. For a convex polygon, other
edges cover the side away from the edge. PC's `>=` stops if the polygons touch: no overlap.

The engine's searches begin with the edge normals of pieces that are known to be convex. Here only vertices are given,
in either winding. Normals and a test for convexity are thus part of it. Many pairs are computed side by side.
"""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.algorithms.polygon_vertices import PolygonPairs, over_pairs, polygon_name, polygon_pairs
from ecs_collide.contours.touching import ROUNDING
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatCubeIn, Floats, FloatTable
from ecs_collide.kernels.elementwise import FloatArray
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.shapes.simple import TOLERANCE
from ecs_collide.validate import flag

BLOCK = 128
"""Number of pairs in a block, whose scratch space for boxes fits into the first-level cache."""

TRIANGLE = np.array([[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]])
"""A convex polygon, the partner of a polygon that is only tested for convexity [m] (1, 3, 2)."""


AXIS = layout("separating axis", X="x of the unit vector", Y="y of the unit vector", SEPARATION="separation [m]")


class Work(NamedTuple):
    """Scratch space of a block.

    Vertices have two rows for each vertex, x and y (·, BLOCK); all others have a number for each pair (BLOCK,).
    Separate arrays show the compiler that a write to one does not change the others.
    """

    vertices_a: FloatTable
    vertices_b: FloatTable
    axis_x: Floats
    axis_y: Floats
    separation: Floats
    edge: Floats
    b_x: Floats
    b_y: Floats
    b_separation: Floats
    b_edge: Floats
    normal_x: Floats
    normal_y: Floats
    low: Floats
    high: Floats
    other_low: Floats
    other_high: Floats
    tolerance: Floats


class SeparatingAxis(NamedTuple):
    """The axis along which two polygons A and B are farthest apart, or overlap least."""

    x: float
    """x of the unit vector from A to B."""
    y: float
    """y of the unit vector from A to B."""
    separation: float
    """Separation along the axis [m].

    If negative, its amount is the least depth of penetration: moved by it along the axis, B just touches A.
    """


def polygons_overlap(vertices_a: ArrayLike, vertices_b: ArrayLike, touching: bool = True) -> Any:
    """Return True if two convex polygons have a point in common.

    The axes before the last two broadcast. Source: PC.

    Args:
        vertices_a, vertices_b: corners in either winding [m] (..., n, 2), n >= 3.
        touching: True if polygons that only touch count (PC: >= stops): their separation is 0 but for rounding, see
            `contours/touching.py`.

    Returns:
        A bool, or an array of bool.

    Raises:
        ValueError: a polygon is not convex or has no area.
    """
    separation = axis_of_least_penetration(vertices_a, vertices_b).separation
    extents = (np.abs(np.asarray(each, np.float64)).max(axis=(-1, -2)) for each in (vertices_a, vertices_b))
    rounding = ROUNDING * sum(extents)
    meet = separation <= rounding if flag(touching, "touching") else separation < -rounding
    return meet if isinstance(separation, np.ndarray) else bool(meet)


def axis_of_least_penetration(vertices_a: ArrayLike, vertices_b: ArrayLike) -> SeparatingAxis:
    """Return the edge normal along which two convex polygons overlap least, or are farthest apart.

    The axes before the last two broadcast. For polygons that overlap the separation is exact: no shorter translation
    separates them. Otherwise it is at most their distance, and less if two corners are closest. Source: PC.

    Args:
        vertices_a, vertices_b: corners in either winding [m] (..., n, 2), n >= 3.

    Returns:
        The axis and the separation [m]; fields are arrays for arrays of polygons.

    Raises:
        ValueError: a polygon is not convex or has no area.
    """
    pairs, shape = polygon_pairs(vertices_a, vertices_b)
    found = np.empty((AXIS.WIDTH, pairs.pair_count))
    refuse_fault(over_pairs(separating_axes, pairs, found, work_space(pairs)), shape)
    if not shape:
        return SeparatingAxis(*found[:, 0].tolist())
    return SeparatingAxis(*found.reshape(AXIS.WIDTH, *shape))


def refuse_concave(a: FloatArray, b: FloatArray) -> None:
    """Raise an error for the first of the polygons (..., k, 2) or (..., m, 2) [m] that is not convex."""
    for name, polygons in (("vertices_a", a), ("vertices_b", b)):
        corners = polygons.reshape(-1, *polygons.shape[-2:])
        pairs = PolygonPairs(a=corners, b=TRIANGLE, step_a=1, step_b=0, pair_count=len(corners))
        fault = over_pairs(separating_axes, pairs, np.empty((AXIS.WIDTH, pairs.pair_count)), work_space(pairs))
        if fault >= 0:
            raise ValueError(not_convex(polygon_name(name, fault // 2, polygons.shape[:-2])))


def refuse_fault(fault: int, shape: tuple[int, ...]) -> None:
    """Raise an error for a polygon that is not convex.

    `fault` is 2·pair for A, one more for B, or -1 if all are convex.
    """
    if fault >= 0:
        name = polygon_name("vertices_b" if fault % 2 else "vertices_a", fault // 2, shape)
        raise ValueError(not_convex(name))


def not_convex(name: str) -> str:
    """Return the message for a polygon that is not convex."""
    return f"{name} must be the corners of a convex polygon, in order"


@kernel
def separating_axes(
    a: FloatCubeIn, b: FloatCubeIn, step_a: int, step_b: int, count: int, found: FloatTable, work: Work
):
    """Write the axis from A to B (x, y) and the separation of each pair to the rows of `found` (3, count) [m].

    Reads polygons [m] (·, k, 2) and (·, m, 2). Writes `work`. Returns 2·pair for the first A that is not convex, one
    more for a B, or -1.
    """
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        fault = axes_of_block(a, b, step_a, step_b, start, size, work)
        if fault >= 0:
            return fault
        for i in range(size):
            found[AXIS.X, start + i], found[AXIS.Y, start + i] = work.axis_x[i], work.axis_y[i]
            found[AXIS.SEPARATION, start + i] = work.separation[i]
    return -1


def work_space(pairs: PolygonPairs) -> Work:
    """Return scratch space for `axes_of_block`."""
    columns = (np.empty(BLOCK) for _ in range(len(Work._fields) - 2))
    return Work(*(np.empty((2 * polygons.shape[1], BLOCK)) for polygons in (pairs.a, pairs.b)), *columns)


@device
def axes_of_block(a, b, step_a, step_b, start, size, work):
    """Write the axis, the separation and the edge of each pair of a block to `work`.

    Returns 2·pair for the first A that is not convex, one more for a B, or -1. The loop over pairs is always the
    innermost one, so that the compiler can vectorise it.
    """
    k, rows_a, rows_b = a.shape[1], work.vertices_a, work.vertices_b
    _in_rows(a, step_a, start, size, rows_a)
    _in_rows(b, step_b, start, size, rows_b)
    _best_edges(rows_b, rows_a, size, work)
    for i in range(size):
        work.b_x[i], work.b_y[i] = work.axis_x[i], work.axis_y[i]
        work.b_separation[i], work.b_edge[i] = work.separation[i], work.edge[i]
    _best_edges(rows_a, rows_b, size, work)
    sound = True
    for i in range(size):
        of_b = work.b_separation[i] > work.separation[i]
        sound &= (work.b_separation[i] == work.b_separation[i]) & (work.separation[i] == work.separation[i])
        work.axis_x[i] = -work.b_x[i] if of_b else work.axis_x[i]
        work.axis_y[i] = -work.b_y[i] if of_b else work.axis_y[i]
        work.edge[i] = k + work.b_edge[i] if of_b else work.edge[i]
        work.low[i] = work.separation[i]
        work.separation[i] = work.b_separation[i] if of_b else work.separation[i]
    if sound:
        return -1
    for i in range(size):
        if work.low[i] != work.low[i]:
            return 2 * (start + i)
        if work.b_separation[i] != work.b_separation[i]:
            return 2 * (start + i) + 1
    return -1


@device
def _in_rows(vertices, step, start, size, rows):
    """Copy the polygons of a block so that a row holds one coordinate of one vertex of all of them."""
    for i in range(size):
        polygon = vertices[step * (start + i)]
        for j in range(polygon.shape[0]):
            rows[2 * j, i], rows[2 * j + 1, i] = polygon[j, X], polygon[j, Y]


@device
def _best_edges(own, other, size, work):
    """Write outward unit normal, separation and number of the edge from which `other` is farthest.

    The separation is NaN if `own` is not convex.
    """
    own_count, other_count = own.shape[0] // 2, other.shape[0] // 2
    tolerance, best, low, high = work.tolerance, work.separation, work.low, work.high
    _diagonals(own, size, work)
    for i in range(size):
        tolerance[i] *= TOLERANCE
        best[i] = -inf
    normal_x, normal_y, other_low, other_high = work.normal_x, work.normal_y, work.other_low, work.other_high
    best_x, best_y, best_edge = work.axis_x, work.axis_y, work.edge
    start = own_count - 1
    for end in range(own_count):
        start_x, start_y, x, y = own[2 * start], own[2 * start + 1], own[2 * end], own[2 * end + 1]
        for i in range(size):
            along_x, along_y = x[i] - start_x[i], y[i] - start_y[i]
            length = sqrt(along_x * along_x + along_y * along_y)
            length = length if length > 0.0 else nan
            normal_x[i], normal_y[i] = along_y / length, -along_x / length
            low[i], high[i], other_low[i], other_high[i] = 0.0, 0.0, inf, -inf
        for j in range(own_count):
            _extend(own[2 * j], own[2 * j + 1], x, y, normal_x, normal_y, low, high, size)
        for j in range(other_count):
            _extend(other[2 * j], other[2 * j + 1], x, y, normal_x, normal_y, other_low, other_high, size)
        for i in range(size):
            flat = high[i] - low[i] <= tolerance[i]
            bent = (high[i] > tolerance[i]) & (low[i] < -tolerance[i])
            inward = -low[i] < high[i]  # clockwise
            separation = -other_high[i] + low[i] if inward else other_low[i] - high[i]
            point = normal_x[i] != normal_x[i]  # NaN for an edge between equal corners
            better = ~point & (separation > best[i])
            best_x[i] = (-normal_x[i] if inward else normal_x[i]) if better else best_x[i]
            best_y[i] = (-normal_y[i] if inward else normal_y[i]) if better else best_y[i]
            best_edge[i] = end if better else best_edge[i]
            best[i] = separation if better else best[i]
            tolerance[i] = nan if ~point & (flat | bent) else tolerance[i]
        start = end
    for i in range(size):
        best[i] = best[i] if (tolerance[i] == tolerance[i]) & (best[i] > -inf) else nan


@device
def _extend(x, y, base_x, base_y, normal_x, normal_y, low, high, size):
    """Extend the range of projections onto a normal, measured from a base, to those of one vertex."""
    for i in range(size):
        height = normal_x[i] * (x[i] - base_x[i]) + normal_y[i] * (y[i] - base_y[i])
        low[i] = height if height < low[i] else low[i]
        high[i] = height if height > high[i] else high[i]


@device
def _diagonals(vertices, size, work):
    """Write the diagonals of the vertices' bounding boxes."""
    x_low, x_high, y_low, y_high = work.low, work.high, work.other_low, work.other_high
    for i in range(size):
        x_low[i], x_high[i], y_low[i], y_high[i] = inf, -inf, inf, -inf
    for j in range(vertices.shape[0] // 2):
        x, y = vertices[2 * j], vertices[2 * j + 1]
        for i in range(size):
            x_low[i], x_high[i] = min(x_low[i], x[i]), max(x_high[i], x[i])
            y_low[i], y_high[i] = min(y_low[i], y[i]), max(y_high[i], y[i])
    for i in range(size):
        width, height = x_high[i] - x_low[i], y_high[i] - y_low[i]
        work.tolerance[i] = sqrt(width * width + height * height)
