"""Fast reading of corners against the checks of `validate`."""

from __future__ import annotations

from fractions import Fraction
from math import copysign, inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ecs_collide import Polygon
from ecs_collide.shapes.points import flat_points, read_corners
from ecs_collide.validate import vector2_sequence

NUMBERS: st.SearchStrategy[Any] = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e50, max_value=1e50),
    st.integers(-(10**20), 10**20),
    st.sampled_from([0.0, -0.0, 0, 1e50, np.float64(2.5), np.int32(3), Fraction(1, 3)]),
)
PAIRS = st.one_of(st.tuples(NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS).map(list))


@given(st.lists(PAIRS, max_size=6), st.sampled_from([list, tuple, np.array]))
def test_corners_are_those_of_the_checks(points: list[Any], kind: Any) -> None:
    value = kind(points) if kind is not np.array else np.array(points, np.float64).reshape(-1, 2)
    fast, slow = read_corners(value, "points"), vector2_sequence(value, "points")
    assert fast == slow
    assert all(type(point) is tuple and list(map(type, point)) == [float, float] for point in fast)
    assert not any(x == 0.0 and copysign(1.0, x) < 0.0 for point in fast for x in point)


WRONG: list[Any] = [
    [(0.0, nan), (1.0, 0.0)],
    [(0.0, 1.0), (inf, 0.0)],
    [(0.0, 1.0), (1.1e50, 0.0)],
    [(0.0, 1.0), (10**400, 0)],
    [(0.0, 1.0), (True, 0.0)],
    [(0.0, 1.0, 2.0)],
    [(0.0, "1")],
    [3.0],
    "points",
    7,
    {1: 2},
]


@pytest.mark.parametrize("value", WRONG)
def test_wrong_points_raise_the_error_of_the_checks(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)) as expected:
        vector2_sequence(value, "points")
    with pytest.raises(type(expected.value)) as found:
        read_corners(value, "points")
    assert str(found.value) == str(expected.value)


def test_valid_pairs_are_kept() -> None:
    corners = [(1.0, 2.0), (3.0, 2.0), (2.0, 4.0)]
    assert all(a is b for a, b in zip(Polygon(corners).vertices, corners, strict=True))


@given(st.lists(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), max_size=5).map(tuple), max_size=5))
def test_flat_points_stand_one_after_the_other(outlines: list[Any]) -> None:
    expected = [point for outline in outlines for point in outline]
    array = flat_points(outlines)
    assert array.shape == (len(expected), 2) and array.dtype == np.float64
    assert list(map(tuple, array.tolist())) == expected


@pytest.mark.parametrize("outlines", [[[(1.0, "a")]], [[(1.0,)]], [[7]]])
def test_flat_points_of_other_things_are_an_error(outlines: Any) -> None:
    with pytest.raises((TypeError, IndexError, ValueError)):
        flat_points(outlines)
