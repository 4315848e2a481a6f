"""Which cells of a terrain are not what they were, and what is near them."""

from math import floor
from typing import NamedTuple

import numpy as np

from ecs_collide.kernels.arrays import FlagTable, Ints
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.kernels.layout import layout

SPAN = layout(
    "span of changed cells",
    FIRST_COLUMN="first column with a change; the number of columns if there is none",
    LAST_COLUMN="last column with a change; -1 if there is none",
    FIRST_ROW="first row with a change; the number of rows if there is none",
    LAST_ROW="last row with a change; -1 if there is none",
)


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
    span = np.empty(SPAN.WIDTH, np.int64)
    find_changed_span(before, after, span)
    return ChangedCells(before, after, span, size)


@stage
def find_changed_span(before: FlagTable, after: FlagTable, span: Ints):
    """Write in which columns and rows there are cells that differ (4,)."""
    rows, columns = before.shape
    span[SPAN.FIRST_COLUMN], span[SPAN.LAST_COLUMN], span[SPAN.FIRST_ROW], span[SPAN.LAST_ROW] = columns, -1, rows, -1
    for row in range(rows - 2):
        for column in range(columns - 2):
            if before[row + 1, column + 1] != after[row + 1, column + 1]:
                span[SPAN.FIRST_COLUMN], span[SPAN.LAST_COLUMN] = (
                    min(span[SPAN.FIRST_COLUMN], column),
                    max(span[SPAN.LAST_COLUMN], column),
                )
                span[SPAN.FIRST_ROW], span[SPAN.LAST_ROW] = min(span[SPAN.FIRST_ROW], row), row


@device
def clamp_to_changes(low, high, first, last):
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
    first, last = clamp_to_changes(low_x, high_x, span[SPAN.FIRST_COLUMN], span[SPAN.LAST_COLUMN])
    bottom, top = clamp_to_changes(low_y, high_y, span[SPAN.FIRST_ROW], span[SPAN.LAST_ROW])
    for row in range(bottom, top + 1):
        for column in range(first, last + 1):
            if before[row + 1, column + 1] != after[row + 1, column + 1]:
                return True
    return False
