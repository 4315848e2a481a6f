"""Polygon against circle: PC's regions of edges and corners (rows 10 and 11), for any convex polygon."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecs_collide.shapes.piece import circle_piece
from tests.support.reference.pair_bench import manifold
from tests.support.reference.pair_cases import box, regular

BOX = box(4.0, 2.0)
BALL = circle_piece((0.0, 0.0), 0.5)


@pytest.mark.parametrize(
    ("place", "normal", "on_a", "separation"),
    [
        ((1.0, 1.49), (0.0, 1.0), (1.0, 1.0), -0.01),
        ((2.0, 1.5), (0.0, 1.0), (2.0, 1.0), 0.0),
        ((-2.51, -0.3), (-1.0, 0.0), (-2.0, -0.3), 0.01),
        ((2.3, 1.4), (0.6, 0.8), (2.0, 1.0), 0.0),
        ((-2.3, -1.39), None, (-2.0, -1.0), math.hypot(0.3, 0.39) - 0.5),
        ((1.7, 0.5), (1.0, 0.0), (2.0, 0.5), -0.8),
        ((-0.4, -0.9), (0.0, -1.0), (-0.4, -1.0), -0.6),
    ],
    ids=["edge", "end of an edge", "short edge", "corner", "other corner", "inside, at a short edge", "inside"],
)
def test_the_regions_of_a_box(
    place: tuple[float, float],
    normal: tuple[float, float] | None,
    on_a: tuple[float, float],
    separation: float,
) -> None:
    found = manifold(BOX, BALL, (*place, 0.3))
    assert found.count[0] == 1
    if normal is not None:
        assert found.normal[0] == pytest.approx(normal, abs=1e-12)
    assert found.on_a(0)[0] == pytest.approx(on_a, abs=1e-12)
    assert found.separation[0, 0] == pytest.approx(separation, abs=1e-12)


def test_rounding_moves_edges_and_corners_out() -> None:
    rounded = box(4.0, 2.0, 0.25)
    assert manifold(rounded, BALL, (1.0, 1.74, 0.0)).separation[0, 0] == pytest.approx(-0.01, abs=1e-12)
    corner = manifold(rounded, BALL, (2.45, 1.6, 0.0))
    assert corner.separation[0, 0] == pytest.approx(0.0, abs=1e-12)
    assert corner.on_a(0)[0] == pytest.approx((2.15, 1.2), abs=1e-12)


@pytest.mark.parametrize("corners", [3, 5, 8, 40])
def test_a_circle_rolled_around_touches_all_the_way(corners: int) -> None:
    """Its centre goes along the polygon's outline, moved out by its radius: corners turn it about themselves."""
    polygon, angles = regular(corners), 2.0 * np.pi * np.arange(corners) / corners
    apothem = math.cos(math.pi / corners)
    for turn in np.linspace(0.0, 2.0 * np.pi, 97):
        corner = angles[np.argmin(np.abs((turn - angles + np.pi) % (2.0 * np.pi) - np.pi))]
        out = np.array((math.cos(corner), math.sin(corner))) + 0.5 * np.array((math.cos(turn), math.sin(turn)))
        is_around_a_corner = abs((turn - corner + math.pi) % (2.0 * math.pi) - math.pi) < math.pi / corners - 1e-9
        found = manifold(polygon, BALL, (*out.tolist(), 0.0))
        if is_around_a_corner:
            assert found.separation[0, 0] == pytest.approx(0.0, abs=1e-12)
            assert found.normal[0] == pytest.approx((math.cos(turn), math.sin(turn)), abs=1e-9)
        middle = angles + math.pi / corners
        edge = middle[np.argmin(np.abs((turn - middle + np.pi) % (2.0 * np.pi) - np.pi))]
        over = (apothem + 0.49) * np.array((math.cos(edge), math.sin(edge)))
        assert manifold(polygon, BALL, (*over.tolist(), 0.0)).separation[0, 0] == pytest.approx(-0.01, abs=1e-12)


def test_a_ball_at_the_centre_goes_out_over_the_nearest_edge() -> None:
    found = manifold(BOX, BALL, (0.0, 0.0, 0.0))
    assert found.separation[0, 0] == -1.5
    assert abs(found.normal[0, 1]) == 1.0
