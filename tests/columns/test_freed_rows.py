"""A row that is given back is as if it had never been used, in every column that there is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ecs_collide.columns import pieces as of_piece
from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.pieces import PieceColumns


def columns_of(owner: BodyColumns | PieceColumns) -> dict[str, Any]:
    """The columns with a row for each of what they are of, by name."""
    length = len(owner.arrays[1])
    columns = vars(owner) | dict(zip(owner.arrays._fields, owner.arrays, strict=True))
    pools = {"vertices", "normals", "outlines"}
    return {
        name: column
        for name, column in columns.items()
        if isinstance(column, np.ndarray) and len(column) == length and name not in pools
    }


def test_no_column_of_a_body_keeps_anything_of_the_one_before() -> None:
    owner = BodyColumns()
    rows = owner.take_rows(3)
    columns = columns_of(owner)
    assert len(columns) >= 17
    for column in columns.values():
        column[rows] = 1
    owner.free_rows(rows[1:])
    for name, column in columns.items():
        assert np.all(column[rows[1:]] == 0), name
        assert np.all(column[rows[0]] == 1), name


def test_no_column_of_a_piece_keeps_anything_of_the_one_before() -> None:
    owner = PieceColumns()
    rows = owner.take_rows(3)
    columns = columns_of(owner)
    assert len(columns) >= 6
    for column in columns.values():
        column[rows] = 1
    owner.free_rows(rows[1:])
    assert np.all(columns["index"][rows[1:], of_piece.BODY] == of_piece.NO_BODY)
    columns["index"][rows[1:], of_piece.BODY] = 0
    for name, column in columns.items():
        assert np.all(column[rows[1:]] == 0), name
        assert np.all(column[rows[0]] == 1), name
