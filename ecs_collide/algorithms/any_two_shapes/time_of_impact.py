"""`time_of_impact` of any two shapes."""

from __future__ import annotations

from math import isnan

import numpy as np

from ecs_collide.algorithms.any_two_shapes.distance import unbounded_first
from ecs_collide.components.pose import Pose, pose_of
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.first_contact import find_first_contact
from ecs_collide.shapes import Shape


def time_of_impact(
    shape_a: Shape, start_a: Pose, end_a: Pose, shape_b: Shape, start_b: Pose, end_b: Pose
) -> float | None:
    """Return the time at which two moving shapes first touch, a fraction of the motion in [0, 1], or None.

    x, y and angle change evenly from start to end, so an end angle 4π further means two turns. The result is 0.0 if the
    shapes overlap or touch at the start, whichever way they move. At the time returned they are at most about 1e-10 of
    their size apart; passing that close counts as touching.

    Args:
        shape_a, shape_b: shapes; only one may be unbounded.
        start_a, end_a, start_b, end_b: poses: a `Transform`, or x, y [m] and angle [rad].

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a shape or a pose.
        ValueError: both shapes are unbounded.
    """
    motion_a = pose_of(start_a, "start_a"), pose_of(end_a, "end_a")
    motion_b = pose_of(start_b, "start_b"), pose_of(end_b, "end_b")
    first, second, poses = unbounded_first(shape_a, motion_a, shape_b, motion_b)
    t = float(find_first_contact(first, second, *poses, np.empty((len(second.rows), CONTOUR.WIDTH))))
    return None if isnan(t) else t
