"""Contact points of two convex polygons and their depth (row 12): the axis of least penetration, then clipping.

The reference edge is the one of either polygon whose outward unit normal is the axis (`convex_polygons.py`). The
incident edge belongs to the other polygon. It begins at its deepest vertex and is turned most against the reference
edge. Let s be the place along the reference edge, from 0 to its length L, and h the height over it. The part of the
incident edge with 0 <= s <= L is kept, and of its two ends those with h <= 0:

    separation = h          on the reference edge: the foot at s          on the incident edge: the foot + h·normal

PC only decides overlap; this is our extension. The lower end has the separation of the axis. The reason: the point of
the Minkowski difference nearest to the origin is a point of the reference edge less the deepest vertex. The foot of
that vertex thus lies on the edge. Straight and repeated corners make no difference. An end is kept up to the rounding
of h.

The engine's clipping (`narrowphase/convex_convex.py`) rounds corners, names features, and reads edges and normals from
the pool. This function accepts either winding and corners on straight lines.
"""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecs_collide.algorithms.convex_polygons import BLOCK, Work, axes_of_block, refuse_fault, work_space
from ecs_collide.algorithms.polygon_vertices import over_pairs, polygon_pairs
from ecs_collide.geometry.edge import over_edge
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatCubeIn, FloatTable, Ints
from ecs_collide.kernels.elementwise import FloatArray
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout

IN_LINE = 1e-12
"""Height up to which a point counts as on an edge's line, as a fraction of the greatest coordinate from there."""


MANIFOLD = layout(
    "polygon manifold",
    NORMAL=("unit vector from A to B", 2),
    POINTS=("two points on A's outline, NaN if missing [m]", 4),
    SEPARATIONS=("separation at each point, NaN if missing [m]", 2),
)


class PolygonManifold(NamedTuple):
    """The contact points of two convex polygons.

    The first `point_count` points are valid, in A's counter-clockwise order; the rest is NaN. A point lies on A's
    outline; the point plus separation·normal lies on B's.
    """

    normal: FloatArray
    """Unit vector from A to B along which they overlap least, or are farthest apart (..., 2)."""
    points: FloatArray
    """Points on A's outline [m] (..., 2, 2)."""
    separations: FloatArray
    """Separation at each point, negative if they overlap [m] (..., 2)."""
    point_count: int | NDArray[np.int64]
    """Number of points, 0 to 2 (...)."""


def polygon_manifold(vertices_a: ArrayLike, vertices_b: ArrayLike) -> PolygonManifold:
    """Return the axis of least penetration of two convex polygons and up to two contact points.

    Polygons that touch have points of separation 0. Polygons that are apart have none. The least separation is that of
    the axis: moved by it along the normal, B just touches A. The axes before the last two broadcast. Source: PC,
    extended.

    Args:
        vertices_a, vertices_b: corners in either winding [m] (..., n, 2), n >= 3.

    Returns:
        The manifold.

    Raises:
        ValueError: a polygon is not convex or has no area.
    """
    pairs, shape = polygon_pairs(vertices_a, vertices_b)
    found = np.empty((pairs.pair_count, MANIFOLD.WIDTH))
    point_count = np.empty(pairs.pair_count, np.int64)
    refuse_fault(over_pairs(polygon_manifolds, pairs, found, point_count, work_space(pairs)), shape)
    fields = found.reshape(*shape, MANIFOLD.WIDTH)
    count: Any = point_count.reshape(shape) if shape else int(point_count[0])
    return PolygonManifold(
        normal=fields[..., : MANIFOLD.POINTS],
        points=fields[..., MANIFOLD.POINTS : MANIFOLD.SEPARATIONS].reshape(*shape, 2, 2),
        separations=fields[..., MANIFOLD.SEPARATIONS :],
        point_count=count,
    )


@kernel
def polygon_manifolds(
    a: FloatCubeIn,
    b: FloatCubeIn,
    step_a: int,
    step_b: int,
    count: int,
    found: FloatTable,
    point_count: Ints,
    work: Work,
):
    """Write manifolds to `found`, with columns of `MANIFOLD` (count, 8), and numbers of points.

    Reads polygons [m] (·, k, 2) and (·, m, 2). Writes `work`. Returns 2·pair for the first A that is not convex, one
    more for a B, or -1.
    """
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        fault = axes_of_block(a, b, step_a, step_b, start, size, work)
        if fault >= 0:
            return fault
        for i in range(size):
            pair = start + i
            out = found[pair]
            normal_x, normal_y = work.axis_x[i], work.axis_y[i]
            out[MANIFOLD.NORMAL], out[MANIFOLD.NORMAL + 1] = normal_x, normal_y
            if work.separation[i] > 0.0:
                out[MANIFOLD.POINTS :] = nan
                point_count[pair] = 0
                continue
            edge = int(work.edge[i])
            polygon_a, polygon_b = a[step_a * pair], b[step_b * pair]
            if edge < len(polygon_a):
                point_count[pair] = _clip(polygon_a, edge, polygon_b, normal_x, normal_y, 1.0, out)
            else:
                point_count[pair] = _clip(polygon_b, edge - len(polygon_a), polygon_a, -normal_x, -normal_y, -1.0, out)
    return -1


@device
def _clip(reference, edge, incident, normal_x, normal_y, sign, out):
    """Write points and separations of the clipped incident edge; return the number of points.

    `sign` is 1 if the reference polygon is A and -1 if it is B.
    """
    base_x, base_y = reference[edge, X], reference[edge, Y]
    deepest, lowest, size = 0, inf, 0.0
    for j in range(len(incident)):
        _, height = _over(incident, j, base_x, base_y, normal_x, normal_y)
        size = max(size, max(abs(incident[j, X] - base_x), abs(incident[j, Y] - base_y)))
        if height < lowest:
            deepest, lowest = j, height
    near = IN_LINE * size
    end = _other_end(incident, deepest, normal_x, normal_y, near)

    left, right = 0.0, 0.0  # ends of the reference edge, seen along the normal: places grow to the left
    for j in range(len(reference)):
        place, height = _over(reference, j, base_x, base_y, normal_x, normal_y)
        if height >= -near:
            left, right = max(left, place), min(right, place)

    place, height = _over(incident, deepest, base_x, base_y, normal_x, normal_y)
    end_place, end_height = _over(incident, end, base_x, base_y, normal_x, normal_y)
    span = end_place - place
    slope = (end_height - height) / span if span != 0.0 else 0.0
    first_place = max(right, min(left, place))  # it can be outside only by rounding
    second_place = max(right, min(left, end_place))
    second_height = height + slope * (second_place - place)
    count = 1
    first_height = height
    if second_height <= near and second_place != first_place:
        count = 2
        if (second_place < first_place) == (sign > 0.0):
            first_place, first_height, second_place, second_height = second_place, second_height, first_place, height
    _write_point(0, first_place, first_height, base_x, base_y, normal_x, normal_y, sign, out)
    if count == 2:
        _write_point(1, second_place, second_height, base_x, base_y, normal_x, normal_y, sign, out)
    else:
        out[MANIFOLD.POINTS + 2], out[MANIFOLD.POINTS + 3], out[MANIFOLD.SEPARATIONS + 1] = nan, nan, nan
    return count


@device
def _write_point(slot, place, height, base_x, base_y, normal_x, normal_y, sign, out):
    """Write the point at a place of the reference edge.

    If that edge is B's, the point on A is `height` away from it.
    """
    off = 0.0 if sign > 0.0 else height
    out[MANIFOLD.POINTS + 2 * slot] = base_x - place * normal_y + off * normal_x
    out[MANIFOLD.POINTS + 2 * slot + 1] = base_y + place * normal_x + off * normal_y
    out[MANIFOLD.SEPARATIONS + slot] = height


@device
def _over(vertices, j, base_x, base_y, normal_x, normal_y):
    """Return (place, height) of a corner over the reference edge."""
    return over_edge(base_x, base_y, normal_x, normal_y, vertices[j, X], vertices[j, Y])


@device
def _other_end(vertices, corner, normal_x, normal_y, near):
    """Return the other end of the side at a corner that rises least along the normal."""
    after = _end_of_side(vertices, corner, 1, near)
    before = _end_of_side(vertices, corner, -1, near)
    rises = _steepness(vertices, corner, after, normal_x, normal_y)
    return after if rises <= _steepness(vertices, corner, before, normal_x, normal_y) else before


@device
def _steepness(vertices, corner, end, normal_x, normal_y):
    """Return the sine of the angle at which a side rises along the normal."""
    x, y = vertices[end, X] - vertices[corner, X], vertices[end, Y] - vertices[corner, Y]
    return (normal_x * x + normal_y * y) / sqrt(x * x + y * y)


@device
def _end_of_side(vertices, corner, step, near):
    """Return the last vertex from a corner on, forwards or backwards, on one line with it."""
    count = len(vertices)
    found, far_x, far_y, far = corner, 0.0, 0.0, 0.0
    j = corner
    for _ in range(count - 1):
        j = (j + step) % count
        x, y = vertices[j, X] - vertices[corner, X], vertices[j, Y] - vertices[corner, Y]
        length = sqrt(x * x + y * y)
        if length <= near:
            continue
        if far > 0.0 and (abs(far_x * y - far_y * x) > near * far or far_x * x + far_y * y < 0.0):
            break
        if length > far:
            found, far_x, far_y, far = j, x, y, length
    return found
