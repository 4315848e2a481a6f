"""Row 7."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ecs_collide.algorithms import (
    circle_segment_overlap,
    line_circle_intersection,
    point_in_circle,
    segment_circle_intersection,
)
from tests.algorithms.reference import Array, coordinates, radii_around, whole_number_tangents


def chord(px: Array, py: Array, qx: Array, qy: Array, x: Array, y: Array, radius: Array) -> tuple[Array, Array]:
    """Both u by Pythagoras, in the frame of the line (CC's way to the point of collision)."""
    direction = (qx - px) + 1j * (qy - py)
    length = np.abs(direction)
    center = ((x - px) + 1j * (y - py)) / (direction / length)
    with np.errstate(invalid="ignore"):
        half = np.sqrt((radius - np.abs(center.imag)) * (radius + np.abs(center.imag)))
    return (center.real - half) / length, (center.real + half) / length


def test_through_the_centre() -> None:
    assert line_circle_intersection(-2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0) == (0.25, -1.0, 0.0, 0.75, 1.0, 0.0)


def test_tangent_touches_once() -> None:
    hit = line_circle_intersection(-2.0, 1.0, 2.0, 1.0, 0.0, 0.0, 1.0)
    assert hit == (0.5, 0.0, 1.0, 0.5, 0.0, 1.0)


def test_a_tangent_in_whole_numbers_enters_where_it_leaves() -> None:
    x, y, radius, *ends = whole_number_tangents(np.random.default_rng(42)).T
    hit = line_circle_intersection(*ends, x, y, radius)
    assert np.array_equal(hit.u_enter, hit.u_leave), "NaN, for none, would differ"


@pytest.mark.parametrize("size", [1e-300, 1e-100, 1e70])
def test_sizes_whose_squares_vanish_or_are_huge(size: float) -> None:
    hit = line_circle_intersection(-2.0 * size, 0.0, 2.0 * size, 0.0, 0.0, 0.0, size)
    assert hit is not None and (hit.u_enter, hit.u_leave) == pytest.approx((0.25, 0.75), rel=1e-15)
    assert line_circle_intersection(-size, 1.001 * size, size, 1.001 * size, 0.0, 0.0, size) is None


def test_a_short_step_towards_a_circle_far_away() -> None:
    hit = line_circle_intersection(0.0, 0.0, 1e-200, 0.0, 3.0, 0.0, 1.0)
    assert hit is not None and hit.u_enter == pytest.approx(2e200) and hit.x_enter == pytest.approx(2.0)


def test_passing_by() -> None:
    assert line_circle_intersection(-2.0, 1.5, 2.0, 1.5, 0.0, 0.0, 1.0) is None


def test_segment_that_starts_or_ends_inside() -> None:
    starts = segment_circle_intersection(0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0)
    ends = segment_circle_intersection(2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    assert starts == (None, None, None, 0.5, 1.0, 0.0)
    assert ends == (0.5, 1.0, 0.0, None, None, None)
    assert segment_circle_intersection(0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0) is None, "wholly inside"


def test_a_shared_end_on_the_circle_counts_once_by_the_half_open_rule() -> None:
    chain = ((2.0, 0.0), (1.0, 0.0), (0.0, 0.0))
    for half_open, count in ((False, 2), (True, 1)):
        hits = [
            segment_circle_intersection(*start, *end, 0.0, 0.0, 1.0, half_open=half_open)
            for start, end in pairwise(chain)
        ]
        assert sum(hit is not None for hit in hits) == count


def test_segment_without_length_is_a_point() -> None:
    on_it = segment_circle_intersection(3.0, 4.0, 3.0, 4.0, 0.0, 0.0, 5.0)
    assert on_it == (0.0, 3.0, 4.0, 0.0, 3.0, 4.0)
    assert segment_circle_intersection(3.0, 4.0, 3.0, 4.0, 0.0, 0.0, 5.5) is None
    assert line_circle_intersection(3.0, 4.0, 3.0, 4.0, 0.0, 0.0, 5.5) is None


def test_circle_without_radius_on_the_line() -> None:
    assert line_circle_intersection(0.0, 0.0, 4.0, 0.0, 1.0, 0.0, 0.0) == (0.25, 1.0, 0.0, 0.25, 1.0, 0.0)


@pytest.mark.parametrize("distance", [1e3, 1e6, 1e9])
def test_a_start_far_away_loses_no_more_than_its_own_rounding(distance: float) -> None:
    hit = line_circle_intersection(-distance, 0.6, -distance + 1.0, 0.6, 0.0, 0.0, 1.0)
    assert hit is not None and hit.x_enter is not None and hit.x_leave is not None
    assert hit.x_enter == pytest.approx(-0.8, abs=4e-16 * distance)
    assert hit.x_leave == pytest.approx(0.8, abs=4e-16 * distance)


def test_random_lines_against_pythagoras() -> None:
    rng = np.random.default_rng(10)
    px, py, qx, qy, x, y = coordinates(rng, 6)
    direction = (qx - px) + 1j * (qy - py)
    distance = np.abs((((x - px) + 1j * (y - py)) / (direction / np.abs(direction))).imag)
    radius, reaches = radii_around(rng, distance)
    found = line_circle_intersection(px, py, qx, qy, x, y, radius)
    enter, leave = chord(px, py, qx, qy, x, y, radius)
    assert np.array_equal(~np.isnan(found.u_enter), reaches)
    assert np.array_equal(np.isnan(found.u_enter), np.isnan(found.y_leave))
    half = np.abs(leave - enter)
    # the square root magnifies the rounding of grazing hits
    slack = 1e-12 * (1.0 + np.abs(enter)) + 1e-13 / np.abs(direction) ** 2 / np.maximum(half, 1e-9)
    assert (np.abs(found.u_enter - enter)[reaches] <= slack[reaches]).all()
    assert (np.abs(found.u_leave - leave)[reaches] <= slack[reaches]).all()
    for on_x, on_y in ((found.x_enter, found.y_enter), (found.x_leave, found.y_leave)):
        off = np.abs(np.hypot(on_x - x, on_y - y) - radius)[reaches]
        assert off.max() < 1e-7 and np.quantile(off, 0.99) < 1e-12


def test_random_segments_agree_with_the_overlap_test() -> None:
    rng = np.random.default_rng(11)
    px, py, qx, qy, x, y = coordinates(rng, 6)
    radius = rng.uniform(0.0, 4.0, len(x))
    found = segment_circle_intersection(px, py, qx, qy, x, y, radius)
    crosses = ~(np.isnan(found.u_enter) & np.isnan(found.u_leave))
    p_inside, q_inside = point_in_circle(px, py, x, y, radius), point_in_circle(qx, qy, x, y, radius)
    assert np.array_equal(crosses | (p_inside & q_inside), circle_segment_overlap(x, y, radius, px, py, qx, qy))
    assert np.array_equal(np.isnan(found.u_enter) & crosses, p_inside & ~q_inside)
    assert np.array_equal(np.isnan(found.u_leave) & crosses, q_inside & ~p_inside)
