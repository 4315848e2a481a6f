"""Which rows were written since the last step."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


class DirtyRows:
    """Rows that are marked: a byte for each row, and a list of those that have it set.

    Views write here themselves (`Cells`), in any order.
    """

    def __init__(self, capacity: int) -> None:
        self.marks = np.zeros(capacity, np.bool_)
        self.marked = np.zeros(capacity, np.int64)
        self.count = np.zeros(1, np.int64)

    def __len__(self) -> int:
        return self.count.item()

    def rows(self) -> np.ndarray:
        """The marked rows, sorted."""
        return np.sort(self.marked[: self.count.item()])

    def add(self, row: int) -> None:
        if not self.marks.item(row):
            count = self.count.item()
            self.marks[row] = True
            self.marked[count] = row
            self.count[0] = count + 1

    def update(self, rows: Iterable[int]) -> None:
        for row in rows:
            self.add(row)

    def mark(self, rows: np.ndarray) -> None:
        """Add different rows, many at once."""
        fresh = rows[~self.marks[rows]]
        self.marks[fresh] = True
        count = self.count.item()
        self.marked[count : count + len(fresh)] = fresh
        self.count += len(fresh)

    def discard(self, rows: slice | list[int]) -> None:
        """Take the marks from some rows."""
        if self:
            self.marks[rows] = False
            present = self.marked[: self.count.item()]
            left = present[self.marks[present]]
            self.marked[: len(left)] = left
            self.count[0] = len(left)

    def clear(self) -> None:
        if not self:
            return
        self.marks[self.marked[: self.count.item()]] = False
        self.count[0] = 0

    def resize(self, capacity: int) -> None:
        """Make room for so many rows; those beyond are not marked."""
        rows = self.marked[: self.count.item()].tolist()
        self.__init__(capacity)  # type: ignore[misc]
        self.update(rows)
