"""Rows: which body gets which row, keeps it, and which rows are used again."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.events import open_touches
from tests.support.worlds import collider, disk, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def test_rows_are_given_in_order_of_the_ids_and_kept() -> None:
    physics = ec.install()
    entities = [disk(3.0 * k) for k in range(100)]
    run()
    assert physics.entities.tolist() == entities
    for entity in entities[::3]:
        esper.delete_entity(entity)
    run()
    for row, entity in enumerate(entities):
        if row % 3:
            assert physics.row_of(entity) == row
            assert physics.positions[row, 0] == 3.0 * row
        else:
            assert physics.entities[row] == 0


def test_freed_rows_are_used_again_smallest_first() -> None:
    physics = ec.install()
    entities = [disk(3.0 * k) for k in range(10)]
    run()
    for row in (7, 2, 5):
        esper.delete_entity(entities[row])
    run()
    new = [disk(0, 50 + 3.0 * k) for k in range(4)]
    run()
    assert [physics.row_of(entity) for entity in new] == [2, 5, 7, 10]
    assert len(physics.entities) == 11


def test_rows_freed_and_taken_in_the_same_step() -> None:
    physics = ec.install()
    old = [disk(3.0 * k) for k in range(70)]
    run()
    places = [transform(entity) for entity in old]
    for entity in old:
        esper.delete_entity(entity)
    new = [disk(3.0 * k, 100) for k in range(70)]
    run()
    assert len(physics.entities) == 70
    assert [transform(entity).position for entity in new] == [(3.0 * k, 100.0) for k in range(70)]
    assert [place.position for place in places] == [(3.0 * k, 0.0) for k in range(70)]


def test_ten_thousand_comings_and_goings_need_no_more_rows() -> None:
    physics = ec.install()
    rng = np.random.default_rng(1)
    alive: list[int] = []
    for _ in range(100):
        alive += ec.spawn(ec.Circle(0.25), rng.uniform(-50, 50, (100, 2)), velocities=(1.0, 0.0))
        run()
        rng.shuffle(alive)
        for entity in alive[80:]:
            esper.delete_entity(entity)
        del alive[80:]
    run()
    assert sorted(e for e in physics.entities.tolist() if e) == sorted(alive)
    assert len(physics.entities) <= 180
    assert len(physics.pipeline.pieces.arrays.moved) <= 256
    for entity in alive:
        assert physics.positions[physics.row_of(entity)].tolist() == list(transform(entity).position)


def test_a_reused_row_keeps_nothing_of_the_former_body() -> None:
    physics = ec.install()
    old = disk(friction=0.9, restitution=0.9, layer=8, mask=8, group=-8, sensor=True)
    for component in (ec.RigidBody(linear_damping=9, gravity_scale=9, lock_x=True), ec.Force(9, 9, 9)):
        esper.add_component(old, component)
    velocity(old).linear = (5, 5)
    run()
    physics.apply_force(old, (5, 5))
    row = physics.row_of(old)
    esper.delete_entity(old)
    run()
    assert all((column[row] == 0).all() for column in physics.pipeline.bodies.arrays)
    physics.positions[:] = 7.0  # game logic over all rows writes free ones too
    physics.angles[:] = 7.0
    physics.velocities[:] = np.nan
    physics.angular_velocities[:] = np.nan
    run()
    new = esper.create_entity(ec.Transform(1, 2), ec.RigidBody(), ec.Collider(ec.Circle(1)))
    run(3)
    assert physics.row_of(new) == row
    assert transform(new).pose == (1, 2, 0)
    assert physics.velocities[row].tolist() == [0, 0]
    assert physics.angular_velocities[row] == 0


def test_without_a_component_its_default_counts_again() -> None:
    physics = ec.install(gravity=(0, -60))
    entity = disk()
    esper.add_component(entity, ec.Force(60, 0, 0))
    esper.add_component(entity, ec.RigidBody(gravity_scale=0, mass=1))
    run()
    assert velocity(entity).linear == pytest.approx((1, 0))
    esper.remove_component(entity, ec.Force)
    esper.remove_component(entity, ec.RigidBody)
    run()
    assert velocity(entity).linear == pytest.approx((1, -1))
    assert physics.row_of(entity) == 0


def test_replacing_the_velocity_keeps_the_body(events: list[tuple[Any, ...]]) -> None:
    ec.install()
    a, b = disk(), disk(0.9)
    run()
    esper.add_component(a, ec.Velocity(0, 0))
    run()
    assert events == [("collision_start", a, b)]


@pytest.mark.parametrize("kind", [ec.Transform, ec.Collider])
def test_replacing_transform_or_collider_makes_another_body(kind: type[Any], events: list[tuple[Any, ...]]) -> None:
    ec.install()
    a, b = disk(), disk(0.9)
    run()
    esper.add_component(a, ec.Transform() if kind is ec.Transform else ec.Collider(ec.Circle(0.5)))
    run()
    assert events == [("collision_start", a, b), ("collision_end", a, b), ("collision_start", a, b)]
    assert sum(open_touches(events).values()) == 1


def test_every_change_of_a_body_keeps_its_row_and_velocity() -> None:
    physics = ec.install()
    gone, entity = disk(50), esper.create_entity(ec.Transform(0, 0), ec.RigidBody(), ec.Collider(ec.Circle(1)))
    run()
    row = physics.row_of(entity)
    physics.velocities[row] = (60.0, 0.0)
    esper.delete_entity(gone)
    collider(entity).shape = ec.Box(1, 1)
    physics.apply_force(entity, (0.0, 60.0))
    collider(entity).mask = 2
    run()
    assert physics.row_of(entity) == row, "though a smaller one has been freed"
    assert transform(entity).x == pytest.approx(1.0)
    assert physics.velocities[row].tolist() == pytest.approx([60.0, 1.0])
    collider(entity).layer = 2
    run()
    esper.add_component(entity, ec.Transform(0, 5))
    run()
    assert transform(entity).x == pytest.approx(1.0)


def test_an_id_used_again_inherits_nothing() -> None:
    physics = ec.install()
    esper.create_entity(ec.Transform(0, 0), ec.RigidBody(), ec.Collider(ec.Circle(1)))
    run()
    physics.velocities[0] = (60.0, 0.0)
    physics.apply_force(1, (60.0, 0.0))
    esper.clear_database()
    entity = esper.create_entity(ec.Transform(0, 0), ec.RigidBody(), ec.Collider(ec.Circle(1)))
    run()
    assert entity == 1
    assert transform(entity).x == 0.0


def test_the_collider_may_go_and_come_back(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b = disk(), disk(0.9)
    run()
    removed = esper.remove_component(a, ec.Collider)
    run()
    assert events == [("collision_start", a, b), ("collision_end", a, b)]
    assert physics.contacts_of(b) == []
    place = transform(a).x
    velocity(a).linear = (60, 0)
    run()
    assert transform(a).x == pytest.approx(place + 1), "it moves, and meets nothing"
    transform(a).x = transform(b).x - 0.9
    velocity(a).linear = (0, 0)
    esper.add_component(a, removed)
    run()
    assert events[2:] == [("collision_start", a, b)]


def test_entities_may_be_deleted_in_every_way(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    ids = [disk(0.8 * k) for k in range(6)]
    run()
    esper.delete_entity(ids[0])
    esper.delete_entity(ids[0])
    esper.delete_entity(ids[2], immediate=True)
    with pytest.raises(KeyError):
        esper.delete_entity(ids[2], immediate=True)
    for kind in (ec.Transform, ec.Velocity, ec.Collider):
        esper.remove_component(ids[4], kind)
    run()
    assert [e for e in physics.entities.tolist() if e] == [ids[1], ids[3], ids[5]]
    assert open_touches(events) == {}
    run()


def test_deferred_and_then_immediate_deletion_fails_in_esper_and_leaves_the_physics_alone() -> None:
    physics = ec.install()
    entity, other = disk(), disk(5)
    run()
    state = physics.state_hash()
    esper.delete_entity(entity)
    esper.delete_entity(entity, immediate=True)
    with pytest.raises(KeyError, match=str(entity)):  # esper's own, before any processor runs
        run()
    assert physics.state_hash() == state
    esper._dead_entities.discard(entity)
    run()
    assert [e for e in physics.entities.tolist() if e] == [other]


def test_clear_database_ends_everything_and_ids_start_again(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b = disk(), disk(0.9)
    run()
    old = transform(a)
    esper.clear_database()
    c, d = disk(50, friction=0.25), disk(50.9)
    assert (c, d) == (a, b)
    assert physics.positions[0].tolist() != [50, 0], "not before the next step"
    run()
    assert old.x < 1
    assert old._entity is None
    assert events == [("collision_start", a, b), ("collision_end", a, b), ("collision_start", a, b)]
    assert transform(c).x == pytest.approx(50, abs=0.1)
    esper.clear_database()
    run()
    assert events[3:] == [("collision_end", a, b)]
    assert not physics.entities.any()
    run()
    assert len(events) == 4


def test_the_same_components_created_again_after_clear_database_go_on() -> None:
    physics = ec.install()
    entity = disk(1, 2)
    run()
    components: tuple[Any, ...] = esper.components_for_entity(entity)
    esper.clear_database()
    assert esper.create_entity(*components) == entity
    velocity(entity).x = 60.0
    run()
    assert transform(entity).x == pytest.approx(2.0)
    assert physics.row_of(entity) == 0


def test_a_thousand_shapes_come_and_go_and_the_pool_stays_small() -> None:
    physics = ec.install()
    entity = disk()
    run()
    for k in range(1000):
        collider(entity).shape = ec.Box(1.0 + k, 1.0) if k % 2 else ec.Circle(1.0 + k)
        physics.mass_of(entity)
    run()
    assert len(physics.pipeline.pieces.arrays.vertices) <= 64
    assert len(physics.pipeline.body_sync.shapes._shapes) == 1


def test_adding_and_removing_within_a_frame_leaves_no_trace() -> None:
    physics = ec.install()
    entity = disk()
    run()
    state = physics.state_hash()
    ghost = disk(0.1)
    esper.delete_entity(ghost, immediate=True)
    speed = esper.remove_component(entity, ec.Velocity)
    esper.add_component(entity, speed)
    esper.process(0.0)
    assert physics.state_hash() == state
