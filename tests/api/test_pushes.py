"""Impulses, forces and accelerations in world and body axes, and explosions, against closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import disk, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

QUARTER = math.pi / 2


def ship(angle: float = QUARTER) -> int:
    """Create a box of 2 kg that points along `angle`."""
    return esper.create_entity(ec.Transform(5, 5, angle), ec.Velocity(), ec.Collider(ec.Box(2, 1)))


def test_a_rocket_accelerates_along_its_own_axis() -> None:
    physics, entity = ec.install(), ship()
    physics.apply_force(entity, (4, 0), local=True)
    run(1, 0.5)
    assert velocity(entity).linear == pytest.approx((0, 1))
    physics.apply_impulse(entity, (0, 2), local=True)
    assert velocity(entity).linear == pytest.approx((-1, 1))


def test_a_local_point_is_that_world_point() -> None:
    spins = []
    for local in (True, False):
        esper.clear_database()
        physics, entity = ec.install(), ship(0.7)
        point, impulse = (1.0, 0.5), (0.3, -0.8)
        if local:
            physics.apply_impulse(entity, impulse, point, local=True)
        else:
            c, s = math.cos(0.7), math.sin(0.7)
            turned = (c * impulse[0] - s * impulse[1], s * impulse[0] + c * impulse[1])
            physics.apply_impulse(entity, turned, physics.to_world(entity, point))
        spins.append((*velocity(entity).linear, velocity(entity).angular))
        ec.uninstall()
    assert spins[0] == pytest.approx(spins[1])


def test_an_angular_impulse_turns_by_the_inertia() -> None:
    physics, entity = ec.install(), ship()
    physics.apply_impulse(entity, (0, 0), angular=3.0)
    assert velocity(entity).angular == pytest.approx(3 / physics.inertia_of(entity))
    assert velocity(entity).linear == (0, 0)


@pytest.mark.parametrize("density", [0.1, 1, 40])
def test_bodies_of_any_mass_get_the_same_acceleration(density: float) -> None:
    physics, entity = ec.install(), disk(density=density)
    physics.apply_acceleration(entity, (3, 0), angular=2)
    run(1, 0.5)
    assert velocity(entity).linear == pytest.approx((1.5, 0))
    assert velocity(entity).angular == pytest.approx(1)


def test_a_locked_axis_is_not_accelerated() -> None:
    physics, entity = ec.install(), disk()
    esper.add_component(entity, ec.RigidBody(lock_x=True))
    physics.apply_acceleration(entity, (3, 2), local=True)
    run(1, 0.5)
    assert velocity(entity).linear == pytest.approx((0, 1))


def test_an_explosion_pushes_by_the_width_that_a_body_shows() -> None:
    physics = ec.install()
    near = esper.create_entity(ec.Transform(3, 0), ec.Velocity(), ec.Collider(ec.Box(2, 1)))
    wide = esper.create_entity(ec.Transform(0, 4), ec.Velocity(), ec.Collider(ec.Box(3, 2)))
    far = disk(30)
    wall = esper.create_entity(ec.Transform(-3, 0), ec.Collider(ec.Box(1, 1)))
    assert physics.explode((0, 0), 5, 10) == [near, wide]
    assert physics.momentum(near) == pytest.approx((10 * 1, 0))
    assert physics.momentum(wide) == pytest.approx((0, 10 * 3))
    assert velocity(far).linear == (0, 0) and wall


def test_an_explosion_falls_off_beyond_its_radius() -> None:
    physics = ec.install()
    places = (1.5, 2.5, 3.5, 4.5, 5.5)
    disks = [disk(x * math.cos(x), x * math.sin(x)) for x in places]  # of radius 0.5
    assert physics.explode((0, 0), 2, 10, falloff=2) == disks[:4]
    amounts = [math.hypot(*physics.momentum(each)) for each in disks]
    assert amounts == pytest.approx([10, 10, 5, 0, 0], abs=1e-9)


def test_an_explosion_hits_a_corner_that_is_nearest_and_turns_the_body() -> None:
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(2, 2), ec.Velocity(), ec.Collider(ec.Box(2, 1)))
    physics.explode((0, 0), 5, 1)
    corner, j = (1.0, 1.5), physics.momentum(entity)
    assert j[1] / j[0] == pytest.approx(corner[1] / corner[0])
    arm = corner[0] - 2, corner[1] - 2
    assert velocity(entity).angular * physics.inertia_of(entity) == pytest.approx(arm[0] * j[1] - arm[1] * j[0])


def test_a_body_around_the_centre_is_pushed_through_its_centre_of_mass_and_one_at_it_not_at_all() -> None:
    physics = ec.install()
    around, at = disk(0.2, 0), disk(0, 0)
    assert physics.explode((0, 0), 1, 3) == [around]
    assert physics.momentum(around) == pytest.approx((3, 0))
    assert velocity(around).angular == 0
    assert velocity(at).linear == (0, 0)


def test_an_explosion_passes_what_its_filters_leave_out_and_wakes_the_others() -> None:
    physics = ec.install()
    other_layer = esper.create_entity(ec.Transform(1, 0), ec.Velocity(), ec.Collider(ec.Circle(0.2), layer=2))
    ignored, refused, sensor, asleep = disk(2, 0), disk(3, 0), disk(4, 0), disk(0, 3)
    esper.component_for_entity(sensor, ec.Collider).sensor = True
    run(60)
    assert not physics.is_awake(asleep)
    assert physics.explode((0, 0), 9, -1, mask=1, ignore=[ignored], where=lambda e: e != refused) == [asleep]
    assert other_layer and physics.is_awake(asleep)
    run(1)
    assert transform(asleep).y < 3


BAD: list[tuple[Callable[[ec.PhysicsWorld, int], object], str]] = [
    (lambda p, e: p.explode((0, math.nan), 1, 1), r"center\[1\] must be a finite number"),
    (lambda p, e: p.explode((0, 0), -1, 1), "radius must be a non-negative"),
    (lambda p, e: p.explode((0, 0), 1, 1, falloff=math.inf), "falloff must be a non-negative"),
    (lambda p, e: p.explode((0, 0), 1, math.nan), "impulse must be a finite number"),
    (lambda p, e: p.apply_acceleration(e, (1, math.inf)), r"acceleration\[1\] must be a finite number"),
    (lambda p, e: p.apply_impulse(e, (1, 0), angular=math.nan), "angular must be a finite number"),
]


@pytest.mark.parametrize(("push", "words"), BAD)
def test_bad_arguments_are_named_and_change_nothing(push: Callable[[ec.PhysicsWorld, int], object], words: str) -> None:
    physics, entity = ec.install(), disk()
    run()
    state = physics.state_hash()
    with pytest.raises(ValueError, match=words):
        push(physics, entity)
    assert physics.state_hash() == state
