"""Worlds whose arrays begin with almost no room, grow by just what is needed, and are spoilt once they are replaced.

Other worlds begin with room for dozens of rows and grow by half, so nothing grows in a small world. In a cramped world
code that still uses a replaced array fails at once, because its rows are invalid.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from ecs_collide.data import growth
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.joints import JointColumns
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.row_lists import StableRows
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree

BEGIN: tuple[Any, ...] = (BodyColumns, PieceColumns, PairColumns, JointColumns, StableRows, StaticTree)
"""Classes whose last argument is their capacity at the start; it has a default."""
FIRST = 1
"""Capacity in cramped worlds."""
NO_ROW = 1 << 40
"""A row that no array has; reading it crashes."""

_left: list[np.ndarray] | None = None
"""Arrays that were replaced by longer ones; None while worlds have the usual room."""


@contextmanager
def cramped() -> Iterator[None]:
    """Create cramped worlds as long as the context lasts."""
    global _left
    _watch_growth()
    usual = [kind.__init__.__defaults__ for kind in BEGIN]
    for kind in BEGIN:
        kind.__init__.__defaults__ = (FIRST,)
    _left = []
    try:
        yield
    finally:
        _left = None
        for kind, defaults in zip(BEGIN, usual, strict=True):
            kind.__init__.__defaults__ = defaults


def spoil_what_was_left() -> None:
    """Spoil the replaced arrays between two steps, when no code reads them any more."""
    if _left:
        for column in _left:
            if column.dtype != np.bool_:
                column[...] = np.nan if column.dtype == np.float64 else NO_ROW
        _left.clear()


@cache
def _watch_growth() -> None:
    """Replace the functions that grow arrays by ones that record the old array; once in a process."""
    next_capacity, grown, hold = growth.next_capacity, growth.grown, StableRows.store_rows

    def just_enough(capacity: int, needed: int) -> int:
        return next_capacity(capacity, needed) if _left is None else max(capacity, needed)

    def grown_and_left(column: np.ndarray, capacity: int) -> np.ndarray:
        if _left is not None:
            _left.append(column)
        return grown(column, capacity)

    def hold_and_leave(self: StableRows, rows: np.ndarray) -> bool:
        before = self.live.array
        result = hold(self, rows)
        if _left is not None and self.live.array is not before:
            _left.append(before)
        return result

    _replace(next_capacity, just_enough)
    _replace(grown, grown_and_left)
    StableRows.store_rows = hold_and_leave  # type: ignore[method-assign]


def _replace(function: Callable[..., Any], other: Callable[..., Any]) -> None:
    """Replace a function wherever it was imported."""
    for name, module in list(sys.modules.items()):
        if name.startswith("ecs_collide.") and vars(module).get(function.__name__) is function:
            setattr(module, function.__name__, other)
