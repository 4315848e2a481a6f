"""Vertices as the kernels of polygons take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.elementwise import LARGEST, FloatArray, float_array


def polygon_vertices(value: ArrayLike, name: str) -> FloatArray:
    """Return the vertices [m] (n, 2), n >= 3, as a contiguous array, or raise an error that calls them `name`."""
    vertices = np.ascontiguousarray(float_array(value, name))
    if vertices.ndim != 2 or vertices.shape[1] != 2 or len(vertices) < 3:
        raise ValueError(f"{name} must be three points or more, an array of shape (n, 2), got shape {vertices.shape}")
    wrong = ~(np.abs(vertices) <= LARGEST)
    if wrong.any():
        row = int(np.argmax(wrong.any(axis=1)))
        raise ValueError(f"{name}[{row}] must be finite numbers between ±1e75, got {vertices[row].tolist()}")
    return vertices
