"""`time_of_impact` of any two shapes."""

from __future__ import annotations

from math import isnan

import numpy as np

from ecs_collide.algorithms.any_two_shapes.distance import unbounded_first
from ecs_collide.components.pose import Pose, pose_of
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.first_contact import first_contact
from ecs_collide.shapes import Shape


def time_of_impact(
    shape_a: Shape, start_a: Pose, end_a: Pose, shape_b: Shape, start_b: Pose, end_b: Pose
) -> float | None:
    """When two moving shapes first touch: a fraction of the motion in [0, 1], None if they do not.

    A pose is a `Transform`, or x, y [m] and angle [rad]; between start and end each of the three changes evenly, so an
    end angle 4π further means two turns. 0.0 where the shapes overlap or touch at the start, whichever way they move.
    At the time returned they are at most about 1e-10 of their size apart; passing that close counts as touching. Raises
    `TypeError` or `ValueError`, naming the argument, for what is no shape or pose, and `ValueError` for two shapes
    without end.
    """
    motion_a = pose_of(start_a, "start_a"), pose_of(end_a, "end_a")
    motion_b = pose_of(start_b, "start_b"), pose_of(end_b, "end_b")
    first, second, poses = unbounded_first(shape_a, motion_a, shape_b, motion_b)
    t = float(first_contact(first, second, *poses, np.empty((len(second.rows), CONTOUR.WIDTH))))
    return None if isnan(t) else t
