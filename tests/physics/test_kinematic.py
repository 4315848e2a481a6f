"""Bodies that go their own way: platforms, lifts and turning bars."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game

G = -9.81


def create_platform(
    position: tuple[float, float],
    velocity: tuple[float, float],
    shape: ec.Shape | None = None,
    friction: float = 0.8,
    angular: float = 0.0,
) -> int:
    kinematic = ec.RigidBody(ec.BodyKind.KINEMATIC)
    return dynamic(shape or ec.Box(6.0, 0.5), position, velocity, kinematic, friction=friction, angular=angular)


def test_a_platform_carries_a_box_along() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        lift = create_platform((0.0, 0.0), (1.0, 0.0))
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.75), friction=0.8)
        play.step(180)
        assert play.pose(lift) == pytest.approx((3.0, 0.0, 0.0), rel=1e-12)
        assert play.velocity(box) == pytest.approx((1.0, 0.0, 0.0), abs=1e-3)
        slip = 1.0 / (2.0 * 0.8 * -G)  # v^2 / (2 mu g)
        assert play.pose(box)[0] == pytest.approx(3.0 - slip, abs=0.01)


def test_a_platform_without_friction_slides_away() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        create_platform((0.0, 0.0), (1.0, 0.0), friction=0.0)
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.75), friction=0.8)
        play.step(120)
        assert play.pose(box)[0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("shape", [ec.Box(1.0, 1.0), ec.Circle(0.5)])
def test_a_lift_raises_a_body_without_a_bounce(shape: ec.Shape) -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        lift = create_platform((0.0, 0.0), (0.0, 0.0))
        body = dynamic(shape, (0.0, 0.75))
        play.step(60)
        esper.component_for_entity(lift, ec.Velocity).y = 1.0
        for step in range(180):
            play.step()
            gap = play.pose(body)[1] - play.pose(lift)[1] - 0.75
            assert -0.011 < gap < 1e-4, step
            if step > 5:
                assert play.velocity(body) == pytest.approx((0.0, 1.0, 0.0), abs=1e-3)
        assert play.contacts("collision_end") == []
        assert play.pose(lift)[1] == pytest.approx(3.0, rel=1e-12)


def test_a_lift_that_goes_down_slowly_keeps_its_load() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        lift = create_platform((0.0, 0.0), (0.0, 0.0))
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.75))
        play.step(60)
        esper.component_for_entity(lift, ec.Velocity).y = -0.1
        play.step(120)
        assert play.velocity(box) == pytest.approx((0.0, -0.1, 0.0), abs=1e-3)
        assert play.pose(box)[1] - play.pose(lift)[1] == pytest.approx(0.75, abs=0.006)
        assert play.contacts("collision_end") == []


def test_nothing_pushes_a_platform() -> None:
    with game(sleeping=False) as play:
        lift = create_platform((0.0, 0.0), (0.0, 0.5), angular=0.25)
        dynamic(ec.Circle(0.5), (0.0, 5.0), (0.0, -4.0), density=1e4)
        play.physics.apply_impulse(lift, (100.0, 100.0), (3.0, 0.0))
        play.physics.apply_force(lift, (100.0, 100.0), torque=5.0)
        play.step(120)
        assert play.velocity(lift) == (0.0, 0.5, 0.25)
        assert play.pose(lift) == pytest.approx((0.0, 1.0, 0.5), rel=1e-12)


def test_an_elastic_ball_gains_twice_the_speed_of_the_bat() -> None:
    with game(sleeping=False) as play:
        create_platform((0.0, 0.0), (0.0, 2.0))
        ball = dynamic(ec.Circle(0.5), (0.0, 3.0), (0.0, -1.0), restitution=1.0)
        play.step(90)
        assert play.velocity(ball) == pytest.approx((0.0, 5.0, 0.0), abs=1e-9)


def test_a_turning_bar_strikes_a_ball_with_the_speed_of_its_rim() -> None:
    with game(sleeping=False) as play:
        bar = create_platform((0.0, 0.0), (0.0, 0.0), ec.Box(4.0, 0.2), friction=0.0, angular=2.0)
        ball = dynamic(ec.Circle(0.25), (1.5, 1.0), friction=0.0)
        while not play.contacts("collision_start"):
            play.step()
            assert play.steps < 60
        (contact,) = play.contacts("collision_start")
        point_x, point_y = contact.points[0]
        normal_x, normal_y = contact.normal
        vx, vy, _ = play.velocity(ball)
        rim = -2.0 * point_y * normal_x + 2.0 * point_x * normal_y
        assert vx * normal_x + vy * normal_y == pytest.approx(rim, rel=0.03)
        assert math.hypot(vx, vy) == pytest.approx(rim, rel=0.03)
        assert play.velocity(bar) == (0.0, 0.0, 2.0)


def test_a_kinematic_body_passes_through_static_ones() -> None:
    with game(sleeping=False) as play:
        wall = esper.create_entity(ec.Transform(3.0, 0.0), ec.Collider(ec.Box(1.0, 5.0)))
        lift = create_platform((0.0, 0.0), (3.0, 0.0), ec.Box(1.0, 1.0))
        play.step(120)
        assert play.pose(lift)[0] == pytest.approx(6.0, rel=1e-12)
        assert play.events == []
        assert not play.physics.touching(wall, lift)


def test_the_kind_may_change() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        lift = create_platform((0.0, 0.0), (1.0, 0.0))
        rigid = esper.component_for_entity(lift, ec.RigidBody)
        play.step(60)
        rigid.kind = ec.BodyKind.DYNAMIC
        play.step(60)
        assert play.velocity(lift) == pytest.approx((1.0, G, 0.0), rel=1e-12)
        rigid.kind = ec.BodyKind.STATIC
        play.step()
        place = play.pose(lift)
        play.step(10)
        assert play.pose(lift) == place


PADDLES: dict[str, list[ec.Shape]] = {
    "chain": [ec.Chain([(0.0, -3.0), (0.0, -1.0), (0.0, 1.0), (0.0, 3.0)])],
    "segments": [ec.Segment((0.0, y), (0.0, y + 1.0)) for y in range(-3, 3)],
    "boxes": [ec.Polygon([(-0.01, y), (0.01, y), (0.01, y + 1.0), (-0.01, y + 1.0)]) for y in range(-3, 3)],
}
SWEPT: list[ec.Shape] = [
    ec.Segment((-0.3, 0.0), (0.3, 0.0)),
    ec.Capsule((-0.2, 0.0), (0.2, 0.0), 0.08),
    ec.Polygon([(-0.2, -0.15), (0.2, -0.15), (0.0, 0.25)]),
    ec.Chain([(-0.3, 0.2), (0.0, -0.1), (0.3, 0.2)]),
]


@pytest.mark.parametrize("paddle", PADDLES)
def test_a_fast_kinematic_row_carries_bodies_that_it_hits(paddle: str) -> None:
    """In the past, a body that met the end of the next piece stopped, and the rest of the row passed through it."""
    for seed in range(24):
        random = np.random.default_rng(seed)
        with game() as play:
            speed = random.uniform(1.0, 120.0)
            row = [create_platform((0.0, 0.0), (speed, 0.0), shape) for shape in PADDLES[paddle]]
            place, velocity = random.uniform((0.6, -2.0), (4.0, 2.0)), random.uniform((-20.0, -3.0), (5.0, 3.0))
            angle, spin = random.uniform(-3.0, 3.0), random.uniform(-5.0, 5.0)
            body = dynamic(SWEPT[seed % 4], tuple(place), tuple(velocity), angle=angle, angular=spin)
            for _ in range(60):
                play.step()
                x, y, _ = play.pose(body)
                if abs(y) > 2.7:
                    break  # past an end
                assert x > play.pose(row[0])[0] - 0.4, seed
