"""Rounded pieces in a row whose cores meet are one floor, where their radii are equal."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.long_floor import BODIES, COUNT, GAP, track
from tests.support.worlds import dynamic, game, static

RADIUS = 0.2


def capsules() -> None:
    for k in np.random.default_rng(0).permutation(COUNT).tolist():
        static(ec.Capsule((float(k), -RADIUS), (k + 1.0, -RADIUS), RADIUS), friction=0.0)


def rounded_tiles() -> None:
    for k in np.random.default_rng(0).permutation(COUNT).tolist():
        corners = [(k + x, y) for x, y in ((0.0, -1.0), (1.0, -1.0), (1.0, -RADIUS), (0.0, -RADIUS))]
        static(ec.Polygon(corners, radius=RADIUS), friction=0.0)


@pytest.mark.parametrize("floor", [capsules, rounded_tiles])
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("speed", [0.5, 2.0, 7.0])
def test_a_body_that_slides_over_rounded_pieces_keeps_its_speed(name: str, speed: float, floor: object) -> None:
    assert callable(floor)
    shape, _, high = BODIES[name]
    row = track(floor, shape, (5.0, high + GAP), (speed, 0.0), 120, friction=0.0)
    assert np.abs(row[:, 3] - speed).max() < 1e-9
    assert np.abs(row[:, 4]).max() < 0.02


def test_pieces_of_unequal_radii_do_not_cover_each_other() -> None:
    """The cores of the right half lie as those of the left do, but its surface is lower: a step that a box feels."""
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        for k in range(8):
            static(ec.Capsule((float(k), 0.0), (k + 1.0, 0.0), 0.2 if k < 4 else 0.1), friction=0.0)
        ball = dynamic(ec.Circle(0.1), (6.0, 0.2), (-2.0, 0.0), friction=0.0)
        play.step(90)
        assert play.pose(ball)[0] > 3.5


def test_a_capsule_taken_out_of_a_row_leaves_a_hole() -> None:
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        row = [static(ec.Capsule((float(k), 0.0), (k + 1.0, 0.0), 0.1), friction=0.0) for k in range(5)]
        ball = dynamic(ec.Circle(0.1), (2.5, 0.2), friction=0.0)
        play.step(10)
        assert play.pose(ball)[1] > 0.19
        esper.delete_entity(row[2])
        play.step(60)
        assert play.pose(ball)[1] < -1.0
