"""Two circles: CC's d = |c_b - c_a| - (r_a + r_b), with the normal from centre to centre."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecs_collide.shapes.piece import circle_piece
from tests.support.reference.pair_bench import manifold

BALL = circle_piece((0.0, 0.0), 0.5)
POINT = circle_piece((0.0, 0.0), 0.0)
ASIDE = circle_piece((3.0, 4.0), 1.0)
"""Its centre is 5 m from its body's origin."""


@pytest.mark.parametrize("gap", [-1.2, -0.5, -1e-9, 0.0, 1e-9, 0.0199])
@pytest.mark.parametrize("angle", [0.0, 0.3, 2.0, math.pi, -1.0])
def test_the_normal_joins_the_centres(gap: float, angle: float) -> None:
    distance = 1.5 + gap
    normal = np.array((math.cos(angle), math.sin(angle)))
    x, y = np.array((1.0, -2.0)) + distance * normal
    found = manifold(BALL, circle_piece((0.0, 0.0), 1.0), (x, y, 0.7), (1.0, -2.0, 1.3))
    assert found.count[0] == 1
    assert found.normal[0] == pytest.approx(normal, abs=1e-9)
    assert found.separation[0, 0] == pytest.approx(gap, abs=1e-14)
    assert found.on_a(0)[0] == pytest.approx((1.0, -2.0) + 0.5 * normal, abs=1e-9)
    assert found.on_b(0)[0] == pytest.approx((x, y) - normal, abs=1e-9)


def test_a_gap_counts_up_to_the_reach() -> None:
    assert manifold(BALL, BALL, (1.25, 0.0, 0.0), reach=0.25).count[0] == 1
    assert manifold(BALL, BALL, (math.nextafter(1.25, 2.0), 0.0, 0.0), reach=0.25).count[0] == 0


def test_a_centre_beside_the_origin_turns_with_its_body() -> None:
    found = manifold(ASIDE, BALL, (-4.0, 4.45, 0.0), (0.0, 0.0, 0.5 * math.pi))
    assert found.normal[0] == pytest.approx((0.0, 1.0), abs=1e-12)
    assert found.separation[0, 0] == pytest.approx(-0.05, abs=1e-12)


def test_coincident_circles_part_along_a_fixed_direction_of_a() -> None:
    found = manifold(BALL, BALL, (2.0, 3.0, 1.0), (2.0, 3.0, 0.7))
    assert found.separation[0, 0] == -1.0
    assert found.normal[0] == pytest.approx((math.cos(0.7), math.sin(0.7)), abs=1e-15)


def test_two_points_touch_where_they_coincide_only() -> None:
    assert manifold(POINT, POINT, (0.0, 0.0, 0.0), reach=0.0).separation[0, 0] == 0.0
    assert manifold(POINT, POINT, (1e-12, 0.0, 0.0), reach=0.0).count[0] == 0


def test_a_small_circle_deep_in_a_large_one_goes_out_by_the_nearest_way() -> None:
    found = manifold(circle_piece((0.0, 0.0), 10.0), POINT, (0.0, -1.0, 0.0))
    assert found.normal[0] == pytest.approx((0.0, -1.0), abs=1e-15)
    assert found.separation[0, 0] == -9.0
