"""Bodies of several pieces that lie flat on rows: a piece in their midst has no corner of its own to stand on."""

from __future__ import annotations

import math

import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, static

CELL = 0.2
LENGTH = 0.7


@pytest.mark.parametrize("x", [-1.457, -1.617, -2.283, -0.221])
@pytest.mark.parametrize("lift", [-1e-4, 0.0, 1e-4])
def test_a_comb_on_its_back_on_a_row_of_segments(x: float, lift: float) -> None:
    """A tooth's column lies in the middle of one segment, and its height is less than its diameter."""
    comb = ec.Bitmap([[1, 0, 1, 0, 1], [1, 1, 1, 1, 1]], CELL)  # two cells high, the back above
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        for k in range(24):
            static(ec.Segment((0.0, 0.0), (LENGTH, 0.0)), (LENGTH * k - 8.0, 0.0))
        body = dynamic(comb, (x, 2.0 * CELL + lift), angle=math.pi)
        play.step()
        for contact in play.physics.contacts_of(body):
            assert contact.normal == pytest.approx((0.0, 1.0), abs=1e-9)
            assert min(contact.separations) > -0.005
        play.step(120)
        assert play.pose(body) == pytest.approx((x, 2.0 * CELL, math.pi), abs=0.006)


@pytest.mark.parametrize("seed", [3, 5, 6])
def test_a_comb_that_falls_on_a_row_of_segments_stays_above(seed: int) -> None:
    comb = ec.Bitmap([[1, 0, 1, 0, 1], [1, 1, 1, 1, 1]], CELL)
    with game(gravity=(0.0, -9.81)) as play:
        for k in range(24):
            static(ec.Segment((0.0, 0.0), (LENGTH, 0.0)), (LENGTH * k - 8.0, 0.0))
        body = dynamic(comb, (0.37 * seed - 2.0, 1.5), (0.5, -2.0), angle=math.pi + 0.2 * (seed - 4), angular=-0.3)
        play.step(200)
        assert play.pose(body)[1] > 0.15
        assert math.hypot(*play.velocity(body)) < 0.01
