"""Rolling resistance: a bounded torque against rolling."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, dynamic, game, ground, static

GRAVITY = 10.0
RADIUS = 0.3


@pytest.mark.parametrize("resistance", [0.0, 0.02, 0.1])
@pytest.mark.parametrize("of_ground", [False, True])
def test_a_disk_that_rolls_slows_down_evenly_and_rests(resistance: float, of_ground: bool) -> None:
    """Of a torque c r N two thirds slow a disk down: a = 2/3 c g. The greater coefficient of the two counts."""
    speed = 4.0
    with game(gravity=(0.0, -GRAVITY)) as play:
        floor, ball = (resistance, 0.5 * resistance) if of_ground else (0.0, resistance)
        static(ec.HalfPlane(), friction=1.0, rolling_resistance=floor)
        body = dynamic(
            ec.Circle(RADIUS), (0.0, RADIUS), (speed, 0.0), angular=-speed / RADIUS, friction=1.0,
            rolling_resistance=ball,
        )  # fmt: skip
        for step in range(1, 120):
            play.step()
            expected = max(0.0, speed - 2.0 / 3.0 * resistance * GRAVITY * step * DT)
            assert play.velocity(body)[0] == pytest.approx(expected, abs=1e-3)
        play.step(2000 if resistance > 0.0 else 0)
        assert play.physics.is_awake(body) == (resistance == 0.0)


@pytest.mark.parametrize(("slope", "resistance", "rolls"), [(0.1, 0.09, True), (0.1, 0.11, False), (0.3, 0.32, False)])
def test_a_ball_lies_on_a_slope_that_is_flatter_than_its_resistance(
    slope: float, resistance: float, rolls: bool
) -> None:
    angle = math.atan(slope)
    normal = -math.sin(angle), math.cos(angle)
    with game(gravity=(0.0, -GRAVITY)) as play:
        ground(1.0, angle_normal=normal)
        place = RADIUS * normal[0], RADIUS * normal[1]
        ball = dynamic(ec.Circle(RADIUS), place, friction=1.0, rolling_resistance=resistance)
        play.step(120)
        way = math.dist(play.pose(ball)[:2], place)
        force = max(0.0, math.sin(angle) - resistance * math.cos(angle))
        assert way == pytest.approx(0.5 * 2.0 / 3.0 * GRAVITY * force * 4.0, rel=0.03, abs=2e-3)
        assert play.physics.is_awake(ball) == rolls


def test_two_balls_that_roll_on_each_other_share_their_radii() -> None:
    """1 / R = 1 / 0.3 + 1 / 0.6: a pair that is pressed together, of which one turns."""
    with game() as play:
        held = dynamic(ec.Circle(0.6), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(lock_x=True, lock_y=True), friction=0.0)
        turning = dynamic(
            ec.Circle(0.3), (0.9, 0.0), (0.0, 0.0), ec.RigidBody(lock_y=True), ec.Force(-5.0, 0.0, 0.0),
            angular=40.0, friction=0.0, rolling_resistance=0.1,
        )  # fmt: skip
        play.step(20)
        before = play.velocity(held)[2], play.velocity(turning)[2]
        play.step(6)
        after = play.velocity(held)[2], play.velocity(turning)[2]
        torque = 0.1 * 0.2 * 5.0
        inertia = [0.5 * math.pi * radius**4 for radius in (0.6, 0.3)]
        assert after[0] - before[0] == pytest.approx(6 * DT * torque / inertia[0], rel=1e-3)
        assert after[1] - before[1] == pytest.approx(-6 * DT * torque / inertia[1], rel=1e-3)


def test_a_heap_of_balls_comes_to_rest_and_gains_no_energy() -> None:
    random = np.random.default_rng(4)
    with game(gravity=(0.0, -GRAVITY)) as play:
        static(ec.Box(3.0, 0.2), (0.0, -0.1))
        balls = [
            dynamic(ec.Circle(0.2), (float(x), 0.3 + 0.45 * k), friction=0.6, rolling_resistance=0.1)
            for k, x in enumerate(random.uniform(-0.8, 0.8, 24))
        ]
        masses = [play.physics.mass_of(ball) for ball in balls]
        last = start = sum(m * GRAVITY * play.pose(ball)[1] for m, ball in zip(masses, balls, strict=True))
        for _ in range(600):
            play.step()
            kinetic = sum(
                0.5 * m * (x * x + y * y) + 0.25 * m * 0.04 * w * w
                for m, (x, y, w) in zip(masses, map(play.velocity, balls), strict=True)
            )
            energy = kinetic + sum(m * GRAVITY * play.pose(ball)[1] for m, ball in zip(masses, balls, strict=True))
            assert energy < last + 0.01 * start, "as without resistance, overlaps that are pushed out give a little"
            last = energy
        resting = [ball for ball in balls if play.pose(ball)[1] > 0.0]
        assert len(resting) > 6 and not any(map(play.physics.is_awake, resting))


@pytest.mark.parametrize("resistance", [0.05, 0.5, 5.0])
def test_a_ball_that_is_thrown_with_any_spin_only_loses_energy(resistance: float) -> None:
    random = np.random.default_rng(6)
    for _ in range(20):
        with game(gravity=(0.0, -GRAVITY)) as play:
            ground(0.7)
            ball = dynamic(
                ec.Circle(RADIUS), (0.0, RADIUS), (random.uniform(-5.0, 5.0), 0.0), angular=random.uniform(-30.0, 30.0),
                friction=0.7, rolling_resistance=resistance,
            )  # fmt: skip
            last = math.inf
            for _ in range(60):
                play.step()
                x, y, w = play.velocity(ball)
                energy = 0.5 * (x * x + y * y) + 0.25 * RADIUS**2 * w * w
                assert energy <= last + 1e-4
                last = energy


def test_rolling_resistance_does_not_slow_a_sliding_body() -> None:
    """Rolling resistance acts neither on a box that lies flat nor on one that slides."""
    poses = []
    for resistance in (0.0, 0.5):
        with game(gravity=(0.0, -GRAVITY)) as play:
            ground(0.3)
            box = dynamic(ec.Box(1.0, 0.5), (0.0, 0.25), (3.0, 0.0), friction=0.3, rolling_resistance=resistance)
            play.step(60)
            poses.append(play.pose(box))
    assert poses[0] == pytest.approx(poses[1], abs=1e-6)
