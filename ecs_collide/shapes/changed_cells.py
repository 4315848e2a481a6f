"""Which cells of a terrain are not what they were, and what is near them."""

from math import floor
from typing import NamedTuple

import numpy as np

from ecs_collide.kernels.arrays import FlagTable, Ints
from ecs_collide.kernels.kernel import device, stage

# span
FIRST_COLUMN, LAST_COLUMN, FIRST_ROW, LAST_ROW = range(4)


class ChangedCells(NamedTuple):
    """The cells of a terrain before and after a change."""

    before: FlagTable
    """With a rim, as in `rectangles.py` (rows + 2, columns + 2)."""
    after: FlagTable
    span: Ints
    """First and last column and row of those that differ; the first is past the last where none does (4,) int64."""
    size: float
    """Length of a cell's side [m]."""


def changed_cells(before: np.ndarray, after: np.ndarray, size: float) -> ChangedCells:
    """Compare two tables of cells of a size [m]."""
    span = np.empty(4, np.int64)
    find_span(before, after, span)
    return ChangedCells(before, after, span, size)


@stage
def find_span(before: FlagTable, after: FlagTable, span: Ints):
    """Write in which columns and rows there are cells that differ (4,)."""
    rows, columns = before.shape
    span[FIRST_COLUMN], span[LAST_COLUMN], span[FIRST_ROW], span[LAST_ROW] = columns, -1, rows, -1
    for row in range(rows - 2):
        for column in range(columns - 2):
            if before[row + 1, column + 1] != after[row + 1, column + 1]:
                span[FIRST_COLUMN], span[LAST_COLUMN] = min(span[FIRST_COLUMN], column), max(span[LAST_COLUMN], column)
                span[FIRST_ROW], span[LAST_ROW] = min(span[FIRST_ROW], row), row


@device
def cells_around(low, high, first, last):
    """Of the cells from `first` to `last` the first and the last that a stretch meets, in cells, or the next of these.

    There is none where the first is past the last.
    """
    low, high = min(max(low, first), last + 2.0), max(min(high, last), first - 2.0)
    return max(floor(low) - 1, first), min(floor(high) + 1, last)


@device
def is_near_change(low_x, low_y, high_x, high_y, before, after, span):
    """Whether a box, in cells from the lower left corner of the grid, meets a cell that differs, or one beside it.

    What a piece has of a cell, its edges and corners, depends on the eight around it.
    """
    first, last = cells_around(low_x, high_x, span[FIRST_COLUMN], span[LAST_COLUMN])
    bottom, top = cells_around(low_y, high_y, span[FIRST_ROW], span[LAST_ROW])
    for row in range(bottom, top + 1):
        for column in range(first, last + 1):
            if before[row + 1, column + 1] != after[row + 1, column + 1]:
                return True
    return False
