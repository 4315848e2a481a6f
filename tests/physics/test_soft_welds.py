"""A weld with a spring between its anchors follows the closed forms of a spring in both directions."""

from __future__ import annotations

import math
from typing import Any

import esper
import pytest

import ecs_collide as ec

pytestmark = pytest.mark.usefixtures("fresh_world")

G = 10.0


def soft_weld(mass: float, gravity: tuple[float, float], **numbers: Any) -> tuple[ec.Transform, ec.WeldJoint]:
    """Weld a disk to the world at the origin; return its pose and the joint."""
    ec.install(gravity=gravity, sleeping=False)
    pose = ec.Transform()
    weight = ec.RigidBody(mass=mass, inertia=0.1)
    body = esper.create_entity(pose, ec.Velocity(), ec.Collider(ec.Circle(0.1)), weight)
    joint = ec.WeldJoint(body, **numbers)
    esper.create_entity(joint)
    return pose, joint


@pytest.mark.parametrize("gravity", [(0.0, -G), (6.0, 8.0), (-G, 0.0)])
@pytest.mark.parametrize(("mass", "stiffness"), [(0.5, 40.0), (2.0, 400.0), (30.0, 900.0)])
def test_a_weight_rests_m_g_over_k_along_gravity(mass: float, stiffness: float, gravity: tuple[float, float]) -> None:
    damping = 2.0 * math.sqrt(mass * stiffness)
    pose, joint = soft_weld(mass, gravity, linear_stiffness=stiffness, linear_damping=damping)
    for _ in range(600):
        esper.process(1 / 60)
    assert pose.position == pytest.approx([mass * g / stiffness for g in gravity], rel=1e-4, abs=1e-9)
    assert joint.gap == pytest.approx(mass * G / stiffness, rel=1e-4)
    assert joint.force == pytest.approx(mass * G, rel=1e-4)
    assert joint.angle_gap == 0.0


def test_a_frequency_gives_the_sag_of_g_over_omega_squared() -> None:
    _pose, joint = soft_weld(3.0, (0.0, -G), linear_hertz=2.0)
    for _ in range(300):
        esper.process(1 / 60)
    assert joint.gap == pytest.approx(G / (2.0 * math.pi * 2.0) ** 2, rel=1e-4)


@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.6, 0.8)])
def test_an_undamped_weld_swings_with_its_frequency_along_any_direction(direction: tuple[float, float]) -> None:
    pose, _joint = soft_weld(1.0, (0.0, 0.0), linear_hertz=1.0, linear_damping_ratio=0.0)
    esper.process(1 / 240)
    pose.position = 0.3 * direction[0], 0.3 * direction[1]
    ups, last = [], 0.3
    for step in range(960):
        esper.process(1 / 240)
        along = pose.x * direction[0] + pose.y * direction[1]
        if last < 0.0 <= along:
            ups.append((step + last / (last - along)) / 240)
        last = along
        assert pose.x * direction[1] == pytest.approx(pose.y * direction[0], abs=1e-6)
    assert (ups[-1] - ups[0]) / (len(ups) - 1) == pytest.approx(1.0, rel=5e-3)


def test_both_springs_of_a_weld_act_side_by_side() -> None:
    _pose, joint = soft_weld(1.0, (0.0, -G), linear_hertz=2.0, hertz=1.0)
    esper.add_component(joint.a, ec.Force(0.0, 0.0, 0.2))
    for _ in range(600):
        esper.process(1 / 60)
    assert joint.gap == pytest.approx(G / (4.0 * math.pi) ** 2, rel=1e-4)
    assert joint.angle == pytest.approx(0.2 / (0.1 * (2.0 * math.pi) ** 2), rel=1e-3)


def test_a_frequency_beside_a_stiffness_is_refused() -> None:
    with pytest.raises(ValueError, match=r"linear_hertz 2\.0 beside linear_stiffness 5\.0"):
        ec.WeldJoint(1, linear_hertz=2.0, linear_stiffness=5.0)


def test_a_soft_bridge_between_two_walls_sags_as_its_springs_do() -> None:
    """The middle board of three hangs by two springs, which the outer boards bear with rigid welds."""
    ec.install(gravity=(0.0, -G), sleeping=False)
    boards = [
        esper.create_entity(
            ec.Transform(k, 0), ec.Velocity(), ec.Collider(ec.Box(1, 0.1), mask=0), ec.RigidBody(mass=1)
        )
        for k in range(3)
    ]
    joints = [
        ec.WeldJoint(boards[0], point=(-0.5, 0)),
        ec.WeldJoint(boards[2], point=(2.5, 0)),
        ec.WeldJoint(boards[0], boards[1], point=(0.5, 0), linear_stiffness=50.0, linear_damping=20.0),
        ec.WeldJoint(boards[1], boards[2], point=(1.5, 0), linear_stiffness=50.0, linear_damping=20.0),
    ]
    for joint in joints:
        esper.create_entity(joint)
    for _ in range(600):
        esper.process(1 / 60)
    assert esper.component_for_entity(boards[1], ec.Transform).y == pytest.approx(-G / 100.0, rel=0.01)
    assert [joint.force for joint in joints[2:]] == pytest.approx([5.0, 5.0], rel=0.01)
