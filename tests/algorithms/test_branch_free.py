"""Sweeps of arrays, several pairs at once: the same answers as for numbers, and as by the slow way, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ecs_collide import algorithms
from ecs_collide.kernels.elementwise import CHUNK
from ecs_collide.kernels.loop_source import BLOCK
from tests.algorithms.moving_reference import Columns

SWEEPS = {
    algorithms.moving_circle_moving_circle: (10, (2, 7)),
    algorithms.moving_circle_moving_circle_by_closest_point: (10, (2, 7)),
    algorithms.moving_circle_inside_moving_circle: (10, (2, 7)),
    algorithms.moving_vertex_moving_edge: (12, ()),
    algorithms.moving_vertex_moving_edge_by_time: (12, ()),
    algorithms.moving_circle_moving_end_points: (13, (2,)),
    algorithms.moving_circle_moving_edge: (13, (2,)),
    algorithms.moving_circle_moving_segment: (13, (2,)),
}
COUNT = 6000

every_sweep = pytest.mark.parametrize(
    ("function", "columns", "radii"),
    [(function, *shape) for function, shape in SWEEPS.items()],
    ids=[function.__name__ for function in SWEEPS],  # type: ignore[attr-defined]
)


def cases(columns: int, radii: tuple[int, ...], count: int = COUNT) -> Columns:
    """A third each: anything; small integers, of which many are degenerate; numbers of all sizes."""
    rng = np.random.default_rng(60)
    sizes = 10.0 ** (rng.choice([-170.0, -90.0, -8.0, 0.0, 8.0, 74.0], count) + rng.uniform(-1, 1, (columns, count)))
    values = np.stack(
        (
            rng.uniform(-2.0, 2.0, (columns, count)),
            rng.integers(-2, 3, (columns, count)).astype(float),
            sizes * rng.choice([-1.0, 0.0, 1.0], (columns, count)),
        )
    )
    chosen = np.take_along_axis(values, np.arange(count)[None, None] % 3, axis=0)[0]
    chosen[list(radii)] = np.abs(chosen[list(radii)])
    return list(chosen)


def numbers_of_result(result: Any, fields: int) -> list[Any]:
    if result is None:
        return [np.nan] * fields
    return [np.nan if item is None else item for item in result]


@every_sweep
def test_arrays_and_numbers_agree_to_the_bit(function: Any, columns: int, radii: tuple[int, ...]) -> None:
    arrays = cases(columns, radii)
    found = function(*arrays)
    assert 0.02 < np.isnan(found[0]).mean() < 0.9
    singly = np.array([numbers_of_result(function(*row), 2) for row in np.array(arrays).T.tolist()]).T
    for many, one in zip(found, singly):
        assert np.array_equal(many.astype(float), one, equal_nan=True)


@every_sweep
def test_blocks_strides_and_shapes_make_no_difference(function: Any, columns: int, radii: tuple[int, ...]) -> None:
    arrays = cases(columns, radii, CHUNK + 2 * BLOCK + 5)
    whole = function(*arrays)
    strided = function(*(np.repeat(array, 2)[::2] for array in arrays))
    parts = [function(*(array[part] for array in arrays)) for part in (slice(0, 7), slice(7, None))]
    outer = function(*(array[:6, None] if i % 2 else array[None, :9] for i, array in enumerate(arrays)))
    for field in (0, 1):
        assert np.array_equal(strided[field], whole[field], equal_nan=True)
        joined = np.concatenate([part[field] for part in parts])
        assert np.array_equal(joined, whole[field], equal_nan=True)
        for i, j in np.ndindex(6, 9):
            row = [float(array[i] if k % 2 else array[j]) for k, array in enumerate(arrays)]
            assert np.array_equal(
                outer[field][i, j], float(numbers_of_result(function(*row), 2)[field]), equal_nan=True
            )


@every_sweep
def test_sizes_that_need_scaling_change_nothing(function: Any, columns: int, radii: tuple[int, ...]) -> None:
    """Pairs a power of two larger or smaller, so that squares overflow or vanish, meet at the same time."""
    arrays = [array[::3] for array in cases(columns, radii)]  # those of ordinary size
    found = function(*arrays)
    for power in (-400, -130, 130, 240):
        scaled = function(*(np.ldexp(array, power) for array in arrays))
        for one, other in zip(found, scaled):
            np.testing.assert_allclose(other.astype(float), one.astype(float), rtol=0.0, atol=1e-9, equal_nan=True)
