"""Heavy bodies on light ones that joints hold: a player of 80 kg on planks of half a kilogram, a lift, a trapeze."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, dynamic, game, transform

G = 9.81
THICKNESS = 0.1
"""Thickness of a plank [m]."""


def light_plank() -> int:
    """Create a plank of 0.2 kg."""
    return dynamic(ec.Box(2.0, THICKNESS), friction=0.8)


def weld() -> int:
    """Create a plank that stands out of a wall at its left end."""
    joint = ec.WeldJoint(made := light_plank(), point=(-1.0, 0.0))
    esper.create_entity(joint)
    return made


def piston() -> int:
    """Create a plank that stands at the lower limit of a slider."""
    joint = ec.PrismaticJoint(made := light_plank(), axis=(0.0, 1.0), lower=0.0, upper=1.0)
    esper.create_entity(joint)
    return made


def trapeze() -> int:
    """Create a plank that hangs by two rods."""
    made = light_plank()
    for x in (-1.0, 1.0):
        esper.create_entity(ec.DistanceJoint(made, anchor_a=(x, 0.0), anchor_b=(x, 3.0)))
    return made


def drawbridge() -> int:
    """Create a plank on a hinge, held by the limit of its angle."""
    joint = ec.RevoluteJoint(made := light_plank(), point=(-1.0, 0.0), lower=0.0, upper=1.5)
    esper.create_entity(joint)
    return made


def heavy_box(place: tuple[float, float], mass: float) -> int:
    """Create a box of the mass [kg] whose friction keeps it where it stands."""
    return dynamic(ec.Box(0.8, 0.8), place, (0.0, 0.0), ec.RigidBody(mass=mass), friction=0.8)


def mechanical_energy(play: Game, bodies: list[int]) -> float:
    """Return the kinetic energy and the energy of height of the bodies [J]."""
    physics = play.physics
    return sum(physics.kinetic_energy(body) + physics.mass_of(body) * G * transform(body).y for body in bodies)


@pytest.mark.parametrize("held", [weld, piston, trapeze, drawbridge])
@pytest.mark.parametrize("mass", [10.0, 100.0, 1_000.0, 10_000.0])
@pytest.mark.parametrize("drop", [0.0, 0.5, 2.0])
def test_a_light_plank_bears_any_mass(held: Callable[[], int], mass: float, drop: float) -> None:
    """From 500 times the mass of the plank on, a body at rest on it was thrown up by metres, or fell through."""
    with game(gravity=(0.0, -G)) as play:
        board = held()
        load = heavy_box((0.2, 0.4 + THICKNESS / 2 + drop), mass)
        highest = transform(load).y
        play.step(30)
        for _ in range(300):
            play.step()
            assert transform(load).y < highest + 0.01
        assert transform(board).y == pytest.approx(0.0, abs=0.015)  # a trapeze swings on
        assert transform(load).y - transform(board).y == pytest.approx(0.4 + THICKNESS / 2, abs=0.03)
        assert abs(play.velocity(load)[1]) < 0.1


@pytest.mark.parametrize("shape", [ec.Box(0.8, 1.6), ec.Circle(0.4)])
@pytest.mark.parametrize("drop", [0.0, 1.0])
def test_a_bridge_of_light_planks_carries_a_player(shape: ec.Shape, drop: float) -> None:
    """Its planks weigh 0.05 kg. The player was thrown up by two metres and fell between the planks."""
    count, length = 12, 0.5
    with game(gravity=(0.0, -G)) as play:
        planks = [dynamic(ec.Box(length, THICKNESS), (length * (k - 5.5), 0.0), friction=0.8) for k in range(count)]
        left, right, end = (-length / 2, 0.0), (length / 2, 0.0), 0.49 * count * length
        joints = [ec.RevoluteJoint(planks[0], anchor_a=left, anchor_b=(-end, 0.0))]
        joints += [ec.RevoluteJoint(a, b, anchor_a=right, anchor_b=left) for a, b in pairwise(planks)]
        joints.append(ec.RevoluteJoint(planks[-1], anchor_a=right, anchor_b=(end, 0.0)))
        for joint in joints:
            esper.create_entity(joint)
        body = ec.RigidBody(mass=80.0, lock_rotation=True)
        player = dynamic(shape, (0.1, 0.9 + drop), (0.0, 0.0), body, friction=0.8)
        before = mechanical_energy(play, [player, *planks])
        for _ in range(600):
            play.step()
            assert mechanical_energy(play, [player, *planks]) < before + 80.0 * G * 0.01
        assert -0.5 < transform(player).y < 0.5
        assert max(map(abs, play.velocity(player)[:2])) < 0.2
        assert max(joint.gap for joint in joints) < 1e-3


def test_a_motor_lifts_a_thousand_times_the_mass_of_its_platform() -> None:
    with game(gravity=(0.0, -G)) as play:
        lift = ec.PrismaticJoint(light_plank(), axis=(0.0, 1.0), lower=0.0, upper=3.0)
        lift.motor_speed, lift.max_motor_force = 1.0, 5_000.0
        esper.create_entity(lift)
        load = heavy_box((0.3, 0.4 + THICKNESS / 2), 200.0)
        play.step(60)
        assert lift.translation == pytest.approx(1.0, abs=0.03)
        play.step(240)
        assert transform(load).y == pytest.approx(3.4 + THICKNESS / 2, abs=0.03)
        assert lift.force == pytest.approx(200.2 * G, rel=0.02)


def test_a_heavy_body_loses_no_more_than_a_hundredth_of_its_speed_to_a_light_ragdoll() -> None:
    with game() as play:
        limbs = [dynamic(ec.Capsule((-0.2, 0.0), (0.2, 0.0), 0.08), (0.5 * k, 0.02 * k)) for k in range(4)]
        for a, b in pairwise(limbs):
            esper.create_entity(ec.RevoluteJoint(a, b, anchor_a=(0.25, 0.0), anchor_b=(-0.25, 0.0)))
        truck = dynamic(ec.Box(2.0, 1.0), (-3.0, 0.0), (5.0, 0.0), ec.RigidBody(mass=1_000.0))
        play.step(120)
        assert 0.985 * 5.0 < play.velocity(truck)[0] < 5.0
