"""Row 22: a moving vertex against an edge with moving ends."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ecs_collide.algorithms import EdgeTouch, moving_vertex_moving_edge, moving_vertex_moving_edge_by_time
from tests.algorithms.moving_reference import Columns, FloatArray, segment_distance, turned_columns

SWEEPS = [moving_vertex_moving_edge, moving_vertex_moving_edge_by_time]
VECTORS = [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11)]
COUNT = 12_000

both = pytest.mark.parametrize("sweep", SWEEPS)
angles = st.floats(-math.pi, math.pi)
numbers = st.floats(-3.0, 3.0)
vectors = st.tuples(numbers, numbers)


def vertex_and_edge_at(columns: Any, t: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
    """The vertex and the edge's ends at a time."""
    px, py, mpx, mpy, ax, ay, max_, may, bx, by, mbx, mby = columns
    return px + t * mpx, py + t * mpy, ax + t * max_, ay + t * may, bx + t * mbx, by + t * mby


def area(columns: Any, t: Any) -> Any:
    """Twice the signed area of A, B and P: changes its sign when the vertex crosses the edge's line."""
    px, py, ax, ay, bx, by = vertex_and_edge_at(columns, t)
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax)


def random_vertices_and_edges(seed: int) -> Columns:
    """A fifth each: anything; translations; vertices through an end; through one at the start; nearly rigid turns."""
    rng = np.random.default_rng(seed)
    columns = [rng.uniform(-2.0, 2.0, COUNT) for _ in range(12)]
    kind = np.arange(COUNT) % 5
    moves = kind == 1
    columns[10], columns[11] = np.where(moves, columns[6], columns[10]), np.where(moves, columns[7], columns[11])
    nearly_rigid = kind == 4
    small = 10.0 ** rng.uniform(-12.0, -1.0, COUNT)
    for i, j, sign, k in ((6, 10, -1.0, 5), (7, 11, 1.0, 4)):
        turn = sign * small * (columns[k + 4] - columns[k])
        columns[j] = np.where(nearly_rigid, columns[i] + turn, columns[j])
    # The vertex meets the point alpha of the edge at t, or misses it by a hair.
    t, alpha = rng.uniform(0.0, 1.0, COUNT), rng.integers(0, 2, COUNT).astype(float)
    t[kind == 3] = 0.0
    alpha[kind != 2] = rng.uniform(-0.2, 1.2, (kind != 2).sum())
    _, _, ax, ay, bx, by = vertex_and_edge_at(columns, t)
    hair = rng.choice([-1.0, 0.0, 1.0], COUNT) * 10.0 ** rng.uniform(-16.0, -3.0, COUNT)
    alpha += np.where(kind == 2, hair, 0.0)
    aimed = kind > 0
    columns[0] = np.where(aimed, ax + alpha * (bx - ax) - t * columns[2], columns[0])
    columns[1] = np.where(aimed, ay + alpha * (by - ay) - t * columns[3], columns[1])
    return columns


@both
@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ((0, 1, 0, -2, -1, 0, 0, 0, 1, 0, 0, 0), (0.5, 0.5)),  # falls on a resting edge
        ((0, 1, 0, 0, -1, 0, 0, 2, 1, 0, 0, 2), (0.5, 0.5)),  # the edge rises
        ((0, 1, 0, 0, -1, 0, 0, 2, 1, 0, 0, 4), (1 / 3, 0.5)),  # and tilts: linear in alpha
        ((0, 1, 0, -0.5, -1, 0, 0, 0, 1, 0, 0, 0), None),  # stops short
        ((0, 1, 0, 2, -1, 0, 0, 0, 1, 0, 0, 0), None),  # moves away
        ((2, 1, 0, -2, -1, 0, 0, 0, 1, 0, 0, 0), None),  # beside the edge
        ((1, 1, 0, -2, -1, 0, 0, 0, 1, 0, 0, 0), (0.5, 1.0)),  # through an end
        ((0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0), None),  # relative rest, apart
        ((0, 1, 3, 4, -1, 0, 3, 4, 1, 0, 3, 4), None),
        ((0.5, 0, 3, 4, -1, 0, 3, 4, 1, 0, 3, 4), (0.0, 0.75)),  # relative rest, on the edge
        ((0.5, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0), (0.0, 0.75)),  # on the edge, leaving
        ((3, 0, -4, 0, -1, 0, 0, 0, 1, 0, 0, 0), (0.5, 1.0)),  # along the edge's line
        ((-3, 0, 4, 0, -1, 0, 0, 0, 1, 0, 0, 0), (0.5, 0.0)),
        ((3, 0, 4, 0, -1, 0, 0, 0, 1, 0, 0, 0), None),
        ((3, 0, 0, 0, -1, 0, 0, 0, 1, 0, 4, 0), (0.5, 1.0)),  # the edge grows along it
        ((2, 2, -4, -4, 0, 0, 0, 0, 0, 0, 0, 0), (0.5, 0.0)),  # an edge of no length, hit
        ((2, 1, -4, -4, 0, 0, 0, 0, 0, 0, 0, 0), None),
        ((0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (0.0, 0.0)),
        ((0, 0, 0, 0, -1, 0, 2, 0, 1, 0, -2, 0), (0.0, 0.5)),
        ((0, 1, 0, 0, -1, 0, 2, 2, 1, 0, -2, 2), (0.5, 0.0)),  # shrinks to a point at the vertex
        ((0, 0.5, 0, 0, -1, 0, 0, 0, 1, 0, 0, 1), (1.0, 0.5)),  # turns about A
        ((0.1, 1, 0, -2, -1, 1, 0, -2, 1, -1, 0, 2), (0.5, 0.55)),  # no y at the hit but alpha's own
    ],
)
def test_by_hand(sweep: Any, columns: tuple[float, ...], expected: tuple[float, float] | None) -> None:
    found = sweep(*columns)
    if expected is None:
        assert found is None
        return
    assert found is not None
    time, alpha = found
    assert time == pytest.approx(expected[0], abs=1e-15)
    px, py, ax, ay, bx, by = vertex_and_edge_at(columns, time)
    assert (ax + alpha * (bx - ax), ay + alpha * (by - ay)) == pytest.approx((px, py), abs=1e-15)
    if (ax, ay) != (bx, by):
        assert alpha == pytest.approx(expected[1], abs=1e-15)


def first_crossings(columns: Columns, samples: int = 400) -> FloatArray:
    """The first time at which the vertex crosses the edge, well inside it, by sampling and bisection; NaN if none."""
    times = np.linspace(0.0, 1.0, samples + 1)
    signs = np.sign(area(columns, times[:, None]))
    first = np.full(COUNT, np.nan)
    for k in range(samples - 1, -1, -1):
        index = np.flatnonzero(signs[k] * signs[k + 1] < 0.0)
        chosen = [column[index] for column in columns]
        low, high = np.full(len(index), times[k]), np.full(len(index), times[k + 1])
        for _ in range(50):
            middle = 0.5 * (low + high)
            same = np.sign(area(chosen, middle)) == signs[k][index]
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        px, py, ax, ay, bx, by = vertex_and_edge_at(chosen, low)
        square = (bx - ax) ** 2 + (by - ay) ** 2
        alpha = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / np.where(square > 0.0, square, 1.0)
        inside = (alpha > 1e-9) & (alpha < 1.0 - 1e-9) & (square > 1e-6)
        first[index[inside]] = low[inside]
    return first


@both
def test_against_sampling_and_bisection(sweep: Any) -> None:
    columns = random_vertices_and_edges(1)
    expected = first_crossings(columns)
    found = sweep(*columns)
    hit = ~np.isnan(found.time)
    # What is found is a hit, at the alpha given ...
    px, py, ax, ay, bx, by = vertex_and_edge_at(columns, found.time)
    off = np.hypot(ax + found.alpha * (bx - ax) - px, ay + found.alpha * (by - ay) - py)
    assert off[hit].max() < 1e-9
    assert ((found.alpha[hit] >= 0.0) & (found.alpha[hit] <= 1.0)).all()
    # ... and no crossing comes before it, or is left out.
    crossed = ~np.isnan(expected)
    assert hit[crossed].all()
    assert (found.time <= expected + 1e-9)[crossed].all()
    # Hits that the reference does not have pass through an end of the edge, start on it, or touch without crossing.
    extra = hit & ~crossed
    assert crossed.sum() > 3000
    assert extra.sum() < 0.25 * COUNT
    assert 0.2 < np.isnan(found.time).mean() < 0.9


@both
def test_vertices_aimed_at_an_end_hit_it_or_miss_it_by_a_hair(sweep: Any) -> None:
    """Inside by 1e-11 of the edge or more: always a hit; outside by 1e-11: only if some other part is hit."""
    rng = np.random.default_rng(9)
    columns = [rng.uniform(-2.0, 2.0, COUNT) for _ in range(12)]
    columns[10], columns[11] = columns[6], columns[7]  # a translation crosses the edge's line once
    t = rng.uniform(0.05, 0.95, COUNT)
    hair = rng.choice([-1.0, 1.0], COUNT) * 10.0 ** rng.uniform(-11.0, -6.0, COUNT)
    alpha = rng.integers(0, 2, COUNT) + hair
    _, _, ax, ay, bx, by = vertex_and_edge_at(columns, t)
    columns[0] = ax + alpha * (bx - ax) - t * columns[2]
    columns[1] = ay + alpha * (by - ay) - t * columns[3]
    relative = np.abs(
        (columns[8] - columns[4]) * (columns[3] - columns[7]) - (columns[9] - columns[5]) * (columns[2] - columns[6])
    )
    clear = relative > 0.1
    inside = (alpha > 0.0) & (alpha < 1.0)
    found = sweep(*columns)
    assert clear.sum() > 0.8 * COUNT
    np.testing.assert_array_equal(~np.isnan(found.time)[clear], inside[clear])
    np.testing.assert_allclose(found.time[clear & inside], t[clear & inside], atol=1e-11)


def test_both_derivations_agree() -> None:
    columns = random_vertices_and_edges(2)
    by_alpha, by_time = (sweep(*columns) for sweep in SWEEPS)
    # Where the vertex is carried over the edge's line fast enough, and is not near an end of the edge, nor of the step.
    step = 1e-6
    time = np.where(np.isnan(by_alpha.time), by_time.time, by_alpha.time)
    alpha = np.where(np.isnan(by_alpha.time), by_time.alpha, by_alpha.alpha)
    speed = np.abs(area(columns, time + step) - area(columns, time - step)) / (2.0 * step)
    _, _, ax, ay, bx, by = vertex_and_edge_at(columns, time)
    clear = (speed > 0.05) & (np.hypot(bx - ax, by - ay) > 0.05)
    clear &= (np.abs(alpha - 0.5) < 0.499) & (np.abs(time - 0.5) < 0.499)
    assert clear.sum() > 2000
    relative = np.hypot(columns[2] - columns[6], columns[3] - columns[7])
    well_placed = clear & (relative > 0.05)
    np.testing.assert_allclose(by_alpha.time[well_placed], by_time.time[well_placed], rtol=0.0, atol=1e-11)
    assert (np.abs(by_alpha.time - by_time.time)[well_placed] < 1e-12).mean() > 0.999
    np.testing.assert_allclose(by_alpha.alpha[well_placed], by_time.alpha[well_placed], rtol=0.0, atol=1e-10)
    # In all other cases at least one may decide otherwise by rounding only: both found places are hits (tested above).
    assert (np.isnan(by_alpha.time) != np.isnan(by_time.time)).mean() < 0.05


@st.composite
def crossings(draw: st.DrawFn) -> tuple[list[float], float, float]:
    """A vertex that meets the point alpha of a turning, stretching edge at t and crosses it well, perhaps not first."""
    t, alpha = draw(st.floats(0.05, 0.95)), draw(st.floats(0.05, 0.95))
    ax, ay = draw(vectors)
    angle, length = draw(angles), draw(st.floats(0.5, 3.0))
    bx, by = ax + length * math.cos(angle), ay + length * math.sin(angle)
    motion_a, motion_b = draw(vectors), draw(vectors)
    edge_motion = [p + alpha * (q - p) for p, q in zip(motion_a, motion_b)]
    across, along = draw(st.sampled_from([-1.0, 1.0])) * draw(st.floats(0.5, 3.0)), draw(numbers)
    motion_p = (
        edge_motion[0] + along * math.cos(angle) - across * math.sin(angle),
        edge_motion[1] + along * math.sin(angle) + across * math.cos(angle),
    )
    at_p = ax + alpha * (bx - ax), ay + alpha * (by - ay)
    columns: list[float] = []
    for place, motion in ((at_p, motion_p), ((ax, ay), motion_a), ((bx, by), motion_b)):
        columns += [place[0] - t * motion[0], place[1] - t * motion[1], *motion]
    return columns, t, alpha


@both
@given(crossings(), angles, vectors, vectors, st.integers(-20, 20))
@settings(deadline=None, max_examples=200)
def test_symmetries(
    sweep: Any,
    case: tuple[list[float], float, float],
    angle: float,
    shift: tuple[float, float],
    common: tuple[float, float],
    power: int,
) -> None:
    """Found is this crossing or an earlier one; also if all is turned, moved, scaled, carried along or renamed."""
    columns, t, alpha = case
    found = sweep(*columns)
    assert found is not None
    assert found.time <= t + 1e-9
    if found.time > t - 1e-9:
        assert found.alpha == pytest.approx(alpha, abs=1e-8)
    else:
        px, py, ax, ay, bx, by = vertex_and_edge_at(columns, found.time)
        assert segment_distance(*map(np.asarray, (px, py, ax, ay, bx, by))) < 1e-9
    moved = turned_columns([np.float64(value) for value in columns], angle, VECTORS)  # type: ignore[misc]
    for i in range(12):
        moved[i] = 2.0**power * (moved[i] + ((common if i % 4 > 1 else shift)[i % 2]))
    again = sweep(*moved)
    renamed = sweep(*columns[:4], *columns[8:], *columns[4:8])
    for other, from_a in ((again, True), (renamed, False)):
        assert other is not None
        assert other.time <= t + 1e-8
        crossing = area(columns, found.time + 1e-5) * area(columns, found.time - 1e-5) < 0.0
        if crossing and 1e-6 < found.alpha < 1.0 - 1e-6 and found.time > 1e-6:
            assert other.time == pytest.approx(found.time, abs=1e-6)
            assert (other.alpha if from_a else 1.0 - other.alpha) == pytest.approx(found.alpha, abs=1e-5)


@both
@given(crossings())
@settings(deadline=None, max_examples=100)
def test_time_reversal(sweep: Any, case: tuple[list[float], float, float]) -> None:
    columns, t, _ = case
    backwards = list(columns)
    for i in range(0, 12, 4):
        for k in (i, i + 1):
            backwards[k], backwards[k + 2] = columns[k] + columns[k + 2], -columns[k + 2]
    forward, backward = sweep(*columns), sweep(*backwards)
    assert forward is not None and backward is not None
    assert forward.time <= t + 1e-9 <= 1.0 - backward.time + 2e-9


def test_as_printed_the_axis_matters() -> None:
    """A vertical fall on a level edge: EQ (19) in x is 0/0, in y it is the time."""
    a, b, c, d = (-1.0, -1.0), (2.0, 0.0), (0.0, -2.0), (0.0, 0.0)
    alpha = -(a[0] * c[1] - a[1] * c[0]) / (a[0] * d[1] + b[0] * c[1] - a[1] * d[0] - b[1] * c[0])
    assert (a[0] + alpha * b[0], c[0] + alpha * d[0]) == (0.0, 0.0)
    assert (a[1] + alpha * b[1]) / (c[1] + alpha * d[1]) == 0.5
    assert moving_vertex_moving_edge(0, 1, 0, -2, -1, 0, 0, 0, 1, 0, 0, 0) == EdgeTouch(0.5, 0.5)


def test_bad_input_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="motion_py"):
        moving_vertex_moving_edge(0, 1, 0, math.nan, -1, 0, 0, 0, 1, 0, 0, 0)
