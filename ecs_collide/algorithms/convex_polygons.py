"""Convex polygons by separating axes (row 12).

For each edge of either polygon, with its outward unit normal n: the other polygon lies past the edge by

    separation = min(n · other vertices) − max(n · own vertices)

Polygons whose greatest separation is positive are apart; else its negative is the least depth by which they penetrate,
along the normal of that edge.

Source: PC "More on convex polygons". PC projects onto the normal (A_Ky − A_Jy, A_Jx − A_Kx) of any length and answers
yes or no; unit normals make the projections lengths. PC compares on both sides of each edge; of a convex polygon the
side away from the edge is looked after by other edges. Its `>=` stops where the polygons touch: no overlap.

The engine's searches begin with the edge normals of pieces that are known to be convex. Here vertices are all that is
given, in either winding: normals and a test for convexity are part of it. With 128 pairs side by side that takes no
longer, 120 ns for two boxes, than the distance of two contours alone (`contours/piece_distance.py`, 140 ns).
"""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.algorithms.polygon_vertices import PolygonPairs, over_pairs, polygon_name, polygon_pairs
from ecs_collide.kernels.arrays import FloatCubeIn, Floats, FloatTable
from ecs_collide.kernels.elementwise import FloatArray
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.shapes.simple import TOLERANCE
from ecs_collide.validate import flag

BLOCK = 128
"""Pairs in a block: with boxes the scratch space fills 31 of the usual 32 or 48 kB of first-level cache."""

TRIANGLE = np.array([[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]])
"""A convex polygon, to hold others against."""


class Work(NamedTuple):
    """Scratch space: two rows per vertex, x and y, (·, BLOCK), else a number per pair (BLOCK,).

    Arrays of their own, so that the compiler can see that what it writes to one changes no other.
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
    """The unit vector (`x`, `y`) from A to B along which A and B are furthest apart, and by how much [m].

    A negative `separation` is the least depth of penetration: moved by it along the axis, B just touches A.
    """

    x: float
    y: float
    separation: float


def polygons_overlap(vertices_a: ArrayLike, vertices_b: ArrayLike, touching: bool = True) -> Any:
    """Whether two convex polygons have a point in common: a bool, or an array of bool for arrays of polygons.

    Vertices [m] (..., n, 2), n >= 3, in either winding; the axes before the last two broadcast. Polygons that just
    touch count with `touching` and do not without (PC: >= stops). Raises `ValueError` for polygons that are not convex
    or have no area.
    """
    separation = axis_of_least_penetration(vertices_a, vertices_b).separation
    return separation <= 0.0 if flag(touching, "touching") else separation < 0.0


def axis_of_least_penetration(vertices_a: ArrayLike, vertices_b: ArrayLike) -> SeparatingAxis:
    """The edge normal along which two convex polygons overlap least, or are furthest apart, and the separation [m].

    Vertices [m] (..., n, 2), n >= 3, in either winding; the axes before the last two broadcast, and where there are any
    each field is an array. For polygons that overlap the separation is exact: no shorter translation parts them. For
    others it is at most their distance, and less where two corners are closest.
    Raises `ValueError` for polygons that are not convex or have no area.
    """
    pairs, shape = polygon_pairs(vertices_a, vertices_b)
    found = np.empty((3, pairs.pair_count))
    refuse_fault(over_pairs(separating_axes, pairs, found, work_space(pairs)), shape)
    if not shape:
        return SeparatingAxis(*found[:, 0].tolist())
    return SeparatingAxis(*found.reshape(3, *shape))


def refuse_concave(a: FloatArray, b: FloatArray) -> None:
    """Raise an error for the first of the polygons (..., k, 2) or (..., m, 2) [m] that is not convex."""
    for name, polygons in (("vertices_a", a), ("vertices_b", b)):
        corners = polygons.reshape(-1, *polygons.shape[-2:])
        pairs = PolygonPairs(corners, TRIANGLE, 1, 0, len(corners))
        fault = over_pairs(separating_axes, pairs, np.empty((3, pairs.pair_count)), work_space(pairs))
        if fault >= 0:
            raise ValueError(not_convex(polygon_name(name, fault // 2, polygons.shape[:-2])))


def refuse_fault(fault: int, shape: tuple[int, ...]) -> None:
    """Raise an error for the polygon that a kernel found not to be convex: 2·pair for A, one more for B, or -1."""
    if fault >= 0:
        name = polygon_name("vertices_b" if fault % 2 else "vertices_a", fault // 2, shape)
        raise ValueError(not_convex(name))


def not_convex(name: str) -> str:
    """What is wrong."""
    return f"{name} must be the corners of a convex polygon, in order"


@kernel
def separating_axes(
    a: FloatCubeIn, b: FloatCubeIn, step_a: int, step_b: int, count: int, found: FloatTable, work: Work
):
    """Write the axis from A to B (x, y) and the separation of each pair to the rows of `found` (3, count) [m].

    Polygons [m] (·, k, 2) and (·, m, 2). Writes `work`. Returns 2·pair for the first A that is not
    convex, one more for a B, or -1.
    """
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        fault = axes_of_block(a, b, step_a, step_b, start, size, work)
        if fault >= 0:
            return fault
        for i in range(size):
            found[0, start + i], found[1, start + i] = work.axis_x[i], work.axis_y[i]
            found[2, start + i] = work.separation[i]
    return -1


def work_space(pairs: PolygonPairs) -> Work:
    """Scratch space for `axes_of_block`."""
    columns = (np.empty(BLOCK) for _ in range(len(Work._fields) - 2))
    return Work(*(np.empty((2 * polygons.shape[1], BLOCK)) for polygons in (pairs.a, pairs.b)), *columns)


@device
def axes_of_block(a, b, step_a, step_b, start, size, work):
    """Write the axis, the separation and the edge of each pair of a block to `work`; return as `separating_axes`.

    The pair is always the innermost loop, so that the compiler can do several at once.
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
            rows[2 * j, i], rows[2 * j + 1, i] = polygon[j, 0], polygon[j, 1]


@device
def _best_edges(own, other, size, work):
    """Write outward unit normal, separation and number of the edge from which `other` is furthest.

    The separation is NaN where `own` is not convex.
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
            point = normal_x[i] != normal_x[i]  # of two corners that are one
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
    """Extend the range of projections onto a normal, measured from a base, by those of one vertex."""
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
