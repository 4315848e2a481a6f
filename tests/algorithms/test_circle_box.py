"""Row 10."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import BoxRegion, box_region, circle_box_overlap
from tests.algorithms.reference import Array, check_reach, coordinates, segments

BOX = (-1.0, -2.0, 3.0, 4.0)


def random_box_sides(rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    ends = np.array(coordinates(rng, 4))
    (left, right), (bottom, top) = np.sort(ends[:2], axis=0), np.sort(ends[2:], axis=0)
    return left, bottom, right, top


@pytest.mark.parametrize(
    ("x", "y", "region"),
    [
        (-2.0, -3.0, BoxRegion.BOTTOM_LEFT),
        (0.0, -3.0, BoxRegion.BOTTOM),
        (5.0, -3.0, BoxRegion.BOTTOM_RIGHT),
        (-2.0, 0.0, BoxRegion.LEFT),
        (0.0, 0.0, BoxRegion.INSIDE),
        (5.0, 0.0, BoxRegion.RIGHT),
        (-2.0, 5.0, BoxRegion.TOP_LEFT),
        (0.0, 5.0, BoxRegion.TOP),
        (5.0, 5.0, BoxRegion.TOP_RIGHT),
        (-1.0, 5.0, BoxRegion.TOP),
        (3.0, 4.0, BoxRegion.INSIDE),
    ],
)
def test_regions(x: float, y: float, region: BoxRegion) -> None:
    found = box_region(x, y, *BOX)
    assert found is region


def test_touching_an_edge_a_corner_and_from_inside() -> None:
    for x, y, radius in ((5.0, 0.0, 2.0), (6.0, 8.0, 5.0)):
        assert circle_box_overlap(x, y, radius, *BOX)
        assert not circle_box_overlap(x, y, radius, *BOX, touching=False), "PC: d < Cr*Cr"
    assert circle_box_overlap(0.0, 0.0, 0.1, *BOX, touching=False)


def test_corner_regions_do_not_use_the_edges() -> None:
    assert not circle_box_overlap(3.9, 4.9, 1.0, *BOX)


def test_box_without_area_is_a_point() -> None:
    assert circle_box_overlap(3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 0.0)
    assert not circle_box_overlap(3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 0.0, touching=False)


def test_random_cases_against_shapely() -> None:
    rng = np.random.default_rng(17)
    x, y = coordinates(rng, 2)
    box = random_box_sides(rng)
    distance = shapely.distance(shapely.box(*box), shapely.points(x, y))
    check_reach(lambda radius, touching: circle_box_overlap(x, y, radius, *box, touching), distance, rng)


def test_random_regions_are_the_closest_features() -> None:
    """The closest of four corners and four open edges, by distances from each."""
    rng = np.random.default_rng(18)
    x, y = coordinates(rng, 2)
    left, bottom, right, top = random_box_sides(rng)
    point = shapely.points(x, y)
    ends = {
        BoxRegion.BOTTOM: (left, bottom, right, bottom),
        BoxRegion.RIGHT: (right, bottom, right, top),
        BoxRegion.TOP: (right, top, left, top),
        BoxRegion.LEFT: (left, top, left, bottom),
    }
    corners = {
        BoxRegion.BOTTOM_LEFT: (left, bottom),
        BoxRegion.BOTTOM_RIGHT: (right, bottom),
        BoxRegion.TOP_LEFT: (left, top),
        BoxRegion.TOP_RIGHT: (right, top),
    }
    regions = np.array([*corners, *ends])
    distances = [np.hypot(x - cx, y - cy) - 1e-12 for cx, cy in corners.values()]  # an edge wins by being closer
    distances += [shapely.distance(segments(*edge), point) for edge in ends.values()]
    expected = regions[np.argmin(distances, axis=0)]
    expected[shapely.contains(shapely.box(left, bottom, right, top), point)] = BoxRegion.INSIDE
    assert np.array_equal(box_region(x, y, left, bottom, right, top), expected)
