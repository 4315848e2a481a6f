"""Joints of what is swung, thrown and spun fast."""

from __future__ import annotations

from math import cos, dist, hypot, sin
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from benchmarks.engines.ecs_collide_engine import native_shape
from benchmarks.scenes.ragdolls import JOINTS, PARTS
from tests.physics.test_joints import AROUND, GRAVITY, energy, gap
from tests.support.worlds import dynamic, game, ground, kinematic, static, transform, velocity


@pytest.mark.parametrize(
    ("force", "spin", "amplitude"),
    [(50.0, 9.0, 6.0), (5000.0, 5.0, 3.0), (5000.0, 2.0, 3.0)],
    ids=["far", "hard", "slow"],
)
def test_a_rope_that_is_swung_until_it_cracks_stays_whole(force: float, spin: float, amplitude: float) -> None:
    """The chain whips round, with links that would turn by half a turn in a substep."""
    with game(gravity=GRAVITY) as play:
        links: list[int] = []
        joints: list[ec.RevoluteJoint] = []
        for k in range(25):
            links.append(dynamic(ec.Capsule((0.0, -0.1), (0.0, 0.1), 0.05), (0.0, -0.15 - 0.3 * k), **AROUND))
            if k:
                ends: dict[str, Any] = {"anchor_a": (0.0, -0.15), "anchor_b": (0.0, 0.15)}
                joints.append(ec.RevoluteJoint(links[-2], links[-1], **ends))
                esper.create_entity(joints[-1])
        hand = ec.TargetJoint(links[0], (0.0, 0.0), max_force=force, hertz=8.0, damping_ratio=1.0)
        esper.create_entity(hand)
        for k in range(600):
            hand.target = amplitude * sin(spin * k / 60.0), 2.0 * sin(5.0 * k / 60.0)
            play.step()
            assert gap(joints) < 5e-3


def test_rods_that_swing_with_a_heavy_ball_stay_as_long_as_they_are() -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        balls: list[int] = []
        for k in range(21):
            mass = ec.RigidBody(mass=100.0 if k == 20 else 1.0)
            balls.append(dynamic(ec.Circle(0.1), (0.5 * (k + 1), 0.0), (0.0, 0.0), mass, **AROUND))
            esper.create_entity(
                ec.DistanceJoint(balls[0], anchor_b=(0.0, 0.0)) if k == 0 else ec.DistanceJoint(balls[-2], balls[-1])
            )
        for _ in range(600):
            play.step()
            places = np.array([(0.0, 0.0), *(transform(ball).position for ball in balls)])
            assert np.abs(np.hypot(*np.diff(places, axis=0).T) - 0.5).max() < 2e-4


def test_a_swinging_body_turns_at_most_an_eighth_in_a_substep_and_a_wheel_is_free() -> None:
    with game() as play:
        bar = dynamic(ec.Box(1.0, 0.1), (0.5, 0.0), **AROUND)
        esper.create_entity(ec.RevoluteJoint(bar, anchor_a=(-0.5, 0.0), anchor_b=(0.0, 0.0)))
        car, wheel = static(ec.Box(1.0, 1.0), (0.0, 5.0), **AROUND), dynamic(ec.Circle(0.3), (0.4, 5.0), **AROUND)
        esper.create_entity(ec.RevoluteJoint(car, wheel, point=(0.4, 5.0)))
        velocity(bar).angular = velocity(wheel).angular = 1000.0
        velocity(bar).y = 500.0
        play.step(5)
        assert velocity(wheel).angular == pytest.approx(1000.0)
        assert 100.0 < velocity(bar).angular <= 0.25 * np.pi * 240.0 + 1e-9
        assert hypot(*transform(bar).position) == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize(
    ("turn", "x", "y", "angle"),
    [(2.77, 1.79, 9.78, -2.5), (0.04, -1.55, 8.79, 1.1), (0.99, 1.93, 9.92, 2.51), (1.71, 0.53, 9.63, -1.34)],
)
def test_a_rope_that_falls_over_a_turning_beam_slides_off(turn: float, x: float, y: float, angle: float) -> None:
    """A rope whose sweep stopped it as a whole hung in the air for seconds, while the beam turned on through it."""
    length = 0.45
    ends: dict[str, Any] = {"anchor_a": (-0.5 * length, 0.0), "anchor_b": (0.5 * length, 0.0)}
    with game(gravity=GRAVITY) as play:
        ground()
        kinematic(ec.Box(3.0, 0.3), (0.0, 5.0), angle=turn, angular=1.5)
        link = 0
        for k in range(10):
            place = x + length * k * cos(angle), y + length * k * sin(angle)
            before, link = link, dynamic(ec.Capsule((-0.185, 0), (0.185, 0), 0.04), place, angle=angle, group=-1)
            if before:
                esper.create_entity(ec.RevoluteJoint(link, before, **ends))
        place = x + length * 9.5 * cos(angle), y + length * 9.5 * sin(angle)
        weight = dynamic(ec.Circle(0.4), place, density=3.0)
        esper.create_entity(ec.RevoluteJoint(weight, link, anchor_a=(0.0, 0.0), anchor_b=(0.5 * length, 0.0)))
        still = longest = 0
        for _ in range(240):
            there = transform(weight).position
            play.step()
            moved, speed = dist(there, transform(weight).position), hypot(*velocity(weight).linear)
            still = still + 1 if speed > 1.0 and moved < 0.2 * speed / 60.0 else 0
            longest = max(longest, still)
        assert longest <= 5


@pytest.mark.parametrize("seed", range(3))
def test_ragdolls_thrown_at_walls_stay_inside_and_gain_nothing(seed: int) -> None:
    """At 60 m/s: a tree that a sweep stops gapes by some centimetres for a step."""
    random = np.random.default_rng(seed)
    with game(gravity=GRAVITY) as play:
        for x, y, width, height in (
            (-10.0, 0.0, 1.0, 40.0),
            (10.0, 0.0, 1.0, 40.0),
            (0.0, -12.0, 40.0, 1.0),
            (0.0, 12.0, 40.0, 1.0),
        ):
            static(ec.Box(width, height), (x, y))
        parts: list[int] = []
        joints: list[ec.RevoluteJoint] = []
        for _ in range(3):
            way, (x, y) = random.normal(size=2), random.uniform(-5.0, 5.0, 2).tolist()
            speed = (60.0 * way / hypot(*way)).tolist()
            doll = [dynamic(native_shape(shape), (x + dx, y + dy), speed, friction=0.5) for shape, (dx, dy) in PARTS]
            for pin in JOINTS:
                assert pin.limits is not None and pin.b is not None
                point, (lower, upper) = (x + pin.point[0], y + pin.point[1]), pin.limits
                joints.append(ec.RevoluteJoint(doll[pin.a], doll[pin.b], point=point, lower=lower, upper=upper))
                esper.create_entity(joints[-1])
            parts += doll
        play.step()
        before, gaps = energy(play), []
        for _ in range(400):
            play.step()
            gaps.append(gap(joints))
            assert energy(play) < before
            assert all(abs(transform(part).x) < 9.6 and abs(transform(part).y) < 11.6 for part in parts)
        assert max(gaps) < 0.1
        assert sum(found > 1e-3 for found in gaps) < 40
        assert max(gaps[-100:]) < 1e-3
