"""Every operation on vectors against numpy, for both float types and 4 and 8 lanes.

`tests/build_kernels/test_own_kernels.py` runs this file again, compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from ecs_collide.kernels.simd import (
    CACHE_LINE,
    EIGHT,
    FOUR,
    LANES,
    absolute,
    any_lane,
    highest,
    lane_array,
    lane_bits,
    lowest,
    maximum,
    minimum,
    round_down,
    select,
    square_root,
    trailing_zeros,
)
from tests.support.own_kernels import ARE_COMPILED, kernel

load, store, splat, gather, gather2, gather4, scatter2, scatter4 = EIGHT
load_4, store_4, splat_4, gather_4, gather2_4, gather4_4, scatter2_4, scatter4_4 = FOUR


class Case(NamedTuple):
    """Two runs of numbers, of lanes in common, with infinities, zeros of both signs and NaN."""

    a: np.ndarray
    b: np.ndarray


def random_lanes(dtype: type, lanes: int) -> list[Case]:
    random = np.random.default_rng(5)
    cases = [Case(*random.normal(0.0, scale, (2, lanes)).astype(dtype)) for scale in (1.0, 1e-3, 1e5)]
    odd: np.ndarray = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -2.5, 3.0], dtype)[:lanes]
    return [*cases, Case(odd, np.roll(odd, 1)), Case(odd, odd), Case(np.arange(lanes, dtype=dtype), odd)]


@kernel
def arithmetic(a, b, out):  # type: ignore[no-untyped-def]
    x, y = load(a, 0), load(b, 0)
    store(out, 0, x + y)
    store(out, 1, x - y)
    store(out, 2, x * y)
    store(out, 3, x / y)
    store(out, 4, -x)
    store(out, 5, absolute(x))
    store(out, 6, square_root(absolute(x)))
    store(out, 7, round_down(x))
    store(out, 8, minimum(x, y))
    store(out, 9, maximum(x, y))
    store(out, 10, select(x < y, x, y))
    store(out, 11, 2.0 * x + 1.0)
    store(out, 12, maximum(0.0, select((x > 0.5) | (y > 0.5), 3.0, x)))
    store(out, 13, splat(a[1]))
    store(out, 14, load(a, (0,)))


@kernel
def arithmetic_4(a, b, out):  # type: ignore[no-untyped-def]
    x, y = load_4(a, 0), load_4(b, 0)
    store_4(out, 0, x + y)
    store_4(out, 1, x - y)
    store_4(out, 2, x * y)
    store_4(out, 3, x / y)
    store_4(out, 4, -x)
    store_4(out, 5, absolute(x))
    store_4(out, 6, square_root(absolute(x)))
    store_4(out, 7, round_down(x))
    store_4(out, 8, minimum(x, y))
    store_4(out, 9, maximum(x, y))
    store_4(out, 10, select(x < y, x, y))
    store_4(out, 11, 2.0 * x + 1.0)
    store_4(out, 12, maximum(0.0, select((x > 0.5) | (y > 0.5), 3.0, x)))
    store_4(out, 13, splat_4(a[1]))
    store_4(out, 14, load_4(a, (0,)))


ARITHMETIC: tuple[tuple[str, Callable[[Any, Any], Any]], ...] = (
    ("a + b", lambda a, b: a + b),
    ("a - b", lambda a, b: a - b),
    ("a * b", lambda a, b: a * b),
    ("a / b", lambda a, b: a / b),
    ("-a", lambda a, b: -a),
    ("absolute", lambda a, b: np.abs(a)),
    ("square_root", lambda a, b: np.sqrt(np.abs(a))),
    ("round_down", lambda a, b: np.floor(a)),
    ("minimum", lambda a, b: [x if x < y else y for x, y in zip(a, b, strict=True)]),
    ("maximum", lambda a, b: [x if x > y else y for x, y in zip(a, b, strict=True)]),
    ("select", lambda a, b: [x if x < y else y for x, y in zip(a, b, strict=True)]),
    ("numbers beside a vector", lambda a, b: 2 * a + 1),
    (
        "numbers in functions",
        lambda a, b: [max(0.0, x) if x == x else x for x in np.where((a > 0.5) | (b > 0.5), 3.0, a)],
    ),
    ("splat", lambda a, b: np.full_like(a, a[1])),
    ("a place as a tuple", lambda a, b: a),
)


@pytest.mark.parametrize("lanes", [4, 8])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_arithmetic_is_numpys_in_each_lane(dtype: type, lanes: int) -> None:
    run = arithmetic if lanes == 8 else arithmetic_4
    for case in random_lanes(dtype, lanes):
        out: np.ndarray = np.zeros((len(ARITHMETIC), lanes), dtype)
        run(case.a, case.b, out)
        for row, (name, expected) in zip(out, ARITHMETIC, strict=True):
            np.testing.assert_array_equal(row, np.array(expected(case.a, case.b), dtype), err_msg=name)


@kernel
def comparisons(a, b, bits):  # type: ignore[no-untyped-def]
    x, y = load(a, 0), load(b, 0)
    less, more = x < y, x > y
    masks = (less, more, x <= y, x >= y, less & more, less | more, ~less, (x < 0.0) & (y < 1.0))
    for k in range(8):
        bits[k, 0], bits[k, 1] = lane_bits(masks[k]), any_lane(masks[k])
    return lowest(x), highest(x)


@kernel
def comparisons_4(a, b, bits):  # type: ignore[no-untyped-def]
    x, y = load_4(a, 0), load_4(b, 0)
    less, more = x < y, x > y
    masks = (less, more, x <= y, x >= y, less & more, less | more, ~less, (x < 0.0) & (y < 1.0))
    for k in range(8):
        bits[k, 0], bits[k, 1] = lane_bits(masks[k]), any_lane(masks[k])
    return lowest(x), highest(x)


@pytest.mark.parametrize("lanes", [4, 8])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_masks_and_reductions(dtype: type, lanes: int) -> None:
    run = comparisons if lanes == 8 else comparisons_4
    for a, b in random_lanes(dtype, lanes):
        less, more = a < b, a > b
        expected = (less, more, a <= b, a >= b, less & more, less | more, ~less, (a < 0.0) & (b < 1.0))
        bits = np.full((8, 2), -1)
        ends = run(a, b, bits)
        for mask, (found, any_found) in zip(expected, bits.tolist(), strict=True):
            assert found == sum(1 << lane for lane in range(lanes) if mask[lane])
            assert any_found == mask.any()
        if not np.isnan(a).any():
            assert ends == (a.min(), a.max())


@kernel
def moves(source, table, flat, column, index, out, three):  # type: ignore[no-untyped-def]
    """Run all memory functions: `out` and `three` have room for everything, `index` (n, 2, lanes) is read at (1, 1)."""
    store(out, 0, load(source, (1, 0, 2)))
    store(out, (1, 0), load(source, 1))
    store(out, 2, gather(flat, index, (1, 1)))
    a, b = gather2(table, column, index, (1, 1))
    store(out, 3, a)
    store(out, 4, b)
    a, b, c, d = gather4(table, column, index, (1, 1))
    store(out, 5, a)
    store(out, 6, b)
    store(out, 7, c)
    store(out, 8, d)
    scatter4(table, column, index, (1, 1), d, c, b, a + 1.0)
    scatter2(table, column + 1, index, (0, 1), a, d)
    store(three, (1, 1), a)


@kernel
def moves_4(source, table, flat, column, index, out, three):  # type: ignore[no-untyped-def]
    """Run all memory functions: `out` and `three` have room for everything, `index` (n, 2, lanes) is read at (1, 1)."""
    store_4(out, 0, load_4(source, (1, 0, 2)))
    store_4(out, (1, 0), load_4(source, 1))
    store_4(out, 2, gather_4(flat, index, (1, 1)))
    a, b = gather2_4(table, column, index, (1, 1))
    store_4(out, 3, a)
    store_4(out, 4, b)
    a, b, c, d = gather4_4(table, column, index, (1, 1))
    store_4(out, 5, a)
    store_4(out, 6, b)
    store_4(out, 7, c)
    store_4(out, 8, d)
    scatter4_4(table, column, index, (1, 1), d, c, b, a + 1.0)
    scatter2_4(table, column + 1, index, (0, 1), a, d)
    store_4(three, (1, 1), a)


@pytest.mark.parametrize("lanes", [4, 8])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(50, 7), (50, 3, 3)], ids=str)
def test_memory(shape: tuple[int, ...], dtype: type, lanes: int) -> None:
    """Tables of two and three axes: a column counts along the flattened row."""
    random = np.random.default_rng(2)
    run = moves if lanes == 8 else moves_4
    source: np.ndarray = random.normal(size=(2, 3, 10)).astype(dtype)
    flat: np.ndarray = random.normal(size=50).astype(dtype)
    for column in (0, 3):
        table: np.ndarray = random.normal(size=shape).astype(dtype)
        index = random.permutation(50)[: 4 * lanes].reshape(2, 2, lanes)
        out: np.ndarray = np.zeros((9, lanes), dtype)
        three: np.ndarray = np.zeros((2, 2, lanes), dtype)
        expected = table.copy().reshape(50, -1)
        rows = index[1, 1]
        run(source, table, flat, column, index, out, three)
        taken = expected[rows, column : column + 4].T
        np.testing.assert_array_equal(out[0], source[1, 0, 2 : 2 + lanes])
        np.testing.assert_array_equal(out[1], source[1].ravel()[:lanes])
        np.testing.assert_array_equal(out[2], flat[rows])
        np.testing.assert_array_equal(out[3:5], taken[:2])
        np.testing.assert_array_equal(out[5:], taken)
        expected[rows, column : column + 4] = np.stack((taken[3], taken[2], taken[1], taken[0] + 1)).T
        expected[index[0, 1], column + 1 : column + 3] = taken[[0, 3]].T
        np.testing.assert_array_equal(table.reshape(50, -1), expected)
        np.testing.assert_array_equal(three[1, 1], taken[0])
        assert not three[0].any() and not three[1, 0].any()


@kernel
def spread(table, index):  # type: ignore[no-untyped-def]
    a = load(table, 0)
    scatter4(table, 0, index, 0, a, a, a, a)
    scatter2(table, 4, index, 0, a, a)


def test_where_rows_repeat_the_first_lane_stays() -> None:
    table = np.arange(16.0).reshape(2, 8)
    spread(table, np.array([1, 1, 1, 1, 1, 1, 0, 1]))
    assert table.tolist() == [[6.0] * 6 + [6.0, 7.0], [0.0] * 6 + [14.0, 15.0]]


@kernel
def lowest_bit(bits):  # type: ignore[no-untyped-def]
    return trailing_zeros(bits)


def test_trailing_zeros() -> None:
    for place in (0, 1, 31, 62):
        assert lowest_bit(np.int64(1 << place)) == place
        assert lowest_bit(np.int64(-1 << place)) == place
    assert lowest_bit(np.int64(0)) == 64


def test_lane_arrays_begin_on_a_cache_line() -> None:
    for shape in ((3,), (5, 8), (7, 2, 8)):
        array = lane_array(shape)
        assert array.shape == shape and array.dtype == np.float64 and not array.any()
        assert array.ctypes.data % CACHE_LINE == 0 and array.flags.c_contiguous and array.flags.writeable
    assert lane_array((2, LANES), np.int64).dtype == np.int64


@pytest.mark.skipif(not ARE_COMPILED, reason="own kernels are plain Python in this run")
def test_a_vector_is_never_changed_in_place_nor_mixed_with_one_of_another_type() -> None:
    """The compiled code refuses what arrays would do otherwise."""
    from numba.core.errors import TypingError

    @kernel
    def changed_in_place(a):  # type: ignore[no-untyped-def]
        x = load(a, 0)
        x += 1.0
        store(a, 0, x)

    @kernel
    def mixed(a, b):  # type: ignore[no-untyped-def]
        store(a, 0, load(a, 0) + load(b, 0))

    @kernel
    def masked(a):  # type: ignore[no-untyped-def]
        mask = load(a, 0) < 1.0
        store(a, 0, mask + mask)

    @kernel
    def chosen(a, b):  # type: ignore[no-untyped-def]
        store(a, 0, select(load_4(b, 0) < 1.0, load(a, 0), 0.0))

    with pytest.raises(TypingError):
        changed_in_place(np.zeros(8))
    with pytest.raises(TypingError):
        chosen(np.zeros(8), np.zeros(4))
    with pytest.raises(TypingError):
        mixed(np.zeros(8), np.zeros(8, np.float32))
    with pytest.raises(TypingError):
        masked(np.zeros(8))
