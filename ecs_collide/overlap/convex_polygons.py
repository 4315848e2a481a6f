"""Convex polygons by separating axes (row 12).

For each edge of either polygon, with its outward unit normal n: the other polygon lies past the edge by

    separation = min(n · other vertices) − max(n · own vertices)

Polygons whose greatest separation is positive are apart; else its negative is the least depth by which they penetrate,
along the normal of that edge.

Source: PC "More on convex polygons". PC projects onto the normal (A_Ky − A_Jy, A_Jx − A_Kx) of any length and answers
yes or no; unit normals make the projections lengths. PC compares on both sides of each edge; of a convex polygon the
side away from the edge is looked after by other edges. Its `>=` stops where the polygons touch: no overlap.
"""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import NamedTuple

from numpy.typing import ArrayLike

from ecs_collide.jit import device, kernel
from ecs_collide.overlap.polygon_vertices import polygon_vertices
from ecs_collide.shapes.simple import TOLERANCE
from ecs_collide.validate import flag


class SeparatingAxis(NamedTuple):
    """The unit vector (`x`, `y`) from A to B along which A and B are furthest apart, and by how much [m].

    A negative `separation` is the least depth of penetration: moved by it along the axis, B just touches A.
    """

    x: float
    y: float
    separation: float


def polygons_overlap(vertices_a: ArrayLike, vertices_b: ArrayLike, touching: bool = True) -> bool:
    """Whether two convex polygons have a point in common.

    Vertices [m] (n, 2), n >= 3, in either winding. Polygons that just touch count with `touching` and do not without
    (PC: >= stops). Raises `ValueError` for polygons that are not convex or have no area.
    """
    separation = axis_of_least_penetration(vertices_a, vertices_b).separation
    return separation <= 0.0 if flag(touching, "touching") else separation < 0.0


def axis_of_least_penetration(vertices_a: ArrayLike, vertices_b: ArrayLike) -> SeparatingAxis:
    """The edge normal along which two convex polygons overlap least, or are furthest apart, and the separation [m].

    Vertices [m] (n, 2), n >= 3, in either winding. For polygons that overlap the separation is exact: no shorter
    translation parts them. For others it is at most their distance, and less where two corners are closest.
    Raises `ValueError` for polygons that are not convex or have no area.
    """
    a, b = polygon_vertices(vertices_a, "vertices_a"), polygon_vertices(vertices_b, "vertices_b")
    x, y, separation, fault = separating_axis(a, b)
    if fault:
        raise ValueError(
            f"{'vertices_a' if fault == 1 else 'vertices_b'} must be the corners of a convex polygon, in order"
        )
    return SeparatingAxis(x, y, separation)


@kernel
def separating_axis(a, b):
    """Axis from A to B (x, y), separation, and which of the polygons is at fault: 1, 2 or, for none, 0."""
    a_x, a_y, a_separation = _best_edge(a, b)
    if a_separation != a_separation:
        return 0.0, 0.0, 0.0, 1
    b_x, b_y, b_separation = _best_edge(b, a)
    if b_separation != b_separation:
        return 0.0, 0.0, 0.0, 2
    if b_separation > a_separation:
        return -b_x, -b_y, b_separation, 0
    return a_x, a_y, a_separation, 0


@device
def _best_edge(own, other):
    """Outward unit normal and separation of the edge from which `other` is furthest; NaN if `own` is not convex."""
    tolerance = TOLERANCE * _diagonal(own)
    best_x, best_y, best = 0.0, 0.0, -inf
    origin_x, origin_y = own[0, 0], own[0, 1]
    x, y = own[-1, 0], own[-1, 1]
    for i in range(len(own)):
        start_x, start_y, x, y = x, y, own[i, 0], own[i, 1]
        length = sqrt((x - start_x) * (x - start_x) + (y - start_y) * (y - start_y))
        if length == 0.0:
            continue
        normal_x, normal_y = (y - start_y) / length, (start_x - x) / length
        low, high = _extent(own, normal_x, normal_y, origin_x, origin_y)
        height = normal_x * (x - origin_x) + normal_y * (y - origin_y)
        if high - low <= tolerance or (height < high - tolerance and height > low + tolerance):
            return nan, nan, nan
        if height - low < high - height:  # clockwise: the normal points inwards
            normal_x, normal_y, high = -normal_x, -normal_y, -low
        other_low, _ = _extent(other, normal_x, normal_y, origin_x, origin_y)
        if other_low - high > best:
            best_x, best_y, best = normal_x, normal_y, other_low - high
    return (best_x, best_y, best) if best > -inf else (nan, nan, nan)


@device
def _extent(vertices, normal_x, normal_y, origin_x, origin_y):
    """The least and the greatest projection of the vertices onto a normal, measured from an origin."""
    low, high = inf, -inf
    for i in range(len(vertices)):
        height = normal_x * (vertices[i, 0] - origin_x) + normal_y * (vertices[i, 1] - origin_y)
        low, high = min(low, height), max(high, height)
    return low, high


@device
def _diagonal(vertices):
    """The diagonal of the vertices' bounding box."""
    x_low, x_high = _extent(vertices, 1.0, 0.0, 0.0, 0.0)
    y_low, y_high = _extent(vertices, 0.0, 1.0, 0.0, 0.0)
    return sqrt((x_high - x_low) * (x_high - x_low) + (y_high - y_low) * (y_high - y_low))
