"""Tests of `Circle`."""

import math

import numpy as np
import pytest

from ecs_collide.shapes import Circle, PieceKind


def test_fields_become_floats_and_tuples() -> None:
    circle = Circle(np.int64(2), np.array([1, -0.0]))  # type: ignore[arg-type]
    assert repr(circle) == "Circle(radius=2.0, center=(1.0, 0.0))"


def test_piece() -> None:
    (piece,) = Circle(2, (3, 4)).pieces()
    assert piece.kind is PieceKind.CIRCLE
    assert piece.vertices.tolist() == [[3.0, 4.0]]
    assert piece.normals.tolist() == [[0.0, 0.0]]
    assert piece.radius == 2.0


def test_mass_properties() -> None:
    area, centroid, second_moment = Circle(2, (1e6, -1e6)).mass_properties()
    assert area == pytest.approx(4 * math.pi, rel=1e-15)
    assert centroid == (1e6, -1e6)
    assert second_moment == pytest.approx(8 * math.pi, rel=1e-15)


@pytest.mark.parametrize("radius", [0, -1.0, math.nan, math.inf])
def test_radius_out_of_range(radius: float) -> None:
    with pytest.raises(ValueError, match=rf"^Circle\.radius must be a positive finite number, got {float(radius)}$"):
        Circle(radius)


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match=r"^Circle\.radius must be a positive finite number, got '1'$"):
        Circle("1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^Circle\.center must be a pair of numbers, got 1$"):
        Circle(1, 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^Circle\.center\[0\] must be a finite number, got nan$"):
        Circle(1, (math.nan, 0))
