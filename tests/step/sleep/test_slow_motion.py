"""Slow springs and long pendulums fall asleep at their rest only."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import cos, sin
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, ground, static, transform

GRAVITY = (0.0, -9.81)
NOTHING: dict[str, Any] = {"mask": 0}
"""A collider that meets nothing."""


@pytest.mark.parametrize(
    ("hertz", "damping_ratio", "opened"),
    [(0.1, 1.0, 0.52), (0.1, 2.0, 1.0), (0.3, 1.0, 0.5), (1.0, 0.3, 0.5), (0.2, 0.1, 0.3)],
)
def test_a_door_closes_before_it_falls_asleep(hertz: float, damping_ratio: float, opened: float) -> None:
    with game() as play:
        door = dynamic(ec.Box(1.0, 0.1), (0.5 * cos(opened), 0.5 * sin(opened)), angle=opened, **NOTHING)
        hinge = ec.RevoluteJoint(
            door, anchor_a=(-0.5, 0.0), anchor_b=(0.0, 0.0), hertz=hertz, damping_ratio=damping_ratio
        )
        esper.create_entity(hinge)
        for _ in range(60 * 120):
            play.step()
            if not play.physics.is_awake(door):
                break
        else:
            pytest.fail("it never falls asleep")
        assert abs(hinge.angle) < 0.06


@pytest.mark.parametrize(("hertz", "damping_ratio"), [(0.05, 1.0), (0.1, 1.0), (0.3, 0.7), (1.0, 1.0), (4.0, 0.5)])
@pytest.mark.parametrize("gravity", [(0.0, 0.0), GRAVITY])
def test_a_weight_on_a_spring_falls_asleep_at_its_rest(
    hertz: float, damping_ratio: float, gravity: tuple[float, float]
) -> None:
    with game(gravity=gravity) as play:
        ball = dynamic(ec.Circle(0.2), (0.0, 2.0), **NOTHING)
        spring = ec.PrismaticJoint(
            ball, axis=(0.0, 1.0), anchor_b=(0.0, 0.0), anchor_a=(0.0, 0.0), hertz=hertz, damping_ratio=damping_ratio
        )
        esper.create_entity(spring)
        rest = gravity[1] / (2.0 * 3.14159265 * hertz) ** 2
        for _ in range(60 * 120):
            play.step()
            if not play.physics.is_awake(ball):
                break
        else:
            pytest.fail("it never falls asleep")
        assert spring.translation == pytest.approx(rest, abs=0.06)


@pytest.mark.parametrize(("length", "angle"), [(20.0, 0.017), (20.0, 0.1), (5.0, 0.02), (1.0, 0.03)])
@pytest.mark.parametrize("is_rope", [False, True])
def test_a_long_pendulum_does_not_fall_asleep_beside_its_rest(length: float, angle: float, is_rope: bool) -> None:
    with game(gravity=GRAVITY) as play:
        ball = dynamic(ec.Circle(0.2), (length * sin(angle), -length * cos(angle)), **NOTHING)
        kept: dict[str, Any] = {"max_length" if is_rope else "length": length}
        esper.create_entity(ec.DistanceJoint(ball, anchor_a=(0.0, 0.0), anchor_b=(0.0, 0.0), **kept))
        for _ in range(60 * 60):
            play.step()
            if not play.physics.is_awake(ball):
                assert abs(transform(ball).x) < 0.03
                break


def create_hanging_links() -> list[int]:
    links: list[int] = []
    for k in range(10):
        link = dynamic(ec.Box(0.1, 0.5), (0.0, -0.25 - 0.5 * k), **NOTHING)
        point = (0.0, -0.5 * k)
        esper.create_entity(
            ec.RevoluteJoint(link, links[-1], point=point) if links else ec.RevoluteJoint(link, point=point)
        )
        links.append(link)
    return links


def create_cart() -> list[int]:
    ground()
    hull = dynamic(ec.Box(2.0, 0.4), (0.0, 0.7))
    wheels = [dynamic(ec.Circle(0.3), (x, 0.35), friction=0.9) for x in (-0.7, 0.7)]
    for wheel in wheels:
        esper.create_entity(ec.WheelJoint(hull, wheel, axis=(0.0, 1.0), hertz=4.0, damping_ratio=0.7))
    return [hull, *wheels]


def create_bridge() -> list[int]:
    planks = [
        dynamic(
            ec.Box(0.5, 0.1), (0.25 + 0.49 * k, 0.0), (0.0, 0.0), ec.RigidBody(linear_damping=2.0, angular_damping=2.0)
        )
        for k in range(12)
    ]
    for a, b in pairwise(planks):
        esper.create_entity(ec.RevoluteJoint(a, b, anchor_a=(0.25, 0.0), anchor_b=(-0.25, 0.0)))
    esper.create_entity(ec.RevoluteJoint(planks[0], anchor_a=(-0.25, 0.0), anchor_b=(0.0, 0.0)))
    esper.create_entity(ec.RevoluteJoint(planks[-1], anchor_a=(0.25, 0.0), anchor_b=(5.89, 0.0)))
    return planks


def create_heap() -> list[int]:
    ground()
    static(ec.Box(0.2, 4.0), (-1.0, 2.0))
    static(ec.Box(0.2, 4.0), (1.5, 2.0))
    boxes = [dynamic(ec.Box(0.5, 0.3), (0.2 * (k % 3), 0.3 + 0.4 * k), angle=0.3 * k) for k in range(8)]
    for a, b in zip(boxes[::2], boxes[1::2], strict=True):
        esper.create_entity(ec.RevoluteJoint(a, b, anchor_a=(0.25, 0.0), anchor_b=(-0.25, 0.0), hertz=0.05))
    return boxes


@pytest.mark.parametrize("create", [create_hanging_links, create_cart, create_bridge, create_heap])
def test_other_bodies_with_joints_still_fall_asleep(create: Callable[[], list[int]]) -> None:
    with game(gravity=GRAVITY) as play:
        bodies = create()
        play.step(60 * 40)
        assert all(not play.physics.is_awake(body) for body in bodies)
