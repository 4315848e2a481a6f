"""A moving circle and a moving polygon."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import moving_circle_moving_circle, moving_circle_moving_polygon
from tests.algorithms.reference import convex_outline, outlines

BOX = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)])


def test_a_flat_side_and_a_corner() -> None:
    assert moving_circle_moving_polygon(5.0, 0.5, 1.0, -4.0, 0.0, BOX, (0.0, 0.0)) == (0.5, False)
    at_corner = moving_circle_moving_polygon(5.0, 1.5, 1.0, -4.0, 0.0, BOX, (0.0, 0.0))
    alone = moving_circle_moving_circle(5.0, 1.5, 1.0, -4.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0)
    assert at_corner.time == pytest.approx(alone.time, abs=1e-15)


def test_both_move() -> None:
    assert moving_circle_moving_polygon(5.0, 0.5, 1.0, 0.0, 3.0, BOX, (4.0, 3.0)) == (0.5, False)


def test_a_start_inside_overlaps_and_one_that_touches_does_not() -> None:
    assert moving_circle_moving_polygon(1.0, 0.5, 0.1, 9.0, 0.0, BOX, (0.0, 0.0)) == (0.0, True)
    assert moving_circle_moving_polygon(2.5, 0.5, 1.0, 9.0, 0.0, BOX, (0.0, 0.0)) == (0.0, True)
    assert moving_circle_moving_polygon(3.0, 0.5, 1.0, -1.0, 0.0, BOX, (0.0, 0.0)) == (0.0, False)
    assert moving_circle_moving_polygon(3.0, 0.5, 1.0, 1.0, 0.0, BOX, (0.0, 0.0)) == (None, False)


def test_into_the_gap_of_a_horseshoe() -> None:
    gap = np.array([(0, 0), (5, 0), (5, 5), (4, 5), (4, 1), (1, 1), (1, 5), (0, 5)], dtype=float)
    assert moving_circle_moving_polygon(2.5, 9.0, 1.0, 0.0, -10.0, gap, (0.0, 0.0)).time == pytest.approx(0.7)
    assert moving_circle_moving_polygon(2.5, 9.0, 1.6, 0.0, -10.0, gap, (0.0, 0.0)).time < 0.7  # type: ignore[operator]


def test_random_motions_against_dense_sampling() -> None:
    """The distance along the way, by shapely, is zero at the time found and never negative before."""
    rng = np.random.default_rng(71)
    hits = 0
    for k in range(300):
        corners = (convex_outline if k % 2 else outlines)(rng)
        start, radius = rng.uniform(-5.0, 5.0, 2), float(rng.uniform(0.05, 0.8))
        motion, moved = rng.uniform(-8.0, 8.0, 2), rng.uniform(-3.0, 3.0, 2)
        found = moving_circle_moving_polygon(start[0], start[1], radius, motion[0], motion[1], corners, moved)
        times = np.linspace(0.0, 1.0, 500) * (1.0 if found.time is None else found.time)
        way = start + times[:, np.newaxis] * (motion - moved)
        gaps = shapely.distance(shapely.Polygon(corners), shapely.points(way)) - radius
        if found.overlapping:
            assert gaps[0] < 0.0
        else:
            assert gaps.min() > -1e-12
            if found.time is not None:
                hits += 1
                assert abs(gaps[-1]) < 1e-12
    assert hits > 40


def test_a_turning_polygon_stops_the_circle_no_further_away_than_row_24() -> None:
    angle = 0.3
    turn = np.array([(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))])
    found = moving_circle_moving_polygon(4.0, 0.5, 0.5, -4.0, 0.0, BOX, BOX @ turn - BOX)
    assert found.time is not None
    then = BOX + found.time * (BOX @ turn - BOX)
    gap = shapely.Polygon(then).distance(shapely.Point(4.0 - 4.0 * found.time, 0.5)) - 0.5
    assert -1e-12 < gap <= 0.5 * (1.0 / math.cos(angle / 2.0) - 1.0)


def test_arrays_give_what_numbers_give() -> None:
    rng = np.random.default_rng(72)
    polygons = np.stack([BOX + rng.uniform(-2.0, 2.0, 2) for _ in range(40)])
    x, y, motion_x, motion_y = rng.uniform(-4.0, 4.0, (4, 40))
    motions = rng.uniform(-1.0, 1.0, (40, 4, 2))
    found = moving_circle_moving_polygon(x, y, 0.3, motion_x, motion_y, polygons, motions)
    for k in range(40):
        one = moving_circle_moving_polygon(x[k], y[k], 0.3, motion_x[k], motion_y[k], polygons[k], motions[k])
        assert one.overlapping == found.overlapping[k]  # type: ignore[index]
        assert (math.nan if one.time is None else one.time) == pytest.approx(found.time[k], abs=0.0, nan_ok=True)  # type: ignore[index]


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match=r"motion must have the shape \(2,\)"):
        moving_circle_moving_polygon(0.0, 0.0, 1.0, 0.0, 0.0, BOX, [(0.0, 0.0)] * 3)
    with pytest.raises(ValueError, match="radius must be a number from 0"):
        moving_circle_moving_polygon(0.0, 0.0, -1.0, 0.0, 0.0, BOX, (0.0, 0.0))
