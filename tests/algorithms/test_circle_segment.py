"""Row 6."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import circle_segment_overlap
from tests.algorithms.reference import check_reach, coordinates, segments, whole_number_tangents


def test_touching_in_the_middle_and_at_an_end() -> None:
    for segment in ((-9.0, 2.0, 9.0, 2.0), (0.0, 2.0, 0.0, 7.0)):
        assert circle_segment_overlap(0.0, 0.0, 2.0, *segment)
        assert not circle_segment_overlap(0.0, 0.0, 2.0, *segment, touching=False)


def test_segment_inside_the_circle() -> None:
    assert circle_segment_overlap(0.0, 0.0, 2.0, -0.5, 0.1, 0.5, 0.1)


def test_the_line_alone_is_not_enough() -> None:
    assert not circle_segment_overlap(0.0, 0.0, 2.0, 3.0, 0.0, 9.0, 0.0)


def test_segment_without_length_is_a_point() -> None:
    assert circle_segment_overlap(0.0, 0.0, 5.0, 3.0, 4.0, 3.0, 4.0)
    assert not circle_segment_overlap(0.0, 0.0, 5.0, 3.0, 4.0, 3.0, 4.0, touching=False)


def test_circle_without_radius_on_the_segment() -> None:
    assert circle_segment_overlap(1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0)
    assert not circle_segment_overlap(1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, touching=False)


def test_a_tangent_in_whole_numbers_touches_and_no_more() -> None:
    cases = whole_number_tangents(np.random.default_rng(41)).T
    assert circle_segment_overlap(*cases).all()
    assert not circle_segment_overlap(*cases, touching=False).any()
    x, y, radius, *ends = cases.T[0].tolist()
    assert circle_segment_overlap(x, y, radius, *ends) and not circle_segment_overlap(x, y, radius, *ends, False)


@pytest.mark.parametrize("size", [1e-300, 1e-100, 1e-72, 1e-68, 1e70])
def test_sizes_whose_squares_vanish_or_are_huge(size: float) -> None:
    segment = (-size, 0.0, size, 0.0)
    assert circle_segment_overlap(0.0, size, size, *segment)
    assert not circle_segment_overlap(0.0, 1.0001 * size, size, *segment)
    assert not circle_segment_overlap(2.0001 * size, 0.0, size, *segment)
    assert circle_segment_overlap(0.5 * size, 0.0, 0.0, *segment)
    assert not circle_segment_overlap(0.0, size, 0.0, *segment)


def test_random_cases_against_shapely() -> None:
    rng = np.random.default_rng(9)
    x, y, *segment = coordinates(rng, 6)
    distance = shapely.distance(segments(*segment), shapely.points(x, y))
    check_reach(lambda radius, touching: circle_segment_overlap(x, y, radius, *segment, touching), distance, rng)
