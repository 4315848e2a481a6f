"""Tests of `Segment`."""

import math

import pytest

from ecs_collide.shapes import PieceKind, Segment


def test_piece_is_a_capsule_without_radius() -> None:
    (piece,) = Segment((1, 1), (4, 5)).pieces()
    assert piece.kind is PieceKind.CAPSULE
    assert piece.vertices.tolist() == [[1.0, 1.0], [4.0, 5.0]]
    assert piece.normals.tolist() == [[0.8, -0.6], [-0.8, 0.6]]
    assert piece.radius == 0.0


def test_mass_properties_are_those_of_a_rod() -> None:
    area, centroid, second_moment = Segment((1e6, 1e6), (1e6 + 3, 1e6 + 4)).mass_properties()
    assert area == 5.0
    assert centroid == (1e6 + 1.5, 1e6 + 2.0)
    assert second_moment == pytest.approx(125 / 12, rel=1e-15)


def test_zero_length() -> None:
    with pytest.raises(ValueError, match=r"^Segment\.a and Segment\.b must differ, got \(1\.0, 0\.0\) twice$"):
        Segment((1, 0), (1.0, -0.0))


def test_bad_points() -> None:
    with pytest.raises(ValueError, match=r"^Segment\.a\[1\] must be a finite number, got nan$"):
        Segment((0, math.nan), (1, 0))
    with pytest.raises(TypeError, match=r"^Segment\.b must be a pair of numbers, got None$"):
        Segment((0, 0), None)  # type: ignore[arg-type]
