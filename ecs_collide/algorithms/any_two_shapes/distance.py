"""`overlap` and `distance` of any two shapes."""

from __future__ import annotations

from math import inf, nextafter

import numpy as np

from ecs_collide.components.pose import Pose, pose_of
from ecs_collide.contours.contour import CONTOUR, Contour
from ecs_collide.contours.shape_contour import contour
from ecs_collide.contours.shape_distance import Placement, least_distance
from ecs_collide.shapes import Shape
from ecs_collide.validate import flag

ABOVE_ZERO = nextafter(0.0, 1.0)


def overlap(shape_a: Shape, pose_a: Pose, shape_b: Shape, pose_b: Pose, *, touching: bool = True) -> bool:
    """Whether two shapes have a point in common.

    A pose is a `Transform`, or x, y [m] and angle [rad]. Shapes that just touch count with `touching`, to the last bit
    of what was computed, and do not without. Raises `TypeError` or `ValueError`, naming the argument, for what is no
    shape or pose, and `ValueError` for two shapes without end: half-planes and rings meet bounded shapes only.
    """
    first, second, poses = unbounded_first(shape_a, (pose_of(pose_a, "pose_a"),), shape_b, (pose_of(pose_b, "pose_b"),))
    scratch = np.empty((len(second.rows), CONTOUR.WIDTH))
    if flag(touching, "touching"):
        return bool(least_distance(first, second, *poses, scratch, ABOVE_ZERO, 0.0) <= 0.0)
    return bool(least_distance(first, second, *poses, scratch, 0.0, -ABOVE_ZERO) < 0.0)


def distance(shape_a: Shape, pose_a: Pose, shape_b: Shape, pose_b: Pose) -> float:
    """The distance of two shapes [m], negative where they overlap.

    Of two convex shapes the amount is then the least translation that parts them. Of shapes in several pieces it is
    the depth of the deepest pair of pieces, of a ring how far the other reaches out of it, and where an edge bends
    inwards, see `hollow_distance.py`. Takes and raises what `overlap` does.
    """
    first, second, poses = unbounded_first(shape_a, (pose_of(pose_a, "pose_a"),), shape_b, (pose_of(pose_b, "pose_b"),))
    scratch = np.empty((len(second.rows), CONTOUR.WIDTH))
    return float(least_distance(first, second, *poses, scratch, inf, -inf))


def unbounded_first(
    shape_a: Shape, poses_a: tuple[Placement, ...], shape_b: Shape, poses_b: tuple[Placement, ...]
) -> tuple[Contour, Contour, tuple[Placement, ...]]:
    """Return the contours of two shapes, what has no end first, and their poses in that order."""
    first, second = contour_of_shape(shape_a, "shape_a"), contour_of_shape(shape_b, "shape_b")
    if second.is_bounded:
        return first, second, poses_a + poses_b
    if first.is_bounded:
        return second, first, poses_b + poses_a
    raise ValueError(f"shape_a and shape_b must not both be without end, got {shape_a!r} and {shape_b!r}")


def contour_of_shape(shape: Shape, name: str) -> Contour:
    """Return the contour of a shape; errors call it `name`."""
    if not isinstance(shape, Shape):
        raise TypeError(f"{name} must be a shape, got {shape!r}")
    return contour(shape)
