"""Tests of the decomposition into convex pieces."""

import math

import numpy as np
import pytest
import shapely

from ecs_collide.shapes.decompose import merge_cells, triangulate
from ecs_collide.shapes.piece import FloatArray

SQUARE = np.array([(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)], dtype=np.float64)


def area_of(points: FloatArray, cells: list[list[int]]) -> float:
    polygons = [shapely.Polygon(points[cell]) for cell in cells]
    assert all(polygon.area == 0.0 or polygon.exterior.is_ccw for polygon in polygons)
    return math.fsum(polygon.area for polygon in polygons)


@pytest.mark.parametrize("start", range(8))
def test_points_in_a_row_stay_vertices(start: int) -> None:
    ring = [*range(start, 8), *range(start)]
    cells = triangulate(SQUARE, ring, "it")
    assert area_of(SQUARE, cells) == 4.0
    edges = {(a, b) for cell in cells for a, b in zip(cell, [*cell[1:], cell[0]], strict=True)}
    assert edges >= {(index, (index + 1) % 8) for index in range(8)}
    (whole,) = merge_cells(SQUARE, cells)
    assert sorted(whole) == list(range(8))


def test_a_ring_may_leave_points_out_and_name_them_in_any_order() -> None:
    cells = triangulate(SQUARE, [6, 0, 2, 4], "it")
    assert area_of(SQUARE, cells) == 4.0
    (whole,) = merge_cells(SQUARE, cells)
    assert sorted(whole) == [0, 2, 4, 6]


def test_a_join_that_would_bend_inwards_is_left() -> None:
    points = np.array([(0, 0), (2, 0), (1, 0.5), (0, 2)], dtype=np.float64)
    assert len(merge_cells(points, [[0, 1, 2], [0, 2, 3]])) == 2


def test_a_point_inside_is_joined_around() -> None:
    """Four triangles around the middle of a square: two joins are convex, the last would leave a dangling edge."""
    points = np.array([(0, 0), (2, 0), (2, 2), (0, 2), (1, 1)], dtype=np.float64)
    cells = merge_cells(points, [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])
    assert len(cells) == 2
    assert area_of(points, cells) == 4.0


def test_a_ring_that_meets_itself_is_refused() -> None:
    points = np.array([(0, 0), (4, 0), (4, 4), (2, -2), (0, 4)], dtype=np.float64)
    with pytest.raises(ValueError, match=r"^it cannot be cut into convex pieces"):
        triangulate(points, [0, 1, 2, 3, 4], "it")
