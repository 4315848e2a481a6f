"""Tests of `Box`."""

import math

import numpy as np
import pytest

from ecs_collide.shapes import Box, PieceKind, Polygon


def test_piece_starts_with_the_bottom_edge() -> None:
    (piece,) = Box(4, 2, (1, 1)).pieces()
    assert piece.kind is PieceKind.POLYGON
    assert piece.vertices.tolist() == [[-1.0, 0.0], [3.0, 0.0], [3.0, 2.0], [-1.0, 2.0]]
    assert piece.normals.tolist() == [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]
    assert piece.radius == 0.0


def test_angle_turns_counter_clockwise_about_the_center() -> None:
    (piece,) = Box(4, 2, (10, 0), math.pi / 2).pieces()
    np.testing.assert_allclose(piece.vertices, [(11, -2), (11, 2), (9, 2), (9, -2)], atol=1e-15)
    np.testing.assert_allclose(piece.normals, [(1, 0), (0, 1), (-1, 0), (0, -1)], atol=1e-15)


def test_normals_keep_all_digits_far_from_the_origin() -> None:
    near, far = Box(1, 2, (0, 0), 0.3).pieces()[0], Box(1, 2, (1e6, 1e6), 0.3).pieces()[0]
    assert far.normals.tolist() == near.normals.tolist()


def test_mass_properties() -> None:
    area, centroid, second_moment = Box(4, 2, (1e6, -3), 0.5).mass_properties()
    assert area == 8.0
    assert centroid == (1e6, -3.0)
    assert second_moment == pytest.approx(8 * (16 + 4) / 12, rel=1e-15)


def test_agrees_with_the_polygon_of_its_corners() -> None:
    box = Box(3, 1, (2, 5), 0.4)
    polygon = Polygon(box.pieces()[0].vertices).mass_properties()
    assert polygon.centroid == pytest.approx(box.center, rel=1e-14)
    assert polygon.second_moment == pytest.approx(box.mass_properties().second_moment, rel=1e-14)


@pytest.mark.parametrize("size", [0, -1.0, math.nan, math.inf])
def test_size_out_of_range(size: float) -> None:
    with pytest.raises(ValueError, match=rf"^Box\.width must be a positive finite number, got {float(size)}$"):
        Box(size, 1)
    with pytest.raises(ValueError, match=rf"^Box\.height must be a positive finite number, got {float(size)}$"):
        Box(1, size)


def test_bad_center_and_angle() -> None:
    with pytest.raises(ValueError, match=r"^Box\.center\[1\] must be a finite number, got -inf$"):
        Box(1, 1, (0, -math.inf))
    with pytest.raises(ValueError, match=r"^Box\.angle must be a finite number, got nan$"):
        Box(1, 1, angle=math.nan)
    with pytest.raises(TypeError, match=r"^Box\.width must be a positive finite number, got None$"):
        Box(None, 1)  # type: ignore[arg-type]
