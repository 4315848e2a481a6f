"""Rows that stay where they are: pools of row numbers, and arrays that grow by half."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from ecs_collide.simd import lane_array


def grown(column: np.ndarray, capacity: int) -> np.ndarray:
    """A copy of `column` with `capacity` rows, the first at the start of a cache line; the new ones are zero."""
    larger = lane_array((capacity, *column.shape[1:]), column.dtype)
    larger[: len(column)] = column
    return larger


def next_capacity(capacity: int, needed: int) -> int:
    """A capacity that holds `needed` rows: the present one, or half as much again, or just what a large leap needs."""
    return capacity if needed <= capacity else max(needed, capacity + capacity // 2)


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

    def give_back(self, row: int) -> None:
        heappush(self.free, row)


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
