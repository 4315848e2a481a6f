"""Tests of `Polygon`."""

import math

import numpy as np
import pytest
from hypothesis import given

from ecs_collide.shapes import Box, Circle, PieceKind, Polygon
from ecs_collide.validate import Vector2
from tests.shapes.strategies import angles, convex_outlines, moved_point, sizes, vectors

TRIANGLE = [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0)]


def test_fields_become_floats_and_tuples() -> None:
    expected = "Polygon(vertices=((0.0, 0.0), (3.0, 0.0), (0.0, 3.0)), radius=1.0)"
    assert repr(Polygon(np.array(TRIANGLE, dtype=np.int32), 1)) == expected
    assert repr(Polygon([[0, 0], [3, 0], [0, 3]], np.float32(1))) == expected  # type: ignore[arg-type]


def test_piece() -> None:
    (piece,) = Polygon(TRIANGLE, 0.5).pieces()
    assert piece.kind is PieceKind.POLYGON
    assert piece.vertices.tolist() == [[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]]
    np.testing.assert_allclose(piece.normals, [(0, -1), (math.sqrt(0.5), math.sqrt(0.5)), (-1, 0)], rtol=1e-15)
    assert piece.radius == 0.5


def test_mass_properties_of_the_right_triangle() -> None:
    """Legs b: A = b²/2, centroid at b/3, J = b⁴/18."""
    area, centroid, second_moment = Polygon(TRIANGLE).mass_properties()
    assert area == 4.5
    assert centroid == pytest.approx((1.0, 1.0), rel=1e-15)
    assert second_moment == pytest.approx(81 / 18, rel=1e-15)


@pytest.mark.parametrize("count", [3, 4, 5, 6, 12, 1000])
def test_mass_properties_of_the_regular_polygon(count: int) -> None:
    """Circumradius 1: A = n/2 sin(2π/n), J = A (2 + cos(2π/n)) / 6."""
    turn = 2 * math.pi / count
    polygon = Polygon([(math.cos(i * turn), math.sin(i * turn)) for i in range(count)])
    area, centroid, second_moment = polygon.mass_properties()
    assert len(polygon.vertices) == count
    assert area == pytest.approx(0.5 * count * math.sin(turn), rel=1e-13)
    assert centroid == pytest.approx((0.0, 0.0), abs=1e-14)
    assert second_moment == pytest.approx(area * (2 + math.cos(turn)) / 6, rel=1e-12)


def test_a_rounded_square_is_a_square_less_its_corners() -> None:
    """Square of side 4 with corner radius 1: J by subtracting four corner squares and adding the quarter disks back."""
    area, centroid, second_moment = Polygon(Box(2, 2).pieces()[0].vertices, 1).mass_properties()
    quarter_area, quarter_centroid = math.pi / 4, 1 + 4 / (3 * math.pi)
    quarter = math.pi / 8 - quarter_area * 2 * (4 / (3 * math.pi)) ** 2 + quarter_area * 2 * quarter_centroid**2
    corner = 1 / 6 + 2 * 1.5**2
    assert area == pytest.approx(16 - 4 + math.pi, rel=1e-15)
    assert centroid == pytest.approx((0.0, 0.0), abs=1e-15)
    assert second_moment == pytest.approx(16 * 32 / 12 - 4 * corner + 4 * quarter, rel=1e-14)


def test_with_a_huge_radius_nearly_a_disk() -> None:
    rounded, disk = Polygon(TRIANGLE, 1e6).mass_properties(), Circle(1e6).mass_properties()
    assert rounded.area == pytest.approx(disk.area, rel=1e-5)
    assert rounded.second_moment == pytest.approx(disk.second_moment, rel=1e-5)


@given(convex_outlines(), sizes, angles, vectors)
def test_mass_moves_with_the_shape(outline: list[Vector2], radius: float, angle: float, at: Vector2) -> None:
    before = Polygon(outline, radius).mass_properties()
    after = Polygon([moved_point(point, angle, at) for point in outline], radius).mass_properties()
    assert after.area == pytest.approx(before.area, rel=1e-9)
    assert after.centroid == pytest.approx(moved_point(before.centroid, angle, at), abs=1e-9)
    assert after.second_moment == pytest.approx(before.second_moment, rel=1e-8)


@given(convex_outlines(), sizes)
def test_winding_does_not_matter(outline: list[Vector2], radius: float) -> None:
    assert Polygon([outline[0], *reversed(outline[1:])], radius) == Polygon(outline, radius)


@given(convex_outlines())
def test_vertices_given_again_stay_what_they_are(outline: list[Vector2]) -> None:
    polygon = Polygon(outline)
    assert Polygon(polygon.vertices) == polygon


@pytest.mark.parametrize("radius", [0.0, 0.5])
def test_far_from_the_origin(radius: float) -> None:
    near = Polygon(TRIANGLE, radius).mass_properties()
    far = Polygon([(x + 1e6, y - 1e6) for x, y in TRIANGLE], radius).mass_properties()
    assert far.area == pytest.approx(near.area, rel=1e-14)
    assert far.centroid == pytest.approx((near.centroid[0] + 1e6, near.centroid[1] - 1e6), rel=1e-15)
    assert far.second_moment == pytest.approx(near.second_moment, rel=1e-14)


@pytest.mark.parametrize("radius", [-0.1, math.nan, math.inf])
def test_radius_out_of_range(radius: float) -> None:
    with pytest.raises(ValueError, match=rf"^Polygon\.radius must be a non-negative finite number, got {radius}$"):
        Polygon(TRIANGLE, radius)


def test_bad_vertices() -> None:
    with pytest.raises(TypeError, match=r"^Polygon\.vertices must be a sequence of points, got None$"):
        Polygon(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^Polygon\.vertices\[1\]\[1\] must be a finite number, got nan$"):
        Polygon([(0, 0), (1, math.nan), (0, 1)])
    with pytest.raises(TypeError, match=r"^Polygon\.vertices\[2\]\[0\] must be a finite number, got True$"):
        Polygon([(0, 0), (1, 0), (True, 1)])
    with pytest.raises(ValueError, match=r"^Polygon\.vertices must not intersect itself"):
        Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
