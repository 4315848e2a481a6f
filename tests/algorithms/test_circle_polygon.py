"""A circle against a polygon: overlap and signed distance."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import circle_box_overlap, circle_polygon_distance, circle_polygon_overlap
from tests.algorithms.reference import check_reach, convex_outline, coordinates, outlines

BOX = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)])


def test_touching_an_edge_and_a_corner() -> None:
    for x, y, radius in ((3.0, 0.5, 1.0), (5.0, 5.0, 5.0)):
        assert circle_polygon_overlap(x, y, radius, BOX)
        assert not circle_polygon_overlap(x, y, radius, BOX, touching=False)
        assert circle_polygon_distance(x, y, radius, BOX) == 0.0


def test_a_circle_inside_and_one_around() -> None:
    assert circle_polygon_overlap(1.0, 0.5, 0.1, BOX) and circle_polygon_overlap(1.0, 0.5, 9.0, BOX)
    assert circle_polygon_distance(1.0, 0.4, 0.1, BOX) == -0.5, "0.4 to the lower edge and the radius"


def test_a_circle_without_radius() -> None:
    assert circle_polygon_overlap(1.0, 0.5, 0.0, BOX) and circle_polygon_overlap(2.0, 0.5, 0.0, BOX)
    assert not circle_polygon_overlap(1.0, 0.5, 0.0, BOX, touching=False), "as for boxes, row 10"
    assert not circle_box_overlap(1.0, 0.5, 0.0, 0.0, 0.0, 2.0, 1.0, touching=False)


def test_random_circles_against_shapely() -> None:
    rng = np.random.default_rng(61)
    for make in (outlines, convex_outline):
        for _ in range(60):
            corners = make(rng)
            x, y = coordinates(rng, 2, 50)
            distance = shapely.distance(shapely.Polygon(corners), shapely.points(x, y))
            overlap = partial(circle_polygon_overlap, x, y, vertices=corners)
            check_reach(overlap, distance, rng)
            signed = circle_polygon_distance(x, y, 0.25, corners)
            outside = distance > 0.0
            assert signed[outside] == pytest.approx(distance[outside] - 0.25, abs=1e-12)
            to_edge = shapely.distance(shapely.LinearRing(corners), shapely.points(x, y))
            assert signed[~outside] == pytest.approx(-to_edge[~outside] - 0.25, abs=1e-12)


def test_moved_by_the_depth_a_circle_inside_a_convex_polygon_just_touches() -> None:
    rng = np.random.default_rng(62)
    for _ in range(100):
        corners = convex_outline(rng)
        x, y = corners.mean(axis=0) + rng.uniform(-0.05, 0.05, 2)
        depth = -circle_polygon_distance(x, y, 0.3, corners)
        turns = np.linspace(0.0, 2.0 * np.pi, 2000)
        apart = circle_polygon_distance(x + depth * np.cos(turns), y + depth * np.sin(turns), 0.3, corners)
        assert -1e-5 < apart.max() <= 1e-12, "one direction gets it out, and none gets it further"


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="radius must be a number from 0 to 1e75"):
        circle_polygon_overlap(0.0, 0.0, [1.0, -1.0], BOX)
    with pytest.raises(TypeError, match="x must be numbers or an array of numbers"):
        circle_polygon_distance("0", 0.0, 1.0, BOX)
