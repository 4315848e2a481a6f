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


ROUND = (
    ec.ArcPolygon([(-0.5, -0.3), (0.5, -0.3), (0.5, 0.3), (-0.5, 0.3)], [0.3, -0.25, 0.3, -0.25]),
    ec.ArcPolygon([(-0.5, 0.0), (0.5, 0.0)], [1.0, -0.5]),
    ec.ArcPolygon([(0.0, 0.5), (-0.5, -0.4), (0.5, -0.4)], [-0.2, 0.3, -0.2]),
)


def test_a_heap_of_shapes_with_arcs_comes_to_rest_and_is_not_swept_while_it_lies() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        static(ec.Box(5.0, 1.0), (0.0, -0.5))
        static(ec.Box(1.0, 20.0), (-2.5, 9.0))
        static(ec.Box(1.0, 20.0), (2.5, 9.0))
        random = np.random.default_rng(1)
        for k in range(18):
            at = ((k % 3 - 1) * 1.2 + random.uniform(-0.05, 0.05), 0.9 + 1.2 * (k // 3))
            dynamic(ROUND[k % 3], at, (0.0, 0.0), ec.RigidBody(angular_damping=1.0), angle=random.uniform(-3.0, 3.0))
        play.step(240)  # damped, because round bodies rock without end
        stopped = 0
        for _ in range(360):
            play.step()
            stopped += play.physics.statistics.stopped_bodies
        assert play.physics.statistics.sleeping_bodies == 18
        assert stopped < 20


@pytest.mark.parametrize("is_raised", [False, True])
def test_a_ball_larger_than_a_bowl_rests_on_its_rim(is_raised: bool) -> None:
    """Its centre is beyond the arc's: it touches both ends of the arc and nothing between them."""
    bowl = ec.ArcPolygon([(-0.5, -0.3), (0.5, -0.3), (0.5, 0.3), (-0.5, 0.3)], [0.0, 0.0, -0.5, 0.0])
    with game(gravity=(0.0, -9.81)) as play:
        static(bowl, (0.0, 0.0))
        rest = 0.3 + math.sqrt(0.8**2 - 0.5**2)
        ball = dynamic(ec.Circle(0.8), (0.0, rest + (0.5 if is_raised else 0.0)))
        play.step(180)
        assert play.pose(ball)[:2] == pytest.approx((0.0, rest), abs=0.01)


def test_a_body_on_a_raft_of_several_pieces_that_swims_loses_little_speed() -> None:
    """Nothing is covered between two dynamic bodies: a seam of a raft may be felt, but it stops nothing."""
    raft = ec.Bitmap([[1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0], [1] * 12], 1.0)
    with game(gravity=(0.0, -9.81)) as play:
        static(ec.Box(14.0, 1.0), (6.0, -0.5))
        dynamic(raft, (0.0, 0.0), density=20.0)
        slider = dynamic(ec.Box(0.6, 0.4), (1.0, 2.2), (4.0, 0.0), friction=0.0)
        play.step(120)
        assert play.velocity(slider)[0] > 3.0
