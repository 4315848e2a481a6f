"""Motion without contacts: the integrator in closed form, forces, impulses, damping, mass."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, dynamic, game

G = -9.81


def fallen(height: float, speed: float, gravity: float, steps: int, substeps: int, dt: float = DT) -> float:
    """Semi-implicit Euler in n substeps of h: y = y0 + n h v0 + g h^2 n (n + 1) / 2."""
    n, h = steps * substeps, dt / substeps
    return height + n * h * speed + gravity * h * h * n * (n + 1) / 2.0


@pytest.mark.parametrize("substeps", [1, 4, 8])
@pytest.mark.parametrize("scale", [1.0, 0.0, -0.5, 3.0])
def test_free_fall(substeps: int, scale: float) -> None:
    with game(gravity=(0.0, G), substeps=substeps) as play:
        body = dynamic(ec.Circle(0.5), (1.0, 100.0), (2.0, 3.0), ec.RigidBody(gravity_scale=scale))
        play.step(60)
        x, y, angle = play.pose(body)
        assert x == pytest.approx(3.0, rel=1e-12)
        assert y == pytest.approx(fallen(100.0, 3.0, scale * G, 60, substeps), rel=1e-12)
        assert angle == 0.0
        assert play.velocity(body) == pytest.approx((2.0, 3.0 + scale * G, 0.0), rel=1e-12)


def test_gravity_may_change() -> None:
    with game(gravity=(0.0, G)) as play:
        body = dynamic(ec.Circle(0.5))
        play.physics.gravity = (3.0, 0.0)
        play.step(60)
        assert play.velocity(body) == pytest.approx((3.0, 0.0, 0.0), rel=1e-12)


def test_a_body_without_collider_falls_too() -> None:
    with game(gravity=(0.0, G)) as play:
        body = esper.create_entity(ec.Transform(0.0, 10.0), ec.Velocity(1.0, 0.0, 2.0))
        play.step(60)
        assert play.pose(body) == pytest.approx((1.0, fallen(10.0, 0.0, G, 60, 4), 2.0), rel=1e-12)


@pytest.mark.parametrize("substeps", [1, 4])
def test_damping(substeps: int) -> None:
    """v' = (v + h g) / (1 + h d) in each substep."""
    linear, angular = 0.8, 2.5
    with game(gravity=(0.0, G), substeps=substeps) as play:
        damping = ec.RigidBody(linear_damping=linear, angular_damping=angular)
        body = dynamic(ec.Circle(0.5), (0.0, 0.0), (5.0, 0.0), damping, angular=3.0)
        play.step(120)
        h, n = DT / substeps, 120 * substeps
        keep = 1.0 / (1.0 + h * linear)
        falling = h * G * keep * (1.0 - keep**n) / (1.0 - keep)
        expected = 5.0 * keep**n, falling, 3.0 / (1.0 + h * angular) ** n
        assert play.velocity(body) == pytest.approx(expected, rel=1e-10)
        assert play.velocity(body)[0] == pytest.approx(5.0 * math.exp(-2.0 * linear), rel=0.02)


def test_a_force_accelerates_as_long_as_it_is_there() -> None:
    with game() as play:
        body = dynamic(ec.Box(1.0, 1.0), (0.0, 0.0), (0.0, 0.0), ec.Force(6.0, -2.0, 1.0), density=2.0)
        play.step(60)
        expected = 3.0, -1.0, 1.0 / (2.0 / 6.0)
        assert play.velocity(body) == pytest.approx(expected, rel=1e-12)
        esper.remove_component(body, ec.Force)
        play.step(60)
        assert play.velocity(body) == pytest.approx(expected, rel=1e-12)


def test_a_force_may_change() -> None:
    with game() as play:
        body = dynamic(ec.Circle(0.5), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(mass=2.0), ec.Force(2.0))
        play.step(30)
        esper.component_for_entity(body, ec.Force).x = -2.0
        play.step(30)
        assert play.velocity(body) == pytest.approx((0.0, 0.0, 0.0), abs=1e-14)


def test_apply_force_lasts_one_step() -> None:
    with game() as play:
        body = dynamic(ec.Box(1.0, 1.0), density=2.0)
        play.physics.apply_force(body, (12.0, 0.0))
        play.physics.apply_force(body, (0.0, 6.0), torque=1.0)
        play.step()
        expected = 6.0 * DT, 3.0 * DT, 3.0 * DT
        assert play.velocity(body) == pytest.approx(expected, rel=1e-12)
        play.step(10)
        assert play.velocity(body) == pytest.approx(expected, rel=1e-12)


OFF_CENTRE = ec.Box(2.0, 1.0, center=(0.5, 0.25))
"""Mass 2 and inertia 2 (4 + 1) / 12 at density 1."""


def test_apply_force_at_a_point_turns() -> None:
    with game() as play:
        body = dynamic(OFF_CENTRE, (3.0, 4.0), angle=math.pi / 2.0)  # centre of mass at (2.75, 4.5)
        play.physics.apply_force(body, (0.0, 2.0), (3.75, 10.0))
        play.step()
        assert play.velocity(body) == pytest.approx((0.0, DT, 2.0 * DT / (10.0 / 12.0)), rel=1e-12, abs=1e-15)


def test_apply_impulse_acts_at_once() -> None:
    with game() as play:
        body = dynamic(OFF_CENTRE, (3.0, 4.0), angle=math.pi / 2.0)
        play.physics.apply_impulse(body, (1.0, 0.0))
        assert play.velocity(body) == pytest.approx((0.5, 0.0, 0.0), rel=1e-12)
        play.physics.apply_impulse(body, (1.0, 0.0), (0.0, 5.5))
        assert play.velocity(body) == pytest.approx((1.0, 0.0, -12.0 / 10.0), rel=1e-12)
        play.step()
        assert play.velocity(body) == pytest.approx((1.0, 0.0, -12.0 / 10.0), rel=1e-12)


def test_a_free_body_turns_about_its_centre_of_mass() -> None:
    with game() as play:
        body = dynamic(OFF_CENTRE, (3.0, 4.0), angular=2.0)
        for _ in range(90):
            play.step()
            x, y, angle = play.pose(body)
            cosine, sine = math.cos(angle), math.sin(angle)
            assert x + cosine * 0.5 - sine * 0.25 == pytest.approx(3.5, abs=1e-12)
            assert y + sine * 0.5 + cosine * 0.25 == pytest.approx(4.25, abs=1e-12)
        assert angle == pytest.approx(3.0, rel=1e-12)


def test_mass_and_inertia_from_density() -> None:
    with game() as play:
        body = dynamic(ec.Circle(0.5), density=3.0)
        assert play.physics.mass_of(body) == pytest.approx(3.0 * math.pi / 4.0, rel=1e-12)


def test_a_mass_scales_the_inertia_along() -> None:
    with game() as play:
        body = dynamic(ec.Box(1.0, 1.0), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(mass=5.0))
        assert play.physics.mass_of(body) == pytest.approx(5.0, rel=1e-12)
        play.physics.apply_impulse(body, (0.0, 10.0), (0.5, 0.0))
        assert play.velocity(body) == pytest.approx((0.0, 2.0, 5.0 / (5.0 / 6.0)), rel=1e-12)


def test_an_inertia_of_its_own() -> None:
    with game() as play:
        body = dynamic(ec.Box(1.0, 1.0), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(mass=5.0, inertia=40.0))
        play.physics.apply_impulse(body, (0.0, 10.0), (0.5, 0.0))
        assert play.velocity(body) == pytest.approx((0.0, 2.0, 5.0 / 40.0), rel=1e-12)


def test_the_mass_may_change() -> None:
    with game() as play:
        body = dynamic(ec.Box(1.0, 1.0), (0.0, 0.0), (0.0, 0.0), ec.RigidBody(mass=5.0))
        play.step()
        esper.component_for_entity(body, ec.RigidBody).mass = 2.0
        play.step()
        assert play.physics.mass_of(body) == pytest.approx(2.0, rel=1e-12)


def test_static_and_kinematic_bodies_do_not_feel_gravity() -> None:
    with game(gravity=(0.0, G)) as play:
        wall = esper.create_entity(ec.Transform(1.0, 2.0, 0.3), ec.Collider(ec.Box(1.0, 1.0)))
        lift = dynamic(ec.Box(1.0, 1.0), (5.0, 0.0), (1.0, 0.0), ec.RigidBody(ec.BodyKind.KINEMATIC), angular=0.5)
        play.step(60)
        assert play.pose(wall) == (1.0, 2.0, 0.3)
        assert play.pose(lift) == pytest.approx((6.0, 0.0, 0.5), rel=1e-12)
        assert play.velocity(lift) == (1.0, 0.0, 0.5)
