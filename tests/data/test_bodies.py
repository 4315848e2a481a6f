"""Body rows and the components' views of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ecs_collide as ec
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.native import adopt

VIEWS: dict[str, Callable[[], Any]] = {
    "pose": ec.Transform,
    "velocity": ec.Velocity,
    "force": ec.Force,
    "motion": ec.RigidBody,
    "material": lambda: ec.Collider(ec.Circle(1.0)),
}
FIRST = {"pose": "x", "velocity": "x", "force": "x", "motion": "gravity_scale", "material": "friction"}
"""The number in the first place of a row."""


def view_of_row(columns: BodyColumns, name: str, row: int) -> Any:
    """A component that looks at a row."""
    view = VIEWS[name]()
    adopt((getattr(columns, name),), [(view,)], [row], [1], set())
    return view


def test_growth_keeps_rows_and_renews_the_views() -> None:
    columns = BodyColumns(4)
    rows = columns.allocate_rows(4)
    columns.arrays.pose[rows] = np.arange(12.0).reshape(4, 3)
    before = columns.arrays
    column_ref = columns.pose
    view = view_of_row(columns, "pose", 2)
    columns.arrays.pose[2] = 6.0, 7.0, 8.0
    assert columns.allocate_rows(1) == [4]
    assert columns.arrays is not before
    assert all(len(column) == 6 for column in columns.arrays)
    assert columns.arrays.pose[:4].ravel().tolist() == list(range(12))
    assert columns.pose is column_ref, "components keep their ColumnRef"
    view.y = 99.0
    assert columns.arrays.pose[2, 1] == 99.0
    assert columns.teleported.rows().tolist() == [2]


def test_nothing_is_copied_while_there_is_room() -> None:
    columns = BodyColumns(8)
    arrays = columns.arrays
    for _ in range(8):
        columns.allocate_rows(1)
    assert columns.arrays is arrays


def test_views_read_and_write_the_columns() -> None:
    columns = BodyColumns(4)
    columns.allocate_rows(3)
    for name, first in FIRST.items():
        view = view_of_row(columns, name, 2)
        assert len(view._values()) == getattr(columns, name).width
        setattr(view, first, 7.5)
        assert getattr(columns.arrays, name)[2, 0] == 7.5
        getattr(columns.arrays, name)[2, 0] = 0.25
        assert getattr(view, first) == 0.25


def test_poses_are_watched_and_so_is_the_rest() -> None:
    columns = BodyColumns(4)
    columns.allocate_rows(4)
    for name, row in (("velocity", 0), ("motion", 2), ("material", 3)):
        setattr(view_of_row(columns, name, row), FIRST[name], 1.0)
    assert not columns.teleported
    view_of_row(columns, "pose", 1).x = 1.0
    assert columns.teleported.rows().tolist() == [1]
    assert columns.written.rows().tolist() == [0, 2, 3]


def test_a_freed_row_is_zero_untouched_and_used_again() -> None:
    columns = BodyColumns(4)
    columns.allocate_rows(3)
    for column in columns.arrays:
        column[:3] = 1
    view_of_row(columns, "pose", 1).x = 2.0
    columns.free_rows([1])
    assert not columns.teleported
    for column in columns.arrays:
        assert not column[1].any()
        assert column[0].all() and column[2].all()
    assert columns.allocate_rows(2) == [1, 3]
