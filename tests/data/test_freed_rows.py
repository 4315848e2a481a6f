"""A row that is given back is as if it had never been used, in every column that there is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ecs_collide.data import pieces as of_piece
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pieces import PIECE, PieceColumns


def columns_by_name(owner: BodyColumns | PieceColumns) -> dict[str, Any]:
    """The columns with a row for each of what they are of, by name."""
    length = len(owner.arrays[1])
    columns = vars(owner) | dict(zip(owner.arrays._fields, owner.arrays, strict=True))
    pools = {"vertices", "normals", "outlines"}
    return {
        name: column
        for name, column in columns.items()
        if isinstance(column, np.ndarray) and len(column) == length and name not in pools
    }


def give_back(owner: BodyColumns | PieceColumns, least: int) -> tuple[dict[str, Any], list[int]]:
    """Use three rows, give the last two back, and return all columns, of which there are so many, and the rows."""
    rows = owner.allocate_rows(3)
    columns = columns_by_name(owner)
    assert len(columns) >= least
    for column in columns.values():
        column[rows] = 1
    owner.free_rows(rows[1:])
    return columns, rows


def check_cleared(columns: dict[str, Any], rows: list[int]) -> None:
    for name, column in columns.items():
        assert np.all(column[rows[1:]] == 0), name
        assert np.all(column[rows[0]] == 1), name


def test_no_column_of_a_body_keeps_anything_of_the_one_before() -> None:
    check_cleared(*give_back(BodyColumns(), 17))


def test_no_column_of_a_piece_keeps_anything_of_the_one_before() -> None:
    columns, rows = give_back(PieceColumns(), 6)
    for owner in (PIECE.BODY, PIECE.COLLIDER):
        assert np.all(columns["index"][rows[1:], owner] == of_piece.NO_BODY)
        columns["index"][rows[1:], owner] = 0
    check_cleared(columns, rows)
