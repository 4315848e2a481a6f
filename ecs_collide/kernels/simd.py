"""Vectors: several numbers as one value, for the wide kernels.

A vector has 4 or 8 lanes of one float type, float64×8 in the engine. A comparison of two vectors gives a mask, a vector
of booleans. In a kernel the usual operators work lane by lane, between two vectors of one type, or between a vector and
a number. A number counts as a vector with that number in every lane:

    a + b  a - b  a * b  a / b  -a      IEEE operations, one instruction for a register full of lanes
    a < b  a <= b  a > b  a >= b        a mask; false where a lane is not a number
    m & n  m | n  ~m                    of masks

The functions below do the rest. LLVM divides a vector among the machine's registers: one of 512 bits with AVX-512, two
with AVX2, four with SSE2 or NEON. No operation is fused with another one or reordered (no fast-math flag, no
`contract`). Lanes are independent unless a function states otherwise. So every machine gives the same bits. LLVM does
not find such code by itself in loops over contacts: unrolled lanes and its own vectorisers were tried.

In plain Python a vector is a numpy array, and the bodies of the functions below run.

Rules for kernels:
    There is no `a += b`, because an array would change under its other names: write `a = a + b`.
    A variable that begins as a number cannot become a vector: use `splat`. A number beside float32 lanes is a literal.
    A division in an unused lane must not warn: use `select` to give it a divisor of 1.
"""

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ecs_collide.kernels import module
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode

LANES = 8
"""Lanes of a vector unless stated otherwise."""

CACHE_LINE = 64  # [bytes]

Vector = Any
"""Lanes of floats, as numba or numpy have them."""

Mask = Any
"""Lanes of booleans."""


def plain_lane_array(shape: tuple[int, ...], dtype: type | np.dtype[Any] = np.float64) -> np.ndarray:
    """Return zeros that begin on a cache line."""
    raw = np.zeros(prod(shape) * np.dtype(dtype).itemsize + CACHE_LINE, np.uint8)
    return np.ndarray(shape, dtype, raw, -raw.ctypes.data % CACHE_LINE)


lane_array = module.loaded().lane_array if KERNEL_MODE is KernelMode.PREBUILT else plain_lane_array
"""Returns zeros that begin on a cache line. In numpy's own arrays each load of eight would touch two cache lines."""


# ---- lane by lane


def select(mask: Mask, a: Vector, b: Vector) -> Vector:
    """Return a in lanes where the mask is true, b elsewhere: a blend. A NaN in the unused value does no harm."""
    return np.where(mask, a, b)


def minimum(a: Vector, b: Vector) -> Vector:
    """Return the lesser of each lane, b if either is NaN: `minpd` on x86, a comparison and a blend elsewhere."""
    return np.where(a < b, a, b)


def maximum(a: Vector, b: Vector) -> Vector:
    """Return the greater of each lane, b if either is NaN: `maxpd` on x86, a comparison and a blend elsewhere."""
    return np.where(a > b, a, b)


def absolute(a: Vector) -> Vector:
    """Return |a| of each lane: the sign bit is cleared."""
    return np.abs(a)


def square_root(a: Vector) -> Vector:
    """Return the correctly rounded square root, NaN for negative numbers: `sqrtpd`."""
    return np.sqrt(a)


def round_down(a: Vector) -> Vector:
    """Return the greatest integer that is not above a: `vrndscalepd`, or a call of `floor` per lane on plain SSE2."""
    return np.floor(a)


# ---- over all lanes


def any_lane(mask: Mask) -> bool:
    """Return True if any lane of the mask is true: the mask as a number, compared with 0."""
    return bool(mask.any())


def lane_bits(mask: Mask) -> int:
    """Return the mask as an int64, lane k in bit k: `movmskpd`, or a move from a mask register."""
    return int(np.packbits(mask, bitorder="little")[0])


def lowest(a: Vector) -> Any:
    """Return the least lane: halves are compared until one lane is left."""
    return a.min()


def highest(a: Vector) -> Any:
    """Return the greatest lane: halves are compared until one lane is left."""
    return a.max()


def trailing_zeros(bits: int) -> int:
    """Return the place of the lowest set bit of an int64, 64 if no bit is set: one instruction."""
    bits = int(bits)
    return (bits & -bits).bit_length() - 1 if bits else 64


# ---- between lanes and memory


class LaneMemory(NamedTuple):
    """Loads and stores of vectors with one number of lanes; every array is C-contiguous.

    A place `at` is an index or a tuple of indices; missing indices are 0. If only the last index is missing, rows must
    be as long as a vector. Nothing checks that all lanes are within the array.
    `rows` is a place in an array `index` of int64, where the row numbers of the lanes stand side by side.
    """

    load: Callable[..., Any]
    """load(array, at): the elements from `at` on. One unaligned move for each register."""
    store: Callable[..., Any]
    """store(array, at, a): write a to the elements from `at` on."""
    splat: Callable[..., Any]
    """splat(x): x in every lane, a broadcast."""
    gather: Callable[..., Any]
    """gather(array, index, rows): array[row] of each lane's row. One load for each lane."""
    gather2: Callable[..., Any]
    """gather2(table, column, index, rows): two vectors, of `column` and the next in the flattened rows of the table.
    A load of two a lane, shuffles."""
    gather4: Callable[..., Any]
    """gather4(table, column, index, rows): four vectors, of `column` and the three next, be they those of the next row.
    A load of four a lane, and shuffles that turn the rows into columns: much quicker than the machine's own gather
    instructions."""
    scatter2: Callable[..., Any]
    """scatter2(table, column, index, rows, a, b): the opposite of gather2; where rows repeat, the first lane stays."""
    scatter4: Callable[..., Any]
    """scatter4(table, column, index, rows, a, b, c, d): the opposite of gather4; where rows repeat, the first lane
    stays."""


def lane_memory(lanes: int) -> LaneMemory:
    """Return the loads and stores of vectors with this many lanes, 4 or 8."""

    def load(array, at):
        return _neighbours(array, at, lanes).copy()

    def store(array, at, a):
        _neighbours(array, at, lanes)[:] = a

    def splat(x):
        return np.full(lanes, x, np.asarray(x).dtype)

    def gather(array, index, rows):
        return array[_neighbours(index, rows, lanes)]

    def gather2(table, column, index, rows):
        flat = table[_neighbours(index, rows, lanes)].reshape(lanes, -1)
        return tuple(flat[:, column : column + 2].T.copy())

    def gather4(table, column, index, rows):
        places = _neighbours(index, rows, lanes) * (table.size // len(table)) + column
        return tuple(table.reshape(-1)[places + k] for k in range(4))

    def scatter2(table, column, index, rows, a, b):
        for lane, row in reversed(list(enumerate(_neighbours(index, rows, lanes)))):
            table[row].reshape(-1)[column : column + 2] = a[lane], b[lane]

    def scatter4(table, column, index, rows, a, b, c, d):
        for lane, row in reversed(list(enumerate(_neighbours(index, rows, lanes)))):
            table[row].reshape(-1)[column : column + 4] = a[lane], b[lane], c[lane], d[lane]

    return LaneMemory(load, store, splat, gather, gather2, gather4, scatter2, scatter4)


def _neighbours(array: np.ndarray, at: int | tuple[int, ...], lanes: int) -> np.ndarray:
    """Return the elements from a place on, one for each lane, as a view."""
    place = at if isinstance(at, tuple) else (at,)
    assert len(place) != array.ndim - 1 or array.shape[-1] == lanes, f"rows of {array.shape[-1]}, not {lanes}"
    *before, start = (*place, *(0,) * (array.ndim - len(place)))
    row: np.ndarray = array[tuple(before)]
    return row[start : start + lanes]


EIGHT, FOUR = lane_memory(LANES), lane_memory(4)
load, store, splat, gather, gather2, gather4, scatter2, scatter4 = EIGHT
load_quad, store_quad, *_ = FOUR
