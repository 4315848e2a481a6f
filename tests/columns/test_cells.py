"""Where a component's numbers live."""

from __future__ import annotations

import numpy as np

from ecs_collide.columns.cells import Cells, flat_view


def test_a_detached_component_has_cells_of_its_own() -> None:
    cells = Cells([1.0, 2.0, 3.0], 3)
    cells.write(1, 5.0)
    assert list(cells.values) == [1.0, 5.0, 3.0]


def test_touched_rows_are_collected() -> None:
    touched: set[int] = set()
    cells = Cells([0.0] * 12, 4, touched)
    for at in (0, 3, 4, 11):
        cells.write(at, 1.0)
    assert touched == {0, 1, 2}


def test_the_flat_view_shares_the_column() -> None:
    column = np.zeros((3, 2))
    view = flat_view(column)
    view[3] = 4.0
    column[2, 0] = 5.0
    assert column[1, 1] == 4.0
    assert view[4] == 5.0
    assert len(view) == 6
