"""A locked axis neither moves nor gives way."""

from __future__ import annotations

import math

import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, ground

G = -9.81


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_ball_bounces_off_a_body_locked_along_x_as_off_a_wall(restitution: float) -> None:
    with game(sleeping=False) as play:
        ball = dynamic(ec.Circle(0.5), (-2.0, 0.0), (3.0, 0.0), restitution=restitution)
        post = dynamic(ec.Circle(0.5), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(lock_x=True))
        play.step(90)
        assert play.velocity(ball) == pytest.approx((-3.0 * restitution, 0.0, 0.0), abs=1e-9)
        assert play.velocity(post) == (0.0, 0.0, 0.0)
        assert play.pose(post) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("degrees", [20.0, 45.0, 80.0])
def test_a_slanting_impact_uses_the_mass_along_the_free_axis(degrees: float) -> None:
    """1 / K = 1 / (1/m_a + n_y^2 / m_b) for B locked along x."""
    normal_x, normal_y = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    reach = 1.0 - 1e-6
    with game(sleeping=False) as play:
        a = dynamic(ec.Circle(0.5), (0.0, 0.0), (2.0, 1.0), friction=0.0, restitution=0.5)
        lock = ec.RigidBody(lock_x=True)
        b = dynamic(ec.Circle(0.5), (reach * normal_x, reach * normal_y), (0.0, 0.0), lock, friction=0.0, density=3.0)
        play.step()
        mass_a, mass_b = play.physics.mass_of(a), 3.0 * math.pi / 4.0
        approach = -(2.0 * normal_x + normal_y)
        impulse = -1.5 * approach / (1.0 / mass_a + normal_y**2 / mass_b)
        expected_a = 2.0 - impulse / mass_a * normal_x, 1.0 - impulse / mass_a * normal_y, 0.0
        assert play.velocity(a) == pytest.approx(expected_a, abs=1e-9)
        assert play.velocity(b) == pytest.approx((0.0, impulse / mass_b * normal_y, 0.0), abs=1e-9)


def test_a_body_locked_along_x_still_falls() -> None:
    with game(gravity=(5.0, G), sleeping=False) as play:
        body = dynamic(ec.Circle(0.5), (1.0, 0.0), (2.0, 0.0), ec.RigidBody(lock_x=True))
        play.step(30)
        assert play.pose(body)[0] == 1.0
        assert play.velocity(body) == pytest.approx((0.0, 0.5 * G, 0.0), rel=1e-12)


def test_a_body_locked_along_y_slides_on_its_line() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        body = dynamic(ec.Circle(0.5), (0.0, 3.0), (2.0, 0.0), ec.RigidBody(lock_y=True))
        play.step(60)
        assert play.pose(body) == pytest.approx((2.0, 3.0, 0.0), rel=1e-12)
        assert play.pose(body)[1] == 3.0


def test_a_box_that_cannot_turn_does_not_tip() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        ground(friction=1.0)
        lock = ec.RigidBody(lock_rotation=True)
        box = dynamic(ec.Box(0.2, 3.0), (0.0, 1.5), (0.0, 0.0), lock, friction=1.0)
        dynamic(ec.Circle(0.3), (-3.0, 2.8), (6.0, 1.0), density=5.0)
        play.step(240)
        assert play.pose(box)[0] > 0.05
        assert play.pose(box)[1] == pytest.approx(1.5, abs=0.006)
        assert play.pose(box)[2] == 0.0
        assert play.velocity(box)[2] == 0.0


def test_a_free_box_tips_under_the_same_blow() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        ground(friction=1.0)
        box = dynamic(ec.Box(0.2, 3.0), (0.0, 1.5), friction=1.0)
        dynamic(ec.Circle(0.3), (-3.0, 2.8), (6.0, 1.0), density=5.0)
        play.step(240)
        assert play.pose(box)[2] == pytest.approx(-math.pi / 2.0, abs=0.1)


def test_a_body_locked_in_all_axes_is_a_wall() -> None:
    with game(sleeping=False) as play:
        ball = dynamic(ec.Circle(0.5), (-2.0, 0.2), (3.0, 0.0), restitution=1.0, friction=0.0)
        lock = ec.RigidBody(lock_x=True, lock_y=True, lock_rotation=True)
        wall = dynamic(ec.Box(1.0, 4.0), (0.0, 0.0), (0.0, 0.0), lock)
        play.step(90)
        assert play.velocity(ball) == pytest.approx((-3.0, 0.0, 0.0), abs=1e-9)
        assert play.pose(wall) == (0.0, 0.0, 0.0)


def test_a_lock_may_be_set_and_lifted() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        rigid = ec.RigidBody(lock_y=True)
        body = dynamic(ec.Circle(0.5), (0.0, 0.0), (0.0, 0.0), rigid)
        play.step(10)
        assert play.pose(body)[1] == 0.0
        rigid.lock_y = False
        play.step(60)
        assert play.velocity(body)[1] == pytest.approx(G, rel=1e-12)
        rigid.lock_y = True
        play.step()
        height = play.pose(body)[1]
        play.step(10)
        assert play.pose(body)[1] == height
        assert play.velocity(body)[1] == 0.0
