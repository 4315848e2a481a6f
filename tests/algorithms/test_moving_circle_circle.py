"""Rows 20 and 21: moving circles, from outside and from inside."""

from __future__ import annotations

import math
from collections.abc import Callable
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ecs_collide.algorithms import (
    FirstTouch,
    moving_circle_inside_moving_circle,
    moving_circle_moving_circle,
    moving_circle_moving_circle_by_closest_point,
)
from tests.algorithms.moving_reference import Columns, FloatArray, closest_times, judge, turned_columns

OUTSIDE = [moving_circle_moving_circle, moving_circle_moving_circle_by_closest_point]
VECTORS = [(0, 1), (3, 4), (5, 6), (8, 9)]
POSITIONS = (0, 1, 5, 6)
MISS = FirstTouch(None, False)
COUNT = 20_000

outside = pytest.mark.parametrize("sweep", OUTSIDE)
angles = st.floats(-math.pi, math.pi)
offsets = st.floats(-10.0, 10.0)
times = st.floats(0.01, 0.99)


def assert_same_touch(found: FirstTouch, expected: FirstTouch) -> None:
    """Equal but for the last digits."""
    assert found.overlapping is expected.overlapping
    assert found.time == (None if expected.time is None else pytest.approx(expected.time, abs=1e-15, rel=1e-14))


def center_distance(columns: Columns) -> Callable[[FloatArray], FloatArray]:
    """The distance of the centres as a function of time."""
    ax, ay, _, motion_ax, motion_ay, bx, by, _, motion_bx, motion_by = columns

    def at(t: FloatArray) -> FloatArray:
        return np.hypot((ax + t * motion_ax) - (bx + t * motion_bx), (ay + t * motion_ay) - (by + t * motion_by))

    return at


def random_moving_circles(seed: int) -> Columns:
    """Circles of which a third graze (or miss by a hair) and a third start (nearly) touching."""
    rng = np.random.default_rng(seed)
    columns = [rng.uniform(-3.0, 3.0, COUNT) for _ in range(10)]
    columns[2], columns[7] = rng.uniform(0.0, 1.0, (2, COUNT))
    gap = center_distance(columns)
    hair = 1.0 + rng.choice([-1.0, 1.0], COUNT) * 10.0 ** rng.uniform(-16.0, -2.0, COUNT)
    least = gap(closest_times(gap, COUNT)[None])[0]
    start = gap(np.zeros((1, COUNT)))[0]
    kind = np.arange(COUNT) % 3
    reach = np.where(kind == 0, columns[2] + columns[7], np.where(kind == 1, least, start) * hair)
    columns[2] = reach * rng.uniform(0.0, 1.0, COUNT)
    columns[7] = reach - columns[2]
    return columns


@outside
@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ((0, 0, 1, 10, 0, 5, 0, 1, 0, 0), FirstTouch(0.3, False)),  # head on
        ((0, 0, 1, 10, 0, 5, 2, 1, 0, 0), FirstTouch(0.5, False)),  # grazing: one root
        ((0, 0, 1, 10, 0, 5, 2.0001, 1, 0, 0), MISS),
        ((0, 0, 1, 2.9, 0, 5, 0, 1, 0, 0), MISS),  # stops short: t > 1, which CC reports as a hit
        ((0, 0, 1, 3, 0, 5, 0, 1, 0, 0), FirstTouch(1.0, False)),
        ((0, 0, 1, -10, 0, 5, 0, 1, 0, 0), MISS),  # moves away, which CC reports as a hit
        ((0, 0, 1, 4, 3, 5, 0, 1, 4, 3), MISS),  # V = 0
        ((0, 0, 1, 0, 0, 5, 0, 1, 0, 0), MISS),
        ((0, 0, 1, 10, 0, 1, 0, 1, 0, 0), FirstTouch(0.0, True)),  # overlap: t1 < 0 < t2
        ((0, 0, 1, -10, 0, 1, 0, 1, 0, 0), FirstTouch(0.0, True)),
        ((0, 0, 1, 0, 0, 1, 0, 1, 0, 0), FirstTouch(0.0, True)),
        ((0, 0, 1, 1, 0, 0, 0, 1, 0, 0), FirstTouch(0.0, True)),  # coincident centres
        ((0, 0, 1, 1, 0, 2, 0, 1, 0, 0), FirstTouch(0.0, False)),  # touching, moving in
        ((0, 0, 1, -1, 0, 2, 0, 1, 0, 0), MISS),  # touching, moving apart
        ((0, 0, 1, 0, 1, 2, 0, 1, 0, 0), FirstTouch(0.0, False)),  # touching, moving along
        ((0, 0, 1, 0, 0, 2, 0, 1, 0, 0), FirstTouch(0.0, False)),  # touching, at rest
        ((0, 0, 0, 2, 0, 1, 0, 0, 0, 0), FirstTouch(0.5, False)),  # two points
        ((0, 0, 0, 2, 0, 1, 1, 0, 0, 0), MISS),
        ((0, 0, 0, 0, 0, 0, 0, 0, 0, 0), FirstTouch(0.0, False)),
        ((0, 0, 1, 1e-200, 0, 5, 0, 1, 0, 0), MISS),  # V² underflows
        ((0, 0, 1, 1e70, 0, 5, 0, 1, 0, 0), FirstTouch(3e-70, False)),
    ],
)
def test_by_hand(sweep: Any, columns: tuple[float, ...], expected: FirstTouch) -> None:
    assert_same_touch(sweep(*columns), expected)
    swapped = columns[5:] + columns[:5]
    assert_same_touch(sweep(*swapped), expected)


@outside
def test_against_sampling(sweep: Any) -> None:
    columns = random_moving_circles(1)
    gap = center_distance(columns)
    found = sweep(*columns)
    reach = columns[2] + columns[7]
    judge(lambda t: gap(t) - reach, found.time, found.overlapping, extra_times=closest_times(gap, COUNT))
    assert 0.1 < np.isnan(found.time).mean() < 0.9
    assert found.overlapping.mean() > 0.1


def test_both_derivations_agree() -> None:
    columns = random_moving_circles(2)
    by_root, by_geometry = (sweep(*columns) for sweep in OUTSIDE)
    np.testing.assert_array_equal(by_root.overlapping, by_geometry.overlapping)
    both = ~np.isnan(by_root.time) & ~np.isnan(by_geometry.time)
    ux, uy = columns[0] - columns[5], columns[1] - columns[6]
    vx, vy = columns[3] - columns[8], columns[4] - columns[9]
    reach = columns[2] + columns[7]
    with np.errstate(invalid="ignore"):
        # The cosine of the angle of incidence: 0 for a grazing hit.
        steepness = np.sqrt(1.0 - np.minimum(1.0, np.abs(ux * vy - uy * vx) / np.hypot(vx, vy) / reach) ** 2)
    steep = both & (steepness > 0.03)
    assert steep.sum() > 3000
    np.testing.assert_allclose(by_root.time[steep], by_geometry.time[steep], rtol=0.0, atol=1e-12)
    # Grazing hits depend on the last bit. There the distances of the centres agree, and both find a hit or none, unless
    # the closest approach is within rounding of the sum of the radii.
    gap = center_distance(columns)
    difference = gap(np.nan_to_num(by_root.time)[None])[0] - gap(np.nan_to_num(by_geometry.time)[None])[0]
    np.testing.assert_allclose(difference[both], 0.0, atol=1e-12)
    only_one = np.isnan(by_root.time) != np.isnan(by_geometry.time)
    least = gap(closest_times(gap, COUNT)[None])[0]
    np.testing.assert_allclose(least[only_one], reach[only_one], atol=1e-14)


def steep_hit(
    t: float, normal: float, slant: float, speed: float, radii: tuple[float, float], place: tuple[float, float]
) -> list[float]:
    """Columns of two circles that meet at t, in the given direction of the normal and at a slant off it."""
    (ra, rb), (bx, by) = radii, place
    reach = ra + rb
    motion_x, motion_y = speed * math.cos(normal + slant), speed * math.sin(normal + slant)
    ax = bx - reach * math.cos(normal) - t * motion_x
    ay = by - reach * math.sin(normal) - t * motion_y
    return [ax, ay, ra, motion_x, motion_y, bx, by, rb, 0.0, 0.0]


hits = st.builds(
    steep_hit,
    times,
    angles,
    st.floats(-1.4, 1.4),
    st.floats(0.1, 20.0),
    st.tuples(st.floats(0.1, 5.0), st.floats(0.1, 5.0)),
    st.tuples(offsets, offsets),
)


@outside
@given(hits, times, angles, st.tuples(offsets, offsets), st.tuples(offsets, offsets), st.integers(-20, 20))
@settings(deadline=None)
def test_swap_shift_turn_scale_and_common_motion_change_nothing(
    sweep: Any,
    columns: list[float],
    t: float,
    angle: float,
    shift: tuple[float, float],
    common: tuple[float, float],
    power: int,
) -> None:
    expected = sweep(*columns).time
    assert expected is not None
    moved = [np.float64(value) for value in columns]
    moved = turned_columns(moved, angle, VECTORS)  # type: ignore[arg-type, assignment]
    for k, i in enumerate(POSITIONS):
        moved[i] += shift[k % 2]
    for k, i in enumerate((3, 4, 8, 9)):
        moved[i] += common[k % 2]
    scaled = [2.0**power * value for value in moved]
    assert sweep(*scaled).time == pytest.approx(expected, abs=1e-9)
    assert sweep(*scaled[5:], *scaled[:5]).time == pytest.approx(expected, abs=1e-9)


@outside
@given(times, angles, st.floats(-1.4, 1.4), st.floats(0.1, 20.0))
@settings(deadline=None)
def test_the_time_is_the_one_the_case_was_built_from(
    sweep: Any, t: float, normal: float, slant: float, speed: float
) -> None:
    columns = steep_hit(t, normal, slant, speed, (0.5, 1.5), (3.0, -2.0))
    assert sweep(*columns) == (pytest.approx(t, abs=1e-10), False)


@outside
def test_time_reversal(sweep: Any) -> None:
    """Backwards, a pair touches first where it touched last; the closest approach lies half-way between."""
    columns = random_moving_circles(3)
    forward = sweep(*columns)
    reversed_columns = list(columns)
    for position, motion in ((0, 3), (1, 4), (5, 8), (6, 9)):
        reversed_columns[position] = columns[position] + columns[motion]
        reversed_columns[motion] = -columns[motion]
    backward = sweep(*reversed_columns)
    free = ~forward.overlapping & ~backward.overlapping
    gap = center_distance(columns)
    closest = closest_times(gap, COUNT)
    least = gap(closest[None])[0]
    sure = free & (np.abs(least / (columns[2] + columns[7]) - 1.0) > 1e-6)
    sure &= (np.abs(forward.time - 0.0) > 1e-6) & (np.abs(backward.time) > 1e-6) | np.isnan(forward.time)
    np.testing.assert_array_equal(np.isnan(forward.time[sure]), np.isnan(backward.time[sure]))
    through = sure & ~np.isnan(forward.time)
    assert through.sum() > 300
    middle = 0.5 * (forward.time + 1.0 - backward.time)
    np.testing.assert_allclose(middle[through], closest[through], atol=1e-6)


@outside
def test_a_step_in_two_parts(sweep: Any) -> None:
    columns = [column[::3] for column in random_moving_circles(4)]
    whole = sweep(*columns)
    first = [column * (0.5 if i in (3, 4, 8, 9) else 1.0) for i, column in enumerate(columns)]
    second = list(first)
    for position, motion in ((0, 3), (1, 4), (5, 8), (6, 9)):
        second[position] = first[position] + first[motion]
    in_first, in_second = sweep(*first).time, sweep(*second).time
    early = whole.time < 0.499
    np.testing.assert_allclose(2.0 * whole.time[early], in_first[early], atol=1e-7)
    late = (whole.time > 0.501) & (whole.time < 0.999)
    assert np.isnan(in_first[late]).all()
    np.testing.assert_allclose(2.0 * whole.time[late] - 1.0, in_second[late], atol=1e-7)


def test_as_printed_an_overlap_at_the_start_is_missed() -> None:
    """EQ (10) for circles of radius 1 at distance 1: t1 < 0 < t2, and "t is negative, there is no collision"."""
    uv, vv, uu, r = -10.0, 100.0, 1.0, 2.0
    half_p, q = uv / vv, (uu - r * r) / vv
    smaller, larger = -half_p - math.sqrt(half_p**2 - q), -half_p + math.sqrt(half_p**2 - q)
    assert smaller < 0.0 < larger
    assert moving_circle_moving_circle(0, 0, 1, 10, 0, 1, 0, 1, 0, 0) == (0.0, True)


@pytest.mark.parametrize("sweep", [*OUTSIDE, moving_circle_inside_moving_circle])
def test_a_value_that_is_no_number_is_refused_by_name(sweep: Any) -> None:
    good = [0.0, 0.0, 1.0, 10.0, 0.0, 5.0, 0.0, 1.0, 0.0, 0.0]
    for index, name in enumerate(("ax", "ay", "radius_a", "motion_ax", "motion_ay")):
        for bad in (nan, inf):
            with pytest.raises(ValueError, match=name):
                sweep(*good[:index], bad, *good[index + 1 :])
    with pytest.raises(ValueError, match="radius_b"):
        sweep(*good[:7], -1.0, *good[8:])
    with pytest.raises(TypeError, match="motion_bx"):
        sweep(*good[:8], "fast", good[9])


def test_arrays_give_nan_for_none() -> None:
    found = moving_circle_moving_circle(0, 0, 1, np.array([10.0, -10.0, 2.0]), 0, 5, 0, 1, 0, 0)
    np.testing.assert_array_equal(found.time, [0.3, nan, nan])
    assert not found.overlapping.any()


# Row 21: one circle inside the other.

inside = moving_circle_inside_moving_circle


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ((0, 0, 1, 10, 0, 0, 0, 5, 0, 0), FirstTouch(0.4, False)),  # from the middle
        ((-3, 0, 1, 10, 0, 0, 0, 5, 0, 0), FirstTouch(0.7, False)),
        ((0, 0, 1, 3.9, 0, 0, 0, 5, 0, 0), MISS),  # stops short
        ((0, 0, 1, 0, 0, 0, 0, 5, 0, 0), MISS),  # V = 0
        ((3, 0, 1, 1, 1, 0, 0, 5, 1, 1), MISS),  # the arena comes along
        ((0, 0, 1, 0, 0, 0, 0, 5, 0, 10), FirstTouch(0.4, False)),  # the arena moves
        ((4, 0, 1, 1, 0, 0, 0, 5, 0, 0), FirstTouch(0.0, False)),  # touching, moving out
        ((4, 0, 1, -16, 0, 0, 0, 5, 0, 0), FirstTouch(0.5, False)),  # touching, moving in: the far side
        ((4, 0, 1, 0, 1, 0, 0, 5, 0, 0), FirstTouch(0.0, False)),  # touching, moving along
        ((4, 0, 1, 0, 0, 0, 0, 5, 0, 0), FirstTouch(0.0, False)),
        ((5, 0, 1, -1, 0, 0, 0, 5, 0, 0), FirstTouch(0.0, True)),  # sticks in the wall
        ((9, 0, 1, -1, 0, 0, 0, 5, 0, 0), FirstTouch(0.0, True)),  # outside
        ((0, 0, 2, 1, 0, 0, 0, 2, 0, 0), FirstTouch(0.0, False)),  # equal radii, coincident
        ((0, 0, 0, 8, 0, 0, 0, 4, 0, 0), FirstTouch(0.5, False)),  # a point
    ],
)
def test_inside_by_hand(columns: tuple[float, ...], expected: FirstTouch) -> None:
    assert_same_touch(inside(*columns), expected)
    assert_same_touch(inside(*columns[5:], *columns[:5]), expected)


def random_arenas(seed: int) -> Columns:
    """Circles in arenas; a third start (nearly) touching the wall, a third end there."""
    rng = np.random.default_rng(seed)
    columns = [rng.uniform(-3.0, 3.0, COUNT) for _ in range(10)]
    gap = center_distance(columns)
    hair = 1.0 + rng.choice([-1.0, 1.0], COUNT) * 10.0 ** rng.uniform(-16.0, -2.0, COUNT)
    kind = np.arange(COUNT) % 3
    start, end = gap(np.zeros((1, COUNT)))[0], gap(np.ones((1, COUNT)))[0]
    room = np.where(kind == 0, rng.uniform(0.0, 8.0, COUNT), np.where(kind == 1, start, end) * hair)
    columns[2] = rng.uniform(0.0, 2.0, COUNT)
    columns[7] = columns[2] + room
    return columns


def test_inside_against_sampling() -> None:
    columns = random_arenas(5)
    gap = center_distance(columns)
    room = columns[7] - columns[2]
    found = inside(*columns)
    judge(lambda t: room - gap(t), found.time, found.overlapping)
    assert 0.1 < np.isnan(found.time).mean() < 0.9


def test_as_printed_a_circle_inside_is_missed() -> None:
    """EQ's "smaller t" is negative for every circle inside, and negative is "no collision"."""
    columns = random_arenas(6)
    u = columns[0] - columns[5], columns[1] - columns[6]
    v = columns[3] - columns[8], columns[4] - columns[9]
    r = np.abs(columns[2] - columns[7])
    half_p = (u[0] * v[0] + u[1] * v[1]) / (v[0] ** 2 + v[1] ** 2)
    q = (u[0] ** 2 + u[1] ** 2 - r**2) / (v[0] ** 2 + v[1] ** 2)
    within = q < -1e-6
    assert (-half_p - np.sqrt(half_p**2 - q, where=within, out=np.zeros(COUNT)))[within].max() < 0.0
    assert (~np.isnan(inside(*columns).time[within])).mean() > 0.2


@given(
    times, angles, st.floats(-1.4, 1.4), st.floats(0.5, 20.0), angles, st.tuples(offsets, offsets), st.integers(-20, 20)
)
@settings(deadline=None)
def test_inside_swap_shift_turn_and_scale_change_nothing(
    t: float, normal: float, slant: float, speed: float, angle: float, shift: tuple[float, float], power: int
) -> None:
    """Built from a hit at t, coming from at most a diameter away."""
    room = 20.0
    speed = min(speed, 2.0 * room * math.cos(slant) / t * 0.99)
    motion = speed * math.cos(normal + slant), speed * math.sin(normal + slant)
    columns = [room * math.cos(normal) - t * motion[0], room * math.sin(normal) - t * motion[1], 1.0, *motion]
    columns += [0.0, 0.0, 1.0 + room, 0.0, 0.0]
    moved = turned_columns([np.float64(value) for value in columns], angle, VECTORS)  # type: ignore[misc]
    for k, i in enumerate(POSITIONS):
        moved[i] += shift[k % 2]
    scaled = [2.0**power * value for value in moved]
    assert inside(*columns) == (pytest.approx(t, abs=1e-9), False)
    assert inside(*scaled) == (pytest.approx(t, abs=1e-8), False)
    assert inside(*scaled[5:], *scaled[:5]) == (pytest.approx(t, abs=1e-8), False)


def test_inside_a_ball_that_never_leaves_its_arena() -> None:
    """200 bounces in time order: the centre never gets farther from the arena's than the radii allow."""
    x, y, vx, vy, room = 0.3, 0.1, 7.0, 4.0, 4.0
    bounces = 0
    for _ in range(2000):
        left = 1.0
        while left > 0.0:
            time, _ = inside(x, y, 1.0, vx * left * 0.1, vy * left * 0.1, 0.0, 0.0, 5.0, 0.0, 0.0)
            step = left * (1.0 if time is None else time)
            x, y, left = x + vx * 0.1 * step, y + vy * 0.1 * step, left - step
            distance_out = math.hypot(x, y)
            assert distance_out < room * (1.0 + 1e-12)
            if time is None:
                break
            bounces += 1
            nx, ny = x / distance_out, y / distance_out
            x, y = nx * room * (1.0 - 1e-14), ny * room * (1.0 - 1e-14)
            outward = vx * nx + vy * ny
            if outward > 0.0:
                vx, vy = vx - 2.0 * outward * nx, vy - 2.0 * outward * ny
    assert bounces > 200
    assert math.hypot(vx, vy) == pytest.approx(math.hypot(7.0, 4.0), rel=1e-11)
