"""Tests of pieces of shapes."""

import math

import numpy as np
import pytest

from ecs_collide.shapes import ArcPolygon, Box, Circle, Polygon, Sector, Shape
from ecs_collide.shapes.piece import UNBOUNDED, PieceKind, bounds, edge_normals
from tests.support.reference.piece_sizes import core_of_piece, extent_of_piece


def test_kinds_index_tables_and_those_without_end_come_last() -> None:
    assert list(PieceKind) == list(range(len(PieceKind)))
    assert tuple(PieceKind)[-len(UNBOUNDED) :] == UNBOUNDED


def test_edge_normals_point_right() -> None:
    normals = edge_normals(np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 3.0)]))
    np.testing.assert_allclose(normals, [(0, -1), (1, 0), (-0.6, 0.8)], rtol=1e-15)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_edge_normals_of_any_size(size: float) -> None:
    normals = edge_normals(np.array([(0.0, 0.0), (3.0 * size, 4.0 * size)]))
    np.testing.assert_allclose(normals, [(0.8, -0.6), (-0.8, 0.6)], rtol=1e-15)


def test_an_arc_s_centre_is_no_corner_of_its_piece() -> None:
    """A box with a flat cap on top: the cap's arc has its centre 1.2 m below."""
    *_, cap = ArcPolygon([(-0.5, -0.1), (0.5, -0.1), (0.5, 0.0), (-0.5, 0.0)], [0.0, 0.0, 0.2, 0.0]).pieces()
    low, high = bounds(cap)
    np.testing.assert_allclose((low, high), [(-0.5, 0.0), (0.5, 0.1)], atol=1e-12)
    assert extent_of_piece(cap) == pytest.approx(0.5)
    assert 0.04 < core_of_piece(cap) <= 0.05


def test_the_farthest_point_of_an_arc_may_be_none_of_its_ends() -> None:
    assert extent_of_piece(Sector(2.0, 0.3).pieces()[0].moved(np.array([1.0, 0.0]))) == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("shape", "least", "largest"),
    [
        (Circle(2.0), 2.0, 2.0),
        (Box(4.0, 1.0), 0.5, 0.5),
        (Polygon([(0.0, 0.0), (4.0, 0.0), (0.0, 3.0)]), 0.79, 1.0),
        (Polygon([(0.0, 0.0), (4.0, 0.0), (0.0, 3.0)], radius=0.5), 1.29, 1.5),
        (Sector(1.0, 0.5 * math.pi), 0.35, 0.5),
        (ArcPolygon([(-1.0, 0.0), (1.0, 0.0), (0.0, 2.0)], [-0.13, 0.0, 0.0]), 0.4, 0.55),
    ],
)
def test_a_core_is_at_least_two_thirds_of_the_largest_disk_inside(shape: Shape, least: float, largest: float) -> None:
    piece = max(shape.pieces(), key=core_of_piece)
    assert least <= core_of_piece(piece) <= largest + 1e-12
