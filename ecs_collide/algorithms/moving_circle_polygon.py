"""The first touch of a moving circle and a moving polygon: rows 23 and 24 for each edge, the earliest of all.

A circle whose centre starts inside overlaps at t = 0, and so does one that reaches over an edge. Every vertex moves on
a straight line. While the polygon turns, the length approximation of row 24 holds for each edge.

Source: EQ 22-34, for one line. An outline is the set of lines between its vertices, as in EQ (13).
"""

from __future__ import annotations

from math import isnan, nan

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.algorithms.moving_circle_end_points import earlier
from ecs_collide.algorithms.moving_circle_segment import moving_circle_moving_segment
from ecs_collide.algorithms.moving_polygon_polygon import vertex_motions
from ecs_collide.algorithms.point_polygon import locate_point
from ecs_collide.algorithms.polygon_vertices import circles_at_polygons, polygon_vertices
from ecs_collide.geometry.polygon_corners import previous_corner
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Flags, FloatCubeIn, Floats, FloatsIn
from ecs_collide.kernels.kernel import device, kernel

circle_segment = moving_circle_moving_segment.kernel


def moving_circle_moving_polygon(
    x: ArrayLike,
    y: ArrayLike,
    radius: ArrayLike,
    motion_x: ArrayLike,
    motion_y: ArrayLike,
    vertices: ArrayLike,
    motion: ArrayLike,
) -> FirstTouch:
    """Return the first touch of a moving circle and a moving polygon without self-intersections.

    Numbers and the axes before the last two broadcast. Source: EQ 22-34.

    Args:
        x, y, radius: centre of the circle at t = 0, and radius [m].
        motion_x, motion_y: motion of the circle over the step [m].
        vertices: corners at t = 0, in either winding [m] (..., n, 2), n >= 3.
        motion: motion over the step [m]: one for each vertex (..., n, 2), one for each polygon (..., 1, 2), or one for
            all (2,).

    Returns:
        Time, a fraction of the step, and the overlap at the start; fields are arrays if an argument is an array. The
            time
        is None, or NaN in arrays, if they do not touch within the step.

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a polygon, a motion or a number.
    """
    corners = polygon_vertices(vertices, "vertices")
    outlines = {"vertices": corners, "motion": vertex_motions(motion, corners, "motion")}
    circles, shape = circles_at_polygons(outlines, x=x, y=y, radius=radius, motion_x=motion_x, motion_y=motion_y)
    time = np.empty(circles.circle_count)
    overlapping = np.empty(circles.circle_count, np.bool_)
    circles_reach_polygons(*circles.numbers, *circles.outlines, *circles.steps, time, overlapping)
    if shape:
        return FirstTouch(time.reshape(shape), overlapping.reshape(shape))  # type: ignore[arg-type]  # arrays of them
    return FirstTouch(None if isnan(time[0]) else float(time[0]), bool(overlapping[0]))


@kernel
def circles_reach_polygons(
    x: FloatsIn,
    y: FloatsIn,
    radius: FloatsIn,
    motion_x: FloatsIn,
    motion_y: FloatsIn,
    vertices: FloatCubeIn,
    motion: FloatCubeIn,
    step_vertices: int,
    step_motion: int,
    time: Floats,
    overlapping: Flags,
):
    """Write (t, overlapping) of circle i and polygon i·step of vertices and motions (·, n, 2) [m]."""
    for i in range(len(time)):
        time[i], overlapping[i] = circle_polygon(
            x[i], y[i], radius[i], motion_x[i], motion_y[i], vertices[step_vertices * i], motion[step_motion * i]
        )


@device
def circle_polygon(x, y, radius, motion_x, motion_y, vertices, motion):
    """Return (t, overlapping) of a circle and a polygon; t is in [0, 1] or NaN.

    Vertices and motions are in [m] (n, 2).
    """
    if locate_point(x, y, vertices) > 0:
        return 0.0, True
    first, overlapping = nan, False
    for i in range(len(vertices)):
        before = previous_corner(i, vertices)
        t, overlaps = circle_segment(
            x,
            y,
            radius,
            motion_x,
            motion_y,
            vertices[before, X],
            vertices[before, Y],
            motion[before, X],
            motion[before, Y],
            vertices[i, X],
            vertices[i, Y],
            motion[i, X],
            motion[i, Y],
        )
        first, overlapping = earlier(first, t), overlapping or overlaps
    return first, overlapping
