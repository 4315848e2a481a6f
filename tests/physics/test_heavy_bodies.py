"""Heavy bodies on light ones, and what a platform pushes: without restitution nothing rebounds, sinks in or gains."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, ground

G = 9.81


@pytest.mark.parametrize("ratio", [5, 10, 20, 40, 100])
@pytest.mark.parametrize("speed", [1.0, 4.0, 10.0])
@pytest.mark.parametrize("aside", [0.0, 0.013])
def test_a_heavy_box_that_lands_on_a_light_one_stays_on_it(ratio: float, speed: float, aside: float) -> None:
    """Nearly all of its speed goes into the ground: with one pass it came back with up to .8 of it."""
    with game(gravity=(0.0, -G)) as play:
        ground()
        light = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
        heavy = dynamic(ec.Box(1.0, 1.0), (aside, 1.8), (0.0, -speed), density=ratio)
        fastest, back, last = 0.0, 0.0, np.inf
        for _ in range(90):
            play.step()
            velocities = {1.0: play.velocity(light)[1], ratio: play.velocity(heavy)[1]}
            fastest = max(fastest, -velocities[ratio])
            if velocities[ratio] > -0.5 * fastest:
                back = max(back, velocities[ratio])
            heights = {1.0: play.pose(light)[1], ratio: play.pose(heavy)[1]}
            energy = sum(mass * (0.5 * velocities[mass] ** 2 + G * heights[mass]) for mass in heights)
            assert energy < last + 0.01 * ratio * (0.5 * fastest**2 + 2.0 * G)
            last = energy
        assert back < 0.2 * fastest


@pytest.mark.parametrize("shape", [ec.Box(1.0, 1.0), ec.Circle(0.5)])
@pytest.mark.parametrize(
    ("ratio", "stack", "most"), [(1, 1, 0.05), (1, 3, 0.15), (2, 1, 0.12), (3, 1, 0.12), (2, 3, 0.2), (3, 3, 0.2)]
)
@pytest.mark.parametrize("speed", [2.0, 6.0, 12.0])
def test_a_body_that_lands_on_bodies_of_similar_mass_stays_on_them(
    shape: ec.Shape, ratio: float, stack: int, most: float, speed: float
) -> None:
    """The impact was repeated as if it were a load, and threw it back with up to .42 of its speed."""
    with game(gravity=(0.0, -G)) as play:
        ground(0.6)
        for k in range(stack):
            dynamic(shape, (0.0, 0.5 + k), friction=0.6)
        play.step(30)
        lands = dynamic(shape, (0.0, stack + 0.55), (0.0, -speed), density=ratio, friction=0.6)
        fastest, back = speed, 0.0
        for _ in range(90):
            play.step()
            fastest, back = max(fastest, -play.velocity(lands)[1]), max(back, play.velocity(lands)[1])
        assert back < most * fastest


@pytest.mark.parametrize("boxes", [1, 3, 6])
@pytest.mark.parametrize("speed", [10.0, 50.0])
def test_a_lift_that_starts_at_once_throws_nothing(boxes: int, speed: float) -> None:
    with game(gravity=(0.0, -G)) as play:
        kind = ec.RigidBody(ec.BodyKind.KINEMATIC)
        lift = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Box(4.0, 0.5)), kind)
        tower = [dynamic(ec.Box(1.0, 1.0), (0.0, 0.75 + k)) for k in range(boxes)]
        play.step(30)
        esper.component_for_entity(lift, ec.Velocity).y = speed
        for _ in range(30):
            play.step()
            assert max(play.velocity(box)[1] for box in tower) < 1.05 * speed


@pytest.mark.parametrize("unit", [1.0, 100.0])
@pytest.mark.parametrize(("ratio", "light"), [(100, 3), (1000, 1), (1000, 3), (3000, 1)])
def test_a_box_of_a_thousand_times_the_mass_sinks_in_by_less_than_5_cm(ratio: float, light: int, unit: float) -> None:
    with game(gravity=(0.0, -G * unit), length_unit=unit, sleeping=False) as play:
        ground(0.6)
        for k in range(light):
            dynamic(ec.Box(unit, unit), (0.0, (0.5 + k) * unit), friction=0.6)
        heavy = dynamic(ec.Box(unit, unit), (0.0, (0.5 + light) * unit), density=ratio, friction=0.6)
        play.step(600)
        assert play.pose(heavy)[1] > (0.45 + light) * unit
        assert np.abs(play.physics.positions[1:, 0]).max() < 1e-3 * unit
        assert np.abs(play.physics.velocities).max() < 1e-3 * unit


@pytest.mark.parametrize("seed", range(10))
def test_without_restitution_no_step_gains_energy(seed: int) -> None:
    """Bodies of very different masses thrown together: no step ends with 1 % more than it began with."""
    rng = np.random.default_rng(seed)
    with game(gravity=(0.0, -G)) as play:
        ground(0.5)
        bodies, masses = [], []
        for k in range(12):
            density = float(10.0 ** rng.uniform(0.0, 2.0))
            size = float(rng.uniform(0.4, 0.8))
            shape = ec.Box(size, size) if k % 2 else ec.Circle(0.5 * size)
            place = (1.2 * (k % 3) + float(rng.uniform(-0.2, 0.2)), 0.6 + 1.2 * (k // 3))
            bodies.append(
                dynamic(shape, place, (float(rng.normal(0.0, 2.0)), float(rng.uniform(-6.0, 0.0))), density=density)
            )
            properties = shape.mass_properties()
            masses.append((density * properties.area, density * properties.second_moment))
        last = np.inf
        for _ in range(180):
            play.step()
            energy = 0.0
            for body, (mass, inertia) in zip(bodies, masses, strict=True):
                vx, vy, w = play.velocity(body)
                energy += 0.5 * (mass * (vx * vx + vy * vy) + inertia * w * w) + mass * G * play.pose(body)[1]
            assert energy < 1.01 * last
            last = energy


def test_equal_boxes_in_line_meet_in_two_points_across_a_gap() -> None:
    """Two corners of each are equally close: with one pair of them alone the upper box turned as it landed."""
    with game() as play:
        dynamic(ec.Box(1.0, 1.0))
        upper = dynamic(ec.Box(1.0, 1.0), (0.0, 1.01), (0.0, -2.0))
        play.step()
        assert play.physics.contacts.point_count.tolist() == [2]
        assert play.velocity(upper)[2] == pytest.approx(0.0, abs=1e-12)
