"""Tests of `Capsule`."""

import math

import pytest
from hypothesis import given

from ecs_collide.shapes import Capsule, Circle, PieceKind
from ecs_collide.validate import Vector2
from tests.shapes.strategies import angles, moved_point, sizes, vectors


def test_piece() -> None:
    (piece,) = Capsule((0, 0), (2, 0), 0.5).pieces()
    assert piece.kind is PieceKind.CAPSULE
    assert piece.vertices.tolist() == [[0.0, 0.0], [2.0, 0.0]]
    assert piece.normals.tolist() == [[0.0, -1.0], [0.0, 1.0]]
    assert piece.radius == 0.5


def test_mass_properties_of_the_stadium() -> None:
    """J of the rectangle, of the two half disks moved outwards by l/2, and twice their first moment times l/2."""
    length, radius = 3.0, 0.5
    area, centroid, second_moment = Capsule((0, 0), (0, length), radius).mass_properties()
    assert area == pytest.approx(2 * radius * length + math.pi * radius**2, rel=1e-15)
    assert centroid == pytest.approx((0.0, 1.5), abs=1e-15)
    expected = (
        2 * radius * length**3 / 12
        + 2 * length * radius**3 / 3
        + math.pi * radius**2 * (length**2 / 4 + radius**2 / 2)
        + 4 * length * radius**3 / 3
    )
    assert second_moment == pytest.approx(expected, rel=1e-14)


def test_a_very_short_capsule_is_nearly_a_circle() -> None:
    short, disk = Capsule((0, 0), (1e-9, 0), 2).mass_properties(), Circle(2).mass_properties()
    assert short.area == pytest.approx(disk.area, rel=1e-8)
    assert short.second_moment == pytest.approx(disk.second_moment, rel=1e-8)


@given(sizes, angles, sizes, angles, vectors)
def test_mass_moves_with_the_shape(length: float, direction: float, radius: float, angle: float, at: Vector2) -> None:
    a, b = (0.0, 0.0), (length * math.cos(direction), length * math.sin(direction))
    before = Capsule(a, b, radius).mass_properties()
    after = Capsule(moved_point(a, angle, at), moved_point(b, angle, at), radius).mass_properties()
    assert after.area == pytest.approx(before.area, rel=1e-10)
    assert after.centroid == pytest.approx(moved_point(before.centroid, angle, at), abs=1e-11)
    assert after.second_moment == pytest.approx(before.second_moment, rel=1e-9)


def test_far_from_the_origin() -> None:
    near, far = Capsule((0, 0), (2, 1), 0.5), Capsule((1e6, -1e6), (1e6 + 2, -1e6 + 1), 0.5)
    assert far.mass_properties().second_moment == pytest.approx(near.mass_properties().second_moment, rel=1e-14)


def test_zero_length() -> None:
    with pytest.raises(
        ValueError, match=r"^Capsule\.a and Capsule\.b must differ, got \(1\.0, 2\.0\) twice; use Circle"
    ):
        Capsule((1, 2), (1, 2), 1)


@pytest.mark.parametrize("radius", [0, -0.5, math.nan, math.inf])
def test_radius_out_of_range(radius: float) -> None:
    with pytest.raises(ValueError, match=rf"^Capsule\.radius must be a positive finite number, got {float(radius)}$"):
        Capsule((0, 0), (1, 0), radius)


def test_bad_points() -> None:
    with pytest.raises(ValueError, match=r"^Capsule\.a\[0\] must be a finite number, got inf$"):
        Capsule((math.inf, 0), (1, 0), 1)
    with pytest.raises(TypeError, match=r"^Capsule\.b\[1\] must be a finite number, got 'x'$"):
        Capsule((0, 0), (1, "x"), 1)  # type: ignore[arg-type]
