"""Every start has exactly one end, in an order that never varies, whatever handlers do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data.pairs import APART, FREE, PAIR
from tests.support.events import EventLog, open_touches
from tests.support.worlds import collider, disk, floor, run, set_collider, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

Events = list[tuple[Any, ...]]


def removing(kind: type[Any]) -> Callable[[int], object]:
    def act(entity: int) -> None:
        esper.remove_component(entity, kind)
        if kind is ec.Transform:  # the others cannot be without it
            esper.delete_entity(entity)

    return act


WAYS_TO_PART: dict[str, Callable[[int], object]] = {
    "delete": esper.delete_entity,
    "delete at once": lambda entity: esper.delete_entity(entity, immediate=True),
    "remove collider": removing(ec.Collider),
    "remove transform": removing(ec.Transform),
    "replace transform": lambda entity: esper.add_component(entity, ec.Transform(50, 50)),
    "replace collider": lambda entity: esper.add_component(entity, ec.Collider(ec.Circle(0.01))),
    "teleport": lambda entity: setattr(transform(entity), "position", (50, 50)),
    "teleport in bulk": lambda entity: ec.physics().positions.__setitem__(ec.physics().row_of(entity), 50.0),
    "shape": set_collider("shape", ec.Circle(0.01)),
    "mask": set_collider("mask", 0),
    "layer": set_collider("layer", 0),
    "clear": lambda entity: esper.clear_database(),
    "uninstall": lambda entity: ec.uninstall(),
}


@pytest.mark.parametrize("part", WAYS_TO_PART.values(), ids=WAYS_TO_PART)
@pytest.mark.parametrize("sensor", [False, True])
def test_every_way_of_parting_sends_one_end(part: Callable[[int], object], sensor: bool, events: Events) -> None:
    ec.install()
    other = disk(0, sensor=sensor)
    entity = disk(0.6)
    run()
    start, end = ("sensor_enter", "sensor_exit") if sensor else ("collision_start", "collision_end")
    assert events == [(start, other, entity)]
    part(entity)
    run(3)
    assert events == [(start, other, entity), (end, other, entity)]
    run(3)
    assert len(events) == 2


@pytest.mark.parametrize("which", range(2))
def test_removing_the_velocity_of_one_of_two_bodies_ends_and_starts(which: int, events: Events) -> None:
    ec.install()
    pair = disk(0), disk(0.9)
    run()
    esper.remove_component(pair[which], ec.Velocity)
    run()
    assert events == [(name, *pair) for name in ("collision_start", "collision_end", "collision_start")]
    esper.remove_component(pair[1 - which], ec.Velocity)
    run()
    assert events[3:] == [("collision_end", *pair)], "two static bodies do not meet"


def test_parting_by_themselves(events: Events) -> None:
    physics = ec.install()
    wall, ball = disk(0, moving=False), disk(2, restitution=1.0)
    velocity(ball).x = -6.0
    run(60)
    assert events == [("collision_start", wall, ball), ("collision_end", wall, ball)]
    assert not physics.touching(wall, ball)
    assert physics.contacts_of(ball) == []


def test_a_resting_stack_starts_once(events: Events) -> None:
    ec.install(gravity=(0, -10))
    ground = floor()
    boxes = [esper.create_entity(ec.Transform(0, 0.5 + k), ec.Velocity(), ec.Collider(ec.Box(1, 1))) for k in range(5)]
    run(180)
    assert events == [("collision_start", a, b) for a, b in zip([ground, *boxes], boxes, strict=False)]


def test_ends_come_before_starts_each_in_order_of_the_ids(events: Events) -> None:
    ec.install()
    ids = [disk(0.8 * k) for k in range(8)]
    run()
    assert events == [("collision_start", a, b) for a, b in pairwise(ids)]
    events.clear()
    for k, entity in enumerate(reversed(ids)):
        esper.add_component(entity, ec.Transform(0.8 * k, 30))
    run()
    pairs = list(pairwise(ids))
    assert events == [(name, *pair) for name in ("collision_end", "collision_start") for pair in pairs]


def test_the_order_does_not_depend_on_the_order_of_creation(fresh_world: str) -> None:
    def play(name: str, order: list[int]) -> Events:
        esper.switch_world(name)
        ec.install()
        received: Events = []

        def on_start(contact: ec.Contact) -> None:
            received.append((contact.entity_a, contact.entity_b, contact.normal, contact.points))

        esper.set_handler("collision_start", on_start)
        ids = [esper.create_entity() for _ in order]
        for k in order:
            shape = ec.Circle(0.5) if k % 2 else ec.Box(1, 1)
            for part in (ec.Transform(0.8 * k, 0), ec.Velocity(), ec.Collider(shape)):
                esper.add_component(ids[k], part)
        run(3)
        return received

    assert play("up", [0, 1, 2, 3, 4, 5]) == play("down", [5, 4, 3, 2, 1, 0]) == play("mixed", [3, 0, 5, 1, 4, 2])


def test_a_contact_holds_its_entities_points_and_impulses() -> None:
    ec.install(gravity=(0, -10))
    ground = floor()
    ball = disk(3, 0.5)
    recorder = EventLog("collision_start")
    run()
    (contact,) = recorder.contacts
    assert (contact.entity_a, contact.entity_b) == (ground, ball)
    assert contact.normal == (0.0, 1.0)
    (point,) = contact.points
    assert point == pytest.approx((3.0, 0.0), abs=1e-3)
    assert contact.separations == pytest.approx((0.0,))
    assert contact.normal_impulse == pytest.approx(np.pi / 4 * 10 / 60, rel=0.1)
    assert contact.other(ball) == ground
    assert contact.other(ground) == ball
    with pytest.raises(ValueError, match="entity 99"):
        contact.other(99)


def test_the_normal_points_from_the_smaller_id_to_the_greater() -> None:
    physics = ec.install()
    pairs = [(disk(10 * k), disk(10 * k + side)) for k, side in enumerate((0.9, -0.9))]
    for shape, k in ((ec.Box(1, 1), 0), (ec.Capsule((0, -1), (0, 1), 0.5), 1)):
        collider(pairs[k][0]).shape = shape
    run()
    for (a, b), x in zip(pairs, (1.0, -1.0), strict=True):
        for entity in (a, b):
            (contact,) = physics.contacts_of(entity)
            assert (contact.entity_a, contact.entity_b) == (a, b)
            assert contact.normal == pytest.approx((x, 0.0))


def test_the_payload_outlives_everything_and_cannot_be_changed(events: Events) -> None:
    ec.install()
    recorder = EventLog("collision_start")
    disk(0), disk(0.9)
    run()
    (contact,) = recorder.contacts
    before = copy.deepcopy(contact)
    for field in dataclasses.fields(contact):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(contact, field.name, None)
    assert isinstance(contact.points, tuple)
    assert type(contact.points[0][0]) is float
    assert type(contact.entity_a) is int
    esper.clear_database()
    disk(50), disk(51)
    run(5)
    ec.uninstall()
    assert contact == before
    assert hash(contact) == hash(before)
    assert pickle.loads(pickle.dumps(contact)) == before


def test_an_end_has_no_points() -> None:
    ec.install()
    recorder = EventLog("collision_end")
    a, b = disk(0), disk(0.9)
    run()
    esper.delete_entity(b)
    run()
    (contact,) = recorder.contacts
    assert contact == ec.Contact(a, b)
    assert contact.points == ()
    assert contact.normal == (0.0, 0.0)


def test_two_sensors_do_not_notice_each_other(events: Events) -> None:
    physics = ec.install()
    a, b = disk(0, sensor=True), disk(0.9, sensor=True)
    run(2)
    assert events == []
    assert not physics.touching(a, b)
    collider(b).sensor = False
    run()
    assert events == [("sensor_enter", a, b)]


def test_thousands_of_random_changes_keep_every_start_matched_by_one_end(events: Events) -> None:
    physics = ec.install(gravity=(0, -10))
    rng = np.random.default_rng(7)
    floor()
    alive: list[int] = []
    received, touches = 0, open_touches([])
    for _ in range(300):
        for _ in range(rng.integers(3)):
            moving, sensor = rng.random(2) < (0.8, 0.2)
            alive.append(disk(*rng.uniform((-3, 0), (3, 6)), moving=bool(moving), sensor=bool(sensor)))
        if alive:
            entity = int(rng.choice(alive))
            match rng.integers(9):
                case 0 | 1:
                    esper.delete_entity(entity, immediate=bool(rng.random() < 0.5))
                    alive.remove(entity)
                case 2:
                    collider(entity).shape = ec.Box(*rng.uniform(0.3, 1, 2))
                case 3:
                    collider(entity).group = int(rng.integers(-1, 2))
                case 4:
                    collider(entity).sensor = not collider(entity).sensor
                case 5:
                    transform(entity).position = tuple(rng.uniform((-3, 0), (3, 6)))
                case 6:
                    esper.add_component(entity, ec.Transform(*rng.uniform((-3, 0), (3, 6))))
                case 7:
                    if esper.has_component(entity, ec.Velocity):
                        esper.remove_component(entity, ec.Velocity)
                    else:
                        esper.add_component(entity, ec.Velocity())
                case 8:
                    esper.add_component(entity, ec.Collider(ec.Capsule((0, 0), (0.5, 0), 0.3)))
        run()
        received += len(events)
        open_touches(events, touches)
        events.clear()
        for name, a, b in touches:
            assert physics.touching(a, b), (name, a, b)
        index = physics.pipeline.pairs.arrays.index
        index = index[index[:, PAIR.ROW] != FREE]
        assert len(touches) == int((index[:, PAIR.TOUCHING] != APART).sum())
        assert all(entity in alive or entity == 1 for _, *pair in touches for entity in pair)
    assert received > 500
    ec.uninstall()
    assert open_touches(events, touches) == {}
