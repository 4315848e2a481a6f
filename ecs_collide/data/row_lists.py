"""Functions on lists of rows."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import next_capacity
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import LiveSlice
from ecs_collide.kernels.simd import lane_array

FIRST_PLACE = np.zeros(1, np.int64)
"""Start of a `LiveSlice` that begins with its array. Nothing may be written to it."""


def each_once(*lists: np.ndarray) -> np.ndarray:
    """Return the distinct rows of all lists in ascending order.

    `np.unique` does the same, but its first call imports numpy.ma, which delays the first step.
    """
    rows = np.concatenate(lists)
    rows.sort()
    is_first = np.ones(len(rows), np.bool_)
    np.not_equal(rows[1:], rows[:-1], out=is_first[1:])
    return rows[is_first]


def find_first_places(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows of a list in ascending order, and the first place of each."""
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    is_first = np.ones(len(rows), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first], order[is_first]


def rows_where(holds: np.ndarray) -> np.ndarray:
    """Return the rows where `holds` is True, in ascending order (k,) int64; indices of numpy may be narrower."""
    return np.flatnonzero(holds).astype(np.int64, copy=False)


class StableRows:
    """A copy of a list of rows in an array with spare room: prepared calls stay valid when the list changes."""

    state_list = list_state(left_out="live _rows _count")

    def __init__(self, capacity: int = 64) -> None:
        self._rows: np.ndarray | None = None
        self._count = np.zeros(1, np.int64)
        self.live = LiveSlice(np.zeros(capacity, np.int64), FIRST_PLACE, self._count)
        """The copy, as an argument of prepared calls."""

    def store_rows(self, rows: np.ndarray) -> bool:
        """Copy a list, which is never written to; return True if it differs from the last one."""
        if rows is self._rows:
            return False
        if len(rows) > len(self.live.array):
            capacity = next_capacity(len(self.live.array), len(rows))
            self.live = self.live._replace(array=lane_array((capacity,), np.int64))
        self.live.array[: len(rows)] = rows
        self._count[0] = len(rows)
        self._rows = rows
        return True
