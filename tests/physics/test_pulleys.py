"""A pulley accelerates its bodies as Atwood's machine does, and its rope only pulls."""

from __future__ import annotations

import math
from typing import Any

import esper
import pytest

import ecs_collide as ec

pytestmark = pytest.mark.usefixtures("fresh_world")

G = 10.0


def hanging_load(x: float, y: float, mass: float) -> tuple[int, ec.Velocity]:
    velocity = ec.Velocity()
    weight = ec.RigidBody(mass=mass, inertia=0.1 * mass)
    return esper.create_entity(ec.Transform(x, y), velocity, ec.Collider(ec.Circle(0.1), mask=0), weight), velocity


def atwood(mass_a: float, mass_b: float, **numbers: Any) -> tuple[ec.Velocity, ec.Velocity, ec.PulleyJoint]:
    """Hang two loads over fixed points 5 m above them."""
    (a, of_a), (b, of_b) = hanging_load(0.0, 0.0, mass_a), hanging_load(4.0, 0.0, mass_b)
    joint = ec.PulleyJoint(a, b, (0, 5), (4, 5), **numbers)
    esper.create_entity(joint)
    return of_a, of_b, joint


def haul_for(count: int, dt: float = 1 / 60) -> None:
    for _ in range(count):
        esper.process(dt)


@pytest.mark.parametrize("ratio", [1.0, 2.0, 0.5, 5.0])
@pytest.mark.parametrize(("mass_a", "mass_b"), [(1.0, 3.0), (2.0, 2.0), (100.0, 1.0), (1.0, 100.0)])
def test_loads_over_a_pulley_move_as_in_atwoods_machine(mass_a: float, mass_b: float, ratio: float) -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    of_a, of_b, joint = atwood(mass_a, mass_b, ratio=ratio)
    haul_for(20)
    of_load = (ratio * mass_a - mass_b) * G / (mass_b + ratio**2 * mass_a)
    assert of_b.y == pytest.approx(of_load / 3.0, rel=1e-4, abs=1e-6)
    assert of_a.y == pytest.approx(-ratio * of_load / 3.0, rel=1e-4, abs=1e-6)
    assert joint.force == pytest.approx(mass_a * (G - ratio * of_load), rel=1e-4)
    assert joint.length == pytest.approx(5.0 * (1.0 + ratio), abs=1e-4)
    assert joint.gap < 1e-4


def test_loads_that_swing_over_a_pulley_keep_their_energy() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    (a, _of_a), (b, _of_b) = hanging_load(2.0, 3.0, 1.0), hanging_load(4.0, 0.0, 1.2)
    esper.create_entity(ec.PulleyJoint(a, b, (0, 5), (4, 5)))
    physics = ec.physics()

    def energy() -> float:
        heights = [esper.component_for_entity(body, ec.Transform).y for body in (a, b)]
        return physics.kinetic_energy(a) + physics.kinetic_energy(b) + G * (heights[0] + 1.2 * heights[1])

    before = energy()
    for _ in range(240):
        esper.process(1 / 60)
        assert energy() <= before + 0.1
    assert energy() == pytest.approx(before, abs=0.6)


def test_a_rope_over_a_pulley_only_pulls() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    of_a, of_b, joint = atwood(1.0, 1.0)
    of_a.y = of_b.y = 6.0
    haul_for(30)
    assert (of_a.y, of_b.y) == pytest.approx((1.0, 1.0), abs=1e-9)
    assert joint.force == 0.0
    assert joint.length < 9.0
    haul_for(120)
    assert of_a.y + of_b.y == pytest.approx(0.0, abs=1e-6)
    assert joint.gap < 1e-3
    assert joint.force == pytest.approx(G, rel=0.01)


def test_a_rope_runs_out_above_its_greatest_pull() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    of_a, of_b, joint = atwood(2.0, 2.0, max_force=15.0)
    haul_for(30)
    assert (of_a.y, of_b.y) == pytest.approx((-1.25, -1.25), rel=1e-6)
    assert joint.force == pytest.approx(15.0, rel=1e-6)
    assert joint.gap > 0.1


def test_a_rope_that_is_wound_up_lifts_both_loads_with_its_speed() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    of_a, of_b, joint = atwood(2.0, 2.0)
    haul_for(10)
    for frame in range(60):
        joint.rest_length = 10.0 - (frame + 1) / 60
        esper.process(1 / 60)
    assert (of_a.y, of_b.y) == pytest.approx((0.5, 0.5), rel=1e-3)
    assert joint.length == pytest.approx(9.0, abs=1e-3)


@pytest.mark.parametrize("anchor", [(0.5, 0.0), (0.0, 0.5)])
def test_an_anchor_beside_the_centre_turns_its_body_under_it(anchor: tuple[float, float]) -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    board = ec.RigidBody(mass=1.0, angular_damping=2.0)
    a = esper.create_entity(ec.Transform(), ec.Velocity(0, 0, 0.1), ec.Collider(ec.Box(1, 1), mask=0), board)
    b, _ = hanging_load(4.0, 0.0, 1.0)
    joint = ec.PulleyJoint(a, b, (0, 5), (4, 5), anchor_a=anchor)
    esper.create_entity(joint)
    haul_for(1200)
    above = ec.physics().to_world(a, anchor)
    below = ec.physics().to_world(a, (0.0, 0.0))
    assert math.atan2(above[1] - below[1], above[0] - below[0]) == pytest.approx(math.pi / 2, abs=0.1)
    assert joint.gap < 1e-3


def test_a_pulley_breaks_by_the_pull_on_a() -> None:
    ec.install(gravity=(0.0, -G), sleeping=False)
    _of_a, _of_b, joint = atwood(2.0, 4.0, ratio=2.0, break_force=15.0)
    haul_for(5)
    assert joint.broken
    assert joint.force == pytest.approx(20.0, rel=1e-4)
