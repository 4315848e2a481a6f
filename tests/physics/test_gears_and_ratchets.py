"""Gears pass on angle, torque and energy by their ratio; ratchets turn one way."""

from __future__ import annotations

import itertools

import esper
import pytest

import ecs_collide as ec

pytestmark = pytest.mark.usefixtures("fresh_world")


def wheel_on_hinge(x: float, inertia: float, spin: float = 0.0, frame: int | None = None) -> tuple[int, ec.Velocity]:
    """Create a wheel on a hinge at (x, 0)."""
    velocity = ec.Velocity(0.0, 0.0, spin)
    weight = ec.RigidBody(mass=1.0, inertia=inertia)
    body = esper.create_entity(ec.Transform(x, 0), velocity, ec.Collider(ec.Circle(0.4), mask=0), weight)
    esper.create_entity(ec.RevoluteJoint(body, frame, point=(x, 0)))
    return body, velocity


def angle_of(body: int) -> float:
    return esper.component_for_entity(body, ec.Transform).angle


def turn_for(count: int) -> None:
    for _ in range(count):
        esper.process(1 / 60)


@pytest.mark.parametrize("ratio", [-2.0, -0.5, 1.0, 3.0, -10.0])
def test_wheels_that_are_geared_while_one_turns_share_its_momentum(ratio: float) -> None:
    ec.install(sleeping=False)
    (a, of_a), (b, of_b) = wheel_on_hinge(0.0, 2.0, 3.0), wheel_on_hinge(3.0, 0.5)
    gear = ec.GearJoint(a, b, ratio=ratio)
    esper.create_entity(gear)
    turn_for(1)
    assert of_a.angular == pytest.approx(2.0 * 3.0 / (2.0 + 0.5 * ratio**2), rel=1e-5)
    assert of_b.angular == pytest.approx(ratio * of_a.angular, rel=1e-5)
    phase = gear.phase
    turn_for(600)
    assert phase == 0.0
    assert angle_of(b) == pytest.approx(ratio * angle_of(a), abs=1e-6)
    assert gear.angle_gap < 1e-6


@pytest.mark.parametrize("turned_round", [False, True])
@pytest.mark.parametrize(("ratio", "of_b"), [(-2.0, 0.5), (4.0, 0.01), (-0.25, 8.0)])
def test_a_torque_is_passed_on_by_the_ratio(ratio: float, of_b: float, turned_round: bool) -> None:
    ec.install(sleeping=False)
    (a, spin_a), (b, spin_b) = wheel_on_hinge(0.0, 2.0), wheel_on_hinge(3.0, of_b)
    gear = ec.GearJoint(b, a, ratio=1.0 / ratio) if turned_round else ec.GearJoint(a, b, ratio=ratio)
    esper.create_entity(gear)
    esper.add_component(a, ec.Force(0.0, 0.0, 4.0))
    turn_for(60)
    acceleration = 4.0 / (2.0 + of_b * ratio**2)
    assert spin_a.angular == pytest.approx(acceleration, rel=1e-5)
    assert spin_b.angular == pytest.approx(ratio * acceleration, rel=1e-5)
    torque_on_b = of_b * ratio * acceleration
    assert gear.torque == pytest.approx(-ratio * torque_on_b if turned_round else torque_on_b, rel=1e-5)


def test_a_gear_slips_above_its_greatest_torque_and_turns_back() -> None:
    ec.install(sleeping=False)
    (a, of_a), (b, of_b) = wheel_on_hinge(0.0, 1.0), wheel_on_hinge(3.0, 1.0)
    gear = ec.GearJoint(a, b, max_torque=0.5)
    esper.create_entity(gear)
    push = ec.Force(0.0, 0.0, 4.0)
    esper.add_component(a, push)
    turn_for(60)
    assert (of_a.angular, of_b.angular) == pytest.approx((3.5, 0.5), rel=1e-5)
    assert abs(gear.torque) == pytest.approx(0.5, rel=1e-6)
    esper.remove_component(a, ec.Force)
    turn_for(1200)
    assert gear.angle_gap < 1e-3
    assert (of_a.angular, of_b.angular) == pytest.approx((2.0, 2.0), rel=1e-3)


def test_a_train_of_ten_gears_turns_by_the_product_of_its_ratios() -> None:
    ec.install(sleeping=False)
    wheels = [wheel_on_hinge(float(k), 1.0) for k in range(11)]
    gears = [ec.GearJoint(a, b, ratio=-0.8) for (a, _), (b, _) in itertools.pairwise(wheels)]
    for gear in gears:
        esper.create_entity(gear)
    esper.add_component(wheels[0][0], ec.Force(0.0, 0.0, 3.0))
    turn_for(120)
    inertia = sum(0.8 ** (2 * k) for k in range(11))
    assert wheels[0][1].angular == pytest.approx(2.0 * 3.0 / inertia, rel=1e-4)
    assert angle_of(wheels[10][0]) == pytest.approx(0.8**10 * angle_of(wheels[0][0]), rel=1e-4)


def test_wheels_on_a_frame_that_moves_are_geared() -> None:
    ec.install(gravity=(0.0, -10.0), sleeping=False)
    frame = esper.create_entity(ec.Transform(), ec.Velocity(1.0, 2.0, 0.5), ec.Collider(ec.Box(5, 0.2), mask=0))
    (a, of_a), (b, of_b) = wheel_on_hinge(-2.0, 0.5, 6.0, frame), wheel_on_hinge(2.0, 0.5, 0.0, frame)
    gear = ec.GearJoint(a, b, ratio=-1.0)
    esper.create_entity(gear)
    turn_for(120)
    assert of_b.angular == pytest.approx(-of_a.angular, abs=1e-3)
    assert gear.angle_gap < 1e-3


def test_a_kinematic_wheel_drives_a_dynamic_one() -> None:
    ec.install(sleeping=False)
    drive = ec.RigidBody(ec.BodyKind.KINEMATIC)
    a = esper.create_entity(ec.Transform(), ec.Velocity(0, 0, 2.0), ec.Collider(ec.Circle(0.4), mask=0), drive)
    b, of_b = wheel_on_hinge(3.0, 5.0)
    gear = ec.GearJoint(a, b, ratio=-3.0)
    esper.create_entity(gear)
    turn_for(60)
    assert of_b.angular == pytest.approx(-6.0, rel=1e-6)
    assert angle_of(b) == pytest.approx(-3.0 * angle_of(a), abs=0.05)


def test_a_gear_that_is_shifted_keeps_the_present_angles() -> None:
    ec.install(sleeping=False)
    (a, of_a), (b, of_b) = wheel_on_hinge(0.0, 1.0, 3.0), wheel_on_hinge(3.0, 1.0)
    gear = ec.GearJoint(a, b, ratio=2.0)
    esper.create_entity(gear)
    turn_for(90)
    momentum = of_a.angular
    gear.ratio = 0.5
    turn_for(1)
    assert of_b.angular == pytest.approx(0.5 * of_a.angular, rel=1e-4)
    assert gear.phase == pytest.approx(1.5 * angle_of(a), rel=0.05)
    turn_for(60)
    assert gear.angle_gap < 1e-6
    assert 0.0 < of_a.angular <= 2.0 * momentum


@pytest.mark.parametrize("tooth", [0.5, -0.5, 0.01, -3.0])
@pytest.mark.parametrize("with_frame", [False, True])
def test_a_ratchet_turns_one_way_and_stops_at_the_last_tooth(tooth: float, with_frame: bool) -> None:
    ec.install(sleeping=False)
    way = 1.0 if tooth > 0.0 else -1.0
    frame = esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(0.1), mask=0)) if with_frame else None
    body, velocity = wheel_on_hinge(0.0, 2.0, 3.0 * way)
    ratchet = ec.RatchetJoint(body, tooth=tooth) if frame is None else ec.RatchetJoint(frame, body, tooth=tooth)
    esper.create_entity(ratchet)
    turn_for(95)
    assert velocity.angular == 3.0 * way
    reached = 4.75 * way
    assert ratchet.angle == pytest.approx(reached, abs=1e-6)
    velocity.angular = -3.0 * way
    turn_for(120)
    stop = tooth * (abs(reached) // abs(tooth))
    assert angle_of(body) == pytest.approx(stop, abs=1.5 * abs(tooth) if abs(tooth) < 0.1 else 1e-3)
    assert velocity.angular == pytest.approx(0.0, abs=1e-6)
    velocity.angular = way
    turn_for(60)
    assert velocity.angular == way


def test_a_ratchet_bears_a_load_with_its_greatest_torque() -> None:
    ec.install(sleeping=False)
    body, velocity = wheel_on_hinge(0.0, 2.0)
    ratchet = ec.RatchetJoint(body, tooth=0.2, max_torque=3.0)
    esper.create_entity(ratchet)
    push = ec.Force(0.0, 0.0, -2.5)
    esper.add_component(body, push)
    turn_for(60)
    assert velocity.angular == pytest.approx(0.0, abs=1e-9)
    assert ratchet.torque == pytest.approx(2.5, rel=1e-6)
    push.torque = -5.0
    turn_for(60)
    assert velocity.angular == pytest.approx(-1.0, rel=1e-6)
    assert ratchet.torque == pytest.approx(3.0, rel=1e-6)


def test_a_tooth_of_0_is_refused() -> None:
    with pytest.raises(ValueError, match=r"RatchetJoint\.tooth must not be 0"):
        ec.RatchetJoint(1, tooth=0.0)
