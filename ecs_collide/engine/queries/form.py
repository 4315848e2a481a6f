"""Shapes as questions use them: contours, and the box of their way."""

from __future__ import annotations

import numpy as np

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import Contour
from ecs_collide.contours.shape_contour import contour, contour_of
from ecs_collide.shapes import Shape
from ecs_collide.shapes.piece import capsule_piece, circle_piece, polygon_piece

POINT = contour_of([circle_piece((0.0, 0.0), 0.0)])


def checked_shape(shape: object) -> Contour:
    """The contour of a shape. Raises TypeError for what is none, and ValueError for one without end."""
    if not isinstance(shape, Shape):
        raise TypeError(f"shape must be a shape, got {shape!r}")
    found = contour(shape)
    if not found.is_bounded:
        raise ValueError(f"shape must have an end, got {shape!r}")
    return found


def box_contour(left: float, low: float, right: float, high: float) -> Contour:
    """The contour of an upright box in the world, which may be a line or a point."""
    if left == right and low == high:
        return contour_of([circle_piece((left, low), 0.0)])
    if left == right or low == high:
        return contour_of([capsule_piece((left, low), (right, high), 0.0)])
    corners = np.array([(left, low), (right, low), (right, high), (left, high)])
    return contour_of([polygon_piece(corners, 0.0)])


def way_box(shape: Contour, motion: tuple[float, ...]) -> tuple[float, float, float, float]:
    """A box (min_x, min_y, max_x, max_y) [m] of all places that a shape passes from pose to pose."""
    start_x, start_y, _, end_x, end_y, _ = motion
    reach = float(shape.whole[form.ARM])
    return (
        min(start_x, end_x) - reach,
        min(start_y, end_y) - reach,
        max(start_x, end_x) + reach,
        max(start_y, end_y) + reach,
    )
