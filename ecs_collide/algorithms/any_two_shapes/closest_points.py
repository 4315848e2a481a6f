"""The closest points of any two shapes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.algorithms.any_two_shapes.distance import unbounded_first
from ecs_collide.components.pose import Pose, pose_of
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.witness_points import find_closest_points
from ecs_collide.data.field_docs import document_fields
from ecs_collide.shapes import Shape
from ecs_collide.validate import Vector2


@document_fields
class ClosestPoints(NamedTuple):
    """The points at which two shapes are closest, or deepest in each other."""

    distance: float
    """Signed distance [m], as `distance` returns it."""
    normal: Vector2
    """Unit vector from A to B."""
    point_a: Vector2
    """Point of A [m]."""
    point_b: Vector2
    """Point of B, `distance` along `normal` from the one of A [m]."""


def closest_points(shape_a: Shape, pose_a: Pose, shape_b: Shape, pose_b: Pose) -> ClosestPoints:
    """Return the closest points of two shapes, or how deep they are in each other.

    If shapes overlap, moving B by -`distance` along `normal` separates the deepest pair of their pieces. If several
    points are equally close, as between parallel edges, they lie in the middle. If shapes with inward arcs overlap,
    the normal and the points are those of their hulls.

    Args:
        shape_a, shape_b: shapes; only one may be unbounded.
        pose_a, pose_b: poses: a `Transform`, or x, y [m] and angle [rad].

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a shape or a pose.
        ValueError: both shapes are unbounded (half-planes and rings).
    """
    at_a, at_b = pose_of(pose_a, "pose_a"), pose_of(pose_b, "pose_b")
    first, second, poses = unbounded_first(shape_a, (at_a,), shape_b, (at_b,))
    scratch = np.empty((len(second.rows), CONTOUR.WIDTH))
    distance, x, y, ax, ay, bx, by = find_closest_points(first, second, *poses, scratch)
    if poses[0] is at_a:
        return ClosestPoints(distance, (x, y), (ax, ay), (bx, by))
    return ClosestPoints(distance, (-x, -y), (bx, by), (ax, ay))
