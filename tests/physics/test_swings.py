"""Bodies that swing on rods, pins, ropes and sliders at their limits keep their energy, and gain none."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.components.joints import Joint
from tests.support.worlds import dynamic, game, transform, velocity

GRAVITY = (0.0, -9.81)
NOTHING: dict[str, Any] = {"mask": 0}
"""A collider that meets nothing."""


def create_pendulum(kind: str, length: float, angle: float) -> int:
    """Create a ball that hangs at the origin, at an angle from the vertical; return its entity."""
    x, y = length * sin(angle), -length * cos(angle)
    ball = dynamic(ec.Circle(0.1), (x, y), **NOTHING)
    joints: list[Joint] = []
    if kind == "rope":
        joints.append(ec.DistanceJoint(ball, anchor_b=(0.0, 0.0), max_length=length))
    elif kind == "rod":
        joints.append(ec.DistanceJoint(ball, anchor_b=(0.0, 0.0), length=length))
    elif kind == "pin":
        joints.append(ec.RevoluteJoint(ball, point=(0.0, 0.0)))
    else:
        hub = dynamic(ec.Circle(0.05), **NOTHING)
        joints.append(ec.RevoluteJoint(hub, point=(0.0, 0.0)))
        axis = (x / length, y / length)
        joints.append(ec.PrismaticJoint(hub, ball, axis=axis, anchor_a=(0.0, 0.0), anchor_b=(0.0, 0.0), upper=length))
    for joint in joints:
        esper.create_entity(joint)
    return ball


@pytest.mark.parametrize("kind", ["rope", "rod", "pin", "slider"])
@pytest.mark.parametrize(
    ("length", "angle", "substeps"), [(1.0, pi / 2, 4), (3.0, pi / 2, 4), (1.0, pi / 4, 4), (1.0, 1.2, 8)]
)
def test_a_pendulum_keeps_its_height_for_a_minute(kind: str, length: float, angle: float, substeps: int) -> None:
    with game(gravity=GRAVITY, sleeping=False, substeps=substeps) as play:
        ball = create_pendulum(kind, length, angle)
        heights = []
        for _ in range(3600):
            play.step()
            heights.append(transform(ball).y + length)
        start = length * (1.0 - cos(angle))
        assert max(heights) < 1.001 * start
        assert max(heights[-250:]) > 0.988 * start


@pytest.mark.parametrize(("speed", "least"), [(5.0, 0.99), (20.0, 0.97)])
@pytest.mark.parametrize("kind", ["rope", "rod"])
def test_a_ball_that_circles_on_a_rope_keeps_its_speed_as_on_a_rod(kind: str, speed: float, least: float) -> None:
    with game(sleeping=False) as play:
        ball = create_pendulum(kind, 1.0, pi / 2)
        velocity(ball).linear = 0.0, speed
        fastest = 0.0
        for _ in range(600):
            play.step()
            fastest = max(fastest, hypot(*velocity(ball).linear))
        assert fastest <= speed * (1.0 + 1e-9)
        assert hypot(*velocity(ball).linear) > least * speed


@pytest.mark.parametrize("seed", range(12))
def test_chains_of_ropes_that_are_thrown_gain_no_energy(seed: int) -> None:
    random = np.random.default_rng(seed)
    with game(gravity=GRAVITY, sleeping=False) as play:
        balls: list[int] = []
        x = y = 0.0
        for _ in range(int(random.integers(2, 12))):
            length, angle = random.uniform(0.3, 1.0), random.uniform(-pi, pi)
            above, x, y = (x, y), x + length * cos(angle), y + length * sin(angle)
            ball = dynamic(ec.Circle(random.uniform(0.05, 0.2)), (x, y), tuple(random.normal(0.0, 2.0, 2)), **NOTHING)
            rope: dict[str, Any] = {"max_length": length * random.uniform(1.0, 1.3), "anchor_a": (0.0, 0.0)}
            esper.create_entity(
                ec.DistanceJoint(ball, balls[-1], anchor_b=(0.0, 0.0), **rope)
                if balls
                else ec.DistanceJoint(ball, anchor_b=above, **rope)
            )
            balls.append(ball)
        mass = np.array([play.physics.mass_of(ball) for ball in balls])

        def energy() -> float:
            motion = np.array([velocity(ball).linear for ball in balls])
            height = np.array([transform(ball).y for ball in balls])
            return float(mass @ (0.5 * (motion**2).sum(axis=1) + 9.81 * height))

        play.step(dt=1e-9)
        before = energy()
        for _ in range(600):
            play.step()
            assert energy() < before + 1e-3 * mass.sum() * 9.81


@pytest.mark.parametrize("hertz", [1.0, 3.0, 10.0])
@pytest.mark.parametrize("distance", [5.0, 15.0, 30.0, 100.0])
def test_a_damped_spring_with_a_greatest_length_does_not_swap_its_ends(hertz: float, distance: float) -> None:
    with game(sleeping=False) as play:
        a, b = dynamic(ec.Circle(0.2), **NOTHING), dynamic(ec.Circle(0.2), (distance, 0.0), **NOTHING)
        esper.create_entity(
            ec.DistanceJoint(a, b, anchor_a=(0.0, 0.0), anchor_b=(0.0, 0.0), length=1.0, max_length=2.0, hertz=hertz)
        )
        for _ in range(300):
            play.step()
            assert transform(b).x - transform(a).x > 0.9
        assert transform(b).x - transform(a).x == pytest.approx(1.0, abs=0.01)
