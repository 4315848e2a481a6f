"""Springs that are given by stiffness [N/m] and damping [N s/m] follow their closed forms."""

import math
from typing import Any

import esper
import pytest

import ecs_collide as ec

pytestmark = pytest.mark.usefixtures("fresh_world")


G = 10.0


def hang(mass: float, **spring: Any) -> ec.Transform:
    """Hang a disk on a spring of 1 m at the origin; return its pose."""
    pose = ec.Transform(0, -1)
    body = esper.create_entity(pose, ec.Velocity(), ec.Collider(ec.Circle(0.1)), ec.RigidBody(mass=mass))
    esper.create_entity(ec.DistanceJoint(body, anchor_a=(0, 0), anchor_b=(0, 0), length=1.0, **spring))
    return pose


@pytest.mark.parametrize(("mass", "stiffness"), [(0.5, 40.0), (2.0, 100.0), (2.0, 2000.0), (30.0, 900.0)])
def test_a_weight_on_a_spring_comes_to_rest_m_g_over_k_below(mass: float, stiffness: float) -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    pose = hang(mass, stiffness=stiffness, damping=2.0 * math.sqrt(mass * stiffness))
    for _ in range(900):
        esper.process(1 / 60)
    assert -pose.y - 1.0 == pytest.approx(mass * G / stiffness, rel=1e-3)


@pytest.mark.parametrize(("mass", "stiffness"), [(1.0, 20.0), (4.0, 300.0)])
def test_a_weight_swings_with_the_root_of_stiffness_over_mass(mass: float, stiffness: float) -> None:
    ec.install(sleeping=False)
    pose = hang(mass, stiffness=stiffness)
    pose.y = -1.2
    crossings, last = [], -1.2
    for step in range(600):
        esper.process(1 / 240)
        if last < -1.0 <= pose.y:
            crossings.append((step + (-1.0 - last) / (pose.y - last)) / 240)
        last = pose.y
    period = (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    assert period == pytest.approx(2.0 * math.pi * math.sqrt(mass / stiffness), rel=0.01)


def test_a_damper_alone_slows_a_body_exponentially() -> None:
    ec.install(sleeping=False)
    velocity = ec.Velocity(0.0, -2.0)
    body = esper.create_entity(ec.Transform(0, -1), velocity, ec.Collider(ec.Circle(0.1)), ec.RigidBody(mass=3.0))
    esper.create_entity(ec.DistanceJoint(body, anchor_a=(0, 0), anchor_b=(0, 0), length=1.0, damping=1.5))
    for _ in range(120):
        esper.process(1 / 60)
    assert velocity.y == pytest.approx(-2.0 * math.exp(-1.5 / 3.0 * 2.0), rel=0.01)


def test_a_hinge_with_a_stiffness_turns_by_torque_over_stiffness() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    arm = esper.create_entity(ec.Transform(0.5, 0), ec.Velocity(), ec.Collider(ec.Box(1, 0.1)), ec.RigidBody(mass=1.0))
    hinge = ec.RevoluteJoint(arm, anchor_a=(-0.5, 0), anchor_b=(0, 0), stiffness=50.0, damping=10.0)
    esper.create_entity(hinge)
    for _ in range(600):
        esper.process(1 / 60)
    assert -hinge.angle * 50.0 == pytest.approx(0.5 * G * math.cos(hinge.angle), rel=1e-3)
    assert hinge.stiffness == 50.0


@pytest.mark.parametrize("kind", [ec.RevoluteJoint, ec.WeldJoint, ec.DistanceJoint, ec.PrismaticJoint, ec.WheelJoint])
def test_a_frequency_beside_a_stiffness_is_refused(kind: Any) -> None:
    with pytest.raises(ValueError, match="give hertz and damping_ratio, or stiffness and damping"):
        kind(1, hertz=2.0, stiffness=3.0)
    ec.install()
    body = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(0.1)))
    joint = kind(body, stiffness=3.0)
    held = esper.create_entity(joint)
    esper.process(1 / 60)
    joint.hertz = 1.0
    with pytest.raises(ec.PhysicsError, match=f"entity {held}: .*hertz 1.0 beside stiffness 3.0"):
        esper.process(1 / 60)
