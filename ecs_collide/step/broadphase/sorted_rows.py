"""Search in lists of rows or keys in ascending order."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device


@device
def is_among(rows, row):
    """Return True if sorted `rows` contain `row`."""
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low < len(rows) and rows[low] == row
