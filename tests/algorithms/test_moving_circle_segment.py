"""Rows 23 and 24: a moving circle against a moving segment, its ends and what lies between."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ecs_collide.algorithms import (
    FirstTouch,
    moving_circle_moving_circle,
    moving_circle_moving_edge,
    moving_circle_moving_end_points,
    moving_circle_moving_segment,
)
from tests.algorithms.moving_reference import (
    Columns,
    FloatArray,
    closest_times,
    judge,
    segment_distance,
    turned_columns,
)

VECTORS = [(0, 1), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12)]
MISS = FirstTouch(None, False)
COUNT = 15_000

angles = st.floats(-math.pi, math.pi)
numbers = st.floats(-3.0, 3.0)
vectors = st.tuples(numbers, numbers)


def circle_and_segment_at(columns: Any, t: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
    """The circle's centre and the segment's ends at a time."""
    px, py, _, mpx, mpy, ax, ay, max_, may, bx, by, mbx, mby = columns
    return px + t * mpx, py + t * mpy, ax + t * max_, ay + t * may, bx + t * mbx, by + t * mby


def assert_hit(found: FirstTouch, time: float, tolerance: float) -> None:
    """A hit at that time, of shapes that were apart."""
    assert not found.overlapping
    assert found.time == pytest.approx(time, abs=tolerance)


def center_distance_from_segment(columns: Columns) -> Callable[[FloatArray], FloatArray]:
    """The centre's distance from the segment as a function of time."""
    return lambda t: segment_distance(*circle_and_segment_at(columns, t))


def end_distance(columns: Columns) -> Callable[[FloatArray], FloatArray]:
    """The centre's distance from the nearer end."""

    def gap(t: FloatArray) -> FloatArray:
        px, py, ax, ay, bx, by = circle_and_segment_at(columns, t)
        nearer: FloatArray = np.minimum(np.hypot(ax - px, ay - py), np.hypot(bx - px, by - py))
        return nearer

    return gap


def random_circles_and_segments(seed: int, turning: bool) -> Columns:
    """A third each: anything; nearly grazing; nearly touching at the start."""
    rng = np.random.default_rng(seed)
    columns = [rng.uniform(-3.0, 3.0, COUNT) for _ in range(13)]
    columns[2] = rng.uniform(0.0, 1.0, COUNT)
    if not turning:
        columns[11], columns[12] = columns[7], columns[8]
    gap = center_distance_from_segment(columns)
    start = gap(np.zeros((1, COUNT)))[0]
    least = gap(closest_times(gap, COUNT)[None])[0]
    hair = 1.0 + rng.choice([-1.0, 1.0], COUNT) * 10.0 ** rng.uniform(-15.0, -2.0, COUNT)
    kind = np.arange(COUNT) % 3
    columns[2] = np.where(kind == 0, columns[2], np.where(kind == 1, least, start) * hair)
    return columns


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ((0, 2, 1, 0, -2, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.5, False)),  # on the edge, from the left
        ((0, -2, 1, 0, 2, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.5, False)),  # from the right: d_i = -r
        ((0, 2, 1, 0, 0, -1, 0, 0, 2, 1, 0, 0, 2), FirstTouch(0.5, False)),  # the edge moves
        ((0, 2, 1, 0, -0.9, -1, 0, 0, 0, 1, 0, 0, 0), MISS),  # stops short
        ((0, 2, 1, 0, 2, -1, 0, 0, 0, 1, 0, 0, 0), MISS),  # moves away
        ((4, 0, 1, -4, 0, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.5, False)),  # end on: row 23 alone
        ((-3, 1, 1, 4, 0, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.5, False)),  # along it, grazing
        ((-3, 1.1, 1, 4, 0, -1, 0, 0, 0, 1, 0, 0, 0), MISS),
        ((0, 0.5, 1, 0, 5, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.0, True)),  # overlap
        ((1.5, 0, 1, 5, 0, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.0, True)),  # overlap with an end
        ((0, 1, 1, 0, -1, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.0, False)),  # touching, moving in
        ((0, 1, 1, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0), MISS),  # touching, moving apart
        ((0, 1, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.0, False)),  # touching, at rest
        ((0, 2, 1, 3, 4, -1, 0, 3, 4, 1, 0, 3, 4), MISS),  # relative rest
        ((0, 3, 1, 0, -4, 0, 0, 0, 0, 0, 0, 0, 0), FirstTouch(0.5, False)),  # an edge of no length
        ((2, 3, 1, 0, -4, 0, 0, 0, 0, 0, 0, 0, 0), MISS),
        ((0, 1, 0, 0, -2, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.5, False)),  # a point
        ((3, 0, 0, -4, 0, -1, 0, 0, 0, 1, 0, 0, 0), FirstTouch(0.5, False)),  # a point along the line
        ((0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), FirstTouch(0.0, False)),
    ],
)
def test_by_hand(columns: tuple[float, ...], expected: FirstTouch) -> None:
    for ends in (columns[5:], columns[9:] + columns[5:9]):
        found = moving_circle_moving_segment(*columns[:5], *ends)
        assert found.overlapping is expected.overlapping
        assert found.time == (None if expected.time is None else pytest.approx(expected.time, abs=1e-15))


def test_end_points_are_circles_without_radius() -> None:
    columns = random_circles_and_segments(1, turning=True)
    p, a, b = columns[:5], columns[5:9], columns[9:]
    zero = np.zeros(COUNT)
    at_ends = [moving_circle_moving_circle(*p, *end[:2], zero, *end[2:]) for end in (a, b)]
    found = moving_circle_moving_end_points(*columns)
    np.testing.assert_array_equal(found.time, np.fmin(at_ends[0].time, at_ends[1].time))
    np.testing.assert_array_equal(found.overlapping, at_ends[0].overlapping | at_ends[1].overlapping)


def test_end_points_against_sampling() -> None:
    columns = random_circles_and_segments(2, turning=True)
    gap = end_distance(columns)
    start = gap(np.zeros((1, COUNT)))[0]
    columns[2] = np.where(np.arange(COUNT) % 3 == 2, start * (1.0 + 1e-13), columns[2])
    found = moving_circle_moving_end_points(*columns)
    judge(lambda t: gap(t) - columns[2], found.time, found.overlapping)


def test_translation_against_sampling() -> None:
    """Exact for translation: both rows together against the distance from the segment."""
    columns = random_circles_and_segments(3, turning=False)
    gap = center_distance_from_segment(columns)
    found = moving_circle_moving_segment(*columns)
    judge(lambda t: gap(t) - columns[2], found.time, found.overlapping, extra_times=closest_times(gap, COUNT))
    between, ends = moving_circle_moving_edge(*columns), moving_circle_moving_end_points(*columns)
    round_ones = columns[2] > 0.0  # a point is a case for row 22
    np.testing.assert_array_equal(found.time[round_ones], np.fmin(between.time, ends.time)[round_ones])
    assert (between.time < ends.time).sum() > 1000
    assert (np.isnan(between.time) & (ends.time > 0.0)).sum() > 300
    # A hit on the inside of the edge is a hit beside it, one of the end points beyond it.
    px, py, ax, ay, bx, by = circle_and_segment_at(columns, between.time)
    square = (bx - ax) ** 2 + (by - ay) ** 2
    alpha = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / square
    hit = ~np.isnan(between.time)
    assert ((alpha >= -1e-12) & (alpha <= 1.0 + 1e-12))[hit].all()


def test_turning_edges_keep_within_the_bound_of_the_length_approximation() -> None:
    """Ends moving as on a rigid edge turned by up to 60 degrees: the circle stops at most r(1/cos(θ/2) - 1) short."""
    rng = np.random.default_rng(4)
    columns = random_circles_and_segments(4, turning=True)
    theta = rng.uniform(-1.0, 1.0, COUNT) * math.radians(60.0)
    edge = columns[9] - columns[5], columns[10] - columns[6]
    for k, (i, j) in enumerate(((0, 1), (1, 0))):
        sign = -1.0 if k == 0 else 1.0
        columns[11 + k] = columns[7 + k] + np.cos(theta) * edge[i] + sign * np.sin(theta) * edge[j] - edge[i]
    radius = columns[2]
    _, _, ax, ay, bx, by = circle_and_segment_at(columns, 1.0)
    np.testing.assert_allclose(np.hypot(bx - ax, by - ay), np.hypot(*edge), rtol=1e-12)
    _, _, ax, ay, bx, by = circle_and_segment_at(columns, 0.5)
    np.testing.assert_allclose(np.hypot(bx - ax, by - ay) / np.hypot(*edge), np.cos(theta / 2.0), rtol=1e-12)

    found = moving_circle_moving_segment(*columns)
    gap = center_distance_from_segment(columns)
    margin = radius * (1.0 / np.cos(theta / 2.0) - 1.0)
    hit = ~np.isnan(found.time) & ~found.overlapping
    at_hit = gap(np.nan_to_num(found.time)[None])[0] - radius
    assert (at_hit > -1e-11)[hit].all()
    assert (at_hit < margin + 1e-11)[hit].all()
    assert hit.sum() > 3000
    until = np.where(np.isnan(found.time), 1.0, found.time)
    depth = radius - gap(np.linspace(0.0, 1.0, 129)[:, None] * until).min(axis=0)
    assert depth[~found.overlapping].max() < 1e-11


def test_a_turning_edge_does_not_let_a_circle_slip_in_past_its_end() -> None:
    """The circle passes the end at 1.1 r, inside the corridor, so EQ finds neither line nor end and lets it sink in."""
    theta, radius = math.radians(60.0), 1.0
    a, b = (-2.0, 0.0), (0.0, 0.0)
    later = -2.0 * math.cos(theta), -2.0 * math.sin(theta)
    ends = (*a, later[0] - a[0], later[1] - a[1], *b, 0.0, 0.0)
    # Half-way the edge lies at 30 degrees and has the fraction cos 30° of its length; B is its upper end.
    along, across = (math.cos(theta / 2), math.sin(theta / 2)), (math.sin(theta / 2), -math.cos(theta / 2))
    place = 1.1 * radius * across[0], 1.1 * radius * across[1]
    motion = -3.0 * along[0] - across[0], -3.0 * along[1] - across[1]
    columns = (place[0] - 0.5 * motion[0], place[1] - 0.5 * motion[1], radius, *motion, *ends)
    at_ends = moving_circle_moving_end_points(*columns)
    assert at_ends.time is not None and at_ends.time > 0.75  # A, which comes round
    assert_hit(moving_circle_moving_segment(*columns), 0.5, 1e-12)
    moment = [np.array([t]) for t in (0.5, 0.7)]
    clear, sunk = (float(segment_distance(*circle_and_segment_at(columns, t))[0]) for t in moment)
    assert clear == pytest.approx(1.1)
    assert sunk < radius


def test_as_printed_a_root_that_leads_out_is_taken_for_a_hit() -> None:
    """A circle that starts end on inside the corridor leaves it sideways beside the edge: no entry, so no hit there."""
    columns = (1.4, 0.0, 0.2, -0.8, 0.5, -1, 0, 0, 0, 1, 0, 0, 0)
    out = 0.2 / 0.5
    x = 1.4 - 0.8 * out
    assert x > 1.0  # still beyond the end: (34) gives this time, the dot product rejects it
    assert moving_circle_moving_edge(*columns) == MISS
    columns = (1.4, 0.0, 0.2, -2.0, 0.5, -1, 0, 0, 0, 1, 0, 0, 0)
    assert -1.0 < 1.4 - 2.0 * out < 1.0  # beside the edge: the dot product accepts the way out
    assert moving_circle_moving_edge(*columns) == MISS
    hit = moving_circle_moving_segment(*columns)
    assert hit.time is not None and hit.time < out  # the end point was hit before


@st.composite
def hits(draw: st.DrawFn) -> tuple[list[float], float]:
    """A circle that touches a translated segment at t for the first time, and comes in well."""
    t, radius, alpha = draw(st.floats(0.05, 0.95)), draw(st.floats(0.1, 2.0)), draw(st.floats(0.0, 1.0))
    ax, ay = draw(vectors)
    angle, length, side = draw(angles), draw(st.floats(0.5, 3.0)), draw(st.sampled_from([-1.0, 1.0]))
    bx, by = ax + length * math.cos(angle), ay + length * math.sin(angle)
    nx, ny = -side * math.sin(angle), side * math.cos(angle)
    px, py = ax + alpha * (bx - ax) + radius * nx, ay + alpha * (by - ay) + radius * ny
    motion = draw(vectors)
    inward, along = draw(st.floats(0.3, 3.0)), draw(numbers)
    motion_p = motion[0] - inward * nx + along * ny, motion[1] - inward * ny - along * nx
    columns = [px - t * motion_p[0], py - t * motion_p[1], radius, *motion_p]
    for x, y in ((ax, ay), (bx, by)):
        columns += [x - t * motion[0], y - t * motion[1], *motion]
    return columns, t


@given(hits(), angles, vectors, vectors, st.integers(-20, 20))
@settings(deadline=None, max_examples=200)
def test_symmetries(
    case: tuple[list[float], float], angle: float, shift: tuple[float, float], common: tuple[float, float], power: int
) -> None:
    columns, t = case
    assert_hit(moving_circle_moving_segment(*columns), t, 1e-9)
    swapped = [*columns[:5], *columns[9:], *columns[5:9]]
    assert_hit(moving_circle_moving_segment(*swapped), t, 1e-9)
    moved = turned_columns([np.float64(value) for value in columns], angle, VECTORS)  # type: ignore[misc]
    for places, by in (((0, 5, 9), shift), ((3, 7, 11), common)):
        for i in places:
            moved[i], moved[i + 1] = moved[i] + by[0], moved[i + 1] + by[1]
    moved = [2.0**power * value for value in moved]
    assert_hit(moving_circle_moving_segment(*moved), t, 1e-8)


def test_time_reversal() -> None:
    columns = [column[::3] for column in random_circles_and_segments(6, turning=False)]
    backwards = list(columns)
    for i in (0, 5, 9):
        motion = 3 if i == 0 else i + 2
        for k in (0, 1):
            backwards[i + k], backwards[motion + k] = columns[i + k] + columns[motion + k], -columns[motion + k]
    forward, backward = moving_circle_moving_segment(*columns), moving_circle_moving_segment(*backwards)
    free = ~forward.overlapping & ~backward.overlapping
    np.testing.assert_array_equal(np.isnan(forward.time[free]), np.isnan(backward.time[free]))
    hit = free & ~np.isnan(forward.time)
    assert hit.sum() > 100
    assert (forward.time <= 1.0 - backward.time + 1e-12)[hit].all()


@pytest.mark.parametrize(
    "sweep", [moving_circle_moving_end_points, moving_circle_moving_edge, moving_circle_moving_segment]
)
def test_bad_input_is_refused_by_name(sweep: Any) -> None:
    good = [0.0, 2.0, 1.0, 0.0, -2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    with pytest.raises(ValueError, match="radius"):
        sweep(*good[:2], -1.0, *good[3:])
    with pytest.raises(ValueError, match="motion_by"):
        sweep(*good[:12], math.inf)
