"""Lengths, limits and reference angles that a game writes in each frame move bodies with a velocity."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, ground, transform, velocity

GRAVITY = (0.0, -9.81)
NOTHING: dict[str, Any] = {"mask": 0}
"""A collider that meets nothing."""


@pytest.mark.parametrize(
    ("start", "end", "steps", "speed", "substeps"),
    [
        (2.0, 1.0, 60, 1.0, 4),
        (3.0, 1.0, 120, 0.3, 4),
        (1.0, 2.0, 60, 1.0, 4),
        (4.0, 1.0, 60, 2.0, 4),
        (1.0, 0.5, 60, 1.0, 2),
    ],
)
@pytest.mark.parametrize("is_rope", [False, True])
def test_a_rod_or_a_rope_that_shortens_keeps_the_angular_momentum(
    start: float, end: float, steps: int, speed: float, substeps: int, is_rope: bool
) -> None:
    if is_rope and end > start:
        pytest.skip("a rope that gets longer is slack")
    with game(substeps=substeps) as play:
        ball = dynamic(ec.Circle(0.1), (start, 0.0), (0.0, speed), **NOTHING)
        kept: dict[str, Any] = {"max_length" if is_rope else "length": start}
        joint = ec.DistanceJoint(ball, anchor_b=(0.0, 0.0), **kept)
        esper.create_entity(joint)
        for k in range(steps):
            length = start + (end - start) * (k + 1) / steps
            if is_rope:
                joint.max_length = length
            else:
                joint.rest_length = length
            play.step()
        (x, y), v = transform(ball).position, velocity(ball)
        assert joint.length == pytest.approx(end, abs=1e-4)
        assert x * v.y - y * v.x == pytest.approx(start * speed, rel=0.03)


@pytest.mark.parametrize("number", ["rest_length", "max_length", "lower"])
@pytest.mark.parametrize("speed", [0.5, 2.0, 8.0])
def test_a_crate_that_a_winch_hauls_has_a_speed_and_meets_friction(number: str, speed: float) -> None:
    with game(gravity=GRAVITY) as play:
        ground(friction=0.5)
        crate = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5), friction=0.5)
        ends: dict[str, Any] = {"anchor_a": (0.0, 0.0), "anchor_b": (30.0, 0.5)}
        joints: dict[str, Callable[[], Any]] = {
            "rest_length": lambda: ec.DistanceJoint(crate, length=30.0, **ends),
            "max_length": lambda: ec.DistanceJoint(crate, max_length=30.0, **ends),
            "lower": lambda: ec.PrismaticJoint(crate, lower=-30.0, **ends),
        }
        joint = joints[number]()
        esper.create_entity(joint)
        play.step()
        for k in range(120):
            setattr(joint, number, (-1.0 if number == "lower" else 1.0) * (30.0 - speed * (k + 1) / 60.0))
            play.step()
        assert velocity(crate).x == pytest.approx(speed, rel=1e-3)
        if number != "lower":  # a slider bears the weight as well
            assert joint.force == pytest.approx(0.5 * 9.81, rel=0.01)
        play.step(30)
        if number == "rest_length":
            assert velocity(crate).x == pytest.approx(0.0, abs=1e-9)
        elif number == "max_length":  # the rope is slack, and the crate slides on
            assert velocity(crate).x == pytest.approx(max(speed - 0.5 * 9.81 * 0.5, 0.0), abs=1e-3)


@pytest.mark.parametrize("speed", [0.2, 1.0, 2.0])
def test_a_load_does_not_sink_into_a_platform_that_is_hauled_up(speed: float) -> None:
    with game(gravity=GRAVITY) as play:
        platform = dynamic(ec.Box(2.0, 0.2), (0.0, 0.0))
        load = dynamic(ec.Box(0.5, 0.5), (0.0, 0.35))
        lift = ec.PrismaticJoint(platform, anchor_b=(0.0, 0.0), axis=(0.0, 1.0), lower=0.0, upper=0.0)
        esper.create_entity(lift)
        play.step(30)
        least = 0.35
        for k in range(120):
            lift.lower = lift.upper = speed * (k + 1) / 60.0
            play.step()
            least = min(least, transform(load).y - transform(platform).y)
            assert lift.translation == pytest.approx(lift.upper, abs=1e-4)
        assert least > 0.345
        assert velocity(platform).y == pytest.approx(speed, abs=0.05)


@pytest.mark.parametrize("number", ["limits", "reference_angle", "weld", "slider"])
@pytest.mark.parametrize("spin", [-3.0, 0.5, 10.0])
def test_limits_and_reference_angles_that_turn_give_a_spin(number: str, spin: float) -> None:
    with game() as play:
        arm = dynamic(ec.Box(1.0, 0.1), (0.5, 0.0), **NOTHING)
        ends: dict[str, Any] = {"anchor_a": (-0.5, 0.0), "anchor_b": (0.0, 0.0)}
        joints: dict[str, Callable[[], Any]] = {
            "limits": lambda: ec.RevoluteJoint(arm, lower=0.0, upper=0.0, **ends),
            "reference_angle": lambda: ec.RevoluteJoint(arm, lower=0.0, upper=0.0, **ends),
            "weld": lambda: ec.WeldJoint(arm, reference_angle=0.0, **ends),
            "slider": lambda: ec.PrismaticJoint(arm, reference_angle=0.0, **ends),
        }
        joint = joints[number]()
        entity = esper.create_entity(joint)
        play.step()
        for k in range(60):
            angle = spin * (k + 1) / 60.0
            if number == "limits":
                joint.lower = joint.upper = angle
            else:
                joint.reference_angle = angle
            play.step()
            assert transform(arm).angle == pytest.approx(angle, abs=1e-3)
        assert velocity(arm).angular == pytest.approx(spin, rel=1e-3)
        assert ("joint_end", entity) not in [(name, *arguments) for _, name, arguments in play.events]


@pytest.mark.parametrize(("start", "end"), [(2.0, 1.0), (1.0, 2.0), (2.0, 0.1), (0.5, 5.0), (1.0, 40.0)])
def test_a_length_that_jumps_moves_the_body_without_speed(start: float, end: float) -> None:
    with game() as play:
        ball = dynamic(ec.Circle(0.1), (start, 0.0), **NOTHING)
        rod = ec.DistanceJoint(ball, anchor_b=(0.0, 0.0), length=start)
        esper.create_entity(rod)
        play.step()
        rod.rest_length = end
        for _ in range(60):
            play.step()
            assert hypot(*velocity(ball).linear) < 1e-6
            assert abs(rod.length - end) <= abs(start - end)


def test_a_winch_that_gathers_speed_is_followed_beyond_the_push_out_speed() -> None:
    with game() as play:
        ball = dynamic(ec.Circle(0.1), (100.0, 0.0), **NOTHING)
        rod = ec.DistanceJoint(ball, anchor_b=(0.0, 0.0), length=100.0)
        esper.create_entity(rod)
        play.step()
        length, speed = 100.0, 0.0
        for _ in range(60):
            speed += 0.5
            length -= speed / 60.0
            rod.rest_length = length
            play.step()
            assert velocity(ball).x == pytest.approx(-speed, rel=1e-6)
            assert rod.length == pytest.approx(length, abs=1e-6)


def test_a_rest_length_left_open_again_moves_nothing() -> None:
    with game() as play:
        ball = dynamic(ec.Circle(0.1), (2.0, 0.0), **NOTHING)
        rod = ec.DistanceJoint(ball, anchor_b=(0.0, 0.0), length=2.0)
        esper.create_entity(rod)
        play.step()
        transform(ball).x = 2.02
        rod.rest_length = None
        play.step()
        assert rod.rest_length == pytest.approx(2.02)
        assert hypot(*velocity(ball).linear) == 0.0


def test_a_step_that_is_begun_anew_for_lack_of_room_keeps_the_motion() -> None:
    """The first contacts of a world make the solver ask for more room than it has."""
    with game(gravity=GRAVITY) as play:
        ball = dynamic(ec.Circle(0.1), (2.0, 50.0), (0.0, 0.0), ec.RigidBody(gravity_scale=0.0), **NOTHING)
        rod = ec.DistanceJoint(ball, anchor_b=(0.0, 50.0), length=2.0)
        esper.create_entity(rod)
        play.step()
        ground()
        for k in range(200):
            dynamic(ec.Box(1.0, 1.0), (2.0 * k, 0.5))
        rod.rest_length = 1.99
        play.step()
        assert velocity(ball).x == pytest.approx(-0.6, rel=1e-3)
