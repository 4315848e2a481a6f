"""Corners of shapes from Python's numbers, in C if the kernels are prebuilt."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.native import plain_points
from ecs_collide.validate import Vector2, vector2_sequence


def join_points(outlines: Sequence[Sequence[Vector2]]) -> np.ndarray:
    """Return the points of all outlines, lists or tuples, one after the other (n, 2)."""
    numbers = itertools.chain.from_iterable(itertools.chain.from_iterable(outlines))
    return np.fromiter(numbers, np.float64).reshape(-1, 2)


flat_points = module.loaded().flat_points if KERNEL_MODE is KernelMode.PREBUILT else join_points
"""Returns the points of all outlines, lists or tuples of pairs, one after the other (n, 2)."""


def read_corners(value: object, name: str) -> tuple[Vector2, ...]:
    """Return a sequence of points as `vector2_sequence` does. A list or tuple of plain pairs is the fast case.

    Raises:
        TypeError, ValueError: the value, called `name` in the message, is not a sequence of valid points.
    """
    points = plain_points(value)
    return vector2_sequence(value, name) if points is None else points
