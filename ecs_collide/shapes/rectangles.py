"""Solid cells merged into rectangles, and the rectangles that stay unchanged when cells change.

A row divides into the longest runs of solid cells. Equal runs one above the other form a rectangle. A cell thus affects
only the run that contains it or that it separates. A changed cell makes at most four new rectangles, whatever the size
of the grid.

`cells` (rows + 2, columns + 2) have a rim of empty ones; cell (column, row) is cells[row + 1, column + 1].
"""

from __future__ import annotations

import numpy as np

from ecs_collide.kernels.arrays import FlagTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout

RECTANGLE = layout(
    "rectangle of cells",
    COLUMN="leftmost column",
    ROW="lowest row",
    COLUMNS="number of columns",
    ROWS="number of rows",
)


def find_cell_rectangles(cells: np.ndarray) -> np.ndarray:
    """Return the rectangles (n, 4) of `cells`, sorted by first row and then by column."""
    rows, columns = cells.shape
    found = np.empty((rows * columns // 2, RECTANGLE.WIDTH), np.int64)
    count: int = find_rectangles(cells, np.empty(columns, np.int64), found)
    return found[:count].copy()


@kernel
def find_rectangles(cells: FlagTable, latest: Ints, found: IntTable):
    """Write the rectangles of the cells to `found`, with columns of `RECTANGLE`; return their number.

    `latest` (columns + 2,) is scratch space: the last rectangle that begins at a column.
    """
    count = 0
    for k in range(len(latest)):
        latest[k] = -1
    for row in range(len(cells) - 2):
        column, line = 0, cells[row + 1]
        while column < len(line) - 2:
            if not line[column + 1]:
                column += 1
                continue
            start = column
            while line[column + 1]:
                column += 1
            below = latest[start]
            if (
                below >= 0
                and found[below, RECTANGLE.COLUMNS] == column - start
                and found[below, RECTANGLE.ROW] + found[below, RECTANGLE.ROWS] == row
            ):
                found[below, RECTANGLE.ROWS] += 1
                continue
            latest[start] = count
            found[count, RECTANGLE.COLUMN], found[count, RECTANGLE.ROW] = start, row
            found[count, RECTANGLE.COLUMNS], found[count, RECTANGLE.ROWS] = column - start, 1
            count += 1
    return count


@kernel
def find_unchanged_rectangles(
    before: IntTable, cells_before: FlagTable, after: IntTable, cells: FlagTable, source: Ints
):
    """Write the row in `before` of each rectangle of `after`, -1 if it is new, to `source` (n,).

    A rectangle is unchanged if the cells around it are unchanged as well.
    """
    k = 0
    for j in range(len(after)):
        row, column = after[j, RECTANGLE.ROW], after[j, RECTANGLE.COLUMN]
        while k < len(before) and (
            before[k, RECTANGLE.ROW] < row or (before[k, RECTANGLE.ROW] == row and before[k, RECTANGLE.COLUMN] < column)
        ):
            k += 1
        source[j] = -1
        if (
            k < len(before)
            and before[k, RECTANGLE.ROW] == row
            and before[k, RECTANGLE.COLUMN] == column
            and before[k, RECTANGLE.COLUMNS] == after[j, RECTANGLE.COLUMNS]
            and before[k, RECTANGLE.ROWS] == after[j, RECTANGLE.ROWS]
            and has_same_rim(after[j], cells_before, cells)
        ):
            source[j] = k


@device
def has_same_rim(rectangle, cells_before, cells):
    """Return True if the cells around a rectangle are unchanged."""
    left, bottom = rectangle[RECTANGLE.COLUMN], rectangle[RECTANGLE.ROW]
    right, top = left + rectangle[RECTANGLE.COLUMNS] + 1, bottom + rectangle[RECTANGLE.ROWS] + 1
    for column in range(left, right + 1):
        if cells_before[bottom, column] != cells[bottom, column] or cells_before[top, column] != cells[top, column]:
            return False
    for row in range(bottom + 1, top):
        if cells_before[row, left] != cells[row, left] or cells_before[row, right] != cells[row, right]:
            return False
    return True
