"""When a moving circle first touches a moving polygon: rows 23 and 24 for each edge, the earliest of all.

A circle whose centre starts inside overlaps at t = 0, and so does one that reaches over an edge. Every vertex moves on
a straight line; while the polygon turns, the length approximation of row 24 holds for each edge.

Source: EQ 22-34, for one line; that a whole outline is the lines between its vertices is EQ's own for polygons (13).
"""

from __future__ import annotations

from math import isnan, nan

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.algorithms.moving_circle_end_points import earlier
from ecs_collide.algorithms.moving_circle_segment import moving_circle_moving_segment
from ecs_collide.algorithms.moving_polygon_polygon import vertex_motions
from ecs_collide.algorithms.point_polygon import place_in_polygon
from ecs_collide.algorithms.polygon_vertices import circles_at_polygons, polygon_vertices
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
    """When the moving circle around (x, y) first touches a moving polygon without self-intersections.

    Position at t = 0, radius and motion over the step [m]; vertices at t = 0 [m] (..., n, 2), in either winding; their
    motions [m] (..., n, 2), one per vertex, (..., 1, 2) for the whole polygon, or (2,) for all. Numbers and the axes
    before the last two broadcast; where there are any, each field of the result is an array. The time is a fraction of
    the step, None or NaN if they do not touch within it.
    Raises `TypeError` and `ValueError`, naming the argument, for what is no polygon, no motion or no number.
    """
    corners = polygon_vertices(vertices, "vertices")
    outlines = {"vertices": corners, "motion": vertex_motions(motion, corners, "motion")}
    circles, shape = circles_at_polygons(outlines, x=x, y=y, radius=radius, motion_x=motion_x, motion_y=motion_y)
    time, overlapping = np.empty(circles.circle_count), np.empty(circles.circle_count, np.bool_)
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
    """(t, overlapping) of a circle and a polygon; vertices and motions [m] (n, 2); t in [0, 1] or NaN."""
    if place_in_polygon(x, y, vertices) > 0:
        return 0.0, True
    first, overlapping = nan, False
    for i in range(len(vertices)):
        t, overlaps = circle_segment(
            x,
            y,
            radius,
            motion_x,
            motion_y,
            vertices[i - 1, 0],
            vertices[i - 1, 1],
            motion[i - 1, 0],
            motion[i - 1, 1],
            vertices[i, 0],
            vertices[i, 1],
            motion[i, 0],
            motion[i, 1],
        )
        first, overlapping = earlier(first, t), overlapping or overlaps
    return first, overlapping
