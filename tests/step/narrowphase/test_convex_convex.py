"""Polygons and capsules against each other, in situations whose manifold is known by looking at them."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.shapes import Piece
from ecs_collide.shapes.piece import capsule_piece, polygon_piece
from tests.support.reference.pair_bench import manifold, points_on_a
from tests.support.reference.pair_cases import box, regular

UNIT = box(1.0, 1.0)
ROD = capsule_piece((-1.0, 0.0), (1.0, 0.0), 0.25)
LINE = capsule_piece((-1.0, 0.0), (1.0, 0.0), 0.0)

Pose = tuple[float, float, float]


@pytest.mark.parametrize(
    ("a", "b", "pose_b", "normal", "expected", "separation"),
    [
        (UNIT, UNIT, (0.25, 0.99, 0.0), (0, 1), [(-0.25, 0.5), (0.5, 0.5)], -0.01),
        (UNIT, UNIT, (0.25, 1.01, 0.0), (0, 1), [(-0.25, 0.5), (0.5, 0.5)], 0.01),
        (UNIT, UNIT, (-0.99, 0.1, np.pi), (-1, 0), [(-0.5, -0.4), (-0.5, 0.5)], -0.01),
        (box(4.0, 1.0), UNIT, (1.0, 1.0, 0.5 * np.pi), (0, 1), [(0.5, 0.5), (1.5, 0.5)], 0.0),
        (UNIT, box(4.0, 1.0), (1.0, 1.0, 0.0), (0, 1), [(-0.5, 0.5), (0.5, 0.5)], 0.0),
        (box(1.0, 1.0, 0.1), box(1.0, 1.0, 0.2), (0.2, 1.29, 0.0), (0, 1), [(-0.3, 0.6), (0.5, 0.6)], -0.01),
        (UNIT, ROD, (0.0, 0.75, 0.0), (0, 1), [(-0.5, 0.5), (0.5, 0.5)], 0.0),
        (box(4.0, 1.0), ROD, (0.0, 0.74, 0.0), (0, 1), [(-1.0, 0.5), (1.0, 0.5)], -0.01),
        (UNIT, LINE, (0.0, -0.49, 0.0), (0, -1), [(-0.5, -0.5), (0.5, -0.5)], -0.01),
        (ROD, ROD, (0.5, 0.5, 0.0), (0, 1), [(-0.5, 0.25), (1.0, 0.25)], 0.0),
        (ROD, ROD, (0.5, -0.49, np.pi), (0, -1), [(-0.5, -0.25), (1.0, -0.25)], -0.01),
    ],
)
def test_flush_faces_touch_at_the_ends_of_their_common_part(
    a: Piece,
    b: Piece,
    pose_b: Pose,
    normal: tuple[float, float],
    expected: list[tuple[float, float]],
    separation: float,
) -> None:
    found = manifold(a, b, pose_b)
    assert found.count[0] == 2
    assert found.normal[0] == pytest.approx(normal, abs=1e-12)
    assert points_on_a(found) == pytest.approx(np.array(expected), abs=1e-12)
    assert found.separation[0] == pytest.approx([separation, separation], abs=1e-12)


def test_boxes_of_a_grid_touch_their_neighbours_only() -> None:
    assert manifold(UNIT, UNIT, (1.0, 0.0, 0.0)).count[0] == 2
    assert manifold(UNIT, UNIT, (1.1, 0.0, 0.0)).count[0] == 0
    diagonal = manifold(UNIT, UNIT, (1.0, 1.0, 0.0))
    assert diagonal.lowest()[0] == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("distance", [0.3, 0.5, 1.0, 1.49, 1.5, 1.515])
@pytest.mark.parametrize("angle", [0.0, np.pi, 1e-17, 1e-9])
@pytest.mark.parametrize("height", [0.0, 1e-17, -1e-12])
def test_capsules_in_line_meet_with_their_ends(distance: float, angle: float, height: float) -> None:
    """Two rods rolling towards each other on flat ground: no edge normal parts them."""
    a = capsule_piece((-0.5, 0.0), (0.5, 0.0), 0.25)
    found = manifold(a, a, (distance, height, angle))
    assert found.count[0] > 0
    if distance > 1.0:
        assert found.count[0] == 1
        assert found.separation[0, 0] == pytest.approx(distance - 1.5, abs=1e-9)
        assert found.normal[0] == pytest.approx((1.0, 0.0), abs=1e-7)
    else:
        assert found.lowest()[0] == pytest.approx(-0.5, abs=1e-9)
        assert abs(found.normal[0, 1]) == pytest.approx(1.0, abs=1e-7)


def test_a_capsule_in_line_with_an_edge_meets_its_corner() -> None:
    found = manifold(box(2.0, 1.0), capsule_piece((0.0, 0.0), (1.0, 0.0), 0.25), (1.1, 0.5, 0.0))
    assert found.count[0] == 1
    assert found.separation[0, 0] == pytest.approx(-0.15, abs=1e-12)
    assert found.normal[0] == pytest.approx((1.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.2, 0.5 * np.pi])
def test_crosses_without_a_corner_inside(angle: float) -> None:
    """OC's point-in-shape test is blind to them: two long boxes, a box and a capsule, two capsules."""
    flat, thin = box(6.0, 0.5), capsule_piece((-3.0, 0.0), (3.0, 0.0), 0.1)
    upright = (0.4, 0.1, 0.5 * np.pi - 0.3 * angle)
    for a, b, depth in ((flat, flat, 0.5), (flat, thin, 0.35), (thin, thin, 0.2)):
        found = manifold(a, b, upright)
        assert found.count[0] > 0
        assert found.lowest()[0] <= -depth
        assert np.isfinite(found.point).all()


def test_a_corner_on_a_face_is_one_point() -> None:
    found = manifold(UNIT, UNIT, (0.1, 0.5 + np.sqrt(0.5) - 0.01, 0.25 * np.pi))
    assert found.count[0] == 1
    assert found.normal[0] == pytest.approx((0.0, 1.0), abs=1e-12)
    assert found.point[0, 0] == pytest.approx((0.1, 0.495), abs=1e-12)
    assert found.separation[0, 0] == pytest.approx(-0.01, abs=1e-12)


def test_two_corners_are_parted_along_the_line_between_them() -> None:
    found = manifold(UNIT, UNIT, (1.006, 1.008, 0.0))
    assert found.count[0] == 1
    assert found.normal[0] == pytest.approx((0.6, 0.8), abs=1e-12)
    assert found.separation[0, 0] == pytest.approx(0.01, abs=1e-12)


def test_a_polygon_of_forty_corners_is_nearly_a_circle() -> None:
    found = manifold(regular(40, 0.5), regular(40, 0.5), (0.999, 0.0, np.pi / 40))
    assert found.normal[0, 0] > 0.99
    assert found.lowest()[0] == pytest.approx(-0.001, abs=0.002)


def test_needles() -> None:
    needle = polygon_piece(np.array([(-5.0, 0.0), (5.0, -1e-4), (5.0, 1e-4)]), 0.0)
    found = manifold(needle, needle, (0.0, 0.0, 1.0))
    assert found.count[0] > 0
    assert found.lowest()[0] == pytest.approx(-5.0 * np.sin(1.0), abs=1e-3), "out by the tip"
    side = manifold(needle, needle, (0.0, 1e-4, 0.0))
    assert side.lowest()[0] == pytest.approx(0.0, abs=1e-4)
    assert np.isfinite(found.point).all()
