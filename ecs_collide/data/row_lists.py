"""Lists of rows."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import next_capacity
from ecs_collide.kernels.calls import Run


def each_once(*lists: np.ndarray) -> np.ndarray:
    """Return the rows that stand in any of the lists, each once, in ascending order.

    As `np.unique` does, whose first call loads numpy.ma: a seventh of the time until the first step is through.
    """
    rows = np.concatenate(lists)
    rows.sort()
    is_first = np.ones(len(rows), np.bool_)
    np.not_equal(rows[1:], rows[:-1], out=is_first[1:])
    return rows[is_first]


def places_of_each(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows that stand in a list, each once, in ascending order, and where each stands first."""
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    is_first = np.ones(len(rows), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first], order[is_first]


def rows_where(holds: np.ndarray) -> np.ndarray:
    """Return the rows where something holds, in ascending order (k,) int64: numpy's own indices may be narrower."""
    return np.flatnonzero(holds).astype(np.int64, copy=False)


class HeldRows:
    """A copy of a list of rows in an array with spare room: chains stay prepared when the list is another."""

    def __init__(self, capacity: int = 64) -> None:
        self._rows: np.ndarray | None = None
        self._count = np.zeros(1, np.int64)
        self.run = Run(np.zeros(capacity, np.int64), np.zeros(1, np.int64), self._count)
        """The copy, for chains."""

    def hold(self, rows: np.ndarray) -> bool:
        """Take up a list, which is never written to; return whether it is another one than last time."""
        if rows is self._rows:
            return False
        if len(rows) > len(self.run.array):
            capacity = next_capacity(len(self.run.array), len(rows))
            self.run = self.run._replace(array=np.zeros(capacity, np.int64))
        self.run.array[: len(rows)] = rows
        self._count[0] = len(rows)
        self._rows = rows
        return True
