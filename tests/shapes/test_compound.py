"""Tests of `Compound`."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings

from ecs_collide.shapes import ArcPolygon, Box, Chain, Circle, Compound, HalfPlane, Polygon, Ring, Sector, Segment
from ecs_collide.validate import Vector2
from tests.shapes.boundary import check_pieces
from tests.shapes.reference import outline_of
from tests.shapes.strategies import angles, moved_point, vectors


def test_parts_get_poses() -> None:
    compound = Compound([Circle(1), (Box(1, 2), [3, 4, 0.5])])
    parts = "(Circle(radius=1.0), (0.0, 0.0, 0.0)), (Box(width=1.0, height=2.0), (3.0, 4.0, 0.5))"
    assert repr(compound) == f"Compound(parts=({parts}))"
    assert compound.parts[1] == (Box(1, 2), (3.0, 4.0, 0.5))


@given(angles, vectors)
def test_a_placed_part_is_the_part_turned_and_moved(angle: float, at: Vector2) -> None:
    placed = Compound([(Box(2, 1, (1, 0)), (*at, angle))]).pieces()[0]
    box = Box(2, 1, moved_point((1, 0), angle, at), angle).pieces()[0]
    np.testing.assert_allclose(placed.vertices, box.vertices, atol=1e-12)
    np.testing.assert_allclose(placed.normals, box.normals, atol=1e-14)


@settings(max_examples=10, deadline=None)
@given(angles, vectors)
def test_outlines_turn_with_their_arcs_and_cones(angle: float, at: Vector2) -> None:
    part = ArcPolygon([(0, 0), (2, 0), (2, 1), (0, 1)], [0, 1, -0.3, 0])
    placed = Compound([(part, (*at, angle))])
    solid = shapely.union_all([outline_of(piece) for piece in part.pieces()])
    moved_solid = shapely.affinity.translate(shapely.affinity.rotate(solid, angle, (0, 0), use_radians=True), *at)
    check_pieces(placed, moved_solid, True)


def test_nested_poses_add_up() -> None:
    inner = Compound([(Circle(1, (1, 0)), (0, 0, math.pi / 2))])
    (piece,) = Compound([(inner, (5, 0, math.pi / 2))]).pieces()
    np.testing.assert_allclose(piece.vertices, [(4, 0)], atol=1e-15)


def test_mass_properties_of_a_dumbbell() -> None:
    """Two disks of radius 1 at ±2: A = 2 π, J = 2 (π/2 + 4 π)."""
    area, centroid, second_moment = Compound([(Circle(1), (-2, 0, 1)), (Circle(1), (2, 0, 2))]).mass_properties()
    assert area == pytest.approx(2 * math.pi, rel=1e-15)
    assert centroid == pytest.approx((0.0, 0.0), abs=1e-15)
    assert second_moment == pytest.approx(9 * math.pi, rel=1e-14)


def test_mass_properties_do_not_depend_on_the_cut() -> None:
    whole = Polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]).mass_properties()
    cut = Compound([Box(3, 1, (1.5, 0.5)), (Box(2, 1), (0.5, 2.0, math.pi / 2))]).mass_properties()
    assert cut.area == pytest.approx(whole.area, rel=1e-14)
    assert cut.centroid == pytest.approx(whole.centroid, rel=1e-14)
    assert cut.second_moment == pytest.approx(whole.second_moment, rel=1e-14)


def test_overlaps_count_twice() -> None:
    assert Compound([Circle(1), Circle(1)]).mass_properties().area == pytest.approx(2 * math.pi, rel=1e-15)


def test_lines_count_by_length_and_solids_by_area() -> None:
    mixed = Compound([Box(2, 1), Segment((0, 0), (3, 0)), Chain([(0, 0), (0, 4)])])
    assert mixed.mass_properties().area == pytest.approx(2 + 3 + 4, rel=1e-15)


@pytest.mark.parametrize("unbounded", [HalfPlane(), Ring(3)])
def test_one_part_without_end_is_enough(unbounded: HalfPlane | Ring) -> None:
    compound = Compound([Circle(1), Compound([unbounded])])
    assert not compound.is_bounded
    assert compound.mass_properties() == (math.inf, (0.0, 0.0), math.inf)
    assert Compound([Circle(1)]).is_bounded


def test_a_half_plane_turns_and_moves() -> None:
    (piece,) = Compound([(HalfPlane((0, 1), 2), (5, 0, math.pi / 2))]).pieces()
    np.testing.assert_allclose(piece.normals, [(-1, 0)], atol=1e-15)
    np.testing.assert_allclose(piece.vertices, [(3, 0)], atol=1e-15)


def test_bad_parts() -> None:
    with pytest.raises(ValueError, match=r"^Compound\.parts must hold at least one shape$"):
        Compound([])
    with pytest.raises(TypeError, match=r"^Compound\.parts must be a sequence of shapes"):
        Compound(Circle(1))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^Compound\.parts\[1\] must be a shape or a \(shape, pose\) pair, got 3$"):
        Compound([Circle(1), 3])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^the pose of Compound\.parts\[0\] must be \(x, y, angle\), got 1$"):
        Compound([(Sector(1, 1), 1)])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"^the pose of Compound\.parts\[0\] must be \(x, y, angle\), got \(1, 2\)$"):
        Compound([(Circle(1), (1, 2))])
    with pytest.raises(ValueError, match=r"^the pose of Compound\.parts\[0\]\[2\] must be a finite number, got nan$"):
        Compound([(Circle(1), (1, 2, math.nan))])
