"""Conversion of polygons to the arrays that kernels take: one polygon, or arrays of polygons of one size."""

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
    """Pairs of polygons: pair i is polygon i·step_a of `a` and polygon i·step_b of `b`."""

    a: FloatArray
    """Polygons A [m] (·, k, 2)."""
    b: FloatArray
    """Polygons B [m] (·, m, 2)."""
    step_a: int
    """1, or 0 if one polygon A serves all pairs."""
    step_b: int
    """1, or 0 if one polygon B serves all pairs."""
    pair_count: int
    """Number of pairs."""


def polygon_pairs(vertices_a: ArrayLike, vertices_b: ArrayLike) -> tuple[PolygonPairs, tuple[int, ...]]:
    """Return the pairs of polygons (..., k, 2) and (..., m, 2), k, m >= 3, and the shape of the leading axes.

    Raises:
        TypeError or ValueError: an argument, named in the message with the index, is not an array of polygons.
    """
    a, b = polygon_vertices(vertices_a, "vertices_a"), polygon_vertices(vertices_b, "vertices_b")
    shape = common_shape({"vertices_a": a, "vertices_b": b})
    flat_a, step_a = on_one_axis(a, shape)
    flat_b, step_b = on_one_axis(b, shape)
    return PolygonPairs(a=flat_a, b=flat_b, step_a=step_a, step_b=step_b, pair_count=prod(shape)), shape


class CirclesAtPolygons(NamedTuple):
    """Circles, each with a polygon: circle i belongs to number i·step of each array of outlines."""

    numbers: tuple[FloatArray, ...]
    """Numbers of the circles, such as x, y and radius [m], each (circle_count,)."""
    outlines: tuple[FloatArray, ...]
    """Arrays for each vertex, such as positions and motions [m], each (·, n, 2)."""
    steps: tuple[int, ...]
    """1, or 0 if one outline serves all circles, for each array of outlines."""
    circle_count: int
    """Number of circles."""


def circles_at_polygons(
    outlines: Mapping[str, FloatArray], **numbers: ArrayLike
) -> tuple[CirclesAtPolygons, tuple[int, ...]]:
    """Return broadcast numbers and outlines (..., n, 2), and the shape of the leading axes.

    Raises:
        TypeError or ValueError: an argument, named in the message, is invalid; `radius` must not be negative.
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
    return CirclesAtPolygons(
        numbers=spread, outlines=tuple(map(frozen, flat)), steps=steps, circle_count=prod(shape)
    ), shape


def common_shape(arrays: Mapping[str, FloatArray]) -> tuple[int, ...]:
    """Return the shape to which the axes before the last two of arrays (..., n, 2) broadcast."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"the shapes of the arguments do not go together: {shapes}") from None


def polygon_vertices(value: ArrayLike, name: str) -> FloatArray:
    """Return the vertices [m] (..., n, 2), n >= 3, as a contiguous array.

    Raises:
        TypeError or ValueError: `value`, called `name` in the message, is not an array of polygons.
    """
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
    """Return the name of the polygon of a pair for an error message."""
    return f"{name}[{', '.join(str(int(i)) for i in np.unravel_index(pair, shape))}]" if shape else name


def over_pairs(call: Callable[..., Any], pairs: PolygonPairs, *others: Any) -> int:
    """Return the result of a kernel over pairs.

    All arrays are passed as read-only views, so that the kernel sees one type.
    """
    return int(call(frozen(pairs.a), frozen(pairs.b), pairs.step_a, pairs.step_b, pairs.pair_count, *others))


def frozen(array: FloatArray) -> FloatArray:
    """Return a read-only view."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view


@kernel
def first_beyond(values: FloatsIn, limit: float):
    """Return the index of the first value outside [-limit, limit], or -1."""
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
    """Return the polygons (·, n, 2) and the step from pair to pair.

    The step is 0 if one polygon serves all pairs.
    """
    corners = vertices.shape[-2:]
    if prod(vertices.shape[:-2]) == 1:
        return vertices.reshape(1, *corners), 0
    return np.ascontiguousarray(np.broadcast_to(vertices, (*shape, *corners))).reshape(-1, *corners), 1
