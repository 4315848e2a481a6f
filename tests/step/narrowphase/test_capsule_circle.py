"""Capsule or segment against circle: OC's closest point of the axis, in its three regions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecs_collide.shapes.piece import capsule_piece, circle_piece
from tests.support.reference.pair_bench import manifold

ROD = capsule_piece((-1.0, 0.0), (1.0, 0.0), 0.25)
LINE = capsule_piece((-1.0, 0.0), (1.0, 0.0), 0.0)
BALL = circle_piece((0.0, 0.0), 0.5)


@pytest.mark.parametrize(
    ("place", "normal", "separation"),
    [
        ((0.3, 0.74), (0.0, 1.0), -0.01),
        ((-0.7, -0.76), (0.0, -1.0), 0.01),
        ((1.0, 0.75), (0.0, 1.0), 0.0),
        ((1.75, 0.0), (1.0, 0.0), 0.0),
        ((-1.45, 0.6), (-0.6, 0.8), 0.0),
        ((1.0 + 0.3, -0.4), (0.6, -0.8), -0.25),
    ],
    ids=["above", "below", "above the end", "in line", "around an end", "deep around an end"],
)
def test_the_three_regions_of_the_axis(
    place: tuple[float, float], normal: tuple[float, float], separation: float
) -> None:
    for turn in (0.0, 0.4, 2.5):
        c, s = math.cos(turn), math.sin(turn)
        turned = np.array(((c, -s), (s, c)))
        found = manifold(ROD, BALL, (*(turned @ place).tolist(), 1.0), (0.0, 0.0, turn))
        assert found.count[0] == 1
        assert found.normal[0] == pytest.approx(turned @ normal, abs=1e-12)
        assert found.separation[0, 0] == pytest.approx(separation, abs=1e-12)


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.0, 2.0, np.pi])
@pytest.mark.parametrize("along", np.linspace(-0.9, 0.9, 7))
def test_a_ball_on_the_axis_goes_out_sideways(along: float, turn: float) -> None:
    x, y = along * np.cos(turn), along * np.sin(turn)
    found = manifold(ROD, BALL, (x, y, 0.0), (0.0, 0.0, turn))
    assert found.separation[0, 0] == pytest.approx(-0.75, abs=1e-12)
    assert found.normal[0] @ (np.cos(turn), np.sin(turn)) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_segment_is_touched_from_both_sides(side: float) -> None:
    found = manifold(LINE, BALL, (0.2, 0.49 * side, 0.0))
    assert found.normal[0].tolist() == [0.0, side]
    assert found.on_a(0)[0] == pytest.approx((0.2, 0.0), abs=1e-15)
    assert found.separation[0, 0] == pytest.approx(-0.01, abs=1e-15)


def test_a_ball_at_the_end_of_the_axis_goes_out_along_its_normal() -> None:
    found = manifold(ROD, BALL, (1.0, 0.0, 0.0))
    assert found.separation[0, 0] == -0.75
    assert abs(found.normal[0, 1]) == 1.0


def test_a_gap_counts_up_to_the_reach() -> None:
    assert manifold(ROD, BALL, (0.0, 1.0, 0.0), reach=0.25).count[0] == 1
    assert manifold(ROD, BALL, (0.0, math.nextafter(1.0, 2.0), 0.0), reach=0.25).count[0] == 0
    assert manifold(ROD, BALL, (2.0, 0.0, 0.0), reach=0.25).count[0] == 1
    assert manifold(ROD, BALL, (math.nextafter(2.0, 3.0), 0.0, 0.0), reach=0.25).count[0] == 0
