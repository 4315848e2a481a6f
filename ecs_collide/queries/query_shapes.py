"""Shapes of queries, as contours."""

from __future__ import annotations

import numpy as np

from ecs_collide.contours.contour import Contour
from ecs_collide.contours.shape_contour import build_contour, contour
from ecs_collide.shapes import Shape
from ecs_collide.shapes.piece import circle_piece, polygon_piece

POINT = build_contour([circle_piece((0.0, 0.0), 0.0)])
UPRIGHT_BOX = build_contour([polygon_piece(np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]), 0.0)])
"""An upright box, its corners from the lower left one on; kernels overwrite the corners with those of a query."""


def checked_shape(shape: object) -> Contour:
    """Return the contour of a shape. Raises TypeError if it is no shape, and ValueError if it is unbounded."""
    if not isinstance(shape, Shape):
        raise TypeError(f"shape must be a shape such as Circle(0.5), got {shape!r}")
    found = contour(shape)
    if not found.is_bounded:
        raise ValueError(f"shape must be bounded, got {shape!r}")
    return found
