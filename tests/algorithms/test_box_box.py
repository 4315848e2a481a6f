"""Row 9."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import boxes_overlap
from tests.algorithms.reference import coordinates


@pytest.mark.parametrize("other", [(1.0, 0.2, 2.0, 0.8), (0.2, 1.0, 0.8, 2.0), (1.0, 1.0, 2.0, 2.0)])
def test_sharing_an_edge_or_a_corner(other: tuple[float, float, float, float]) -> None:
    assert boxes_overlap(0.0, 0.0, 1.0, 1.0, *other)
    assert not boxes_overlap(0.0, 0.0, 1.0, 1.0, *other, touching=False)


def test_the_formula_not_the_sentence() -> None:
    """By the sentence one minimum "not greater than the corresponding maximum" would be enough."""
    assert not boxes_overlap(0.0, 0.0, 1.0, 1.0, 0.5, 5.0, 1.5, 6.0)


def test_crossing_without_a_corner_inside() -> None:
    assert boxes_overlap(-2.0, -1.0, 2.0, 1.0, -1.0, -2.0, 1.0, 2.0)


def test_boxes_without_area() -> None:
    assert boxes_overlap(1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 2.0, 2.0)
    assert boxes_overlap(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    assert boxes_overlap(0.0, 1.0, 3.0, 1.0, 2.0, 0.0, 2.0, 5.0), "a cross of two segments"


@pytest.mark.parametrize("grid", [False, True], ids=["anywhere", "on a grid, many touching"])
def test_random_boxes_against_shapely(grid: bool) -> None:
    rng = np.random.default_rng(16)
    values = np.array(coordinates(rng, 8))
    values = np.round(values) if grid else values
    a = np.sort(values[:4].reshape(2, 2, -1), axis=0).reshape(4, -1)
    b = np.sort(values[4:].reshape(2, 2, -1), axis=0).reshape(4, -1)
    box_a, box_b = shapely.box(*a), shapely.box(*b)
    assert np.array_equal(boxes_overlap(*a, *b), shapely.intersects(box_a, box_b))
    solid = (shapely.area(box_a) > 0.0) & (shapely.area(box_b) > 0.0)
    inner = shapely.area(shapely.intersection(box_a, box_b)) > 0.0
    assert np.array_equal(boxes_overlap(*a, *b, touching=False)[solid], inner[solid])
