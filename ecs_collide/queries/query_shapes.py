"""Shapes as questions use them: contours."""

from __future__ import annotations

import numpy as np

from ecs_collide.contours.contour import Contour
from ecs_collide.contours.shape_contour import build_contour, contour
from ecs_collide.shapes import Shape
from ecs_collide.shapes.piece import circle_piece, polygon_piece

POINT = build_contour([circle_piece((0.0, 0.0), 0.0)])
UPRIGHT_BOX = build_contour([polygon_piece(np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]), 0.0)])
"""From the lower left corner on; kernels put its corners where those of the box in question are."""


def checked_shape(shape: object) -> Contour:
    """The contour of a shape. Raises TypeError for what is none, and ValueError for one without end."""
    if not isinstance(shape, Shape):
        raise TypeError(f"shape must be a shape, got {shape!r}")
    found = contour(shape)
    if not found.is_bounded:
        raise ValueError(f"shape must have an end, got {shape!r}")
    return found
