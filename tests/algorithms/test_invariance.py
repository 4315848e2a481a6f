"""Every function keeps its answer when everything is turned, shifted, scaled or swapped, and has one for all numbers.

Each row says what its function's arguments and results are. Hypothesis draws them and a motion. A truth may change
where the case is within rounding of touching: there the same circles, grown and shrunk by as much, differ.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, example, given, settings, strategies as st

from ecs_collide import algorithms

ROUNDING = 1e-9
"""Lengths [m] by which a case may miss touching without being clear."""


class InvarianceRow(NamedTuple):
    """A function and what it takes and returns, in words.

    `point` (two numbers), `vector` (two), `length`, `angle`, `half_angle` and `same` (a number that no motion changes).
    """

    function: Callable[..., Any]
    takes: str
    returns: str
    turns: bool = True
    swap: tuple[int, ...] = ()


class Motion(NamedTuple):
    """Turn by `angle`, scale, then shift."""

    angle: float
    scale: float
    shift: complex


ROWS = [
    InvarianceRow(algorithms.point_in_circle, "point point length", "truth"),
    InvarianceRow(algorithms.circles_overlap, "point length point length", "truth", swap=(2, 3, 0, 1)),
    InvarianceRow(algorithms.circle_half_plane_overlap, "point length point vector", "truth"),
    InvarianceRow(algorithms.half_plane_distance, "point point vector", "length"),
    InvarianceRow(algorithms.closest_point_on_line, "point point point", "point same"),
    InvarianceRow(algorithms.closest_point_on_segment, "point point point", "point same"),
    InvarianceRow(algorithms.circle_segment_overlap, "point length point point", "truth", swap=(0, 1, 3, 2)),
    InvarianceRow(algorithms.line_circle_intersection, "point point point length", "same point same point"),
    InvarianceRow(algorithms.segment_circle_intersection, "point point point length", "same point same point"),
    InvarianceRow(algorithms.line_line_intersection, "point point point point", "point same same"),
    InvarianceRow(
        algorithms.segment_segment_intersection, "point point point point", "point same same point same same"
    ),
    InvarianceRow(algorithms.boxes_overlap, "point point point point", "truth", turns=False, swap=(2, 3, 0, 1)),
    InvarianceRow(algorithms.box_region, "point point point", "region", turns=False),
    InvarianceRow(algorithms.circle_box_overlap, "point length point point", "truth", turns=False),
    InvarianceRow(algorithms.oriented_box_region, "point point length length angle", "region"),
    InvarianceRow(algorithms.circle_oriented_box_overlap, "point length point length length angle", "truth"),
    InvarianceRow(algorithms.point_on_line, "point point same", "point"),
    InvarianceRow(algorithms.sector_region, "point point length half_angle angle", "region"),
    InvarianceRow(algorithms.sector_circle_distance, "point length point length half_angle angle", "length"),
    InvarianceRow(algorithms.sector_circle_overlap, "point length point length half_angle angle", "truth"),
]

coordinates = st.floats(-10.0, 10.0).map(lambda value: round(value, 6))
points = st.builds(complex, coordinates, coordinates)
DRAWS: dict[str, st.SearchStrategy[Any]] = {
    "point": points,
    "vector": points.filter(lambda vector: abs(vector) > 0.01),
    "length": st.floats(0.0, 5.0).map(lambda value: round(value, 6)),
    "angle": st.floats(-7.0, 7.0),
    "half_angle": st.floats(0.01, math.pi - 0.01),
    "same": st.floats(-3.0, 3.0),
}
motions = st.builds(Motion, st.floats(-4.0, 4.0), st.floats(-2.0, 2.0).map(lambda power: 10.0**power), points)
every_row = pytest.mark.parametrize("row", ROWS, ids=[row.function.__name__ for row in ROWS])


def moved_argument(kind: str, value: Any, motion: Motion) -> Any:
    """An argument or a result of this kind, after the motion."""
    if value is None:
        return None
    if kind in ("point", "vector"):
        vector = motion.scale * cmath.exp(1j * motion.angle) * value
        return vector + motion.shift if kind == "point" else vector
    return motion.scale * value if kind == "length" else value + motion.angle if kind == "angle" else value


def called(row: InvarianceRow, values: list[Any]) -> list[Any]:
    """The function's results, points as complex numbers."""
    numbers: list[float] = []
    for value in values:
        numbers += [value.real, value.imag] if isinstance(value, complex) else [value]
    result = row.function(*numbers)
    kinds = row.returns.split()
    if result is None:
        return [None] * len(kinds)
    items = iter(result if isinstance(result, tuple) else [result])
    return [complex_or_none(next(items), next(items)) if kind == "point" else next(items) for kind in kinds]


def complex_or_none(x: float | None, y: float | None) -> complex | None:
    return None if x is None or y is None else complex(x, y)


def nudged(row: InvarianceRow, values: list[Any]) -> list[list[Any]]:
    """Return the arguments with a small change in one place."""
    others = []
    for index, kind in enumerate(row.takes.split()):
        steps = {"point": (1, -1, 1j, -1j), "vector": (1, -1, 1j, -1j)}.get(kind, (1, -1))
        for step in steps:
            value = values[index] + step * ROUNDING
            if kind != "length" or value >= 0.0:
                others.append([*values[:index], value, *values[index + 1 :]])
    return others


def discrete_part(results: list[Any]) -> list[Any]:
    """Return the discrete parts of the results: truths, regions, and which results exist."""
    return [item if isinstance(item, int) else item is None for item in results]


def check_same(row: InvarianceRow, expected: list[Any], found: list[Any], scale: float) -> None:
    assert discrete_part(expected) == discrete_part(found)
    for kind, wanted, got in zip(row.returns.split(), expected, found):
        if wanted is not None and kind in ("point", "length", "same"):
            assert abs(got - wanted) <= 1e-6 * (1.0 if kind == "same" else scale), (kind, wanted, got)


def clear_case(row: InvarianceRow, values: list[Any]) -> list[Any]:
    """The results, unless they hang on the last digits."""
    expected = called(row, values)
    for other in nudged(row, values):
        results = called(row, other)
        assume(discrete_part(results) == discrete_part(expected))
        for kind, wanted, got in zip(row.returns.split(), expected, results):
            if wanted is not None and kind in ("point", "length", "same"):
                assume(abs(got - wanted) < 1e-7)  # not where lines are nearly parallel or segments nearly points
    return expected


@every_row
@given(data=st.data(), motion=motions)
@settings(max_examples=60, deadline=None)
def test_turned_shifted_and_scaled(row: InvarianceRow, data: st.DataObject, motion: Motion) -> None:
    values = [data.draw(DRAWS[kind], label=kind) for kind in row.takes.split()]
    motion = motion if row.turns else motion._replace(angle=0.0)
    expected = clear_case(row, values)
    found = called(row, [moved_argument(kind, value, motion) for kind, value in zip(row.takes.split(), values)])
    wanted = [
        moved_argument(kind, value, motion) if kind != "region" else value
        for kind, value in zip(row.returns.split(), expected)
    ]
    check_same(row, wanted, found, motion.scale * 20.0 + abs(motion.shift))


@pytest.mark.parametrize("row", [row for row in ROWS if row.swap], ids=lambda row: row.function.__name__)
@given(data=st.data(), touching=st.booleans())
@settings(max_examples=60, deadline=None)
def test_swapped(row: InvarianceRow, data: st.DataObject, touching: bool) -> None:
    values = [data.draw(DRAWS[kind], label=kind) for kind in row.takes.split()]
    expected = clear_case(row, values)
    assert called(row, [values[index] for index in row.swap]) == expected


@given(numbers=st.lists(st.floats(-1e75, 1e75), min_size=9, max_size=9), half_angle=st.floats(5e-324, math.pi))
@example(numbers=[0.0] * 9, half_angle=1.0)
@example(numbers=[5e-324] * 9, half_angle=5e-324)
@example(numbers=[1e75, -1e75] * 4 + [1e75], half_angle=math.pi)
@example(numbers=[1e75, 1e-75, 3e-162, 2e-162, 1e75, -1e-162, 1e-320, 0.0, 1e75], half_angle=1e-300)
@settings(max_examples=300, deadline=None)
@every_row
def test_finite_numbers_of_any_size_never_give_nan(row: InvarianceRow, numbers: list[float], half_angle: float) -> None:
    queue = iter(numbers)
    arguments: list[float] = []
    for kind in row.takes.split():
        if kind in ("point", "vector"):
            arguments += [next(queue), next(queue)]
        elif kind == "half_angle":
            arguments.append(half_angle)
        else:
            value = next(queue, 1.0)
            arguments.append(abs(value) if kind == "length" else math.fmod(value, 1e6) if kind == "angle" else value)
    result = row.function(*arguments)
    for item in result if isinstance(result, tuple) else (result,):
        assert item is None or item == item, result
