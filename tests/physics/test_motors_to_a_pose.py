"""A motor joint drives a body to a pose with a limited force and torque."""

from __future__ import annotations

import math
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import ground

pytestmark = pytest.mark.usefixtures("fresh_world")


def driven_block(x: float = 0.0, y: float = 0.0, **numbers: Any) -> tuple[int, ec.Transform, ec.Velocity]:
    pose, velocity = ec.Transform(x, y), ec.Velocity()
    weight = ec.RigidBody(**{"mass": 2.0, "inertia": 0.5} | numbers)
    return esper.create_entity(pose, velocity, ec.Collider(ec.Circle(0.1), mask=0), weight), pose, velocity


def drive_to_pose(*bodies: int, **numbers: Any) -> ec.MotorJoint:
    joint = ec.MotorJoint(*bodies, **numbers)
    esper.create_entity(joint)
    return joint


def drive_for(count: int) -> None:
    for _ in range(count):
        esper.process(1 / 60)


@pytest.mark.parametrize("target", [(1.0, 0.0), (-0.6, 0.8), (0.0, -1.0)])
def test_a_body_speeds_up_and_brakes_by_the_greatest_force(target: tuple[float, float]) -> None:
    ec.install(sleeping=False)
    body, pose, velocity = driven_block()
    joint = drive_to_pose(body, target=target, target_angle=0.0, max_force=10.0)
    drive_for(12)
    assert math.hypot(*velocity.linear) == pytest.approx(10.0 / 2.0 * 0.2, rel=1e-6)
    assert joint.force == pytest.approx(10.0, rel=1e-6)
    drive_for(120)
    assert pose.position == pytest.approx(target, abs=1e-6)
    assert velocity.linear == pytest.approx((0.0, 0.0), abs=1e-6)


def test_a_body_turns_to_the_wanted_angle_by_the_greatest_torque() -> None:
    ec.install(sleeping=False)
    body, pose, velocity = driven_block()
    joint = drive_to_pose(body, target_angle=2.0, max_torque=1.0)
    drive_for(30)
    assert velocity.angular == pytest.approx(1.0 / 0.5 * 0.5, rel=1e-6)
    assert abs(joint.torque) == pytest.approx(1.0, rel=1e-6)
    drive_for(240)
    assert pose.angle == pytest.approx(2.0, abs=1e-6)
    assert joint.angle_gap < 1e-6


def test_without_a_target_a_motor_keeps_the_pose_at_which_it_began() -> None:
    ec.install(gravity=(0.0, -10.0), sleeping=False)
    body, pose, _ = driven_block(1.0, 2.0)
    joint = drive_to_pose(body)
    assert joint.target is None
    drive_for(60)
    assert joint.target == pytest.approx((1.0, 2.0))
    assert pose.position == pytest.approx((1.0, 2.0), abs=1e-6)
    assert joint.force == pytest.approx(20.0, rel=1e-6)


def test_a_weight_that_is_too_heavy_falls_with_the_rest() -> None:
    ec.install(gravity=(0.0, -10.0), sleeping=False)
    body, _, velocity = driven_block()
    joint = drive_to_pose(body, max_force=12.0)
    drive_for(30)
    assert velocity.y == pytest.approx(-(10.0 - 6.0) * 0.5, rel=1e-6)
    assert joint.gap == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize("mass_of_a", [2.0, 200.0])
def test_a_pose_in_the_axes_of_another_body_turns_with_it_and_keeps_momentum(mass_of_a: float) -> None:
    ec.install(sleeping=False)
    a, pose_a, of_a = driven_block(mass=mass_of_a, inertia=0.5 * mass_of_a)
    b, pose_b, of_b = driven_block(x=2.0)
    pose_a.angle = math.pi / 2
    joint = drive_to_pose(a, b, target=(1.0, 0.0), target_angle=0.5, max_force=40.0, max_torque=5.0)
    for _ in range(300):
        esper.process(1 / 60)
        assert mass_of_a * of_a.x + 2.0 * of_b.x == pytest.approx(0.0, abs=1e-9)
    assert ec.physics().to_local(a, pose_b.position) == pytest.approx((1.0, 0.0), abs=1e-3)
    assert pose_b.angle - pose_a.angle == pytest.approx(0.5, abs=1e-3)
    assert joint.gap < 1e-3


def test_a_spring_of_a_motor_has_its_frequency_and_its_greatest_force() -> None:
    ec.install(gravity=(0.0, -10.0), sleeping=False)
    body, pose, _ = driven_block()
    joint = drive_to_pose(body, hertz=2.0, max_force=1e3)
    drive_for(300)
    assert -pose.y == pytest.approx(10.0 / (4.0 * math.pi) ** 2, rel=1e-4)
    joint.max_force = 15.0
    drive_for(30)
    assert joint.force == pytest.approx(15.0, rel=1e-9)


def test_a_target_that_moves_is_reached_in_each_frame_with_its_speed() -> None:
    ec.install(sleeping=False)
    body, pose, velocity = driven_block()
    joint = drive_to_pose(body, target=(0.0, 0.0), target_angle=0.0)
    for frame in range(120):
        target = 5.0 * frame / 60
        joint.target, joint.target_angle = (target, 0.0), 2.0 * frame / 60
        esper.process(1 / 60)
    assert velocity.x == pytest.approx(5.0, rel=1e-3)
    assert pose.x == pytest.approx(target, abs=1e-3)
    assert velocity.angular == pytest.approx(2.0, rel=1e-3)
    assert pose.angle == pytest.approx(joint.target_angle, abs=0.04)


def test_a_motor_pushes_a_crate_against_friction() -> None:
    ec.install(gravity=(0.0, -10.0), sleeping=False)
    ground(friction=0.5)
    velocity = ec.Velocity()
    crate = esper.create_entity(
        ec.Transform(0, 0.5), velocity, ec.Collider(ec.Box(1, 1), friction=0.5), ec.RigidBody(mass=2.0)
    )
    joint = drive_to_pose(crate, target=(50.0, 0.5), max_force=16.0)
    drive_for(30)
    assert velocity.x == pytest.approx((16.0 - 10.0) / 2.0 * 0.5, rel=0.02)
    joint.max_force = 8.0
    drive_for(120)
    assert velocity.x == pytest.approx(0.0, abs=1e-3)


def test_a_motor_at_its_pose_sleeps_and_wakes_when_it_is_written() -> None:
    asleep: list[int] = []
    ec.on("body_sleep", lambda entity: asleep.append(entity))
    ec.install(gravity=(0.0, -10.0))
    body, pose, _ = driven_block()
    joint = drive_to_pose(body)
    drive_for(120)
    assert asleep == [body]
    joint.target = 0.5, 0.0
    drive_for(120)
    assert pose.position == pytest.approx((0.5, 0.0), abs=1e-3)
