"""Every field of a RigidBody takes effect at the next step."""

from __future__ import annotations

import math
from typing import Any, Literal

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import collider, disk, floor, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def body_of(entity: int) -> ec.RigidBody:
    return esper.component_for_entity(entity, ec.RigidBody)


def disk_with_body(*arguments: Any, **options: Any) -> int:
    entity = disk(0, 10)
    esper.add_component(entity, ec.RigidBody(*arguments, **options))
    return entity


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mass", 0.0),
        ("mass", -1.0),
        ("inertia", 0.0),
        ("inertia", -2.0),
        ("linear_damping", -1.0),
        ("angular_damping", -1.0),
    ],
)
def test_numbers_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=rf"^RigidBody\.{name} must be .*, got {value}"):
        ec.RigidBody(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", 2),
        ("kind", "DYNAMIC"),
        ("kind", None),
        ("lock_x", 1),
        ("lock_y", "no"),
        ("lock_rotation", None),
        ("can_sleep", 1.0),
    ],
)
def test_values_of_the_wrong_kind_are_refused(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=rf"^RigidBody\.{name} must be"):
        ec.RigidBody(**{name: value})
    ec.install()
    entity = disk_with_body()
    run()
    with pytest.raises(TypeError, match=rf"^entity {entity}: RigidBody\.{name} must be"):
        setattr(body_of(entity), name, value)
    run()


def test_mass_and_inertia_replace_those_of_the_shape() -> None:
    physics = ec.install()
    entity = disk_with_body(mass=2.0)
    assert physics.mass_of(entity) == pytest.approx(2.0)
    physics.apply_impulse(entity, (0, 0), (0, 10))
    physics.apply_impulse(entity, (2.0, 0), (0, 10.5))
    assert velocity(entity).x == pytest.approx(1.0)
    assert velocity(entity).angular == pytest.approx(-0.5 * 2.0 / (2.0 * 0.5**2 / 2)), "a mass alone scales the inertia"
    body_of(entity).inertia = 10.0
    velocity(entity).angular = 0.0
    physics.apply_impulse(entity, (2.0, 0), (0, 10.5))
    assert velocity(entity).angular == pytest.approx(-0.1)
    body_of(entity).mass = None
    assert physics.mass_of(entity) == pytest.approx(math.pi / 4)


def test_a_mass_serves_where_the_density_is_zero() -> None:
    physics = ec.install()
    entity = disk_with_body(mass=3.0)
    collider(entity).density = 0.0
    run()
    assert physics.mass_of(entity) == pytest.approx(3.0)


def test_gravity_scale_and_damping() -> None:
    ec.install(gravity=(0, -10))
    entity = disk_with_body(gravity_scale=0.0)
    run()
    assert velocity(entity).y == 0.0
    body_of(entity).gravity_scale = -2.0
    run()
    assert velocity(entity).y == pytest.approx(20 / 60)
    body_of(entity).gravity_scale = 0.0
    body_of(entity).linear_damping = 1e9
    body_of(entity).angular_damping = 1e9
    velocity(entity).angular = 5.0
    run()
    assert velocity(entity).y == pytest.approx(0.0, abs=1e-6)
    assert velocity(entity).angular == pytest.approx(0.0, abs=1e-6)


def test_locks_take_effect_at_the_next_step() -> None:
    ec.install(gravity=(7, -10))
    entity = disk_with_body(lock_x=True, lock_rotation=True)
    velocity(entity).angular = 4.0
    run(5)
    assert transform(entity).x == 0.0
    assert transform(entity).angle == 0.0
    assert transform(entity).y < 10.0
    height = transform(entity).y
    body_of(entity).lock_x = body_of(entity).lock_rotation = False
    body_of(entity).lock_y = True
    velocity(entity).angular = 4.0
    run(5)
    assert transform(entity).x > 0.0
    assert transform(entity).angle > 0.0
    assert transform(entity).y == height


def test_a_body_with_all_axes_locked_holds_its_place() -> None:
    ec.install(gravity=(0, -10))
    entity = disk_with_body(lock_x=True, lock_y=True, lock_rotation=True)
    stone = disk(0.1, 11.2)
    run(60)
    assert transform(entity).pose == (0.0, 10.0, 0.0)
    assert transform(stone).y != 11.2


@pytest.mark.parametrize("kind", list(ec.BodyKind))
def test_kind_decides_what_moves_a_body(kind: ec.BodyKind) -> None:
    ec.install(gravity=(0, -60))
    entity = disk_with_body(kind)
    velocity(entity).x = 60.0
    run()
    moves, falls = kind is not ec.BodyKind.STATIC, kind is ec.BodyKind.DYNAMIC
    assert transform(entity).x == (1.0 if moves else 0.0)
    assert (transform(entity).y < 10.0) == falls
    assert velocity(entity).x == 60.0


def test_kind_may_change_at_any_time(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b = disk_with_body(), disk(0.9, 10)
    run()
    assert events == [("collision_start", a, b)]
    body_of(a).kind = ec.BodyKind.STATIC
    run()
    assert events[1:] == [("collision_end", a, b), ("collision_start", a, b)], "it is another body now"
    assert physics.statistics.moving_bodies == 1
    place = transform(a).pose
    velocity(a).x = 5.0
    run()
    assert transform(a).pose == place
    body_of(a).kind = ec.BodyKind.KINEMATIC
    run()
    assert transform(a).x == pytest.approx(place[0] + 5 / 60)
    assert physics.mass_of(a) == math.inf


def test_adding_and_removing_the_velocity_changes_the_kind() -> None:
    physics = ec.install(gravity=(0, -10))
    entity = disk(0, 5, moving=False)
    run(3)
    assert transform(entity).y == 5.0
    esper.add_component(entity, ec.Velocity(0, -1))
    run()
    assert transform(entity).y < 5.0
    assert physics.statistics.moving_bodies == 1
    speed = esper.remove_component(entity, ec.Velocity)
    run()
    assert physics.statistics.moving_bodies == 0
    height, last = transform(entity).y, speed.y
    assert last < -1.0
    run(3)
    assert transform(entity).y == height
    esper.add_component(entity, speed)
    run()
    assert speed.y < last


def test_a_dynamic_body_needs_no_velocity_component() -> None:
    physics = ec.install(gravity=(0, -10))
    entity = esper.create_entity(ec.Transform(0, 5), ec.RigidBody(), ec.Collider(ec.Circle(1)))
    run(30)
    assert transform(entity).y < 4.5
    assert physics.velocities[physics.row_of(entity), 1] < -4.0
    body_of(entity).mass = 7.0
    speed = physics.velocities[physics.row_of(entity), 1]
    run()
    assert physics.velocities[physics.row_of(entity), 1] == pytest.approx(speed - 10 / 60)


def test_removing_the_rigid_body_brings_the_defaults_back() -> None:
    ec.install(gravity=(0, -10))
    entity = disk_with_body(gravity_scale=0.0, linear_damping=3.0)
    run()
    assert velocity(entity).y == 0.0
    esper.remove_component(entity, ec.RigidBody)
    run()
    assert velocity(entity).y == pytest.approx(-10 / 60)


def test_a_moving_platform_carries_bodies_on_it() -> None:
    ec.install(gravity=(0, -10))
    platform = esper.create_entity(ec.Transform(0, 0), ec.Velocity(1, 0), ec.Collider(ec.Box(6, 1), friction=1.0))
    esper.add_component(platform, ec.RigidBody(ec.BodyKind.KINEMATIC))
    rider = esper.create_entity(ec.Transform(0, 1.0), ec.Velocity(1, 0), ec.Collider(ec.Box(1, 1), friction=1.0))
    run(120)
    assert transform(platform).position == pytest.approx((2.0, 0.0))
    assert transform(rider).position == pytest.approx((2.0, 1.0), abs=0.02)


def test_force_pushes_until_changed() -> None:
    physics = ec.install()
    entity = disk_with_body(mass=2.0, inertia=4.0)
    esper.add_component(entity, ec.Force(6, 0, 8))
    run(60)
    assert velocity(entity).x == pytest.approx(3.0)
    assert velocity(entity).angular == pytest.approx(2.0)
    esper.component_for_entity(entity, ec.Force).x = 0.0
    esper.component_for_entity(entity, ec.Force).torque = 0.0
    run()
    assert velocity(entity).x == pytest.approx(3.0)
    esper.component_for_entity(entity, ec.Force).y = -6.0
    run()
    esper.remove_component(entity, ec.Force)
    run(5)
    assert velocity(entity).y == pytest.approx(-3 / 60)
    physics.apply_force(entity, (2, 0))
    run(5)
    assert velocity(entity).x == pytest.approx(3.0 + 1 / 60), "apply_force counts for one step"


def test_a_body_without_collider_moves_and_meets_nothing(events: list[tuple[Any, ...]]) -> None:
    ec.install(gravity=(0, -10))
    floor()
    ghost = esper.create_entity(ec.Transform(0, 0.5), ec.Velocity(1, 0))
    run(60)
    assert transform(ghost).x == pytest.approx(1.0)
    assert transform(ghost).y < -4.0
    assert events == []


@pytest.mark.parametrize("shape", [ec.Box(2, 1), ec.Circle(0.5), ec.Compound([ec.Circle(0.4), ec.Box(0.4, 2)])])
def test_a_centre_of_mass_of_its_own_is_that_about_which_a_body_turns(shape: ec.Shape) -> None:
    physics = ec.install()
    parts = ec.Transform(1, 2), ec.Velocity(0, 0, 3), ec.Collider(shape), ec.RigidBody(center_of_mass=(0.3, -0.2))
    entity = esper.create_entity(*parts)
    assert physics.center_of_mass_of(entity) == pytest.approx((1.3, 1.8))
    mass, inertia = physics.mass_of(entity), physics.inertia_of(entity)
    run(40)
    assert physics.center_of_mass_of(entity) == pytest.approx((1.3, 1.8))
    assert transform(entity).position != pytest.approx((1, 2))
    body_of(entity).center_of_mass = None
    assert (physics.mass_of(entity), physics.inertia_of(entity)) == (mass, inertia)


def test_the_exact_response_refuses_a_centre_of_mass_beside_the_origin() -> None:
    ec.install(response="exact")
    entity = disk_with_body(center_of_mass=(0.1, 0))
    with pytest.raises(ec.PhysicsError, match=rf"entity {entity}: RigidBody.center_of_mass \(0.1, 0.0\) does not work"):
        run()
    body_of(entity).center_of_mass = (0, 0)
    run()


def test_the_shape_stays_in_its_place_when_the_centre_of_mass_moves() -> None:
    physics = ec.install(gravity=(0, -10))
    floor()
    entity = esper.create_entity(ec.Transform(0, 1), ec.Velocity(), ec.Collider(ec.Box(2, 1)), ec.RigidBody())
    for center in ((0.4, 0.3), None, (-0.2, 0), (0.1, -0.4)):
        run(90)
        body_of(entity).center_of_mass = center
        assert physics.aabb_of(entity) == pytest.approx((-1, 0, 1, 1), abs=0.02)
        assert physics.ray_cast((0, 5), (0, -5)).point[1] == pytest.approx(1, abs=0.02)  # type: ignore[union-attr]


def test_a_body_whose_centre_of_mass_is_beyond_its_base_falls_over() -> None:
    angles = []
    for center in ((0.0, 0.0), (0.6, 0.0)):
        esper.clear_database()
        ec.install(gravity=(0, -10))
        floor()
        parts = ec.Transform(0, 0.95), ec.Velocity(), ec.Collider(ec.Box(1, 2)), ec.RigidBody(center_of_mass=center)
        entity = esper.create_entity(*parts)
        run(120)
        angles.append(transform(entity).angle)
        ec.uninstall()
    assert angles[0] == pytest.approx(0, abs=1e-3)
    assert angles[1] < -1


def test_a_roly_poly_rises_again() -> None:
    ec.install(gravity=(0, -10))
    floor()
    body = ec.RigidBody(center_of_mass=(0, -0.3), angular_damping=1)
    entity = esper.create_entity(ec.Transform(0, 0.5, 1.2), ec.Velocity(), ec.Collider(ec.Circle(0.5)), body)
    run(900)
    assert transform(entity).angle == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_no_body_is_faster_than_its_greatest_speed_after_a_step(response: Literal["impulse", "exact"]) -> None:
    physics = ec.install(gravity=(0, -100), response=response)
    slow = esper.create_entity(
        ec.Transform(0, 0), ec.Velocity(30, 40, 9), ec.Collider(ec.Circle(0.5)), ec.RigidBody(max_speed=5)
    )
    free = esper.create_entity(ec.Transform(50, 0), ec.Velocity(30, 40, 9), ec.Collider(ec.Circle(0.5)))
    dull = esper.create_entity(
        ec.Transform(-50, 0), ec.Velocity(3, 4, -9), ec.Collider(ec.Circle(0.5)), ec.RigidBody(max_angular_speed=2)
    )
    run(1, 0.01)
    assert transform(slow).position == pytest.approx((0.03, 0.04 - 0.005), abs=6e-3)
    assert velocity(slow).angular == pytest.approx(9)
    assert (velocity(dull).x, velocity(dull).angular) == pytest.approx((3, -2))
    for _ in range(30):
        run(1)
        assert math.hypot(*velocity(slow).linear) <= 5 * (1 + 1e-12)
    assert velocity(slow).linear == pytest.approx((0, -5), abs=0.1)
    assert velocity(free).y < -10
    body_of(slow).max_speed = None
    run(30)
    assert velocity(slow).y < -10 and physics


def test_a_limited_speed_keeps_its_direction() -> None:
    ec.install()
    parts = ec.Transform(), ec.Velocity(30, 40), ec.Collider(ec.Circle(0.5)), ec.RigidBody(max_speed=5)
    entity = esper.create_entity(*parts)
    run()
    assert velocity(entity).linear == pytest.approx((3, 4))


def test_a_body_falls_asleep_below_its_own_sleep_speed() -> None:
    physics = ec.install(gravity=(0, -10))
    floor()
    sliders = []
    for k, sleep_speed in enumerate((None, 0.5, 1e-3)):
        parts = ec.Transform(3.0 * k, 0.5), ec.Velocity(0.07), ec.Collider(ec.Box(1, 1), friction=0)
        sliders.append(esper.create_entity(*parts, ec.RigidBody(sleep_speed=sleep_speed)))
    run(60)
    assert [physics.is_awake(each) for each in sliders] == [True, False, True]
    for each in sliders:
        velocity(each).x = 0
        body_of(each).sleep_speed = 1.0
    run(60)
    assert [physics.is_awake(each) for each in sliders] == [False] * 3
