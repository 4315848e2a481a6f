"""Tests of `HalfPlane`."""

import dataclasses
import math

import pytest
from hypothesis import assume, given

from ecs_collide.shapes import HalfPlane, PieceKind
from ecs_collide.validate import Vector2
from tests.shapes.strategies import coordinates, vectors


def test_default_is_the_ground() -> None:
    assert HalfPlane() == HalfPlane((0.0, 1.0), 0.0)


def test_both_fields_are_divided_by_the_length_of_the_normal() -> None:
    assert HalfPlane((3, 4), 10) == HalfPlane((0.6, 0.8), 2)


def test_piece() -> None:
    (piece,) = HalfPlane((0, -2), 6).pieces()
    assert piece.kind is PieceKind.HALF_PLANE
    assert piece.vertices.tolist() == [[0.0, -3.0]]
    assert piece.normals.tolist() == [[0.0, -1.0]]
    assert piece.radius == 0.0


@given(vectors, coordinates)
def test_fields_given_again_stay_what_they_are(normal: Vector2, offset: float) -> None:
    assume(math.hypot(*normal) > 1e-3)
    half_plane = HalfPlane(normal, offset)
    assert math.hypot(*half_plane.normal) == pytest.approx(1.0, rel=1e-15)
    assert dataclasses.replace(half_plane) == half_plane


@given(vectors, coordinates, vectors)
def test_a_half_plane_is_solid_opposite_to_its_normal(normal: Vector2, offset: float, point: Vector2) -> None:
    length = math.hypot(*normal)
    assume(length > 1e-3)
    excess = normal[0] * point[0] + normal[1] * point[1] - offset
    assume(abs(excess) > 1e-9)
    (piece,) = HalfPlane(normal, offset).pieces()
    above = (point - piece.vertices[0]) @ piece.normals[0]
    assert above == pytest.approx(excess / length, rel=1e-6, abs=1e-9)


def test_mass_is_infinite() -> None:
    assert HalfPlane((1, 0), 5).mass_properties() == (math.inf, (0.0, 0.0), math.inf)


@pytest.mark.parametrize(("normal", "length"), [((0, 0), "0.0")])
def test_normal_without_a_direction(normal: Vector2, length: str) -> None:
    message = rf"^the length of HalfPlane\.normal must be a positive finite number, got {length}$"
    with pytest.raises(ValueError, match=message):
        HalfPlane(normal)


def test_bad_fields() -> None:
    with pytest.raises(ValueError, match=r"^HalfPlane\.normal\[0\] must be a finite number, got nan$"):
        HalfPlane((math.nan, 1))
    with pytest.raises(ValueError, match=r"^HalfPlane\.offset must be a finite number, got inf$"):
        HalfPlane((0, 1), math.inf)
    with pytest.raises(
        ValueError, match=r"^HalfPlane\.offset over the length of HalfPlane\.normal must be .* got inf$"
    ):
        HalfPlane((0, 1e-300), 1e10)
    with pytest.raises(TypeError, match=r"^HalfPlane\.normal must be a pair of numbers, got 'up'$"):
        HalfPlane("up")  # type: ignore[arg-type]
