"""Masses, momenta and energies, against closed forms and laws of conservation."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import floor, run

pytestmark = pytest.mark.usefixtures("fresh_world")


def brick(*velocity: float, x: float = 0.0, body: ec.RigidBody | None = None) -> int:
    """Create a box of 2 × 1 m and 3 kg."""
    parts = (ec.Transform(x, 1), ec.Velocity(*velocity), ec.Collider(ec.Box(2, 1), density=1.5))
    return esper.create_entity(*parts, *([] if body is None else [body]))


def test_a_box_has_the_mass_and_inertia_of_the_formula() -> None:
    physics, entity = ec.install(), brick(1, 2, 3)
    assert physics.mass_of(entity) == pytest.approx(3)
    assert physics.inertia_of(entity) == pytest.approx(3 * (4 + 1) / 12)
    assert physics.momentum(entity) == pytest.approx((3, 6))
    assert physics.kinetic_energy(entity) == pytest.approx(0.5 * 3 * 5 + 0.5 * 1.25 * 9)
    assert physics.angular_momentum(entity) == pytest.approx(1.25 * 3 + 0 * 6 - 1 * 3)
    assert physics.angular_momentum(entity, about=(0, 1)) == pytest.approx(1.25 * 3)


def test_a_world_has_the_sums_of_its_bodies() -> None:
    physics = ec.install()
    entities = [brick(*velocity, x=3.0 * k) for k, velocity in enumerate(np.random.default_rng(1).normal(size=(20, 3)))]
    floor()
    assert physics.kinetic_energy() == pytest.approx(sum(map(physics.kinetic_energy, entities)))
    assert physics.momentum() == pytest.approx(np.sum([physics.momentum(each) for each in entities], axis=0))
    assert physics.angular_momentum() == pytest.approx(sum(map(physics.angular_momentum, entities)))


def test_what_cannot_move_has_infinite_mass_and_no_momentum() -> None:
    physics = ec.install()
    lift, locked = brick(1, 2, 3, body=ec.RigidBody(ec.BodyKind.KINEMATIC)), brick(5, 1, body=ec.RigidBody(lock_x=True))
    turned = brick(0, 1, 0, body=ec.RigidBody(lock_rotation=True))
    assert physics.mass_of(lift) == physics.inertia_of(lift) == physics.inertia_of(turned) == math.inf
    assert physics.momentum(lift) == (0, 0) and physics.kinetic_energy(lift) == 0
    assert physics.momentum(locked) == pytest.approx((0, 3))
    assert physics.mass_of(locked) == pytest.approx(3)


def test_a_world_without_bodies_has_none() -> None:
    physics = ec.install()
    assert (physics.kinetic_energy(), physics.momentum(), physics.angular_momentum()) == (0, (0, 0), 0)


def test_momentum_is_kept_in_collisions_of_free_bodies() -> None:
    physics, rng = ec.install(), np.random.default_rng(3)
    for x, y in rng.uniform(-4, 4, (30, 2)).tolist():
        esper.create_entity(ec.Transform(x, y), ec.Velocity(-x, -y, 1), ec.Collider(ec.Box(0.5, 0.3)))
    run(2)
    momentum = physics.momentum()
    run(120)
    assert physics.momentum() == pytest.approx(momentum, abs=1e-9)


def test_the_angular_momentum_about_any_point_is_kept_in_free_flight() -> None:
    physics, entity = ec.install(), brick(3, 4, 2, x=5)
    before = [physics.angular_momentum(entity, about=point) for point in ((0, 0), (7, -3))]
    assert before[0] != pytest.approx(before[1])
    run(120)
    after = [physics.angular_momentum(entity, about=point) for point in ((0, 0), (7, -3))]
    assert after == pytest.approx(before)
