"""Row 5."""

from __future__ import annotations

import numpy as np
import shapely

from ecs_collide.algorithms import closest_point_on_line, closest_point_on_segment
from tests.algorithms.reference import Array, coordinates, segments


def closest_points_as_printed(
    lx1: Array, ly1: Array, lx2: Array, ly2: Array, x0: Array, y0: Array
) -> tuple[Array, Array]:
    """CC's code, for lines that are not points."""
    a, b = ly2 - ly1, lx1 - lx2
    c1, c2 = (ly2 - ly1) * lx1 + (lx1 - lx2) * ly1, -b * x0 + a * y0
    det = a * a - -b * b
    return (a * c1 - b * c2) / det, (a * c2 - -b * c1) / det


def test_line_goes_on_and_segment_ends() -> None:
    assert closest_point_on_line(7.0, 3.0, 0.0, 0.0, 4.0, 0.0) == (7.0, 0.0, 1.75)
    assert closest_point_on_segment(7.0, 3.0, 0.0, 0.0, 4.0, 0.0) == (4.0, 0.0, 1.0)
    assert closest_point_on_segment(-7.0, 3.0, 0.0, 0.0, 4.0, 0.0) == (0.0, 0.0, 0.0)


def test_without_length_the_end_point_not_the_query_point() -> None:
    assert closest_point_on_line(7.0, 3.0, 1.0, 2.0, 1.0, 2.0) == (1.0, 2.0, 0.0)
    assert closest_point_on_segment(7.0, 3.0, 1.0, 2.0, 1.0, 2.0) == (1.0, 2.0, 0.0)


def test_the_ends_are_exact() -> None:
    rng = np.random.default_rng(6)
    ax, ay, bx, by = coordinates(rng, 4)
    at_b = closest_point_on_segment(2.0 * bx - ax, 2.0 * by - ay, ax, ay, bx, by)
    assert np.array_equal(at_b.x, bx) and np.array_equal(at_b.y, by) and (at_b.u == 1.0).all()


def test_line_against_the_documents_code() -> None:
    rng = np.random.default_rng(7)
    x, y, ax, ay, bx, by = coordinates(rng, 6)
    found = closest_point_on_line(x, y, ax, ay, bx, by)
    expected = closest_points_as_printed(ax, ay, bx, by, x, y)
    slack = 1e-12 / np.hypot(bx - ax, by - ay)  # their rounding is that of coordinates, over the length
    assert (np.abs(found.x - expected[0]) <= slack).all()
    assert (np.abs(found.y - expected[1]) <= slack).all()


def test_segment_against_shapely() -> None:
    rng = np.random.default_rng(8)
    x, y, ax, ay, bx, by = coordinates(rng, 6)
    found = closest_point_on_segment(x, y, ax, ay, bx, by)
    lines = segments(ax, ay, bx, by)
    u = shapely.line_locate_point(lines, shapely.points(x, y), normalized=True)
    assert np.abs(found.u - u).max() < 1e-9
    distance = shapely.distance(lines, shapely.points(x, y))
    assert np.abs(np.hypot(found.x - x, found.y - y) - distance).max() < 1e-13


def test_very_short_segments_give_finite_answers() -> None:
    lengths = 10.0 ** np.arange(-320.0, 0.0)
    for function in (closest_point_on_line, closest_point_on_segment):
        for item in function(1.0, 1.0, 0.0, 0.0, lengths, lengths):
            assert np.isfinite(item).all()
