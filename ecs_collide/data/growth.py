"""Rows that stay where they are: pools of row numbers, and arrays that grow by half."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import count
from operator import eq

import numpy as np

from ecs_collide.kernels.simd import lane_array


def grown(column: np.ndarray, capacity: int) -> np.ndarray:
    """A copy of `column` with `capacity` rows, the first at the start of a cache line; the new ones are zero."""
    larger = lane_array((capacity, *column.shape[1:]), column.dtype)
    larger[: len(column)] = column
    return larger


def shrunk(column: np.ndarray, capacity: int) -> np.ndarray:
    """A copy of the first `capacity` rows of `column`, at the start of a cache line."""
    smaller = lane_array((capacity, *column.shape[1:]), column.dtype)
    smaller[:] = column[:capacity]
    return smaller


def is_spacious(capacity: int, needed: int) -> bool:
    """Whether a capacity is so much more than what is needed that memory is worth giving back."""
    return capacity > 1024 and capacity > 8 * needed


def next_capacity(capacity: int, needed: int) -> int:
    """A capacity that holds `needed` rows: the present one, or half as much again, or just what a large leap needs."""
    return capacity if needed <= capacity else max(needed, capacity + capacity // 2)


def run_of(rows: list[int]) -> slice | list[int]:
    """Rows as a slice where they follow each other, which numpy takes in a fraction of the time."""
    if len(rows) == 1:
        return slice(rows[0], rows[0] + 1)
    follow = len(rows) > 0 and rows[-1] - rows[0] == len(rows) - 1 and all(map(eq, rows, count(rows[0])))
    return slice(rows[0], rows[-1] + 1) if follow else rows


class RowPool:
    """Row numbers from 0 up; a freed row is used again, the smallest first."""

    def __init__(self) -> None:
        self.free: list[int] = []
        self.high = 0
        """All rows in use are below this."""

    def take(self, count: int) -> list[int]:
        rows = [heappop(self.free) for _ in range(min(count, len(self.free)))]
        fresh = count - len(rows)
        rows.extend(range(self.high, self.high + fresh))
        self.high += fresh
        return rows

    def give_back(self, rows: Sequence[int]) -> None:
        """Free rows. Where the last one is among them and more are free than in use, `high` comes down.

        Where none is in use any more, all begin anew.
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
    """Runs of neighbouring rows; a freed run serves the next one of the same length."""

    def __init__(self) -> None:
        self._free: dict[int, list[int]] = {}
        self.high = 0
        """All rows in use are below this."""

    def take(self, count: int) -> int:
        """The first row of a run of `count` rows."""
        freed = self._free.get(count)
        if freed:
            return freed.pop()
        start = self.high
        self.high += count
        return start

    def give_back(self, start: int, count: int) -> None:
        self._free.setdefault(count, []).append(start)
