"""Rows that were written since the last step."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.simd import lane_array


class DirtyRows:
    """A set of marked rows: a flag for each row, and a list of the marked ones.

    Component views mark rows directly (`ColumnRef`), in any order.
    """

    state_list = list_state(arrays="marks marked count", in_use={"marked": "_in_use"})

    def __init__(self, capacity: int) -> None:
        self.marks = np.zeros(capacity, np.bool_)
        self.marked = lane_array((capacity,), np.int64)
        self.count = np.zeros(1, np.int64)

    def __len__(self) -> int:
        return self.count.item()

    _in_use = property(__len__)
    """Number of entries of `marked` that are in use."""

    def rows(self) -> np.ndarray:
        """Return the marked rows, sorted."""
        return np.sort(self.marked[: self.count.item()])

    def add(self, row: int) -> None:
        """Mark a row."""
        if not self.marks.item(row):
            count = self.count.item()
            self.marks[row] = True
            self.marked[count] = row
            self.count[0] = count + 1

    def update(self, rows: Iterable[int]) -> None:
        """Mark rows."""
        for row in rows:
            self.add(row)

    def mark(self, rows: np.ndarray) -> None:
        """Mark distinct rows in one numpy call."""
        new = rows[~self.marks[rows]]
        self.marks[new] = True
        count = self.count.item()
        self.marked[count : count + len(new)] = new
        self.count += len(new)

    def discard(self, rows: np.ndarray | list[int]) -> None:
        """Unmark rows."""
        if self:
            self.marks[rows] = False
            present = self.marked[: self.count.item()]
            left = present[self.marks[present]]
            self.marked[: len(left)] = left
            self.count[0] = len(left)

    def clear(self) -> None:
        """Unmark all rows."""
        if not self:
            return
        self.marks[self.marked[: self.count.item()]] = False
        self.count[0] = 0

    def resize(self, capacity: int) -> None:
        """Make room for `capacity` rows; rows beyond it must not be marked."""
        rows = self.marked[: self.count.item()].tolist()
        self.__init__(capacity)  # type: ignore[misc]
        self.update(rows)
