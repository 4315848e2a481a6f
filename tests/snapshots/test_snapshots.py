"""`snapshot` and `restore`: what comes back, what stays, and what is refused."""

from __future__ import annotations

import gc
from collections.abc import Callable
from copy import deepcopy
from operator import is_
from typing import Any
from weakref import ref

import esper
import pygame
import pytest

import ecs_collide as ec
from ecs_collide.systems import Narrowphase, Response
from tests.support.events import EventLog
from tests.support.hooks import hook_once
from tests.support.worlds import disk, floor, run, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


class Health:
    def __init__(self, points: int) -> None:
        self.points = points
        self.wounds: list[int] = []


class Slotted:
    __slots__ = ("later", "number")
    later: int

    def __init__(self, number: int) -> None:
        self.number = number


class Ship(ec.RigidBody):
    """A component that a game has derived from one of ours."""

    fuel = 1.0


class Goods(list[int]):
    """A component with contents beside its attributes."""


@pytest.fixture
def physics() -> ec.PhysicsWorld:
    made = ec.install(gravity=(0, -10))
    floor()
    return made


def later_states(count: int = 60) -> list[str]:
    found = []
    for _ in range(count):
        run()
        found.append(ec.physics().state_hash())
    return found


def test_the_same_frames_follow_each_restore(physics: ec.PhysicsWorld) -> None:
    log = EventLog("collision_start", "collision_end", "body_sleep")
    balls = [disk(0.9 * k, 1.0 + k) for k in range(5)]
    esper.create_entity(ec.RevoluteJoint(balls[0], balls[1]))
    run(10)
    snapshot = physics.snapshot()
    log.calls.clear()
    first, events = later_states(120), [repr(call) for call in log.calls]
    for _ in range(3):
        physics.restore(snapshot)
        log.calls.clear()
        assert later_states(120) == first
        assert [repr(call) for call in log.calls] == events


def test_a_snapshot_changes_nothing(physics: ec.PhysicsWorld) -> None:
    disk(0, 3)
    run()
    start = physics.snapshot()
    plain = later_states()
    physics.restore(start)
    watched = []
    for _ in range(60):
        physics.snapshot()
        watched += later_states(1)
        physics.snapshot(entities=False)
    assert watched == plain


def test_a_snapshot_before_the_first_step(physics: ec.PhysicsWorld) -> None:
    disk(0, 3)
    snapshot = physics.snapshot()
    first = later_states()
    physics.restore(snapshot)
    assert physics.statistics.steps == 0
    assert later_states() == first


def test_entities_that_were_made_are_gone_and_deleted_ones_are_back(physics: ec.PhysicsWorld) -> None:
    kept, deleted = disk(0, 3), disk(3, 3)
    dying = disk(6, 3)
    run()
    esper.delete_entity(dying)
    snapshot = physics.snapshot()
    esper.delete_entity(deleted, immediate=True)
    made = [disk(k, 9) for k in range(100)]  # more than the columns have room for
    run(5)
    physics.restore(snapshot)
    assert sorted(esper._entities) == [1, kept, deleted, dying]
    assert not esper.entity_exists(dying)
    assert {entity for entity, _ in esper.get_component(ec.Velocity)} == {kept, deleted, dying}
    assert disk(0, 9) == made[0]
    run()
    assert dying not in esper._entities


def test_our_components_stay_the_same_objects_with_their_former_values(physics: ec.PhysicsWorld) -> None:
    entity = disk(0, 3)
    run()
    before: list[Any] = list(esper.components_for_entity(entity))
    transform = esper.component_for_entity(entity, ec.Transform)
    collider = esper.component_for_entity(entity, ec.Collider)
    pose, snapshot = transform.pose, physics.snapshot()
    collider.layer, collider.friction, collider.shape = 2, 0.9, ec.Box(1, 1)
    transform.position = (5.0, 5.0)
    esper.remove_component(entity, ec.Velocity)
    run(5)
    physics.restore(snapshot)
    assert all(map(is_, list(esper.components_for_entity(entity)), before))
    assert transform.pose == pose
    assert (collider.layer, collider.friction) == (1, 0.5)
    assert repr(collider.shape) == "Circle(radius=0.5)"
    transform.x = 7.0
    assert physics.positions[physics.row_of(entity), 0] == 7.0


def test_a_component_without_a_body_gets_its_numbers_back(physics: ec.PhysicsWorld) -> None:
    place = ec.Transform(1.0, 2.0, 3.0)
    esper.create_entity(place)
    run()
    snapshot = physics.snapshot()
    for change in (lambda: None, lambda: disk(0, 3)):
        place.x, place.angle = 9.0, 0.0
        change()
        run()
        physics.restore(snapshot)
        assert place.pose == (1.0, 2.0, 3.0)


def test_the_games_components_stay_the_same_objects_with_their_former_attributes(physics: ec.PhysicsWorld) -> None:
    health, slotted, ship = Health(5), Slotted(1), Ship()
    entity = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(0.5)), health, slotted, ship)
    run()
    snapshot = physics.snapshot()
    health.points, slotted.number, slotted.later, ship.fuel = 1, 2, 3, 0.0
    health.name = "new"  # type: ignore[attr-defined]
    physics.restore(snapshot)
    assert esper.component_for_entity(entity, Health) is health
    assert vars(health) == {"points": 5, "wounds": []}
    assert slotted.number == 1
    assert not hasattr(slotted, "later")
    assert ship.fuel == 1.0


def test_a_component_with_other_contents_is_replaced_by_a_copy(physics: ec.PhysicsWorld) -> None:
    rect, goods = pygame.Rect(1, 2, 3, 4), Goods([1, 2])
    entity = esper.create_entity(rect, goods)
    snapshot = physics.snapshot()
    for _ in range(2):
        rect.x, goods[0] = 9, 9
        physics.restore(snapshot)
        rect, goods = esper.component_for_entity(entity, pygame.Rect), esper.component_for_entity(entity, Goods)
        assert rect == pygame.Rect(1, 2, 3, 4)
        assert goods == [1, 2]


def test_a_bound_rectangle_that_is_replaced_is_still_bound() -> None:
    physics = ec.install(gravity=(0, -10), transform=ec.bind(pygame.Rect, x="x", y="y", size=("w", "h")))
    entity = esper.create_entity(pygame.Rect(0, 500, 10, 10), ec.Velocity(), ec.Collider(ec.Box(10, 10)))
    run(30)
    snapshot = physics.snapshot()
    run(60)
    fallen = esper.component_for_entity(entity, pygame.Rect).y
    physics.restore(snapshot)
    run(60)
    assert esper.component_for_entity(entity, pygame.Rect).y == fallen < 495


def test_a_type_may_have_a_copy_function_of_its_own(physics: ec.PhysicsWorld) -> None:
    health = Health(5)
    entity = esper.create_entity(health)
    snapshot = physics.snapshot(copy={Health: deepcopy})
    for _ in range(2):
        health.wounds.append(1)
        physics.restore(snapshot)
        assert esper.component_for_entity(entity, Health) is health
        assert health.wounds == []


def test_handlers_and_processors_stay(physics: ec.PhysicsWorld) -> None:
    snapshot = physics.snapshot()

    class Later(esper.Processor):
        calls = 0

        def process(self, *_: Any) -> None:
            self.calls += 1

    later = Later()
    esper.add_processor(later)
    log = EventLog("collision_start")
    physics.restore(snapshot)
    disk(0, 0.4)
    run()
    assert later.calls == len(log.calls) == 1


def test_settings_and_time_that_may_change_are_restored() -> None:
    physics = ec.install(gravity=(0, -10), fixed_dt=1 / 60)
    disk(0, 3)
    run()
    esper.process(0.01)
    snapshot, fraction = physics.snapshot(), physics.fraction
    physics.gravity, physics.sleeping, physics.continuous, physics.time_scale = (3, 3), False, False, 0.5
    esper.process(0.1)
    physics.restore(snapshot)
    assert physics.gravity == (0, -10)
    assert physics.sleeping
    assert physics.continuous
    assert (physics.time_scale, physics.fraction) == (1.0, fraction)


def test_sleepers_sleep_again(physics: ec.PhysicsWorld) -> None:
    balls = [disk(2.0 * k, 0.5) for k in range(3)]
    run(120)
    assert not any(map(physics.is_awake, balls))
    snapshot = physics.snapshot()
    physics.wake(balls[0])
    esper.delete_entity(balls[1], immediate=True)
    run(5)
    physics.restore(snapshot)
    assert not any(map(physics.is_awake, balls))
    assert physics.statistics.sleeping_bodies == 3


def test_a_changed_bitmap_is_restored(physics: ec.PhysicsWorld) -> None:
    full, dug = ec.Bitmap(["###", "###"], 1.0), ec.Bitmap(["#.#", "###"], 1.0)
    ground = esper.create_entity(ec.Transform(0.0, 5.0), ec.Collider(full))
    disk(0, 7)
    run(20)
    snapshot = physics.snapshot()
    first = later_states()
    physics.restore(snapshot)
    esper.component_for_entity(ground, ec.Collider).shape = dug
    run(20)
    physics.restore(snapshot)
    assert esper.component_for_entity(ground, ec.Collider).shape is full
    assert later_states() == first


def collide_by_call(a: int, b: int) -> None:
    ec.physics().ignore(a, b, ignored=False)


def collide_by_name(a: int, b: int) -> None:
    esper.component_for_entity(a, ec.IgnoredEntities).entities = ()


@pytest.mark.parametrize("collide", [collide_by_call, collide_by_name])
def test_entities_that_ignored_each_other_do_so_again(
    physics: ec.PhysicsWorld, collide: Callable[[int, int], None]
) -> None:
    a, b = disk(0.0, 5.0), disk(0.0, 9.0, moving=False)
    if collide is collide_by_call:
        physics.ignore(a, b)
    else:
        esper.add_component(a, ec.IgnoredEntities([b]))
    velocity(a).y = 15.0
    run()
    taken, log = physics.snapshot(), EventLog("collision_start")
    for starts in (1, 2):
        collide(a, b)
        run(30)
        assert len(log.calls) == starts
        physics.restore(taken)
        run(30)
        assert len(log.calls) == starts
        physics.restore(taken)


def test_queries_read_the_restored_world(physics: ec.PhysicsWorld) -> None:
    entity = disk(0, 3)
    run()
    snapshot = physics.snapshot()
    esper.component_for_entity(entity, ec.Transform).x = 50.0
    run()
    assert physics.point_query((50, 3 - 0.01)) == [entity]
    physics.restore(snapshot)
    assert physics.point_query((50, 3 - 0.01)) == []
    assert physics.point_query((0, 3 - 0.01)) == [entity]


def test_without_entities_the_same_components_must_be_there(physics: ec.PhysicsWorld) -> None:
    entity, health = disk(0, 3), Health(5)
    esper.add_component(entity, health)
    run()
    snapshot = physics.snapshot(entities=False)
    first = later_states()
    health.points = 1
    made = esper.create_entity(Health(2))
    physics.restore(snapshot)
    assert later_states() == first
    assert health.points == 1
    assert esper.entity_exists(made)
    esper.add_component(entity, ec.Force(1.0, 0.0))
    run()
    before = physics.state_hash()
    with pytest.raises(ec.PhysicsError, match=f"entity {entity}: its Force is not that of the snapshot"):
        physics.restore(snapshot)
    assert physics.state_hash() == before


@pytest.mark.parametrize("act", [lambda physics, _: physics.snapshot(), lambda physics, old: physics.restore(old)])
def test_within_a_step_and_in_handlers_both_are_refused(
    physics: ec.PhysicsWorld, act: Callable[[ec.PhysicsWorld, ec.Snapshot], object]
) -> None:
    disk(0, 0.45)
    old = physics.snapshot()
    hook_once(Narrowphase, Response, lambda: act(physics, old))
    with pytest.raises(ec.PhysicsError, match="within a step"):
        run()
    run()

    def hear(_: ec.Contact) -> None:
        act(physics, old)

    ec.on("collision_end", hear)
    physics.moved([])
    esper.component_for_entity(2, ec.Transform).y = 9.0
    with pytest.raises(ec.PhysicsError, match="while a handler is given an event"):
        run()


def test_an_error_of_a_copy_function_changes_nothing(physics: ec.PhysicsWorld) -> None:
    esper.create_entity(ec.Transform(0, 3), ec.Velocity(), ec.Collider(ec.Circle(0.5)), Health(5))
    calls = iter((True, False))

    def fail_later(health: Health) -> Health:
        if next(calls):
            return deepcopy(health)
        raise ZeroDivisionError

    run()
    snapshot = physics.snapshot(copy={Health: fail_later})
    disk(3, 3)
    run()
    before, entities = physics.state_hash(), sorted(esper._entities)
    with pytest.raises(ZeroDivisionError):
        physics.restore(snapshot)
    assert physics.state_hash() == before
    assert sorted(esper._entities) == entities


def test_a_setting_that_differs_is_named(physics: ec.PhysicsWorld) -> None:
    snapshot = physics.snapshot()
    ec.uninstall()
    other = ec.install(substeps=2)
    with pytest.raises(ec.PhysicsError, match="substeps=4, and this world was installed with substeps=2"):
        other.restore(snapshot)


def test_a_snapshot_of_another_world_brings_copies_along(physics: ec.PhysicsWorld) -> None:
    entity = disk(0, 3)
    run()
    snapshot, here = physics.snapshot(), esper.current_world
    transform = esper.component_for_entity(entity, ec.Transform)
    first = later_states()
    esper.switch_world(f"{here} too")
    other = ec.install(gravity=(0, -10))
    for _ in range(2):
        other.restore(snapshot)
        assert esper.component_for_entity(entity, ec.Transform) is not transform
        assert later_states() == first
    ec.uninstall()
    esper.switch_world(here)
    physics.restore(snapshot)
    assert later_states() == first


def test_a_component_that_belongs_to_another_world_now_is_named(physics: ec.PhysicsWorld) -> None:
    entity = disk(0, 3)
    run()
    snapshot, here = physics.snapshot(), esper.current_world
    collider = esper.component_for_entity(entity, ec.Collider)
    esper.delete_entity(entity, immediate=True)
    run()
    esper.switch_world(f"{here} too")
    ec.install()
    esper.create_entity(ec.Transform(), collider)
    run()
    esper.switch_world(here)
    with pytest.raises(ec.PhysicsError, match="its Collider belongs to another world now"):
        physics.restore(snapshot)
    esper.switch_world(f"{here} too")
    ec.uninstall()
    esper.switch_world(here)


def test_a_world_that_is_not_current_is_restored(physics: ec.PhysicsWorld) -> None:
    entity = disk(0, 3)
    run()
    snapshot, before, here = physics.snapshot(), physics.state_hash(), esper.current_world
    run()
    esper.switch_world(f"{here} too")
    physics.restore(snapshot)
    assert esper.current_world == f"{here} too"
    esper.switch_world(here)
    assert physics.state_hash() == before
    assert esper.entity_exists(entity)


def test_physics_that_was_uninstalled_has_no_snapshots(physics: ec.PhysicsWorld) -> None:
    snapshot = physics.snapshot()
    ec.uninstall()
    with pytest.raises(ec.PhysicsError, match="was uninstalled"):
        physics.snapshot()
    with pytest.raises(ec.PhysicsError, match="was uninstalled"):
        physics.restore(snapshot)


def test_only_a_snapshot_is_restored(physics: ec.PhysicsWorld) -> None:
    with pytest.raises(TypeError, match="restore takes a Snapshot, got b'bytes'"):
        physics.restore(b"bytes")  # type: ignore[arg-type]


def test_snapshots_keep_no_world_alive_and_are_freed_at_once() -> None:
    physics = ec.install()
    disk(0, 3)
    run()
    snapshot = physics.snapshot()
    gone = ref(snapshot)
    kept = physics.snapshot()
    physics.restore(kept)
    gc.disable()
    try:
        del snapshot
        assert gone() is None
    finally:
        gc.enable()
    pipeline = ref(physics.pipeline)
    ec.uninstall()
    del physics
    gc.collect()
    assert pipeline() is None
    assert "entities" in repr(kept)


def test_a_world_that_was_just_cleared(physics: ec.PhysicsWorld) -> None:
    """A joint that was deleted with its bodies sends no `joint_end`, also after a restore."""
    log = EventLog("joint_end")
    esper.create_entity(ec.RevoluteJoint(disk(0, 3), disk(1, 3)))
    run()
    esper.clear_database()
    assert physics.point_query((0, 3)) == []
    snapshot = physics.snapshot()
    for _ in range(2):
        run(3)
        assert log.calls == []
        physics.restore(snapshot)
