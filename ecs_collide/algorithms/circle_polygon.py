"""A circle against a simple polygon: overlap and signed distance.

    distance = ±‖c − closest point of the outline‖ − r        minus if the centre is inside

The disk and the polygon overlap if the centre is inside, or if the disk overlaps an edge (row 6). Inside a convex
polygon, the negative distance is the least depth: moved by it across the closest edge, the circle just touches.

Sources: OC "Circle and line segment collision" for the edges and "More complex shapes" for the inside. The deciding
region is that of PC, see `polygon_region`. The functions do not check that outlines are simple.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.algorithms.circle_segment import circle_segment_overlap
from ecs_collide.algorithms.point_polygon import find_closest_feature, locate_point
from ecs_collide.algorithms.polygon_vertices import circles_at_polygons, polygon_vertices
from ecs_collide.geometry.polygon_corners import previous_corner
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Flags, FloatCubeIn, Floats, FloatsIn
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.validate import flag

circle_segment = circle_segment_overlap.kernel


def circle_polygon_overlap(
    x: ArrayLike, y: ArrayLike, radius: ArrayLike, vertices: ArrayLike, touching: bool = True
) -> Any:
    """Return True if a disk and a polygon without self-intersections have a point in common.

    Numbers and the axes of `vertices` before the last two broadcast. Source: OC.

    Args:
        x, y, radius: centre and radius of the circle [m].
        vertices: corners in either winding [m] (..., n, 2), n >= 3.
        touching: True if a circle that only touches counts (OC: <=). If False, a circle of radius 0 overlaps nothing.

    Returns:
        A bool, or an array of bool.

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a number or a polygon.
    """
    circles, shape = circles_at_polygons({"vertices": polygon_vertices(vertices, "vertices")}, x=x, y=y, radius=radius)
    meet = np.empty(circles.circle_count, np.bool_)
    circles_meet_polygons(*circles.numbers, *circles.outlines, *circles.steps, flag(touching, "touching"), meet)
    return meet.reshape(shape) if shape else bool(meet[0])


def circle_polygon_distance(x: ArrayLike, y: ArrayLike, radius: ArrayLike, vertices: ArrayLike) -> Any:
    """Return the signed distance of a circle from a polygon without self-intersections [m].

        The distance is negative if they overlap. If the centre is inside, its amount is the distance to the closest
            edge plus
    the radius. That is the least depth in a convex polygon. Numbers and the axes of `vertices` before the last
        two broadcast. Sources: OC, PC.

        Args:
            x, y, radius: centre and radius of the circle [m].
            vertices: corners in either winding [m] (..., n, 2), n >= 3.

        Returns:
            A float, or an array [m].

        Raises:
            TypeError or ValueError: an argument, named in the message, is not a number or a polygon.
    """
    circles, shape = circles_at_polygons({"vertices": polygon_vertices(vertices, "vertices")}, x=x, y=y, radius=radius)
    distance = np.empty(circles.circle_count)
    distances_of_circles(*circles.numbers, *circles.outlines, *circles.steps, distance)
    return distance.reshape(shape) if shape else float(distance[0])


@kernel
def circles_meet_polygons(
    x: FloatsIn, y: FloatsIn, radius: FloatsIn, vertices: FloatCubeIn, step: int, touching: bool, meet: Flags
):
    """Write True to `meet` if circle i meets polygon i·step of `vertices` (·, n, 2) [m]."""
    for i in range(len(meet)):
        meet[i] = circle_meets(x[i], y[i], radius[i], vertices[step * i], touching)


@kernel
def distances_of_circles(
    x: FloatsIn, y: FloatsIn, radius: FloatsIn, vertices: FloatCubeIn, step: int, distance: Floats
):
    """Write the signed distance of circle i from polygon i·step of `vertices` (·, n, 2) [m]."""
    for i in range(len(distance)):
        polygon = vertices[step * i]
        _, _, square = find_closest_feature(x[i], y[i], polygon)
        sign = -1.0 if locate_point(x[i], y[i], polygon) > 0 else 1.0
        distance[i] = sign * sqrt(square) - radius[i]


@device
def circle_meets(x, y, radius, vertices, touching):
    """Return True if a circle meets a polygon (n, 2)."""
    if locate_point(x, y, vertices) > 0 and (touching or radius > 0.0):
        return True
    for i in range(len(vertices)):
        before = previous_corner(i, vertices)
        if circle_segment(
            x, y, radius, vertices[before, X], vertices[before, Y], vertices[i, X], vertices[i, Y], touching
        ):
            return True
    return False
