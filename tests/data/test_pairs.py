"""Pair slots: room for more without moving what is there."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.pairs import FREE, PAIR, PairColumns


def take(columns: PairColumns, count: int) -> list[int]:
    """Take slots as the kernels do: from the top of the stack."""
    slots = []
    for _ in range(count):
        slot = int(columns.free_slots[len(columns.free_slots) - columns.count - 1])
        columns.arrays.in_use[0] += 1
        columns.arrays.index[slot, PAIR.ROW] = 0
        slots.append(slot)
    return slots


def test_slots_come_scattered_and_always_in_the_same_order() -> None:
    slots = take(PairColumns(9, 1024), 1024)
    assert sorted(slots) == list(range(1024))
    assert slots == take(PairColumns(9, 1024), 1024)
    assert abs(np.corrcoef(slots, np.arange(1024))[0, 1]) < 0.1
    assert np.abs(np.diff(slots)).mean() > 1024 / 4


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
    columns.arrays.row_start[:] = 6
    columns.reserve(20)
    arrays = columns.arrays
    assert len(arrays.index) == 26
    free = sorted(set(range(26)) - set(taken))
    assert (arrays.manifold[taken] == 1.5).all() and not arrays.manifold[free].any()
    assert (arrays.impulse[taken] == 2.5).all()
    assert np.flatnonzero(~arrays.enabled).tolist() == [taken[0]]
    assert (arrays.index[free, PAIR.ROW] == FREE).all()
    assert columns.live.tolist() == taken
    assert (arrays.row_start == 6).all()
    rest = take(columns, 20)
    assert sorted(taken + rest) == list(range(26)), "every slot once"


def test_live_is_the_beginning_of_the_order() -> None:
    columns = PairColumns(2, 8)
    take(columns, 3)
    columns.arrays.order[:3] = (2, 0, 1)
    columns.arrays.row_start[-1] = 3
    assert columns.live.tolist() == [2, 0, 1]
    assert np.shares_memory(columns.live, columns.arrays.order)
