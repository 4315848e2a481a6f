"""Vertices as the kernels of polygons take them: one polygon, or arrays of polygons with as many vertices each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.kernels.arrays import FloatsIn
from ecs_collide.kernels.elementwise import FINITE, LARGEST, NOT_NEGATIVE, FloatArray, checked_array, float_array
from ecs_collide.kernels.kernel import kernel


class PolygonPairs(NamedTuple):
    """Pair i of `pair_count` is polygon i·step_a of `a` (·, k, 2) and polygon i·step_b of `b` (·, m, 2) [m]."""

    a: FloatArray
    b: FloatArray
    step_a: int
    step_b: int
    pair_count: int


def polygon_pairs(vertices_a: ArrayLike, vertices_b: ArrayLike) -> tuple[PolygonPairs, tuple[int, ...]]:
    """The pairs of polygons (..., k, 2) and (..., m, 2), k, m >= 3, and the shape of the axes before the last two.

    Raises `TypeError` and `ValueError`, naming the argument and the index, for what is no array of polygons.
    """
    a, b = polygon_vertices(vertices_a, "vertices_a"), polygon_vertices(vertices_b, "vertices_b")
    shape = common_shape({"vertices_a": a, "vertices_b": b})
    flat_a, step_a = on_one_axis(a, shape)
    flat_b, step_b = on_one_axis(b, shape)
    return PolygonPairs(flat_a, flat_b, step_a, step_b, prod(shape)), shape


class CirclesAtPolygons(NamedTuple):
    """Circle i has the numbers i [m] (circle_count,), and of each array of outlines (·, n, 2) [m] number i·step."""

    numbers: tuple[FloatArray, ...]
    outlines: tuple[FloatArray, ...]
    steps: tuple[int, ...]
    circle_count: int


def circles_at_polygons(
    outlines: Mapping[str, FloatArray], **numbers: ArrayLike
) -> tuple[CirclesAtPolygons, tuple[int, ...]]:
    """Numbers and the axes before the last two of arrays (..., n, 2), broadcast; and the shape that comes of it.

    Raises `TypeError` and `ValueError`, naming the argument. What is called `radius` must not be negative.
    """
    columns = {
        name: checked_array(value, name, NOT_NEGATIVE if name == "radius" else FINITE)
        for name, value in numbers.items()
    }
    try:
        shape = np.broadcast_shapes(
            *(column.shape for column in columns.values()), *(outline.shape[:-2] for outline in outlines.values())
        )
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in (columns | dict(outlines)).items())
        raise ValueError(f"the shapes of the arguments do not go together: {shapes}") from None
    spread = tuple(
        frozen(np.ascontiguousarray(np.broadcast_to(column, shape)).reshape(-1)) for column in columns.values()
    )
    flat, steps = zip(*(on_one_axis(outline, shape) for outline in outlines.values()))
    return CirclesAtPolygons(spread, tuple(map(frozen, flat)), steps, prod(shape)), shape


def common_shape(arrays: Mapping[str, FloatArray]) -> tuple[int, ...]:
    """The shape to which the axes before the last two of arrays (..., n, 2) broadcast."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"the shapes of the arguments do not go together: {shapes}") from None


def polygon_vertices(value: ArrayLike, name: str) -> FloatArray:
    """Return the vertices [m] (..., n, 2), n >= 3, as a contiguous array, or raise an error that calls them `name`."""
    vertices = np.ascontiguousarray(float_array(value, name))
    if vertices.ndim < 2 or vertices.shape[-1] != 2 or vertices.shape[-2] < 3:
        raise ValueError(f"{name} must be three points or more, an array of shape (n, 2), got shape {vertices.shape}")
    wrong = first_beyond(vertices.reshape(-1), LARGEST)
    if wrong >= 0:
        index = np.unravel_index(wrong // 2, vertices.shape[:-1])
        place, point = ", ".join(str(i) for i in index), vertices[index].tolist()
        raise ValueError(f"{name}[{place}] must be finite numbers between ±1e75, got {point}")
    return vertices


def polygon_name(name: str, pair: int, shape: tuple[int, ...]) -> str:
    """What to call the polygon of a pair in an error."""
    return f"{name}[{', '.join(str(int(i)) for i in np.unravel_index(pair, shape))}]" if shape else name


def over_pairs(call: Callable[..., Any], pairs: PolygonPairs, *others: Any) -> int:
    """What a kernel over pairs returns, called with arrays that are all of one type for numba: read-only or not."""
    return int(call(frozen(pairs.a), frozen(pairs.b), pairs.step_a, pairs.step_b, pairs.pair_count, *others))


def frozen(array: FloatArray) -> FloatArray:
    """A read-only view."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view


@kernel
def first_beyond(values: FloatsIn, limit: float):
    """The index of the first value that is not between -limit and limit, or -1."""
    good = True
    for i in range(len(values)):
        good &= (-limit <= values[i]) & (values[i] <= limit)
    if good:
        return -1
    for i in range(len(values)):
        if not -limit <= values[i] <= limit:
            return i
    return -1


def on_one_axis(vertices: FloatArray, shape: tuple[int, ...]) -> tuple[FloatArray, int]:
    """The polygons (·, n, 2), and by how much to go on in them from pair to pair: 0 where one serves for all."""
    corners = vertices.shape[-2:]
    if prod(vertices.shape[:-2]) == 1:
        return vertices.reshape(1, *corners), 0
    return np.ascontiguousarray(np.broadcast_to(vertices, (*shape, *corners))).reshape(-1, *corners), 1
