"""A motor along a distance joint hauls, brakes and slips as a winch does."""

import math
from typing import Any

import esper
import pytest

import ecs_collide as ec

pytestmark = pytest.mark.usefixtures("fresh_world")

G = 10.0


def load_of(mass: float, x: float = 0.0, y: float = -3.0) -> tuple[int, ec.Velocity]:
    """Return a disk without contacts, and its velocity."""
    velocity = ec.Velocity()
    disk = ec.Collider(ec.Circle(0.1))
    return esper.create_entity(ec.Transform(x, y), velocity, disk, ec.RigidBody(mass=mass)), velocity


def winch(body: int, **numbers: Any) -> ec.DistanceJoint:
    joint = ec.DistanceJoint(body, anchor_a=(0, 0), anchor_b=(0, 0), **numbers)
    esper.create_entity(joint)
    return joint


def test_a_winch_hauls_a_load_at_its_speed_and_bears_its_weight() -> None:
    ec.install(gravity=(0.0, -G))
    body, velocity = load_of(2.0)
    joint = winch(body, motor_speed=-0.5, max_motor_force=100.0)
    for _ in range(60):
        esper.process(1 / 60)
    assert velocity.y == pytest.approx(0.5, abs=1e-6)
    assert joint.length == pytest.approx(2.5, abs=0.01)
    assert joint.speed == pytest.approx(-0.5, abs=1e-6)
    assert joint.force == pytest.approx(20.0, rel=1e-6)


def test_a_winch_that_is_too_weak_lets_its_load_down_with_the_rest_of_the_weight() -> None:
    ec.install(gravity=(0.0, -G))
    body, velocity = load_of(2.0)
    joint = winch(body, motor_speed=-0.5, max_motor_force=14.0)
    for _ in range(60):
        esper.process(1 / 60)
    assert velocity.y == pytest.approx(-(G - 7.0), rel=1e-6)
    assert joint.force == pytest.approx(14.0, rel=1e-6)


@pytest.mark.parametrize("upper", [2.0, 3.5])
def test_a_winch_stops_at_its_longest_length(upper: float) -> None:
    ec.install(gravity=(0.0, -G))
    body, velocity = load_of(1.0, y=-1.0)
    joint = winch(body, motor_speed=1.0, max_motor_force=50.0, max_length=upper)
    for _ in range(300):
        esper.process(1 / 60)
    assert joint.length == pytest.approx(upper, abs=1e-3)
    assert velocity.y == pytest.approx(0.0, abs=1e-6)


def test_a_brake_holds_the_length_of_a_swing_and_its_energy() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    body, velocity = load_of(1.0, x=2.0, y=0.0)
    joint = winch(body, max_motor_force=1e4)
    half_substep = 0.5 * math.sqrt(2.0 * G * 2.0) / 240  # positions lag behind velocities by this much at most [m]
    for _ in range(600):
        esper.process(1 / 60)
        height = ec.physics().to_world(body, (0, 0))[1] + math.hypot(*velocity.linear) ** 2 / (2.0 * G)
        assert joint.length == pytest.approx(2.0, abs=1e-3)
        assert abs(height) <= half_substep


def test_a_length_beside_a_winch_is_refused() -> None:
    with pytest.raises(ValueError, match="it is a winch, which starts at the present length"):
        ec.DistanceJoint(1, length=2.0, max_motor_force=5.0)


def test_a_winch_that_is_switched_off_holds_the_length_that_it_has() -> None:
    ec.install(gravity=(0.0, -G))
    body, velocity = load_of(2.0)
    joint = winch(body, motor_speed=-0.5, max_motor_force=100.0)
    for _ in range(60):
        esper.process(1 / 60)
    joint.max_motor_force = 0.0
    for _ in range(60):
        esper.process(1 / 60)
    assert joint.rest_length == pytest.approx(2.5, abs=0.01)
    assert joint.length == pytest.approx(joint.rest_length, abs=1e-6)
    assert velocity.y == pytest.approx(0.0, abs=1e-6)


def test_a_spring_whose_winch_is_switched_off_keeps_its_rest_length() -> None:
    ec.install()
    body, _ = load_of(1.0)
    joint = winch(body, length=2.0, hertz=1.0, motor_speed=-0.5, max_motor_force=100.0)
    esper.process(1 / 60)
    joint.max_motor_force = 0.0
    esper.process(1 / 60)
    assert joint.rest_length == 2.0
