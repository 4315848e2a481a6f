"""Cells of a terrain that have changed, and the search for changes near a box."""

from math import floor
from typing import NamedTuple

import numpy as np

from ecs_collide.kernels.arrays import FlagTable, Ints
from ecs_collide.kernels.kernel import device, kernel
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
    """Solid cells before the change, with a rim as in `rectangles.py` (rows + 2, columns + 2)."""
    after: FlagTable
    """Solid cells after the change (rows + 2, columns + 2)."""
    span: Ints
    """Columns and rows that contain all changes, see `SPAN` (4,)."""
    size: float
    """Side of a cell [m]."""


def changed_cells(before: np.ndarray, after: np.ndarray, size: float) -> ChangedCells:
    """Compare two tables of cells whose side is `size` [m]."""
    span = np.empty(SPAN.WIDTH, np.int64)
    find_changed_span(before, after, span)
    return ChangedCells(before=before, after=after, span=span, size=size)


@kernel
def find_changed_span(before: FlagTable, after: FlagTable, span: Ints):
    """Write the first and last columns and rows in which cells differ to `span` (4,)."""
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
    """Return the first and last index, within `first` to `last`, of the cells that an interval meets or borders.

    The interval from `low` to `high` is in cells. The result is empty if its first index is greater than its last.
    """
    low, high = min(max(low, first), last + 2.0), max(min(high, last), first - 2.0)
    return max(floor(low) - 1, first), min(floor(high) + 1, last)


@device
def is_near_change(low_x, low_y, high_x, high_y, before, after, span):
    """Return True if a changed cell is inside a box or next to it.

    The box is in cells from the lower left corner of the grid. Neighbours count because the edges and corners of a
    piece depend on the eight cells around each of its own.
    """
    first, last = clamp_to_changes(low_x, high_x, span[SPAN.FIRST_COLUMN], span[SPAN.LAST_COLUMN])
    bottom, top = clamp_to_changes(low_y, high_y, span[SPAN.FIRST_ROW], span[SPAN.LAST_ROW])
    for row in range(bottom, top + 1):
        for column in range(first, last + 1):
            if before[row + 1, column + 1] != after[row + 1, column + 1]:
                return True
    return False
