"""Worlds whose arrays begin with next to no room, grow by just what is needed, and are spoilt once they are left.

Else they begin with room for dozens and grow by half: in a small world nothing grows. So what was prepared for an array
and not for the longer one in its place goes wrong at once: it meets rows that nobody has.
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
from ecs_collide.data.row_lists import HeldRows
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree

BEGIN: tuple[Any, ...] = (BodyColumns, PieceColumns, PairColumns, JointColumns, HeldRows, StaticTree)
"""What is made with the capacity that it begins with as its last argument, which has a default."""
FIRST = 1
"""What that is here."""
NO_ROW = 1 << 40
"""Where no array has a row: who looks there, crashes."""

_left: list[np.ndarray] | None = None
"""Arrays that have been left for longer ones, None while worlds have the usual room."""


@contextmanager
def cramped() -> Iterator[None]:
    """As long as it lasts, new worlds are such ones."""
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
    """Between two steps, when nobody looks at arrays any more that have been left."""
    if _left:
        for column in _left:
            if column.dtype != np.bool_:
                column[...] = np.nan if column.dtype == np.float64 else NO_ROW
        _left.clear()


@cache
def _watch_growth() -> None:
    """Have everything that grows say so; once in a process."""
    next_capacity, grown, hold = growth.next_capacity, growth.grown, HeldRows.hold

    def just_enough(capacity: int, needed: int) -> int:
        return next_capacity(capacity, needed) if _left is None else max(capacity, needed)

    def grown_and_left(column: np.ndarray, capacity: int) -> np.ndarray:
        if _left is not None:
            _left.append(column)
        return grown(column, capacity)

    def hold_and_leave(self: HeldRows, rows: np.ndarray) -> bool:
        before = self.run.array
        result = hold(self, rows)
        if _left is not None and self.run.array is not before:
            _left.append(before)
        return result

    _replace(next_capacity, just_enough)
    _replace(grown, grown_and_left)
    HeldRows.hold = hold_and_leave  # type: ignore[method-assign]


def _replace(function: Callable[..., Any], other: Callable[..., Any]) -> None:
    """Put a function in another one's place wherever that was imported."""
    for name, module in list(sys.modules.items()):
        if name.startswith("ecs_collide.") and vars(module).get(function.__name__) is function:
            setattr(module, function.__name__, other)
