"""Where a point lies at a simple polygon: inside, and in which Voronoi region.

A point is inside where a ray from it to the right crosses the outline an odd number of times. The edge from A to B is
crossed where one of its ends lies above the ray and the other does not, and the point lies to its left:

    (A_y > y) ≠ (B_y > y)    and    (B − A) × (p − A) > 0 for an edge that goes up, < 0 for one that goes down

A point with (B − A) × (p − A) = 0 between the ends is on the outline. Only signs of cross products are asked, so
polygons and points in whole numbers are decided exactly.

The Voronoi regions are those of PC "Testing overlap of circle and AABB", for any polygon: outside, the plane is parted
by what of the polygon is closest, an edge or a corner. Beside the edge from A to B, that is for 0 ≤ (p − A)·D ≤ ‖D‖²
with D = B − A, its squared distance is (D × (p − A))² / ‖D‖²; past an end it is that of the corner.

Sources: OC "More complex shapes", which rests on "a point of one is inside the other" and does not say how that is
told; PC, which shows the regions of a box (row 10). In either winding, convex or not. That outlines do not cross
themselves is not checked.
"""

from __future__ import annotations

from enum import IntEnum
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.algorithms.polygon_vertices import circles_at_polygons, polygon_vertices
from ecs_collide.kernels.arrays import Flags, FloatCubeIn, FloatsIn, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.validate import flag


class PolygonFeature(IntEnum):
    """What of a polygon is closest to a point."""

    INSIDE = 0
    EDGE = 1
    CORNER = 2


class PolygonRegion(NamedTuple):
    """The Voronoi region of a point: a `PolygonFeature`, and which one it is.

    Edge k goes from corner k to the next one. Inside, `number` is that of the closest edge.
    """

    feature: PolygonFeature
    number: int


def point_in_polygon(x: ArrayLike, y: ArrayLike, vertices: ArrayLike, touching: bool = True) -> Any:
    """Whether the point (x, y) lies in a polygon without self-intersections; a bool, or an array of bool.

    x, y [m] and vertices [m] (..., n, 2), n >= 3, in either winding; numbers and the axes before the last two
    broadcast. A point on the outline counts with `touching` and does not without.
    """
    circles, shape = circles_at_polygons({"vertices": polygon_vertices(vertices, "vertices")}, x=x, y=y)
    inside = np.empty(circles.circle_count, np.bool_)
    points_in_polygons(*circles.numbers, *circles.outlines, *circles.steps, flag(touching, "touching"), inside)
    return inside.reshape(shape) if shape else bool(inside[0])


def polygon_region(x: ArrayLike, y: ArrayLike, vertices: ArrayLike) -> PolygonRegion:
    """In which Voronoi region of a polygon without self-intersections the point (x, y) lies.

    x, y [m] and vertices [m] (..., n, 2), n >= 3, in either winding; numbers and the axes before the last two
    broadcast, and where there are any both fields are arrays. On a border line the answer is an edge rather than a
    corner, and inside rather than an edge.
    """
    circles, shape = circles_at_polygons({"vertices": polygon_vertices(vertices, "vertices")}, x=x, y=y)
    feature, number = np.empty(circles.circle_count, np.int64), np.empty(circles.circle_count, np.int64)
    regions_of_points(*circles.numbers, *circles.outlines, *circles.steps, feature, number)
    if shape:
        return PolygonRegion(feature.reshape(shape), number.reshape(shape))  # type: ignore[arg-type]  # arrays of them
    return PolygonRegion(PolygonFeature(int(feature[0])), int(number[0]))


@kernel
def points_in_polygons(x: FloatsIn, y: FloatsIn, vertices: FloatCubeIn, step: int, touching: bool, inside: Flags):
    """Write whether point i lies in polygon i·step of `vertices` (·, n, 2) [m]."""
    for i in range(len(inside)):
        place = place_in_polygon(x[i], y[i], vertices[step * i])
        inside[i] = place >= 0 if touching else place > 0


@kernel
def regions_of_points(x: FloatsIn, y: FloatsIn, vertices: FloatCubeIn, step: int, feature: Ints, number: Ints):
    """Write the Voronoi region of point i at polygon i·step of `vertices` (·, n, 2) [m]."""
    for i in range(len(number)):
        polygon = vertices[step * i]
        feature[i], number[i], _ = closest_feature(x[i], y[i], polygon)
        if place_in_polygon(x[i], y[i], polygon) >= 0:
            feature[i] = 0


@device
def place_in_polygon(x, y, vertices):
    """1 inside a polygon (n, 2), 0 on its outline, -1 outside."""
    inside = False
    for i in range(len(vertices)):
        ax, ay, bx, by = vertices[i - 1, 0], vertices[i - 1, 1], vertices[i, 0], vertices[i, 1]
        cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if cross == 0.0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return 0
        if (ay > y) != (by > y) and (cross > 0.0) == (by > ay):
            inside = not inside
    return 1 if inside else -1


@device
def closest_feature(x, y, vertices):
    """(feature, number, squared distance [m²]) of what is closest on the outline of a polygon (n, 2).

    The feature is 1 for an edge and 2 for a corner, as in `PolygonFeature`.
    """
    feature, number, least = 2, 0, inf
    before = len(vertices) - 1
    for i in range(len(vertices)):
        dx, dy = vertices[i, 0] - vertices[before, 0], vertices[i, 1] - vertices[before, 1]
        wx, wy = x - vertices[before, 0], y - vertices[before, 1]
        end_x, end_y = x - vertices[i, 0], y - vertices[i, 1]
        along, length_squared = wx * dx + wy * dy, dx * dx + dy * dy
        if along <= 0.0:
            square = wx * wx + wy * wy
            is_edge, corner = along == 0.0 and length_squared > 0.0, before
        elif along >= length_squared:
            square = end_x * end_x + end_y * end_y
            is_edge, corner = along == length_squared, i
        else:
            cross = dx * wy - dy * wx
            square = cross * cross / length_squared
            is_edge, corner = True, before
        if square < least or (square == least and is_edge and feature == 2):
            least = square
            feature, number = (1, before) if is_edge else (2, corner)
        before = i
    return feature, number, least
