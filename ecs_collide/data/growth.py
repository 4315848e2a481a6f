"""Pools of row numbers, and new arrays, which grow by half; rows keep their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from heapq import heapify, heappop, heappush
from itertools import accumulate, count
from operator import add, eq
from typing import get_args

import numpy as np

from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.signature import items_of
from ecs_collide.kernels.simd import lane_array


@cache
def _declared(bundle: type[Bundle]) -> dict[str, tuple[tuple[int, ...], type]]:
    """Return for each array of a bundle the shape of a row, and the type of an item."""
    hints = items_of(bundle)
    return {name: (row, get_args(hint)[1]) for name, row, hint in zip(bundle._fields, bundle._lengths, hints)}


def new_columns(bundle: type[Bundle], names: Iterable[str], capacity: int) -> dict[str, np.ndarray]:
    """Return arrays of zeros with `capacity` rows for fields of a bundle, as its class declares them, by name."""
    declared = _declared(bundle)
    return {name: np.zeros((capacity, *declared[name][0]), declared[name][1]) for name in names}


def grown(column: np.ndarray, capacity: int) -> np.ndarray:
    """Return a copy of `column` with `capacity` rows, aligned to a cache line; the new rows are zero."""
    larger = lane_array((capacity, *column.shape[1:]), column.dtype)
    larger[: len(column)] = column
    return larger


def shrunk(column: np.ndarray, capacity: int) -> np.ndarray:
    """Return a copy of the first `capacity` rows of `column`, aligned to a cache line."""
    smaller = lane_array((capacity, *column.shape[1:]), column.dtype)
    smaller[:] = column[:capacity]
    return smaller


def is_spacious(capacity: int, needed: int) -> bool:
    """Return True if a capacity exceeds the need so far that memory is worth releasing."""
    return capacity > 1024 and capacity > 8 * needed


def next_capacity(capacity: int, needed: int) -> int:
    """Return a capacity that holds `needed` rows: the present one, half as much again, or `needed` itself."""
    return capacity if needed <= capacity else max(needed, capacity + capacity // 2)


def as_slice(rows: list[int]) -> slice | list[int]:
    """Return consecutive rows as a slice, which numpy indexes much faster; return other rows as they are."""
    if len(rows) == 1:
        return slice(rows[0], rows[0] + 1)
    follow = len(rows) > 0 and rows[-1] - rows[0] == len(rows) - 1 and all(map(eq, rows, count(rows[0])))
    return slice(rows[0], rows[-1] + 1) if follow else rows


def rows_of_runs(starts: list[int], counts: list[int]) -> slice | np.ndarray:
    """Return the rows of runs of neighbouring rows; as a slice if each run follows the one before."""
    stops = list(map(add, starts, counts))
    if stops[:-1] == starts[1:]:
        return slice(starts[0], stops[-1])
    first, lengths = np.array(starts, np.int64), np.array(counts, np.intp)
    rows: np.ndarray = np.arange(lengths.sum()) + np.repeat(first - np.cumsum(lengths) + lengths, lengths)
    return rows


class RowPool:
    """Row numbers from 0 up; the smallest freed row is used again first."""

    state_list = list_state(values="high", contents="free")

    def __init__(self) -> None:
        self.free: list[int] = []
        self.high = 0
        """Bound of the rows in use: all are below it."""

    def allocate(self, count: int) -> list[int]:
        """Allocate `count` rows."""
        free, first = self.free, self.high
        rows: list[int] = []
        while free and len(rows) < count:
            rows.append(heappop(free))
        self.high += count - len(rows)
        rows.extend(range(first, self.high))
        return rows

    def release(self, rows: Sequence[int]) -> None:
        """Free rows. If the last row is freed and more rows are free than in use, `high` decreases.

        If no row is in use any more, allocation starts from 0 again.
        """
        if len(self.free) + len(rows) == self.high:
            self.free, self.high = [], 0
            return
        if 8 * len(rows) < len(self.free):
            for row in rows:
                heappush(self.free, row)
        else:
            self.free.extend(rows)
            heapify(self.free)
        if 2 * len(self.free) > self.high and max(rows, default=-1) == self.high - 1:
            is_used = np.ones(self.high, np.bool_)
            is_used[self.free] = False
            self.high = int(np.max(np.flatnonzero(is_used), initial=-1)) + 1
            self.free = [row for row in sorted(self.free) if row < self.high]


class RunPool:
    """Runs of neighbouring rows; a freed run is used again for the same length."""

    state_list = list_state(values="high", groups="_free")

    def __init__(self) -> None:
        self._free: dict[int, list[int]] = {}
        self.high = 0
        """Bound of the rows in use: all are below it."""

    def allocate(self, count: int) -> int:
        """Allocate `count` neighbouring rows; return the first."""
        freed = self._free.get(count)
        if freed:
            return freed.pop()
        start = self.high
        self.high += count
        return start

    def allocate_each(self, counts: list[int]) -> list[int]:
        """Allocate a run of so many rows for each of `counts`; return the first of each."""
        if self._free:
            return [self.allocate(count) for count in counts]
        *starts, self.high = accumulate(counts, initial=self.high)
        return starts

    def release(self, start: int, count: int) -> None:
        """Free a run of rows."""
        self._free.setdefault(count, []).append(start)
