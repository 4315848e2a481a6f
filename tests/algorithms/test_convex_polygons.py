"""Row 12."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import axis_of_least_penetration, polygons_overlap
from tests.algorithms.reference import Array, convex_outline, shifted

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
TRIANGLE = [(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)]
RANDOM_CASES = 10_000


def exact_separation(a: Array, b: Array) -> float:
    """Distance, or minus the depth: how far the origin is from the outline of the Minkowski difference."""
    differences = (b[:, np.newaxis] - a[np.newaxis]).reshape(-1, 2)
    hull, origin = shapely.convex_hull(shapely.multipoints(differences)), shapely.Point(0.0, 0.0)
    outside = shapely.distance(hull, origin)
    return float(outside or -shapely.distance(shapely.boundary(hull), origin))


def test_sharing_an_edge_is_touching() -> None:
    assert polygons_overlap(SQUARE, shifted(SQUARE, 1.0, 0.5))
    assert not polygons_overlap(SQUARE, shifted(SQUARE, 1.0, 0.5), touching=False), "PC: >= stops"


def test_corner_to_corner() -> None:
    assert polygons_overlap(SQUARE, shifted(SQUARE, 1.0, 1.0))
    assert not polygons_overlap(SQUARE, shifted(SQUARE, 1.0, 1.0), touching=False)


def test_boxes_overlap_but_shapes_do_not() -> None:
    assert not polygons_overlap(TRIANGLE, shifted(SQUARE, 1.1, 1.0))
    assert polygons_overlap(TRIANGLE, shifted(SQUARE, 0.9, 0.9))


def test_least_penetration_of_two_squares() -> None:
    assert axis_of_least_penetration(SQUARE, shifted(SQUARE, 0.75, 0.25)) == (1.0, 0.0, -0.25)
    assert axis_of_least_penetration(SQUARE, SQUARE - (0.25, 0.75)) == (0.0, -1.0, -0.25)


def test_one_inside_the_other() -> None:
    assert polygons_overlap(SQUARE, 0.2 * SQUARE + 0.4, touching=False)
    assert axis_of_least_penetration(SQUARE, 0.2 * SQUARE + 0.4).separation == pytest.approx(-0.6)


def test_the_same_polygon_twice() -> None:
    assert axis_of_least_penetration(SQUARE, SQUARE).separation == -1.0


def test_repeated_and_straight_corners_do_no_harm() -> None:
    extra = [(0.0, 0.0), (0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    moved = shifted(SQUARE, 0.75, 0.25)
    assert axis_of_least_penetration(extra, moved) == axis_of_least_penetration(SQUARE, moved)


@pytest.mark.parametrize(
    ("vertices", "error", "message"),
    [
        ([(0, 0), (1, 0)], ValueError, "vertices_b must be three points or more"),
        ([(0, 0, 0), (1, 0, 0), (1, 1, 0)], ValueError, "vertices_b must be three points"),
        ([(0, 0), (1, 0), (2, 0)], ValueError, "vertices_b must be the corners of a convex polygon"),
        ([(1, 1), (1, 1), (1, 1)], ValueError, "vertices_b must be the corners of a convex polygon"),
        ([(0, 0), (2, 0), (0.5, 0.5), (0, 2)], ValueError, "vertices_b must be the corners of a convex polygon"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], ValueError, "vertices_b must be the corners of a convex polygon"),
        ([(0, 0), (1, 0), (0, math.nan)], ValueError, r"vertices_b\[2\] must be finite"),
        ([(0, 0), (1, 0), (0, math.inf)], ValueError, r"vertices_b\[2\] must be finite"),
        ("box", TypeError, "vertices_b must be numbers"),
        ([(0, 0), (1, 0), (0,)], TypeError, "vertices_b must be numbers"),
    ],
)
def test_a_polygon_that_is_not_convex(vertices: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        polygons_overlap(SQUARE, vertices)  # type: ignore[arg-type]


def test_random_pairs_against_the_minkowski_difference() -> None:
    """A third of them is moved to within 1e-9 to 1e-3 of touching."""
    rng = np.random.default_rng(27)
    for case in range(RANDOM_CASES):
        a, b = convex_outline(rng), convex_outline(rng)
        separation = exact_separation(a, b)
        x, y, found = axis_of_least_penetration(a, b)
        assert abs(math.hypot(x, y) - 1.0) < 1e-15
        assert found <= separation + 1e-13, "no axis shows more than the distance"
        if separation <= 0.0:
            assert found == pytest.approx(separation, abs=1e-13)
        assert (found > 0.0) == (separation > 0.0)
        if case % 3 == 0 and separation <= 0.0:
            gap = 10.0 ** rng.uniform(-9, -3) * rng.choice([-1.0, 1.0])
            moved = b + (gap - found) * np.array((x, y))
            assert polygons_overlap(a, moved) == (gap < 0.0) == polygons_overlap(a, moved, touching=False)
            assert polygons_overlap(moved, a) == (gap < 0.0)


def test_swapping_turns_the_axis_round() -> None:
    rng = np.random.default_rng(28)
    for _ in range(500):
        a, b = convex_outline(rng), convex_outline(rng)
        x, y, separation = axis_of_least_penetration(a, b)
        assert axis_of_least_penetration(b, a) == pytest.approx((-x, -y, separation), abs=1e-13)


def test_turning_shifting_and_scaling_both() -> None:
    rng = np.random.default_rng(29)
    for _ in range(500):
        a, b = convex_outline(rng), convex_outline(rng)
        angle, scale, shift = rng.uniform(0.0, 7.0), 10.0 ** rng.uniform(-3, 3), rng.uniform(-9.0, 9.0, 2)
        turn = np.array([(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))])
        x, y, separation = axis_of_least_penetration(a, b)
        found = axis_of_least_penetration(scale * a @ turn + shift, scale * b @ turn + shift)
        assert found.separation == pytest.approx(scale * separation, abs=1e-12 * max(scale, 1.0))
        expected = np.array((x, y)) @ turn
        assert found[:2] == pytest.approx(expected, abs=1e-9)
