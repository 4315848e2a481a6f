"""Bounces of bodies on joints: Newton's law holds at the contact, and the joints hold as well."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, pi, sin
from random import Random
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.components.joints import Joint
from tests.support.worlds import dynamic, game, kinematic, static, transform

ELASTIC: dict[str, Any] = {"restitution": 1.0, "friction": 0.0}


def entity_of_joint(joint: Joint) -> None:
    """Create an entity with a joint."""
    esper.create_entity(joint)


@pytest.mark.parametrize("heavier", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("restitution", [0.4, 1.0])
def test_two_welded_boxes_bounce_off_a_wall_as_one(heavier: float, restitution: float) -> None:
    """The weld passes the bounce of the box at the wall on to the other one."""
    with game() as play:
        static(ec.Box(1.0, 10.0), (4.0, 0.0), restitution=restitution, friction=0.0)
        front = dynamic(ec.Box(1.0, 1.0), (0.0, 0.0), (3.0, 0.0), **ELASTIC, restitution_rule=ec.Combine.MINIMUM)
        rear = dynamic(ec.Box(1.0, 1.0), (-1.0, 0.0), (3.0, 0.0), density=heavier)
        entity_of_joint(ec.WeldJoint(front, rear))
        play.step(120)
        for body in (front, rear):
            assert play.velocity(body) == pytest.approx((-3.0 * restitution, 0.0, 0.0), rel=0.02, abs=0.01)


def test_a_welded_pair_that_falls_bounces_to_the_height_of_a_single_body() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.HalfPlane(), restitution=0.5)
        lower, upper = dynamic(ec.Box(1.0, 1.0), (0.0, 5.5)), dynamic(ec.Box(1.0, 1.0), (0.0, 6.5))
        entity_of_joint(ec.WeldJoint(lower, upper))
        play.step(65)
        heights = []
        for _ in range(60):
            play.step()
            heights.append(transform(lower).y)
        assert max(heights) == pytest.approx(0.5 + 5.0 * 0.25, abs=0.01)


@pytest.mark.parametrize("mass", [0.1, 1.0, 30.0])
def test_a_ball_bounces_off_a_pinned_disk_as_off_a_wall(mass: float) -> None:
    with game() as play:
        disk = dynamic(ec.Circle(0.5), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(mass=1.0), **ELASTIC)
        pin = ec.RevoluteJoint(disk)
        entity_of_joint(pin)
        ball = dynamic(ec.Circle(0.5), (-2.0, 0.0), (2.0, 0.0), ec.RigidBody(mass=mass), **ELASTIC)
        most = 0.0
        for _ in range(90):
            play.step()
            most = max(most, pin.force)
        assert play.velocity(ball) == pytest.approx((-2.0, 0.0, 0.0), rel=0.01, abs=0.01)
        assert play.velocity(disk) == pytest.approx((0.0, 0.0, 0.0), abs=0.01)
        assert most == pytest.approx(4.0 * mass * 60.0, rel=0.01)  # the pin bears the impulse of the bounce


def test_the_end_of_a_rod_takes_the_momentum_for_both_of_its_balls() -> None:
    with game() as play:
        near, far = dynamic(ec.Circle(0.5), (0.0, 0.0), **ELASTIC), dynamic(ec.Circle(0.5), (2.0, 0.0), **ELASTIC)
        entity_of_joint(ec.DistanceJoint(near, far))
        ball = dynamic(ec.Circle(0.5), (-3.0, 0.0), (3.0, 0.0), **ELASTIC)
        play.step(90)
        speeds = [play.velocity(body)[0] for body in (ball, near, far)]
        assert speeds == pytest.approx([-1.0, 2.0, 2.0], abs=0.01)


def test_a_hinge_with_friction_gives_no_impulse_in_a_bounce() -> None:
    """A bar on a rusty hinge is hit as a free bar: v' = v - (1 + e) v (1 / m) / (1 / m + r^2 / I)."""
    with game() as play:
        bar = dynamic(ec.Box(2.0, 0.2), (1.0, 0.0), **ELASTIC)
        entity_of_joint(ec.RevoluteJoint(bar, point=(0.0, 0.0), max_motor_torque=1e-3))
        ball = dynamic(ec.Circle(0.2), (1.5, 2.0), (0.0, -5.0), **ELASTIC)
        play.step(40)
        mass, inertia = pi * 0.04, 0.4 * (4.0 + 0.04) / 12.0 + 0.4
        expected = -5.0 + 2.0 * 5.0 / mass / (1.0 / mass + 1.5**2 / inertia)
        assert play.velocity(ball)[1] == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("joint", [ec.DistanceJoint, ec.RevoluteJoint])
def test_newtons_cradle_hangs_on_joints(joint: Callable[..., Joint]) -> None:
    angle = 0.6
    with game(gravity=(0.0, -9.81)) as play:
        balls = [dynamic(ec.Circle(0.25), (0.5 * k, 0.0), **ELASTIC) for k in range(5)]
        for k, ball in enumerate(balls):
            if joint is ec.RevoluteJoint:
                entity_of_joint(joint(ball, point=(0.5 * k, 2.0)))
            else:
                entity_of_joint(joint(ball, anchor_b=(0.5 * k, 2.0)))
        play.step()
        place = transform(balls[0])
        place.x, place.y = -2.0 * sin(angle), 2.0 - 2.0 * (1.0 - sin(angle) ** 2) ** 0.5
        place.angle = -angle if joint is ec.RevoluteJoint else 0.0
        start, highest = place.y, 0.0
        for _ in range(100):
            play.step()
            highest = max(highest, transform(balls[4]).y)
            assert max(abs(transform(ball).x - 0.5 * k) for k, ball in enumerate(balls) if k in (1, 2, 3)) < 0.02
        assert highest == pytest.approx(start, rel=0.03)


def test_rods_and_hinges_in_an_elastic_box_keep_their_energy() -> None:
    """Three quarters of it were lost within 15 s."""
    random = Random(1)
    with game() as play:
        for x, y, width, height in ((0.0, 5.5, 12.0, 1.0), (0.0, -5.5, 12.0, 1.0), (5.5, 0.0, 1.0, 12.0)):
            static(ec.Box(width, height), (x, y), **ELASTIC)
        static(ec.Box(1.0, 12.0), (-5.5, 0.0), **ELASTIC)
        for k in range(6):
            x, y = -3.5 + 1.4 * k, random.uniform(-3.0, 3.0)
            speeds = [random.uniform(-3.0, 3.0) for _ in range(4)]
            a = dynamic(ec.Circle(0.3), (x, y), (speeds[0], speeds[1]), **ELASTIC)
            b = dynamic(ec.Circle(0.3), (x + 0.8, y), (speeds[2], speeds[3]), **ELASTIC)
            entity_of_joint(ec.DistanceJoint(a, b) if k % 2 else ec.RevoluteJoint(a, b, point=(x + 0.4, y)))
        play.step(2)
        energy = play.physics.kinetic_energy()
        for _ in range(900):
            play.step()
            assert play.physics.kinetic_energy() < 1.001 * energy
        assert play.physics.kinetic_energy() > 0.9 * energy


def test_a_box_that_a_welded_pair_wedges_is_not_thrown_out() -> None:
    """Its bounces cannot all be kept: pushes grew until it left at 10 km/s."""
    with game() as play:
        shape = ec.Box(0.6, 0.4)
        poses = [(-3.383087, -1.237944, 63.809866), (-3.018662, -1.95012, 97.159768)]
        poses += [(-2.734259, -1.0484, 7.159652), (-3.349045, -0.536433, 7.159652)]
        speeds = [(3.093154, 5.179336, -15.772365), (-2.40896, 2.25019, -0.099756)]
        speeds += [(-0.356319, 2.238256, 0.917236), (-0.826925, 1.67525, 0.917236)]
        masses = 0.038596, 0.24, 0.174702, 0.24
        boxes = [
            dynamic(shape, pose[:2], speed[:2], angle=pose[2], angular=speed[2], density=mass / 0.24, **ELASTIC)
            for pose, speed, mass in zip(poses, speeds, masses, strict=True)
        ]
        entity_of_joint(ec.DistanceJoint(boxes[0], boxes[1]))
        entity_of_joint(ec.WeldJoint(boxes[2], boxes[3]))
        energy = play.physics.kinetic_energy()
        for _ in range(10):
            play.step()
            assert play.physics.kinetic_energy() < 1.001 * energy


@pytest.mark.parametrize("seed", range(4))
def test_jointed_bodies_with_friction_gain_nothing_as_they_bounce(seed: int) -> None:
    random, g = Random(seed), 9.81
    with game(gravity=(0.0, -g)) as play:
        walls: dict[str, Any] = {"restitution": 0.8, "friction": 0.5}
        static(ec.HalfPlane(), **walls)
        for x in (-6.0, 6.0):
            static(ec.Box(1.0, 30.0), (x, 5.0), **walls)
        bodies = []
        for k in range(6):
            limbs = [
                dynamic(ec.Box(0.5, 0.25), (-4.0 + 1.4 * k, 3.0 + 0.3 * j), (random.uniform(-3.0, 3.0), 0.0), **walls)
                for j in range(3)
            ]
            for a, b in ((limbs[0], limbs[1]), (limbs[1], limbs[2])):
                pinned = ec.RevoluteJoint(a, b, anchor_a=(0.0, 0.15), anchor_b=(0.0, -0.15), lower=-0.6, upper=0.6)
                entity_of_joint(ec.WeldJoint(a, b) if k % 2 else pinned)
            bodies += limbs
        physics, last = play.physics, float("inf")
        for _ in range(400):
            play.step()
            energy = sum(physics.kinetic_energy(b) + physics.mass_of(b) * g * transform(b).y for b in bodies)
            assert energy < 1.005 * last
            last = energy
        assert max(hypot(*play.velocity(body)[:2]) for body in bodies) < 1.0


def test_a_moving_bat_gives_a_jointed_ball_twice_its_speed() -> None:
    with game() as play:
        kinematic(ec.Box(0.5, 4.0), (-3.0, 0.0), (2.0, 0.0), **ELASTIC)
        near, far = dynamic(ec.Circle(0.5), (0.0, 0.0), **ELASTIC), dynamic(ec.Circle(0.5), (2.0, 0.0), **ELASTIC)
        entity_of_joint(ec.DistanceJoint(near, far))
        play.step(120)
        assert [play.velocity(body)[0] for body in (near, far)] == pytest.approx([4.0, 4.0], abs=0.01)
