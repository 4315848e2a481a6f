"""Body rows and the components' views of them."""

from __future__ import annotations

import numpy as np

from ecs_collide.columns.bodies import BodyColumns


def test_growth_keeps_rows_and_renews_the_views() -> None:
    columns = BodyColumns(4)
    rows = columns.take_rows(4)
    columns.arrays.pose[rows] = np.arange(12.0).reshape(4, 3)
    before = columns.arrays
    cells = columns.pose
    assert columns.take_rows(1) == [4]
    assert columns.arrays is not before
    assert all(len(column) == 6 for column in columns.arrays)
    assert columns.arrays.pose[:4].ravel().tolist() == list(range(12))
    assert columns.pose is cells, "components keep their Cells"
    cells.write(3 * 2 + 1, 99.0)
    assert columns.arrays.pose[2, 1] == 99.0
    assert columns.touched == {2}


def test_nothing_is_copied_while_there_is_room() -> None:
    columns = BodyColumns(8)
    arrays = columns.arrays
    for _ in range(8):
        columns.take_rows(1)
    assert columns.arrays is arrays


def test_views_read_and_write_the_columns() -> None:
    columns = BodyColumns(4)
    columns.take_rows(3)
    for name, width in (("pose", 3), ("velocity", 3), ("force", 3), ("motion", 4), ("material", 4)):
        cells = getattr(columns, name)
        assert cells.width == width
        cells.write(2 * width + 1, 7.5)
        assert getattr(columns.arrays, name)[2, 1] == 7.5
        getattr(columns.arrays, name)[1, 0] = -1.0
        assert cells.values[width] == -1.0


def test_poses_are_watched_and_so_is_the_rest() -> None:
    columns = BodyColumns(4)
    columns.take_rows(4)
    columns.velocity.write(0, 1.0)
    columns.motion.write(9, 1.0)
    columns.material.write(15, 1.0)
    assert columns.touched == set()
    columns.pose.write(5, 1.0)
    assert columns.touched == {1}
    assert columns.written == {0, 2, 3}


def test_a_freed_row_is_zero_untouched_and_used_again() -> None:
    columns = BodyColumns(4)
    columns.take_rows(3)
    for column in columns.arrays:
        column[:3] = 1
    columns.pose.write(3, 2.0)
    columns.free_rows([1])
    assert columns.touched == set()
    for column in columns.arrays:
        assert not column[1].any()
        assert column[0].all() and column[2].all()
    assert columns.take_rows(2) == [1, 3]
