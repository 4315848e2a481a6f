"""Row 11."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import (
    BoxRegion,
    box_region,
    circle_box_overlap,
    circle_oriented_box_overlap,
    oriented_box_region,
)
from tests.algorithms.reference import check_reach, coordinates, polygons, turned_corners


def test_a_square_on_its_corner() -> None:
    square = (0.0, 0.0, 2.0, 2.0, 0.25 * math.pi)
    reach = math.sqrt(2.0)
    assert circle_oriented_box_overlap(reach + 1.0, 0.0, 1.0 + 1e-12, *square)
    assert not circle_oriented_box_overlap(reach + 1.0, 0.0, 1.0 - 1e-12, *square)
    assert oriented_box_region(2.0, 0.1, *square) is BoxRegion.BOTTOM_RIGHT
    assert oriented_box_region(2.0, 2.0, *square) is BoxRegion.RIGHT, "the box's own right"


@pytest.mark.parametrize("turns", [-8, 0, 1, 2, 3, 1000])
def test_quarter_turns_are_axis_aligned(turns: int) -> None:
    width, height = (4.0, 2.0) if turns % 2 == 0 else (2.0, 4.0)
    box = (0.5, -1.0, 4.0, 2.0, turns * 0.5 * math.pi)
    for x, y in ((4.0, 0.3), (0.0, 3.0), (0.4, -0.9)):
        plain = (0.5 - 0.5 * width, -1.0 - 0.5 * height, 0.5 + 0.5 * width, -1.0 + 0.5 * height)
        assert circle_oriented_box_overlap(x, y, 1.4, *box) == circle_box_overlap(x, y, 1.4, *plain)


def test_touching() -> None:
    assert circle_oriented_box_overlap(3.0, 0.0, 2.0, 0.0, 0.0, 2.0, 2.0, 0.0)
    assert not circle_oriented_box_overlap(3.0, 0.0, 2.0, 0.0, 0.0, 2.0, 2.0, 0.0, touching=False)


def test_random_cases_against_shapely() -> None:
    rng = np.random.default_rng(19)
    x, y, bx, by, angle = coordinates(rng, 5)
    width, height = rng.uniform(0.1, 4.0, (2, len(x)))
    distance = shapely.distance(polygons(turned_corners(bx, by, width, height, angle)), shapely.points(x, y))
    check_reach(
        lambda radius, touching: circle_oriented_box_overlap(x, y, radius, bx, by, width, height, angle, touching),
        distance,
        rng,
    )


def test_random_regions_are_those_of_the_upright_box() -> None:
    rng = np.random.default_rng(37)
    x, y, bx, by, angle = coordinates(rng, 5)
    width, height = rng.uniform(0.1, 6.0, (2, len(x)))
    local = ((x - bx) + 1j * (y - by)) * np.exp(-1j * angle)
    right, top = 0.5 * width, 0.5 * height
    expected = box_region(local.real, local.imag, -right, -top, right, top)
    clear = (np.abs(np.abs(local.real) - right) > 1e-12) & (np.abs(np.abs(local.imag) - top) > 1e-12)
    found = oriented_box_region(x, y, bx, by, width, height, angle)
    assert clear.mean() > 0.999 and len(np.unique(found)) == 9
    assert np.array_equal(found[clear], expected[clear])
