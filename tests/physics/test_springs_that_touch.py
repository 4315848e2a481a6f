"""Joints of bodies that touch something: springs, friction and motors act as they do in free space, and say so."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, exp, pi, sin, sqrt
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, game

Maker = Callable[[int], Any]

OFF: dict[str, Any] = {"anchor_a": (0.0, 0.0)}
SPRINGS: dict[str, Callable[[int, float, float, float], Any]] = {
    "distance": lambda a, at, hertz, ratio: ec.DistanceJoint(
        a, anchor_b=(at + 1.0, 0.0), length=1.0, hertz=hertz, damping_ratio=ratio, **OFF
    ),
    "prismatic": lambda a, at, hertz, ratio: ec.PrismaticJoint(
        a, axis=(1.0, 0.0), anchor_b=(at, 0.0), hertz=hertz, damping_ratio=ratio, **OFF
    ),
    "wheel": lambda a, at, hertz, ratio: ec.WheelJoint(
        a, axis=(1.0, 0.0), anchor_b=(at, 0.0), hertz=hertz, damping_ratio=ratio, **OFF
    ),
    "target": lambda a, at, hertz, ratio: ec.TargetJoint(a, (at, 0.0), hertz=hertz, damping_ratio=ratio, **OFF),
}
"""Springs between the world and a body's centre that are at rest where this is at (at, 0)."""


def wall(x: float, thick: float = 1.0) -> int:
    """A static wall without friction whose face is at x."""
    return esper.create_entity(ec.Transform(x + 0.5 * thick, 0.0), ec.Collider(ec.Box(thick, 10.0), friction=0.0))


def create_smooth_floor() -> int:
    """A static floor without friction half a metre below the origin."""
    return esper.create_entity(ec.Collider(ec.HalfPlane((0.0, 1.0)), friction=0.0), ec.Transform(0.0, -0.5))


def create_pushed_body(
    shape: ec.Shape, x: float = 0.0, y: float = 0.0, force: Any = (0.0, 0.0, 0.0), **rigid_body: Any
) -> int:
    """One of 1 kg without friction."""
    return esper.create_entity(
        ec.Transform(x, y),
        ec.Velocity(),
        ec.Collider(shape, friction=0.0),
        ec.RigidBody(**{"mass": 1.0} | rigid_body),
        ec.Force(*force),
    )


def pose(entity: int) -> tuple[float, float, float]:
    return esper.component_for_entity(entity, ec.Transform).pose


@pytest.mark.parametrize("kind", SPRINGS)
@pytest.mark.parametrize("hertz", [1.0, 5.0])
def test_a_spring_presses_a_ball_against_a_wall_by_k_times_its_stretch(kind: str, hertz: float) -> None:
    with game() as play:
        wall(0.7)
        ball = create_pushed_body(ec.Circle(0.3), 0.4)
        spring = SPRINGS[kind](ball, 0.9, hertz, 0.7)
        esper.create_entity(spring)
        play.step(60)
        expected = (2.0 * pi * hertz) ** 2 * (0.9 - pose(ball)[0])
        pressed = sum(contact.normal_impulse for contact in play.physics.contacts_of(ball)) / DT
        assert pose(ball)[0] == pytest.approx(0.4, abs=0.01)
        assert pressed == pytest.approx(expected, rel=1e-3)
        assert spring.force == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("kind", SPRINGS)
@pytest.mark.parametrize("ratio", [0.0, 0.1, 1.0])
def test_a_spring_moves_a_box_on_a_floor_without_friction_as_in_free_space(kind: str, ratio: float) -> None:
    traces: list[list[float]] = []
    for on_floor in (False, True):
        with game(gravity=(0.0, -10.0 if on_floor else 0.0)) as play:
            if on_floor:
                create_smooth_floor()
            box = create_pushed_body(ec.Box(1.0, 1.0))
            esper.create_entity(SPRINGS[kind](box, 2.0, 1.0, ratio))
            traces.append([])
            for _ in range(90):
                play.step()
                traces[-1].append(pose(box)[0])
    assert max(traces[0]) > 1.9
    assert traces[1] == pytest.approx(traces[0], abs=2e-3)


@pytest.mark.parametrize("kind", [ec.RevoluteJoint, ec.WeldJoint])
def test_an_angular_spring_turns_a_disc_that_touches_a_wall_as_in_free_space(kind: Any) -> None:
    traces: list[list[float]] = []
    for touches in (False, True):
        with game() as play:
            if touches:
                wall(0.5)
            disc = create_pushed_body(ec.Circle(0.5), force=(50.0, 0.0, 0.0))
            spring = kind(disc, point=(0.0, 0.0), reference_angle=1.0, hertz=1.0, damping_ratio=0.1)
            esper.create_entity(spring)
            traces.append([])
            for _ in range(90):
                play.step()
                traces[-1].append(pose(disc)[2])
            assert bool(play.physics.contacts_of(disc)) is touches
    assert max(traces[0]) > 1.5
    assert traces[1] == pytest.approx(traces[0], abs=1e-6)


@pytest.mark.parametrize(("hertz", "ratio"), [(2.0, 0.1), (2.0, 0.7), (4.0, 0.3)])
def test_a_suspension_on_the_ground_swings_by_the_closed_form(hertz: float, ratio: float) -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        create_smooth_floor()
        wheel = create_pushed_body(ec.Circle(0.4), 0.0, -0.1, lock_x=True)
        chassis = create_pushed_body(ec.Box(1.0, 0.3), 0.0, 1.0, lock_x=True, lock_rotation=True)
        esper.create_entity(
            ec.WheelJoint(
                chassis,
                wheel,
                axis=(0.0, 1.0),
                anchor_a=(0.0, -1.1),
                anchor_b=(0.0, 0.0),
                hertz=hertz,
                damping_ratio=ratio,
            )
        )
        sunk = []
        for _ in range(120):
            play.step()
            sunk.append(pose(chassis)[1] - 1.0)
    omega = 2.0 * pi * hertz
    k, c = 0.5 * omega * omega, omega * ratio  # of the reduced mass, while the chassis swings with its whole
    omega, ratio = sqrt(k), 0.5 * c / sqrt(k)
    damped, sag = omega * sqrt(1.0 - ratio * ratio), 10.0 / k

    def closed_form(t: float) -> float:
        return -sag * (
            1.0 - exp(-ratio * omega * t) * (cos(damped * t) + ratio / sqrt(1.0 - ratio * ratio) * sin(damped * t))
        )

    assert sunk == pytest.approx([closed_form((step + 1) * DT) for step in range(120)], abs=0.1 * sag)


HUNG: dict[str, Maker] = {
    "rod": lambda a: ec.DistanceJoint(a, anchor_b=(0.0, 1.0), length=1.0),
    "spring": lambda a: ec.DistanceJoint(a, anchor_b=(0.0, 1.0), length=1.0, hertz=2.0),
    "slider": lambda a: ec.PrismaticJoint(a, axis=(0.0, 1.0), hertz=2.0),
    "wheel": lambda a: ec.WheelJoint(a, axis=(0.0, 1.0), hertz=2.0),
    "target": lambda a: ec.TargetJoint(a, (0.0, 0.0), hertz=2.0),
    "pin with a spring": lambda a: ec.RevoluteJoint(a, hertz=2.0),
    "soft weld": lambda a: ec.WeldJoint(a, hertz=2.0),
}


@pytest.mark.parametrize("kind", HUNG)
@pytest.mark.parametrize("touches", [False, True])
def test_a_joint_that_bears_ten_kilograms_reports_that_force_and_breaks_by_it(kind: str, touches: bool) -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        if touches:
            wall(0.3)
        weight = create_pushed_body(ec.Circle(0.3), mass=10.0)
        joint = HUNG[kind](weight)
        esper.create_entity(joint)
        play.step(400)
        assert bool(play.physics.contacts_of(weight)) is touches
        assert joint.force == pytest.approx(100.0, rel=1e-3)
        joint.break_force = 101.0
        play.step(2)
        assert not joint.broken
        joint.break_force = 99.0
        play.step(2)
        assert joint.broken


@pytest.mark.parametrize("kind", [ec.RevoluteJoint, ec.WeldJoint])
def test_an_angular_spring_that_bears_a_bar_reports_its_torque_and_breaks_by_it(kind: Any) -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        bar = create_pushed_body(ec.Box(2.0, 0.2), 1.0, mass=10.0)
        joint = kind(bar, point=(0.0, 0.0), hertz=2.0)
        esper.create_entity(joint)
        play.step(600)
        borne = 100.0 * cos(pose(bar)[2])
        assert abs(joint.torque) == pytest.approx(borne, rel=1e-3)
        joint.break_torque = 0.99 * borne
        play.step(2)
        assert joint.broken


WITHIN: dict[str, Maker] = {
    "friction": lambda a: ec.FrictionJoint(a, max_force=7.0),
    "motor": lambda a: ec.PrismaticJoint(a, axis=(1.0, 0.0), max_motor_force=7.0),
    "target": lambda a: ec.TargetJoint(a, (-1.0, 0.0), max_force=7.0, **OFF),
}


@pytest.mark.parametrize("kind", WITHIN)
@pytest.mark.parametrize("load", [0.0, -20.0])
def test_a_limited_pull_acts_once_on_a_box_on_a_floor(kind: str, load: float) -> None:
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        create_smooth_floor()
        box = create_pushed_body(ec.Box(1.0, 1.0), force=(10.0, load, 0.0))
        joint = WITHIN[kind](box)
        esper.create_entity(joint)
        for _ in range(120):
            play.step()
            if kind != "motor":  # its slider also bears the box
                assert joint.force < 7.0 * (1.0 + 1e-6)
        assert esper.component_for_entity(box, ec.Velocity).x == pytest.approx(6.0, rel=1e-3)


def test_a_motor_turns_a_wheel_that_touches_a_wall_with_its_torque() -> None:
    with game() as play:
        wall(0.5)
        wheel = create_pushed_body(ec.Circle(0.5), force=(50.0, 0.0, 0.0))
        motor = ec.RevoluteJoint(wheel, point=(0.0, 0.0), motor_speed=1000.0, max_motor_torque=0.5)
        esper.create_entity(motor)
        play.step(60)
        assert motor.torque == pytest.approx(0.5, rel=1e-6)
        assert esper.component_for_entity(wheel, ec.Velocity).angular == pytest.approx(0.5 / (0.5 * 0.25), rel=1e-6)


def test_forty_targets_of_one_body_pull_as_forty_springs() -> None:
    traces: list[list[float]] = []
    for count in (1, 40):  # more rows than are solved at once
        with game() as play:
            ball = create_pushed_body(ec.Circle(0.3), 1.0)
            for _ in range(count):
                esper.create_entity(
                    ec.TargetJoint(ball, (0.0, 0.0), hertz=1.0 / sqrt(count), damping_ratio=0.0, anchor_a=(0.0, 0.0))
                )
            traces.append([])
            for _ in range(60):
                play.step()
                traces[-1].append(pose(ball)[0])
    assert min(traces[0]) < -0.9
    assert traces[1] == pytest.approx(traces[0], abs=0.02)


@pytest.mark.parametrize("thick", [0.1, 1.0])
@pytest.mark.parametrize("far", [4.0, 5.0, 8.0])
def test_a_mouse_behind_a_wall_draws_no_ball_through(thick: float, far: float) -> None:
    with game() as play:
        wall(3.0, thick)
        ball = create_pushed_body(ec.Circle(0.3))
        esper.create_entity(ec.TargetJoint(ball, (far, 0.0), **OFF))
        play.step(120)
        assert pose(ball)[0] == pytest.approx(2.7, abs=0.04)
