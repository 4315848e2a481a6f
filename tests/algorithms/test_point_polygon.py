"""Regions of points at a polygon."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import BoxRegion, PolygonFeature, box_region, point_in_polygon, polygon_region
from tests.algorithms.reference import coordinates, outlines

BOX = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)])
HORSESHOE = np.array([(0, 0), (5, 0), (5, 5), (4, 5), (4, 1), (1, 1), (1, 5), (0, 5)], dtype=float)


def test_inside_outside_and_on_the_outline() -> None:
    assert point_in_polygon(1.0, 0.5, BOX) and point_in_polygon(1.0, 0.5, BOX, touching=False)
    assert not point_in_polygon(3.0, 0.5, BOX)
    for x, y in ((1.0, 1.0), (0.0, 0.3), (2.0, 1.0), (0.0, 0.0)):
        assert point_in_polygon(x, y, BOX) and not point_in_polygon(x, y, BOX, touching=False)


def test_in_the_gap_of_a_horseshoe() -> None:
    assert not point_in_polygon(2.5, 3.0, HORSESHOE)
    assert point_in_polygon(4.5, 3.0, HORSESHOE) and point_in_polygon(2.5, 0.5, HORSESHOE)


def test_a_ray_through_corners_counts_each_once() -> None:
    diamond = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
    x = np.array([-2.0, -0.5, 0.5, 2.0])
    assert point_in_polygon(x, 0.0, diamond).tolist() == [False, True, True, False]
    assert point_in_polygon(x, 1.0, diamond).tolist() == [False] * 4
    assert point_in_polygon([-0.5, 4.0, 4.5], [1.0, 1.0, 5.0], HORSESHOE).tolist() == [False, True, True]


def test_whole_numbers_on_slanted_edges_are_on_the_outline() -> None:
    rng = np.random.default_rng(51)
    corner, step = rng.integers(-50, 50, (2, 500, 2))
    step[~step.any(axis=1)] = (1, 2)
    side = np.stack((-step[:, 1], step[:, 0]), 1)
    triangles = np.stack((corner, corner + 7 * step, corner + 3 * side), 1)
    x, y = (corner + 3 * step).T
    ahead = (corner + 8 * step).T
    assert point_in_polygon(x, y, triangles).all()
    assert not point_in_polygon(x, y, triangles, touching=False).any()
    assert not point_in_polygon(ahead[0], ahead[1], triangles).any(), "in line with the edge, past its end"


def test_random_points_against_shapely() -> None:
    rng = np.random.default_rng(52)
    for _ in range(200):
        corners = outlines(rng)
        x, y = coordinates(rng, 2, 100)
        expected = shapely.contains_xy(shapely.Polygon(corners), x, y)
        for vertices in (corners, corners[::-1]):
            assert np.array_equal(point_in_polygon(x, y, vertices), expected)


def test_regions_of_a_box_are_those_of_row_10() -> None:
    expected = {
        BoxRegion.BOTTOM: (PolygonFeature.EDGE, 0),
        BoxRegion.RIGHT: (PolygonFeature.EDGE, 1),
        BoxRegion.TOP: (PolygonFeature.EDGE, 2),
        BoxRegion.LEFT: (PolygonFeature.EDGE, 3),
        BoxRegion.BOTTOM_LEFT: (PolygonFeature.CORNER, 0),
        BoxRegion.BOTTOM_RIGHT: (PolygonFeature.CORNER, 1),
        BoxRegion.TOP_RIGHT: (PolygonFeature.CORNER, 2),
        BoxRegion.TOP_LEFT: (PolygonFeature.CORNER, 3),
    }
    x, y = np.meshgrid(np.arange(-1.0, 3.25, 0.25), np.arange(-1.0, 2.25, 0.25))
    regions, found = box_region(x, y, 0.0, 0.0, 2.0, 1.0), polygon_region(x, y, BOX)
    for place in np.ndindex(x.shape):
        region = BoxRegion(regions[place])  # type: ignore[index]  # arrays of them
        if region is BoxRegion.INSIDE:
            assert found.feature[place] == PolygonFeature.INSIDE  # type: ignore[index]  # arrays of them
        else:
            assert (found.feature[place], found.number[place]) == expected[region]  # type: ignore[index]


def test_the_region_names_what_is_closest() -> None:
    rng = np.random.default_rng(53)
    for _ in range(100):
        corners = outlines(rng)
        edges = shapely.linestrings(np.stack((corners, np.roll(corners, -1, axis=0)), 1))
        for x, y in np.stack(coordinates(rng, 2, 20), 1).tolist():
            feature, index = polygon_region(x, y, corners)
            nearest = shapely.distance(edges, shapely.Point(x, y)).min()
            if feature is PolygonFeature.CORNER:
                assert np.hypot(*(corners[index] - (x, y))) == pytest.approx(nearest, abs=1e-12)
            else:
                assert shapely.distance(edges[index], shapely.Point(x, y)) == pytest.approx(nearest, abs=1e-12)
            assert (feature is PolygonFeature.INSIDE) == point_in_polygon(x, y, corners)


def test_numbers_and_arrays_broadcast() -> None:
    many = np.stack((BOX, BOX + 10.0))
    assert point_in_polygon(1.0, 0.5, many).tolist() == [True, False]
    assert point_in_polygon([[1.0], [11.0]], [[0.5], [10.5]], many).tolist() == [[True, False], [False, True]]
    assert type(point_in_polygon(1, 0.5, BOX)) is bool
    assert polygon_region(1.0, -1.0, many).number.tolist() == [0, 0]  # type: ignore[attr-defined]


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="vertices must be three points or more"):
        point_in_polygon(0.0, 0.0, [(0, 0), (1, 1)])
    with pytest.raises(ValueError, match="x must be a finite number between ±1e75, got nan"):
        polygon_region(float("nan"), 0.0, BOX)
    with pytest.raises(ValueError, match=r"do not go together: x \(2,\), y \(3,\)"):
        point_in_polygon([0.0, 1.0], [0.0, 1.0, 2.0], BOX)
    with pytest.raises(TypeError, match="touching must be True or False"):
        point_in_polygon(0.0, 0.0, BOX, touching=1)  # type: ignore[arg-type]
