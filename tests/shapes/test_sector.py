"""Tests of `Sector`."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, strategies as st

from ecs_collide.shapes import Circle, PieceKind, Sector
from ecs_collide.shapes.outline import EXPOSED, HIDDEN, OUTLINE, ZERO_LENGTH
from ecs_collide.shapes.piece import bounds
from ecs_collide.validate import Vector2
from tests.shapes.boundary import check_cones, check_corners, check_pieces
from tests.shapes.strategies import angles, sizes

HALF_ANGLES = [0.01, 0.3, 1.0, math.pi / 2, 2.0, 3.0]


def sector_by_shapely(sector: Sector) -> shapely.Polygon:
    turns = sector.direction + sector.half_angle * np.linspace(-1, 1, 4001)
    arc = sector.radius * np.stack((np.cos(turns), np.sin(turns)), axis=1)
    return shapely.Polygon([(0, 0), *arc.tolist()])


def sector_turns(sector: Sector) -> dict[Vector2, tuple[float, Vector2, Vector2]]:
    """The apex turns by π - 2 half angles; the two ends of the arc by a right angle."""
    low, high = sector.direction - sector.half_angle, sector.direction + sector.half_angle
    first, last = (math.cos(low), math.sin(low)), (math.cos(high), math.sin(high))
    right, left = (first[1], -first[0]), (-last[1], last[0])
    return {
        (0.0, 0.0): (math.pi - 2 * sector.half_angle, left, right),
        (sector.radius * first[0], sector.radius * first[1]): (math.pi / 2, right, first),
        (sector.radius * last[0], sector.radius * last[1]): (math.pi / 2, last, left),
    }


@pytest.mark.parametrize("half_angle", HALF_ANGLES)
@pytest.mark.parametrize("direction", [0.0, 0.7, -2.5])
def test_the_pieces_are_the_sector(half_angle: float, direction: float) -> None:
    sector = Sector(2.0, half_angle, direction)
    check_pieces(sector, sector_by_shapely(sector), True, 2.0 * 2.0 + 2.0 * 2.0 * half_angle)
    check_corners(sector, sector_turns(sector))
    assert len(sector.pieces()) == 1 + (half_angle > math.pi / 2)


@pytest.mark.parametrize("half_angle", [0.3, 1.0, 2.0, 3.0])
def test_corners_allow_the_normals_that_the_solid_does(half_angle: float) -> None:
    sector = Sector(2.0, half_angle, 0.5)
    check_cones(sector, sector_by_shapely(sector), 0.01)


def test_rows_of_a_quarter() -> None:
    (piece,) = Sector(2.0, math.pi / 4, math.pi / 4).pieces()
    assert piece.kind is PieceKind.OUTLINE
    np.testing.assert_allclose(piece.vertices, [(0, 0), (2, 0), (0, 0), (0, 2)], atol=1e-15)
    np.testing.assert_allclose(piece.normals, [(0, -1), (1, 0), (0, 1), (-1, 0)], atol=1e-15)
    assert piece.outline[:, OUTLINE.EDGE].tolist() == [EXPOSED, ZERO_LENGTH, ZERO_LENGTH, EXPOSED]
    assert piece.outline[:, OUTLINE.CORNER].tolist() == [1, 1, 1, 1]
    assert piece.outline[:, OUTLINE.CORNER_RADIUS].tolist() == [0, 0, 2, 0]
    np.testing.assert_allclose(
        piece.outline[:, OUTLINE.FROM_X : OUTLINE.FROM_X + 2], [(-1, 0), (0, -1), (1, 0), (0, 1)], atol=1e-15
    )
    np.testing.assert_allclose(
        piece.outline[:, OUTLINE.TO_X : OUTLINE.TO_X + 2], [(0, -1), (1, 0), (0, 1), (-1, 0)], atol=1e-15
    )


def test_a_half_disk_has_no_apex_and_one_flat_side() -> None:
    (piece,) = Sector(1.0, math.pi / 2).pieces()
    assert piece.outline[:, OUTLINE.EDGE].tolist() == [ZERO_LENGTH, ZERO_LENGTH, EXPOSED]
    assert piece.outline[:, OUTLINE.CORNER].tolist() == [1, 1, 1]


def test_a_disk_has_no_sides() -> None:
    first, last = Sector(2.0, math.pi, 0.3).pieces()
    for piece in (first, last):
        assert piece.outline[:, OUTLINE.EDGE].tolist() == [HIDDEN, ZERO_LENGTH, ZERO_LENGTH, HIDDEN]
        assert piece.outline[:, OUTLINE.CORNER].tolist() == [0, 0, 1, 0]
    check_pieces(Sector(2.0, math.pi, 0.3), shapely.Point(0, 0).buffer(2.0, quad_segs=1024), True, 4.0 * math.pi)
    disk, whole = Circle(2.0).mass_properties(), Sector(2.0, math.pi, 0.3).mass_properties()
    assert whole.area == disk.area
    assert whole.second_moment == pytest.approx(disk.second_moment, rel=1e-15)


@given(st.floats(0.01, 3.0), angles, sizes)
def test_bounds_hold_the_arc(half_angle: float, direction: float, radius: float) -> None:
    sector = Sector(radius, half_angle, direction)
    low, high = np.transpose([bounds(piece) for piece in sector.pieces()], (1, 0, 2))
    expected = sector_by_shapely(sector).bounds
    np.testing.assert_allclose((*low.min(axis=0), *high.max(axis=0)), expected, atol=1e-5 * radius)


def test_bad_fields() -> None:
    with pytest.raises(ValueError, match=r"^Sector\.radius must be a positive finite number, got 0\.0$"):
        Sector(0, 1)
    with pytest.raises(ValueError, match=r"^Sector\.half_angle must be a positive finite number, got 0\.0$"):
        Sector(1, 0)
    with pytest.raises(ValueError, match=r"^Sector\.half_angle must be at most π, got 3\.2$"):
        Sector(1, 3.2)
    with pytest.raises(ValueError, match=r"^Sector\.direction must be a finite number, got nan$"):
        Sector(1, 1, math.nan)
