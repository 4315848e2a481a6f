"""Surfaces that run: friction carries what lies on them up to their speed."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, collider, dynamic, game, static

GRAVITY = 10.0


def belt(kind: ec.BodyKind, speed: float, friction: float = 0.5, angle: float = 0.0) -> int:
    return esper.create_entity(
        ec.Transform(0.5 * math.sin(angle), -0.5 * math.cos(angle), angle),
        ec.RigidBody(kind),
        ec.Collider(ec.Box(200.0, 1.0), surface_speed=speed, friction=friction),
    )


@pytest.mark.parametrize("kind", [ec.BodyKind.STATIC, ec.BodyKind.KINEMATIC])
@pytest.mark.parametrize(("speed", "friction"), [(3.0, 0.5), (-2.0, 0.2), (8.0, 1.0)])
def test_a_box_comes_up_to_the_speed_by_friction(kind: ec.BodyKind, speed: float, friction: float) -> None:
    with game(gravity=(0.0, -GRAVITY)) as play:
        belt(kind, speed, friction)
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5), friction=friction)
        for step in range(1, 200):
            play.step()
            expected = math.copysign(min(abs(speed), friction * GRAVITY * step * DT), speed)
            assert play.velocity(box)[0] == pytest.approx(expected, abs=0.01)
        assert play.velocity(box) == pytest.approx((speed, 0.0, 0.0), abs=1e-6)


def test_surfaces_that_touch_add_up_and_a_belt_runs_clockwise_around_its_shape() -> None:
    with game(gravity=(0.0, -GRAVITY)) as play:
        belt(ec.BodyKind.STATIC, 3.0)
        crawler = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5), surface_speed=-1.0)
        play.step(90)
        assert play.velocity(crawler)[0] == pytest.approx(2.0, abs=1e-6)
        assert play.physics.contacts.surface_speed.tolist() == [2.0]
    with game(gravity=(0.0, GRAVITY)) as play:  # what hangs on the under side goes the other way
        belt(ec.BodyKind.STATIC, 3.0)
        box = dynamic(ec.Box(1.0, 1.0), (0.0, -1.5))
        play.step(90)
        assert play.velocity(box)[0] == pytest.approx(-3.0, abs=1e-6)


def test_a_ball_on_a_belt_turns() -> None:
    """A disk that is not held gets to a third of the speed, as on a table cloth that is pulled, and rolls."""
    with game(gravity=(0.0, -GRAVITY)) as play:
        belt(ec.BodyKind.STATIC, 3.0)
        ball = dynamic(ec.Circle(0.5), (0.0, 0.5))
        play.step(120)
        x, _, spin = play.velocity(ball)
        assert (x, spin) == pytest.approx((1.0, 4.0), abs=0.01)
        assert x + 0.5 * spin == pytest.approx(3.0, abs=1e-6)


def test_a_dynamic_belt_is_driven_back() -> None:
    with game() as play:
        board = dynamic(ec.Box(4.0, 0.2), surface_speed=2.0, density=1.0)
        box = dynamic(ec.Box(0.4, 0.4), (0.0, 0.3), (0.0, -0.5), density=5.0)
        play.step(30)
        assert play.velocity(box)[0] > 0.05 > -0.05 > play.velocity(board)[0]
        momentum = sum(play.physics.mass_of(entity) * play.velocity(entity)[0] for entity in (board, box))
        assert momentum == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("kind", [ec.BodyKind.STATIC, ec.BodyKind.KINEMATIC])
def test_a_sleeping_box_wakes_when_the_belt_is_switched_on_and_stays_awake_while_it_runs(kind: ec.BodyKind) -> None:
    with game(gravity=(0.0, -GRAVITY)) as play:
        ground = belt(kind, 0.0)
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
        play.step(90)
        assert not play.physics.is_awake(box)
        collider(ground).surface_speed = 0.03  # less than what counts as rest
        play.step(120)
        assert play.physics.is_awake(box)
        assert play.velocity(box)[0] == pytest.approx(0.03, abs=1e-6)
        collider(ground).surface_speed = 0.0
        play.step(90)
        assert not play.physics.is_awake(box)


def test_a_row_of_tiles_carries_evenly() -> None:
    with game(gravity=(0.0, -GRAVITY)) as play:
        for k in range(20):
            static(ec.Box(1.0, 1.0), (k - 2.0, -0.5), surface_speed=2.0)
        box = dynamic(ec.Box(0.8, 0.8), (0.0, 0.4))
        play.step(60)
        for _ in range(300):
            play.step()
            assert play.velocity(box) == pytest.approx((2.0, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_a_character_is_carried(angle: float) -> None:
    with game() as play:
        ground = belt(ec.BodyKind.STATIC, 3.0, angle=angle)
        gap = 0.4 / math.cos(angle)
        player = esper.create_entity(
            ec.Transform(0.0, gap), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Circle(0.4))
        )
        for _ in range(60):
            slide = play.physics.move_and_slide(player, (0.0, -1.0), DT)
        assert slide.floor == ground
        assert slide.floor_velocity == pytest.approx((3.0 * math.cos(angle), 3.0 * math.sin(angle)), abs=1e-9)
        assert slide.position == pytest.approx((3.0 * math.cos(angle), gap + 3.0 * math.sin(angle)), abs=1e-6)
