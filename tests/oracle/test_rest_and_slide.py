"""Resting, sliding and rolling under friction: the closed form, this engine and pymunk, to 2 %."""

from __future__ import annotations

import math

import pytest

import ecs_collide as ec
from tests.support import pymunk_oracle
from tests.support.scene import BodyPlan, Scene, Trace, run_scene

G = 9.81
CLOSE = 0.02


def both(scene: Scene) -> tuple[Trace, Trace]:
    return run_scene(scene), pymunk_oracle.run_in_pymunk(scene, substeps=4, slop=0.0005)


def level_scene(shape: ec.Shape, height: float, friction: float, speed: float = 0.0, steps: int = 240) -> Scene:
    """A body on level ground."""
    bodies = (
        BodyPlan(ec.HalfPlane((0.0, 1.0)), static=True, friction=friction),
        BodyPlan(shape, (0.0, height), (speed, 0.0), friction=friction),
    )
    return Scene(bodies, (0.0, -G), steps=steps)


@pytest.mark.parametrize(
    ("shape", "height"),
    [
        (ec.Circle(0.5), 0.5),
        (ec.Box(1.0, 0.8), 0.4),
        (ec.Capsule((-0.5, 0.0), (0.5, 0.0), 0.4), 0.4),
        (ec.Polygon([(-0.6, -0.4), (0.6, -0.4), (0.2, 0.5)]), 0.4),
    ],
)
def test_resting_height(shape: ec.Shape, height: float) -> None:
    for trace in both(level_scene(shape, height + 0.05, 0.5)):
        assert trace.poses[-1, 1, 1] == pytest.approx(height, rel=CLOSE)
        assert abs(trace.velocities[-1, 1]).max() < 1e-3


@pytest.mark.parametrize("friction", [0.2, 0.4, 0.7])
def test_a_box_slides_to_a_halt(friction: float) -> None:
    speed = 3.0
    distance = speed**2 / (2.0 * friction * G)
    ours, theirs = both(level_scene(ec.Box(1.0, 0.4), 0.2, friction, speed))
    assert theirs.poses[-1, 1, 0] == pytest.approx(distance, rel=CLOSE)
    assert ours.poses[-1, 1, 0] == pytest.approx(distance, rel=CLOSE)
    assert abs(ours.velocities[-1, 1]).max() < 1e-3


@pytest.mark.parametrize("friction", [0.1, 0.5])
def test_a_sliding_circle_starts_to_roll(friction: float) -> None:
    """The ball slides for t = v / (3 mu g) over 5 v^2 / (18 mu g), then rolls at 2 v / 3."""
    speed, radius, steps = 3.0, 0.5, 180
    slide_time = speed / (3.0 * friction * G)
    distance = 5.0 * speed**2 / (18.0 * friction * G) + 2.0 / 3.0 * speed * (steps / 60.0 - slide_time)
    for trace in both(level_scene(ec.Circle(radius), radius, friction, speed, steps)):
        vx, _, angular = trace.velocities[-1, 1]
        assert vx == pytest.approx(2.0 / 3.0 * speed, rel=CLOSE)
        assert angular == pytest.approx(-vx / radius, rel=CLOSE)
        assert trace.poses[-1, 1, 0] == pytest.approx(distance, rel=CLOSE)


def incline(shape: ec.Shape, height: float, degrees: float, friction: float, steps: int) -> Scene:
    """A body at rest on a plane that falls to the right; it begins above the origin."""
    slope = math.radians(degrees)
    normal = math.sin(slope), math.cos(slope)
    bodies = (
        BodyPlan(ec.HalfPlane(normal), static=True, friction=friction),
        BodyPlan(shape, (height * normal[0], height * normal[1]), angle=-slope, friction=friction),
    )
    return Scene(bodies, (0.0, -G), steps=steps)


def way_down(trace: Trace, degrees: float, height: float) -> float:
    """Return the distance that the body has slid down the plane [m]."""
    slope = math.radians(degrees)
    x, y, _ = trace.poses[-1, 1]
    return float((x - height * math.sin(slope)) * math.cos(slope) - (y - height * math.cos(slope)) * math.sin(slope))


@pytest.mark.parametrize("degrees", [10.0, 20.0, 30.0])
def test_a_box_sticks_just_below_the_angle_of_friction(degrees: float) -> None:
    scene = incline(ec.Box(1.0, 0.4), 0.2, degrees, math.tan(math.radians(degrees + 1.0)), 600)
    ours, theirs = both(scene)
    assert abs(way_down(ours, degrees, 0.2)) < 1e-3
    assert abs(way_down(theirs, degrees, 0.2)) < 1e-2


@pytest.mark.parametrize(("degrees", "friction"), [(20.0, 0.1), (30.0, 0.3), (30.0, 0.0), (45.0, 0.6)])
def test_a_box_slides_above_the_angle_of_friction(degrees: float, friction: float) -> None:
    slope = math.radians(degrees)
    distance = 0.5 * G * (math.sin(slope) - friction * math.cos(slope)) * 1.5**2
    ours, theirs = both(incline(ec.Box(1.0, 0.4), 0.2, degrees, friction, 90))
    assert way_down(ours, degrees, 0.2) == pytest.approx(distance, rel=CLOSE)
    assert way_down(theirs, degrees, 0.2) == pytest.approx(distance, rel=CLOSE)


def test_a_circle_rolls_down() -> None:
    """a = 2/3 g sin, as long as mu >= tan / 3."""
    degrees = 20.0
    distance = 0.5 * 2.0 / 3.0 * G * math.sin(math.radians(degrees)) * 1.5**2
    ours, theirs = both(incline(ec.Circle(0.5), 0.5, degrees, 0.5, 90))
    assert way_down(ours, degrees, 0.5) == pytest.approx(distance, rel=CLOSE)
    assert way_down(theirs, degrees, 0.5) == pytest.approx(distance, rel=CLOSE)
