"""Pieces near changed cells of a terrain."""

from __future__ import annotations

import numpy as np

from ecs_collide.shapes.changed_cells import changed_cells, is_near_change


def with_empty_border(cells: np.ndarray) -> np.ndarray:
    return np.pad(cells, 1)


def test_pieces_at_or_beside_a_changed_cell_are_near() -> None:
    random = np.random.default_rng(7)
    for _ in range(60):
        rows, columns = random.integers(1, 12, 2)
        before = random.random((rows, columns)) < 0.5
        after = before.copy()
        for _ in range(random.integers(0, 4)):
            after[random.integers(rows), random.integers(columns)] ^= True
        change = changed_cells(with_empty_border(before), with_empty_border(after), 0.5)
        low = random.uniform(-4.0, 14.0, (200, 2))
        boxes = np.concatenate((low, low + random.uniform(0.0, 4.0, (200, 2))), axis=1)
        boxes[::20, 0], boxes[::25, 1], boxes[1::20, 2], boxes[1::25, 3] = -1e300, -1e300, 1e300, 1e300
        where = np.argwhere(before != after)
        for left, bottom, right, top in boxes.tolist():
            near = [
                column - 1 <= right and left < column + 2 and row - 1 <= top and bottom < row + 2
                for row, column in where.tolist()
            ]
            assert is_near_change(left, bottom, right, top, change.before, change.after, change.span) == any(near)


def test_nothing_is_near_where_no_cell_differs() -> None:
    cells = with_empty_border(np.ones((3, 4), np.bool_))
    change = changed_cells(cells, cells.copy(), 1.0)
    assert change.span.tolist() == [6, -1, 5, -1]
    assert not is_near_change(-1e9, -1e9, 1e9, 1e9, change.before, change.after, change.span)
