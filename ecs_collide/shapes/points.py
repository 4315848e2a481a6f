"""Corners of shapes from Python's numbers, in C if the kernels are prebuilt."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.validate import Vector2, plain_pair, vector2_sequence


def read_plain_points(value: object) -> tuple[Vector2, ...] | None:
    """Return a list or tuple of valid pairs of floats or ints as a tuple of pairs of floats, None for other values."""
    if type(value) is not list and type(value) is not tuple:
        return None
    points = [plain_pair(item) for item in value]
    return None if None in points else tuple(points)  # type: ignore[arg-type]  # no None is left


def join_points(outlines: Sequence[Sequence[Vector2]]) -> np.ndarray:
    """Return the points of all outlines, lists or tuples, one after the other (n, 2)."""
    numbers = itertools.chain.from_iterable(itertools.chain.from_iterable(outlines))
    return np.fromiter(numbers, np.float64).reshape(-1, 2)


_plain = module.loaded().plain_points if KERNEL_MODE is KernelMode.PREBUILT else read_plain_points

flat_points = module.loaded().flat_points if KERNEL_MODE is KernelMode.PREBUILT else join_points
"""Returns the points of all outlines, lists or tuples of pairs, one after the other (n, 2)."""


def read_corners(value: object, name: str) -> tuple[Vector2, ...]:
    """Return a sequence of points as `vector2_sequence` does. A list or tuple of plain pairs is the fast case.

    Raises:
        TypeError, ValueError: the value, called `name` in the message, is not a sequence of valid points.
    """
    points: tuple[Vector2, ...] | None = _plain(value)
    return vector2_sequence(value, name) if points is None else points
