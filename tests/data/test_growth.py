"""Row pools and growing columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ecs_collide.data.growth import RowPool, RunPool, grown, next_capacity, rows_of_runs


def test_rows_start_at_zero_and_come_in_order() -> None:
    pool = RowPool()
    assert pool.allocate(3) == [0, 1, 2]
    assert pool.allocate(0) == []
    assert pool.allocate(2) == [3, 4]
    assert pool.high == 5


def test_the_smallest_free_row_is_used_first() -> None:
    pool = RowPool()
    pool.allocate(6)
    for row in (4, 1, 3):
        pool.release([row])
    assert pool.allocate(5) == [1, 3, 4, 6, 7]


@given(st.lists(st.one_of(st.integers(1, 5), st.integers(-20, -1)), max_size=60))
def test_no_row_is_given_twice(moves: list[int]) -> None:
    """A positive number takes rows, a negative one gives one back."""
    pool = RowPool()
    held: list[int] = []
    for move in moves:
        if move > 0:
            rows = pool.allocate(move)
            assert len(rows) == move
            held.extend(rows)
        elif held:
            pool.release([held.pop(move % len(held))])
        assert len(set(held)) == len(held)
        assert set(held) | set(pool.free) == set(range(pool.high))
        assert not set(held) & set(pool.free)


@pytest.mark.parametrize("shape", [(4,), (4, 3), (4, 2, 2)])
def test_grown_keeps_what_is_there_and_adds_zeros(shape: tuple[int, ...]) -> None:
    column = np.arange(np.prod(shape)).reshape(shape)
    larger = grown(column, 9)
    assert larger.shape == (9, *shape[1:])
    assert larger.dtype == column.dtype
    assert (larger[:4] == column).all()
    assert not larger[4:].any()
    larger[0] = -1
    assert column.flat[0] == 0, "a copy"


def test_capacity_doubles() -> None:
    assert next_capacity(64, 0) == 64
    assert next_capacity(64, 64) == 64
    assert next_capacity(64, 65) == 96
    assert next_capacity(64, 1000) == 1000


@given(st.lists(st.tuples(st.lists(st.integers(1, 5), max_size=5), st.integers(0, 3)), max_size=12))
def test_runs_that_are_allocated_together_never_overlap(rounds: list[tuple[list[int], int]]) -> None:
    pool, held = RunPool(), list[tuple[int, int]]()
    for counts, freed in rounds:
        starts = pool.allocate_each(counts)
        assert len(starts) == len(counts)
        held += zip(starts, counts, strict=True)
        rows = [row for start, count in held for row in range(start, start + count)]
        assert len(set(rows)) == len(rows) and max(rows, default=-1) < max(pool.high, 1)
        for _ in range(min(freed, len(held))):
            pool.release(*held.pop(0))


@pytest.mark.parametrize("starts", [[4, 6, 7], [7, 4, 0], [4, 100, 7], [0, 6, 9]])
def test_rows_of_runs_are_those_of_each_run_in_order(starts: list[int]) -> None:
    counts = [2, 1, 3]
    expected = [start + k for start, count in zip(starts, counts, strict=True) for k in range(count)]
    assert np.arange(200)[rows_of_runs(starts, counts)].tolist() == expected
