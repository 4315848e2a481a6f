"""Bodies of several pieces in a heap part as far as convex ones do, and the heap comes to rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.reference.solids import star
from tests.support.worlds import dynamic, game, static

STAR = ec.Polygon(star(5, 0.45, 0.18))


@pytest.mark.parametrize("depth", [0.02, 0.1, 0.2])
@pytest.mark.parametrize("turn", [0.0, 0.3, 0.628])
def test_two_stars_whose_tips_cross_always_have_a_contact(turn: float, depth: float) -> None:
    tip = 0.5 * math.pi
    with game(gravity=(0.0, 0.0)) as play:
        dynamic(STAR, (0.0, 0.0))
        dynamic(STAR, (0.03, 0.9 - depth), angle=tip + turn)
        if ec.distance(STAR, (0.0, 0.0, 0.0), STAR, (0.03, 0.9 - depth, tip + turn)) < 0.0:
            play.step(1)
            assert len(play.physics.contacts) > 0


def test_a_heap_of_stars_comes_to_rest() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        static(ec.Box(5.0, 1.0), (0.0, -0.5))
        static(ec.Box(1.0, 20.0), (-2.5, 9.0))
        static(ec.Box(1.0, 20.0), (2.5, 9.0))
        random = np.random.default_rng(5)
        stars = [
            dynamic(STAR, ((k % 3 - 1) * 1.2, 0.8 + 1.1 * (k // 3)), angle=random.uniform(-3.0, 3.0)) for k in range(30)
        ]
        play.step(1000)
        poses = [play.pose(entity) for entity in stars]
        depths = [-min(0.0, ec.distance(STAR, poses[i], STAR, poses[j])) for i in range(len(poses)) for j in range(i)]
        assert max(depths) < 0.03
        assert [entity for entity in stars if play.physics.is_awake(entity)] == []


def test_a_body_on_a_raft_of_several_pieces_that_swims_loses_little_speed() -> None:
    """Nothing is covered between two dynamic bodies: a seam of a raft may be felt, but it stops nothing."""
    raft = ec.Bitmap([[1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0], [1] * 12], 1.0)
    with game(gravity=(0.0, -9.81)) as play:
        static(ec.Box(14.0, 1.0), (6.0, -0.5))
        dynamic(raft, (0.0, 0.0), density=20.0)
        slider = dynamic(ec.Box(0.6, 0.4), (1.0, 2.2), (4.0, 0.0), friction=0.0)
        play.step(120)
        assert play.velocity(slider)[0] > 3.0
