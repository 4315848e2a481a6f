"""`overlap` and `distance` of any two shapes."""

from __future__ import annotations

from math import inf, nextafter

import numpy as np

from ecs_collide.components.pose import Pose, pose_of
from ecs_collide.contours.contour import CONTOUR, Contour
from ecs_collide.contours.shape_contour import contour
from ecs_collide.contours.shape_distance import Placement, find_least_distance
from ecs_collide.shapes import Shape
from ecs_collide.validate import flag

ABOVE_ZERO = nextafter(0.0, 1.0)
"""Smallest positive number."""


def overlap(shape_a: Shape, pose_a: Pose, shape_b: Shape, pose_b: Pose, *, touching: bool = True) -> bool:
    """Return True if two shapes have a point in common.

    Args:
        shape_a, shape_b: shapes; only one may be unbounded.
        pose_a, pose_b: poses: a `Transform`, or x, y [m] and angle [rad].
        touching: True if shapes that only touch count. Shapes touch if their distance is 0 but for rounding: at most
            4e-15 of the coordinates from which it is computed.

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a shape or a pose.
        ValueError: both shapes are unbounded (half-planes and rings).
    """
    first, second, poses = unbounded_first(shape_a, (pose_of(pose_a, "pose_a"),), shape_b, (pose_of(pose_b, "pose_b"),))
    scratch = np.empty((len(second.rows), CONTOUR.WIDTH))
    if flag(touching, "touching"):
        return bool(find_least_distance(first, second, *poses, scratch, ABOVE_ZERO, 0.0) <= 0.0)
    return bool(find_least_distance(first, second, *poses, scratch, 0.0, -ABOVE_ZERO) < 0.0)


def distance(shape_a: Shape, pose_a: Pose, shape_b: Shape, pose_b: Pose) -> float:
    """Return the signed distance of two shapes [m], negative if they overlap and 0 if they touch.

    A distance of at most 4e-15 of the coordinates from which it is computed is rounding, and is returned as 0.
    For overlapping convex shapes the amount is the least translation that separates them. For shapes with several
    pieces it is the depth of the deepest pair of pieces. For a ring it is how far the other shape reaches out of it.
    For shapes with inward edges see `hollow_distance.py`.

    Args:
        shape_a, shape_b: shapes; only one may be unbounded.
        pose_a, pose_b: poses: a `Transform`, or x, y [m] and angle [rad].

    Raises:
        TypeError or ValueError: an argument, named in the message, is not a shape or a pose.
        ValueError: both shapes are unbounded (half-planes and rings).
    """
    first, second, poses = unbounded_first(shape_a, (pose_of(pose_a, "pose_a"),), shape_b, (pose_of(pose_b, "pose_b"),))
    scratch = np.empty((len(second.rows), CONTOUR.WIDTH))
    return float(find_least_distance(first, second, *poses, scratch, inf, -inf))


def unbounded_first(
    shape_a: Shape, poses_a: tuple[Placement, ...], shape_b: Shape, poses_b: tuple[Placement, ...]
) -> tuple[Contour, Contour, tuple[Placement, ...]]:
    """Return the contours of two shapes, an unbounded one first, and their poses in that order."""
    first, second = contour_of_shape(shape_a, "shape_a"), contour_of_shape(shape_b, "shape_b")
    if second.is_bounded:
        return first, second, poses_a + poses_b
    if first.is_bounded:
        return second, first, poses_b + poses_a
    raise ValueError(f"shape_a and shape_b must not both be unbounded, got {shape_a!r} and {shape_b!r}")


def contour_of_shape(shape: Shape, name: str) -> Contour:
    """Return the contour of a shape; errors call the shape `name`."""
    if not isinstance(shape, Shape):
        raise TypeError(f"{name} must be a shape, got {shape!r}")
    return contour(shape)
