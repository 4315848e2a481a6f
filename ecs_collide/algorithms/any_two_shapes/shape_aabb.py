"""The axis-aligned bounding box of a shape at a pose."""

from __future__ import annotations

from ecs_collide.algorithms.any_two_shapes.distance import contour_of_shape
from ecs_collide.components.pose import Pose, pose_of
from ecs_collide.contours.shape_support import find_shape_box
from ecs_collide.shapes import Shape


def aabb(shape: Shape, pose: Pose = (0.0, 0.0, 0.0)) -> tuple[float, float, float, float]:
    """Return the smallest box (min_x, min_y, max_x, max_y) [m] around a shape, also for arcs.

    An unbounded shape has infinite sides. A half-plane ends only along its normal, if that is an axis.

    Args:
        shape: any shape.
        pose: its pose: a `Transform`, or x, y [m] and angle [rad].

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a shape or a pose.
    """
    return find_shape_box(contour_of_shape(shape, "shape"), pose_of(pose, "pose"))
