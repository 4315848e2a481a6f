"""Velocities after frictionless impacts: the closed form, this engine and pymunk.

With the unit normal n, restitution e, and r the contact point as seen from a centre of mass,
    j = -(1 + e) v_n / K,   K = 1/m_a + 1/m_b + (r_a x n)^2 / I_a + (r_b x n)^2 / I_b.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec
from tests.support import pymunk_oracle
from tests.support.scene import BodyPlan, Scene, run_scene

RESTITUTIONS = [0.0, 0.5, 1.0]
OURS = 1e-9
THEIRS = 1e-6
INSTANT = 1e-7
"""pymunk moves bodies before it looks for contacts: in so short a step it sees the scene as it is given [s]."""


def first_step(scene: Scene, dt: float = 1.0 / 60.0) -> np.ndarray:
    return np.array(run_scene(Scene(scene.bodies, scene.gravity, scene.restitution, 1, dt)).velocities[-1])


def first_pymunk_step(scene: Scene) -> np.ndarray:
    instant = Scene(scene.bodies, scene.gravity, scene.restitution, 1, INSTANT)
    return np.array(pymunk_oracle.run_in_pymunk(instant, iterations=200, slop=0.1).velocities[-1])


@pytest.mark.parametrize("restitution", RESTITUTIONS)
@pytest.mark.parametrize(("density", "radius"), [(1.0, 0.5), (7.0, 0.5), (0.2, 0.9)])
@pytest.mark.parametrize("degrees", [0.0, 25.0, 70.0, 200.0])
@pytest.mark.parametrize("struck_velocity", [(0.0, 0.0), (-2.0, 1.0)])
def test_two_circles(
    restitution: float, density: float, radius: float, degrees: float, struck_velocity: tuple[float, float]
) -> None:
    normal = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
    tangent = np.array([-normal[1], normal[0]])
    velocity = 4.0 * normal + 1.5 * tangent
    place = (0.5 + radius - 1e-6) * normal
    a = BodyPlan(ec.Circle(0.5), (0.0, 0.0), (velocity[0], velocity[1]))
    b = BodyPlan(ec.Circle(radius), (place[0], place[1]), struck_velocity, density=density)
    scene = Scene((a, b), restitution=restitution)

    mass_a, mass_b = math.pi * 0.25, density * math.pi * radius**2
    approach = (np.array(struck_velocity) - velocity) @ normal
    impulse = -(1.0 + restitution) * approach / (1.0 / mass_a + 1.0 / mass_b)
    expected = np.zeros((2, 3))
    expected[0, :2] = velocity - impulse / mass_a * normal
    expected[1, :2] = np.array(struck_velocity) + impulse / mass_b * normal

    assert approach < -0.5
    np.testing.assert_allclose(first_step(scene), expected, rtol=0.0, atol=OURS * 4.0)
    np.testing.assert_allclose(first_pymunk_step(scene), expected, rtol=0.0, atol=THEIRS * 4.0)


@pytest.mark.parametrize("restitution", RESTITUTIONS)
@pytest.mark.parametrize("wall", [ec.HalfPlane((-1.0, 0.0)), ec.Segment((0.0, -5.0), (0.0, 5.0))])
def test_a_circle_flies_at_a_wall(restitution: float, wall: ec.Shape) -> None:
    bodies = (BodyPlan(wall, static=True), BodyPlan(ec.Circle(0.5), (-2.0, 0.0), (3.0, 1.25)))
    scene = Scene(bodies, restitution=restitution, steps=60)
    ours, theirs = run_scene(scene), pymunk_oracle.run_in_pymunk(scene)
    expected = (-3.0 * restitution, 1.25, 0.0)
    np.testing.assert_allclose(ours.velocities[-1, 1], expected, rtol=0.0, atol=3.0 * OURS)
    np.testing.assert_allclose(theirs.velocities[-1, 1], expected, rtol=0.0, atol=3.0 * THEIRS)


@pytest.mark.parametrize("restitution", RESTITUTIONS)
@pytest.mark.parametrize("mass_ratio", [0.1, 1.0, 10.0])
def test_circles_fly_head_on(restitution: float, mass_ratio: float) -> None:
    bodies = (
        BodyPlan(ec.Circle(0.5), (-2.0, 0.0), (3.0, 0.0)),
        BodyPlan(ec.Circle(0.5), (1.0, 0.0), (-2.0, 0.0), density=mass_ratio),
    )
    scene = Scene(bodies, restitution=restitution, steps=60)
    mean = (3.0 - 2.0 * mass_ratio) / (1.0 + mass_ratio)
    recoil = restitution * 5.0 / (1.0 + mass_ratio)
    expected = np.array([mean - mass_ratio * recoil, mean + recoil])
    np.testing.assert_allclose(run_scene(scene).velocities[-1, :, 0], expected, rtol=0.0, atol=5.0 * OURS)
    np.testing.assert_allclose(
        pymunk_oracle.run_in_pymunk(scene).velocities[-1, :, 0], expected, rtol=0.0, atol=5.0 * THEIRS
    )


@pytest.mark.parametrize("restitution", RESTITUTIONS)
@pytest.mark.parametrize(("width", "height"), [(1.0, 1.0), (3.0, 1.0), (1.0, 3.0)])
def test_a_box_flat_on_a_wall_does_not_turn(restitution: float, width: float, height: float) -> None:
    bodies = (
        BodyPlan(ec.HalfPlane((0.0, 1.0)), static=True),
        BodyPlan(ec.Box(width, height), (0.0, 0.5 * height - 1e-6), (1.0, -3.0)),
    )
    scene = Scene(bodies, restitution=restitution)
    expected = (1.0, 3.0 * restitution, 0.0)
    np.testing.assert_allclose(first_pymunk_step(scene)[1], expected, rtol=0.0, atol=3.0 * THEIRS)
    np.testing.assert_allclose(first_step(scene)[1], expected, rtol=0.0, atol=3.0 * THEIRS)


@pytest.mark.parametrize("restitution", RESTITUTIONS)
@pytest.mark.parametrize("density", [1.0, 5.0])
def test_two_boxes_flat_on_each_other(restitution: float, density: float) -> None:
    bodies = (
        BodyPlan(ec.Box(1.0, 1.0), (0.0, 0.0), (2.0, 0.0)),
        BodyPlan(ec.Box(1.0, 1.0), (1.0 - 1e-6, 0.0), (-1.0, 0.0), density=density),
    )
    scene = Scene(bodies, restitution=restitution)
    mean = (2.0 - density) / (1.0 + density)
    recoil = restitution * 3.0 / (1.0 + density)
    expected = np.array([[mean - density * recoil, 0.0, 0.0], [mean + recoil, 0.0, 0.0]])
    np.testing.assert_allclose(first_pymunk_step(scene), expected, rtol=0.0, atol=3.0 * THEIRS)
    np.testing.assert_allclose(first_step(scene), expected, rtol=0.0, atol=3.0 * THEIRS)


@pytest.mark.parametrize("restitution", RESTITUTIONS)
@pytest.mark.parametrize("degrees", [10.0, 30.0, 60.0])
def test_a_box_lands_on_a_corner(restitution: float, degrees: float) -> None:
    """The one impulse turns the box."""
    angle = math.radians(degrees)
    corners = [
        np.array([math.cos(angle) * x - math.sin(angle) * y, math.sin(angle) * x + math.cos(angle) * y])
        for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    ]
    arm = min(corners, key=lambda corner: float(corner[1]))
    scene = Scene(
        (
            BodyPlan(ec.HalfPlane((0.0, 1.0)), static=True),
            BodyPlan(ec.Box(1.0, 1.0), (0.0, -float(arm[1]) - 1e-6), (0.5, -2.0), angle, 0.7, density=2.0),
        ),
        restitution=restitution,
    )
    mass, inertia = 2.0, 2.0 / 6.0
    turn = float(arm[0])  # r x n for n = (0, 1)
    impulse = -(1.0 + restitution) * (-2.0 + 0.7 * turn) / (1.0 / mass + turn**2 / inertia)
    expected = (0.5, -2.0 + impulse / mass, 0.7 + turn * impulse / inertia)
    np.testing.assert_allclose(first_step(scene)[1], expected, rtol=0.0, atol=2.0 * OURS)
    np.testing.assert_allclose(first_pymunk_step(scene)[1], expected, rtol=0.0, atol=2.0 * THEIRS)


def test_the_normal_of_an_impact_is_the_line_of_centres() -> None:
    bodies = (BodyPlan(ec.Circle(0.5)), BodyPlan(ec.Circle(0.25), (0.45, 0.6 - 1e-6), (0.0, -1.0)))
    trace = run_scene(Scene(bodies, steps=1))
    np.testing.assert_allclose(trace.normals[0, 1], np.array([0.45, 0.6]) / 0.75, atol=1e-5)
