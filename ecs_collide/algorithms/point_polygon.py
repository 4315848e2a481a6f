"""Position of a point relative to a simple polygon: inside or outside, and the Voronoi region.

A point is inside if a ray from it to the right crosses the outline an odd number of times. The ray crosses the edge
from A to B if just one of its ends lies above the ray and the point lies to its left:

    (A_y > y) ≠ (B_y > y)    and    (B − A) × (p − A) > 0 for an edge that goes up, < 0 for one that goes down

A point with (B − A) × (p − A) = 0 between the ends is on the outline. Only signs of cross products are used, so that
polygons and points in whole numbers are decided exactly.

The Voronoi regions are those of PC "Testing overlap of circle and AABB", for any polygon. Outside, the closest edge or
corner defines the region. A point is beside the edge from A to B if 0 ≤ (p − A)·D ≤ ‖D‖², with D = B − A. Its squared
distance is then (D × (p − A))² / ‖D‖². Beyond an end it is that of the corner.

Sources: OC "More complex shapes", which needs "a point of one is inside the other" without saying how to test it; PC,
which shows the regions of a box (row 10). Polygons have either winding and need not be convex. The functions do not
check that outlines are simple.
"""

from __future__ import annotations

from enum import IntEnum
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.algorithms.polygon_vertices import circles_at_polygons, polygon_vertices
from ecs_collide.geometry.polygon_corners import previous_corner
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Flags, FloatCubeIn, FloatsIn, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.validate import flag


class PolygonFeature(IntEnum):
    """The part of a polygon closest to a point."""

    INSIDE = 0
    EDGE = 1
    CORNER = 2


class PolygonRegion(NamedTuple):
    """The Voronoi region of a point."""

    feature: PolygonFeature
    """Kind of the region."""
    number: int
    """Number of the corner or edge; edge k goes from corner k to the next. Inside, that of the closest edge."""


def point_in_polygon(x: ArrayLike, y: ArrayLike, vertices: ArrayLike, touching: bool = True) -> Any:
    """Return True if a point lies in a polygon without self-intersections.

    Numbers and the axes of `vertices` before the last two broadcast. Source: OC.

    Args:
        x, y: point [m].
        vertices: corners in either winding [m] (..., n, 2), n >= 3.
        touching: True if a point on the outline counts.

    Returns:
        A bool, or an array of bool.

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a number or a polygon.
    """
    circles, shape = circles_at_polygons({"vertices": polygon_vertices(vertices, "vertices")}, x=x, y=y)
    inside = np.empty(circles.circle_count, np.bool_)
    points_in_polygons(*circles.numbers, *circles.outlines, *circles.steps, flag(touching, "touching"), inside)
    return inside.reshape(shape) if shape else bool(inside[0])


def polygon_region(x: ArrayLike, y: ArrayLike, vertices: ArrayLike) -> PolygonRegion:
    """Return the Voronoi region of a polygon without self-intersections that contains a point.

    A point on a border line belongs to an edge rather than a corner, and to the inside rather than an edge. Numbers and
    the axes of `vertices` before the last two broadcast. Source: PC.

    Args:
        x, y: point [m].
        vertices: corners in either winding [m] (..., n, 2), n >= 3.

    Returns:
        The region; fields are arrays if an argument is an array.

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a number or a polygon.
    """
    circles, shape = circles_at_polygons({"vertices": polygon_vertices(vertices, "vertices")}, x=x, y=y)
    feature, number = np.empty(circles.circle_count, np.int64), np.empty(circles.circle_count, np.int64)
    regions_of_points(*circles.numbers, *circles.outlines, *circles.steps, feature, number)
    if shape:
        return PolygonRegion(feature.reshape(shape), number.reshape(shape))  # type: ignore[arg-type]  # arrays of them
    return PolygonRegion(PolygonFeature(int(feature[0])), int(number[0]))


@kernel
def points_in_polygons(x: FloatsIn, y: FloatsIn, vertices: FloatCubeIn, step: int, touching: bool, inside: Flags):
    """Write True to `inside` if point i lies in polygon i·step of `vertices` (·, n, 2) [m]."""
    for i in range(len(inside)):
        place = locate_point(x[i], y[i], vertices[step * i])
        inside[i] = place >= 0 if touching else place > 0


@kernel
def regions_of_points(x: FloatsIn, y: FloatsIn, vertices: FloatCubeIn, step: int, feature: Ints, number: Ints):
    """Write the Voronoi region of point i at polygon i·step of `vertices` (·, n, 2) [m]."""
    for i in range(len(number)):
        polygon = vertices[step * i]
        feature[i], number[i], _ = find_closest_feature(x[i], y[i], polygon)
        if locate_point(x[i], y[i], polygon) >= 0:
            feature[i] = 0


@device
def locate_point(x, y, vertices):
    """Return 1 for a point inside a polygon (n, 2), 0 on its outline, -1 outside."""
    inside = False
    for i in range(len(vertices)):
        before = previous_corner(i, vertices)
        ax, ay, bx, by = vertices[before, X], vertices[before, Y], vertices[i, X], vertices[i, Y]
        cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if cross == 0.0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return 0
        if (ay > y) != (by > y) and (cross > 0.0) == (by > ay):
            inside = not inside
    return 1 if inside else -1


@device
def find_closest_feature(x, y, vertices):
    """Return (feature, number, squared distance [m²]) of the closest edge or corner of a polygon (n, 2).

    The feature is 1 for an edge and 2 for a corner, as in `PolygonFeature`.
    """
    feature, number, least = 2, 0, inf
    before = len(vertices) - 1
    for i in range(len(vertices)):
        dx, dy = vertices[i, X] - vertices[before, X], vertices[i, Y] - vertices[before, Y]
        wx, wy = x - vertices[before, X], y - vertices[before, Y]
        end_x, end_y = x - vertices[i, X], y - vertices[i, Y]
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
