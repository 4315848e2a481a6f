"""Pair slots: room for more without moving what is there."""

from __future__ import annotations

import numpy as np

from ecs_collide.columns.pairs import FREE, ROW, PairColumns


def take(columns: PairColumns, count: int) -> list[int]:
    """Take slots as the kernels do: from the top of the stack."""
    slots = []
    for _ in range(count):
        slot = int(columns.free_slots[len(columns.free_slots) - columns.count - 1])
        columns.count += 1
        columns.arrays.index[slot, ROW] = 0
        slots.append(slot)
    return slots


def test_slots_come_in_order() -> None:
    columns = PairColumns(9, 8)
    assert take(columns, 8) == list(range(8))
    assert columns.arrays.row_start.shape == (10,)


def test_reserve_does_nothing_while_there_is_room() -> None:
    columns = PairColumns(9, 8)
    arrays = columns.arrays
    take(columns, 5)
    columns.reserve(3)
    assert columns.arrays is arrays


def test_growth_keeps_slots_contents_and_the_free_stack() -> None:
    columns = PairColumns(9, 8)
    taken = take(columns, 6)
    columns.arrays.manifold[taken] = 1.5
    columns.arrays.impulse[taken] = 2.5
    columns.arrays.enabled[taken[0]] = False
    columns.arrays.order[:6] = taken
    columns.arrays.scattered[:6] = taken
    columns.arrays.row_start[:] = 6
    columns.reserve(20)
    arrays = columns.arrays
    assert len(arrays.index) == 32
    assert (arrays.manifold[:6] == 1.5).all() and not arrays.manifold[6:].any()
    assert (arrays.impulse[:6] == 2.5).all()
    assert arrays.enabled.tolist() == [False] + [True] * 31
    assert (arrays.index[6:, ROW] == FREE).all()
    assert columns.live.tolist() == taken
    assert (arrays.row_start == 6).all()
    rest = take(columns, 26)
    assert sorted(taken + rest) == list(range(32)), "every slot once"


def test_live_is_the_beginning_of_the_scattered_order() -> None:
    columns = PairColumns(2, 8)
    take(columns, 3)
    columns.arrays.scattered[:3] = (2, 0, 1)
    assert columns.live.tolist() == [2, 0, 1]
    assert np.shares_memory(columns.live, columns.arrays.scattered)
