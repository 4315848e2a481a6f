"""Tiles whose sides slope inwards share no more than their top corners, and their sides are bare: still one floor."""

from __future__ import annotations

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, static

TILES = {
    "trapezoids": ec.Polygon([(-0.5, 0.0), (-0.3, -1.0), (0.3, -1.0), (0.5, 0.0)]),
    "steep trapezoids": ec.Polygon([(-0.5, 0.0), (-0.45, -0.3), (0.45, -0.3), (0.5, 0.0)]),
    "triangles": ec.Polygon([(-0.5, 0.0), (0.0, -1.0), (0.5, 0.0)]),
    "half triangles": ec.Polygon([(-0.5, 0.0), (0.5, -0.6), (0.5, 0.0)]),
}
SLIDERS = {
    "triangle": (ec.Polygon([(-0.5, -0.3), (0.5, -0.3), (0.0, 0.6)]), 0.3),
    "wedge": (ec.Polygon([(-0.6, -0.2), (0.6, -0.2), (0.6, 0.3)]), 0.2),
    "flat triangle": (ec.Polygon([(-0.5, -0.1), (0.5, -0.1), (0.0, 0.1)]), 0.1),
    "box": (ec.Box(1.0, 1.0), 0.5),
    "circle": (ec.Circle(0.4), 0.4),
}


@pytest.mark.parametrize("tile", TILES)
@pytest.mark.parametrize("name", SLIDERS)
def test_no_slider_is_stopped_by_a_side(tile: str, name: str) -> None:
    shape, high = SLIDERS[name]
    for speed, start in ((1.0, 5.0), (1.0, 5.37), (3.0, 5.0), (-3.0, 9.0), (8.0, 5.0)):
        with game(gravity=(0.0, -9.81), sleeping=False) as play:
            for k in np.random.default_rng(0).permutation(20).tolist():
                static(TILES[tile], (k + 0.5, 0.0), friction=0.0)
            body = dynamic(shape, (start, high + 1e-4), (speed, 0.0), friction=0.0)
            for _ in range(min(60, int(240 / abs(speed)))):
                play.step()
                assert play.velocity(body) == pytest.approx((speed, 0.0, 0.0), abs=0.02)


def test_a_wall_of_such_a_tile_at_the_end_of_a_floor_still_stops() -> None:
    """The last tile stands higher: its side is not below a surface that goes on."""
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        for k in range(10):
            static(TILES["trapezoids"], (k + 0.5, 0.3 if k == 9 else 0.0), friction=0.0)
        body = dynamic(ec.Box(0.4, 0.2), (6.0, 0.1 + 1e-4), (2.0, 0.0), ec.RigidBody(lock_rotation=True), friction=0.0)
        play.step(120)
        assert play.pose(body)[0] < 9.0
        assert play.velocity(body)[0] == pytest.approx(0.0, abs=1e-6)
