"""Overlap of two simple polygons, convex or not (row 29).

Source: OC "More complex shapes": "two shapes collide if at least one point (or edge) of one is inside the other".

Deviation: as a test of points this fails for a cross made of two bars, neither of which has a point in the other. Edges
are thus tested against edges:

- Touching counts: some edge meets an edge of the other, or a vertex of one lies in the other.
- Touching does not count: each edge is cut where it meets edges of the other. The interiors overlap if a part of an
  edge runs inside the other polygon, or along its boundary with both interiors on the same side. Only this
  distinguishes equal polygons, or polygons that share edges from within, from neighbours.

Time grows as n·m, and with N meeting points on one edge as n·m + N². The functions do not check that outlines are
simple.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.algorithms.point_polygon import locate_point
from ecs_collide.algorithms.polygon_vertices import over_pairs, polygon_pairs
from ecs_collide.algorithms.segment_segment import segment_segment_intersection
from ecs_collide.geometry.point_on_segment import segment_fraction
from ecs_collide.geometry.polygon_corners import doubled_area, previous_corner
from ecs_collide.geometry.segment_intersection import ON_LINE
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Flags, FloatCubeIn, Floats
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.validate import flag

_common_part = segment_segment_intersection.kernel


def simple_polygons_overlap(vertices_a: ArrayLike, vertices_b: ArrayLike, touching: bool = True) -> Any:
    """Return True if two polygons without self-intersections have a point in common.

    The axes before the last two broadcast. Source: OC, which says only "inside"; its other tests count touching (<=).

    Args:
        vertices_a, vertices_b: corners in either winding [m] (..., n, 2), n >= 3.
        touching: True if polygons that only touch count. If False, they must have a common area.

    Returns:
        A bool, or an array of bool.

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a polygon.
    """
    pairs, shape = polygon_pairs(vertices_a, vertices_b)
    meet = np.empty(pairs.pair_count, np.bool_)
    cuts = np.empty(2 * max(pairs.a.shape[1], pairs.b.shape[1]) + 2)
    over_pairs(simple_polygons_meet, pairs, flag(touching, "touching"), meet, cuts)
    return meet.reshape(shape) if shape else bool(meet[0])


@kernel
def simple_polygons_meet(
    a: FloatCubeIn,
    b: FloatCubeIn,
    step_a: int,
    step_b: int,
    count: int,
    touching: bool,
    meet: Flags,
    cuts: Floats,
):
    """Write True to `meet` if the polygons of a pair, (·, k, 2) and (·, m, 2) [m], meet.

    Writes `cuts`. Returns -1.
    """
    for i in range(count):
        polygon_a, polygon_b = a[step_a * i], b[step_b * i]
        if touching:
            meet[i] = closed_polygons_meet(polygon_a, polygon_b)
        else:
            meet[i] = open_polygons_meet(polygon_a, polygon_b, cuts)
    return -1


@device
def closed_polygons_meet(a, b):
    """Return True if two polygons (n, 2), (m, 2) with their outlines have a point in common."""
    near = ON_LINE * max(_extent(a), _extent(b))
    if _place(a[0, X], a[0, Y], b, near) >= 0 or _place(b[0, X], b[0, Y], a, near) >= 0:
        return True
    for i in range(len(a)):
        for j in range(len(b)):
            meeting = _meet_edge(a[previous_corner(i, a)], a[i], b, j)
            if meeting.u_a == meeting.u_a:
                return True
    return False


@device
def open_polygons_meet(a, b, cuts):
    """Return True if two polygons (n, 2), (m, 2) without their outlines have a common point. Writes `cuts`."""
    near = ON_LINE * max(_extent(a), _extent(b))
    same_winding = (doubled_area(a) > 0.0) == (doubled_area(b) > 0.0)
    return _enters(a, b, same_winding, near, cuts) or _enters(b, a, same_winding, near, cuts)


@device
def _enters(a, b, same_winding, near, cuts):
    """Return True if part of an edge of A runs inside B, or along its outline with A and B on the same side."""
    for i in range(len(a)):
        before = previous_corner(i, a)
        px, py, dx, dy = a[before, X], a[before, Y], a[i, X] - a[before, X], a[i, Y] - a[before, Y]
        length = sqrt(dx * dx + dy * dy)
        count = _cut(a[before], a[i], b, cuts)
        for k in range(1, count):
            if (cuts[k] - cuts[k - 1]) * length <= 4.0 * near:
                continue
            u = 0.5 * (cuts[k - 1] + cuts[k])
            x, y = px + u * dx, py + u * dy
            place = _place(x, y, b, near)
            if place > 0:
                return True
            if place == 0:
                edge = _edge_at(x, y, b, near)
                start = previous_corner(edge, b)
                along = dx * (b[edge, X] - b[start, X]) + dy * (b[edge, Y] - b[start, Y])
                if (along > 0.0) == same_winding:
                    return True
    return False


@device
def _cut(p, q, b, cuts):
    """Write the fractions at which the edge from p to q meets edges of B, ends included; return their number.

    They are in ascending order.
    """
    cuts[0], cuts[1], count = 0.0, 1.0, 2
    for j in range(len(b)):
        meeting = _meet_edge(p, q, b, j)
        if meeting.u_a == meeting.u_a:
            _insert(cuts, count, meeting.u_a)
            _insert(cuts, count + 1, meeting.u_a_end)
            count += 2
    return count


@device
def _meet_edge(p, q, vertices, stop):
    """Return where the edge from p to q meets the edge of a polygon that ends at the corner `stop`."""
    start = previous_corner(stop, vertices)
    return _common_part(
        p[X], p[Y], q[X], q[Y], vertices[start, X], vertices[start, Y], vertices[stop, X], vertices[stop, Y]
    )


@device
def _insert(values, count, value):
    """Insert a value into ascending values."""
    while count > 0 and values[count - 1] > value:
        values[count] = values[count - 1]
        count -= 1
    values[count] = value


@device
def _place(x, y, vertices, near):
    """Return 1 for a point inside the polygon, 0 within `near` of its outline, -1 outside."""
    if _edge_at(x, y, vertices, near) >= 0:
        return 0
    return 1 if locate_point(x, y, vertices) > 0 else -1


@device
def _edge_at(x, y, vertices, near):
    """Return the closest edge within `near` of the point by the corner where it ends, -1 if there is none."""
    found, least = -1, near * near
    for i in range(len(vertices)):
        before = previous_corner(i, vertices)
        ax, ay, bx, by = vertices[before, X], vertices[before, Y], vertices[i, X], vertices[i, Y]
        u = segment_fraction(ax, ay, bx, by, x, y)
        dx, dy = ax + u * (bx - ax) - x, ay + u * (by - ay) - y
        square = dx * dx + dy * dy
        if square <= least:
            found, least = i, square
    return found


@device
def _extent(vertices):
    """Return the greatest distance along x or y between vertex 0 and another."""
    size = 0.0
    for i in range(len(vertices)):
        size = max(size, max(abs(vertices[i, X] - vertices[0, X]), abs(vertices[i, Y] - vertices[0, Y])))
    return size
