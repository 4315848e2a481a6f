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
from ecs_collide.columns.pairs import APART, FREE, ROW, TOUCHING
from tests.support.events import EventLog, open_touches
from tests.support.worlds import collider, disk, floor, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

Events = list[tuple[Any, ...]]

IMMORTAL: list[object] = []
"""Handlers whose world ends before them: esper fails when such a one dies."""


def remove(kind: type[Any]) -> Callable[[int], object]:
    def act(entity: int) -> None:
        esper.remove_component(entity, kind)
        if kind is ec.Transform:  # the others cannot be without it
            esper.delete_entity(entity)

    return act


def put(name: str, value: Any) -> Callable[[int], object]:
    return lambda entity: setattr(collider(entity), name, value)


WAYS_TO_PART: dict[str, Callable[[int], object]] = {
    "delete": esper.delete_entity,
    "delete at once": lambda entity: esper.delete_entity(entity, immediate=True),
    "remove collider": remove(ec.Collider),
    "remove transform": remove(ec.Transform),
    "replace transform": lambda entity: esper.add_component(entity, ec.Transform(50, 50)),
    "replace collider": lambda entity: esper.add_component(entity, ec.Collider(ec.Circle(0.01))),
    "teleport": lambda entity: setattr(transform(entity), "position", (50, 50)),
    "teleport in bulk": lambda entity: ec.physics().positions.__setitem__(ec.physics().row_of(entity), 50.0),
    "shape": put("shape", ec.Circle(0.01)),
    "mask": put("mask", 0),
    "layer": put("layer", 0),
    "clear": lambda entity: esper.clear_database(),
    "uninstall": lambda entity: ec.uninstall(),
}


@pytest.mark.parametrize("part", WAYS_TO_PART.values(), ids=WAYS_TO_PART)
@pytest.mark.parametrize("sensor", [False, True])
def test_exactly_one_end_whatever_parts_them(part: Callable[[int], object], sensor: bool, events: Events) -> None:
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


def test_the_order_does_not_depend_on_who_was_made_when(fresh_world: str) -> None:
    def play(name: str, order: list[int]) -> Events:
        esper.switch_world(name)
        ec.install()
        told: Events = []

        def on_start(contact: ec.Contact) -> None:
            told.append((contact.entity_a, contact.entity_b, contact.normal, contact.points))

        esper.set_handler("collision_start", on_start)
        ids = [esper.create_entity() for _ in order]
        for k in order:
            shape = ec.Circle(0.5) if k % 2 else ec.Box(1, 1)
            for part in (ec.Transform(0.8 * k, 0), ec.Velocity(), ec.Collider(shape)):
                esper.add_component(ids[k], part)
        run(3)
        return told

    assert play("up", [0, 1, 2, 3, 4, 5]) == play("down", [5, 4, 3, 2, 1, 0]) == play("mixed", [3, 0, 5, 1, 4, 2])


def test_a_contact_tells_what_happened() -> None:
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


def test_handlers_see_the_finished_step() -> None:
    physics = ec.install()
    a, b = disk(0), disk(0.9)
    velocity(a).x = 3.0
    seen: list[Any] = []

    def on_start(contact: ec.Contact) -> None:
        assert physics.contacts_of(a) == [contact]
        seen.append((transform(a).x, physics.statistics.steps, physics.touching(a, b)))

    esper.set_handler("collision_start", on_start)
    run()
    assert seen == [(transform(a).x, 1, True)]
    assert transform(a).x != 0.0


def raising(name: str, log: list[str]) -> Callable[[ec.Contact], None]:
    def handler(contact: ec.Contact) -> None:
        log.append(f"{name} {contact.entity_a}")
        raise ValueError(name)

    return handler


def test_a_handler_that_raises_keeps_nobody_from_the_events(events: Events) -> None:
    physics = ec.install()
    log: list[str] = []
    one, two = raising("one", log), raising("two", log)
    esper.set_handler("collision_start", one)
    esper.set_handler("collision_start", two)
    a, b, c, d = disk(0), disk(0.9), disk(10), disk(10.9)
    with pytest.raises(ExceptionGroup, match="several event handlers failed") as caught:
        run()
    assert sorted(map(str, caught.value.exceptions)) == ["one", "one", "two", "two"]
    assert sorted(log) == ["one 1", "one 3", "two 1", "two 3"]
    assert events == [("collision_start", a, b), ("collision_start", c, d)]
    assert physics.statistics.steps == 1
    run()
    assert len(events) == 2
    esper.delete_entity(a)
    run()
    assert events[2:] == [("collision_end", a, b)]


def test_a_single_error_is_raised_as_it_is(events: Events) -> None:
    ec.install()
    log: list[str] = []
    handler = raising("alone", log)
    esper.set_handler("collision_start", handler)
    disk(0), disk(0.9)
    with pytest.raises(ValueError, match="alone") as caught:
        run()
    assert any(entry.name == "handler" for entry in caught.traceback), "the traceback leads to the handler"
    assert len(events) == 1
    run()


def test_an_interrupt_passes_at_once_and_the_rest_is_told_later(events: Events) -> None:
    ec.install()
    a, _, c, d = disk(0), disk(0.9), disk(10), disk(10.9)

    def interrupt(contact: ec.Contact) -> None:
        if contact.entity_a == a:
            raise KeyboardInterrupt

    esper.set_handler("collision_start", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run()
    esper.delete_entity(d)
    run()
    assert [event for event in events if c in event] == [("collision_start", c, d), ("collision_end", c, d)]


def test_handlers_may_delete_entities(events: Events) -> None:
    ec.install()
    ids = [disk(0.8 * k) for k in range(6)]

    def eat(contact: ec.Contact) -> None:
        for entity in (contact.entity_a, contact.entity_b):
            if esper.entity_exists(entity):
                esper.delete_entity(entity, immediate=entity % 2 == 0)

    esper.set_handler("collision_start", eat)
    run()
    assert len(events) == 5
    run()
    assert len(events) == 10
    assert open_touches(events) == {}
    assert not any(esper.entity_exists(entity) for entity in ids)
    run()


def test_handlers_may_create_entities(events: Events) -> None:
    physics = ec.install()
    a, b = disk(0), disk(0.9)
    made: list[int] = []

    def breed(contact: ec.Contact) -> None:
        if len(made) < 5:
            made.append(disk(1.7 + 0.8 * len(made)))
            physics.apply_impulse(made[-1], (0.0, 0.1))  # has its body at once

    esper.set_handler("collision_start", breed)
    run(10)
    assert len(made) == 5
    assert physics.entities.tolist() == [a, b, *made]
    open_touches(events)


def test_handlers_may_replace_components_in_the_middle_of_the_events(events: Events) -> None:
    ec.install()
    a, b, c = disk(0), disk(0.9), disk(1.8)

    def grow(contact: ec.Contact) -> None:
        esper.add_component(contact.entity_b, ec.Collider(ec.Circle(0.51)))
        ec.physics().row_of(contact.entity_b)

    esper.set_handler("collision_start", grow)
    run(2)
    esper.remove_handler("collision_start", grow)
    run(2)
    assert set(open_touches(events)) == {("collision_start", a, b), ("collision_start", b, c)}


def test_handlers_may_come_and_go_during_an_event(events: Events) -> None:
    ec.install()
    log: list[str] = []

    def once(contact: ec.Contact) -> None:
        log.append("once")
        esper.remove_handler("collision_start", once)
        esper.set_handler("collision_start", later)

    def later(contact: ec.Contact) -> None:
        log.append("later")

    IMMORTAL.append(later)
    esper.set_handler("collision_start", once)
    disk(0), disk(0.9), disk(10), disk(10.9)
    run()
    assert log == ["once", "later"], "a new handler gets the next event, a removed one none"
    assert len(events) == 2


def test_a_handler_that_died_is_no_error(events: Events) -> None:
    ec.install()
    esper.set_handler("collision_start", lambda contact: pytest.fail("dead"))
    disk(0), disk(0.9)
    run()
    assert len(events) == 1


def test_a_step_inside_a_handler_waits_with_its_events(events: Events) -> None:
    physics = ec.install()
    a, b, c, d = disk(0), disk(0.9), disk(10), disk(10.9)
    nested: list[None] = []

    def on_start(contact: ec.Contact) -> None:
        if not nested:
            nested.append(None)
            esper.delete_entity(b)
            esper.delete_entity(d)
            before = list(events)
            run()
            assert events == before, "no end overtakes its start"
            assert not physics.touching(a, b)

    esper.set_handler("collision_start", on_start)
    run()
    assert physics.statistics.steps == 2
    assert events[:2] == [("collision_start", a, b), ("collision_start", c, d)]
    assert events[2:] == [("collision_end", a, b), ("collision_end", c, d)]
    assert open_touches(events) == {}


def test_uninstall_inside_a_handler(events: Events) -> None:
    physics = ec.install()
    a, b, c, d = disk(0), disk(0.9), disk(10), disk(10.9)

    def on_start(contact: ec.Contact) -> None:
        if contact.entity_a == a:
            ec.uninstall()
            ec.install(gravity=(0, -10))

    esper.set_handler("collision_start", on_start)
    run()
    assert [name for name, *_ in events] == ["collision_start"] * 2 + ["collision_end"] * 2
    assert open_touches(events) == {}
    assert ec.physics() is not physics
    esper.remove_handler("collision_start", on_start)
    run()
    assert open_touches(events) == {("collision_start", a, b): 1, ("collision_start", c, d): 1}


def test_clear_database_inside_a_handler(events: Events) -> None:
    ec.install()
    a, b, c, d = disk(0), disk(0.9), disk(10), disk(10.9)

    def on_start(contact: ec.Contact) -> None:
        esper.clear_database()

    esper.set_handler("collision_start", on_start)
    run()
    assert events == [("collision_start", a, b), ("collision_start", c, d)]
    run()
    assert open_touches(events) == {}


def test_a_handler_may_switch_to_another_world(fresh_world: str, events: Events) -> None:
    ec.install()
    a, b, c, d = disk(0), disk(0.9), disk(10), disk(10.9)
    wrong: list[EventLog] = []

    def on_start(contact: ec.Contact) -> None:
        if contact.entity_a == a:
            esper.switch_world("menu")
            wrong.append(EventLog("collision_start"))

    esper.set_handler("collision_start", on_start)
    run()
    assert esper.current_world == "menu"
    assert events == [("collision_start", a, b), ("collision_start", c, d)]
    assert wrong[0].contacts == []
    run()
    wrong.clear()
    esper.switch_world(fresh_world)
    esper.delete_entity(a)
    run()
    assert events[2:] == [("collision_end", a, b)]
    assert esper.current_world == fresh_world


@pytest.mark.parametrize("anew", [False, True])
def test_a_handler_may_even_delete_its_world(anew: bool, fresh_world: str) -> None:
    esper.switch_world("level")
    ec.install()
    disk(0), disk(0.9), disk(10), disk(10.9)
    told: list[Any] = []

    def on_start(contact: ec.Contact) -> None:
        told.append(contact)
        esper.switch_world("menu")
        esper.delete_world("level")
        if anew:
            esper.switch_world("level")
            esper.set_handler("collision_start", wrong)
            esper.switch_world("menu")

    def wrong(contact: ec.Contact) -> None:
        told.append("wrong")

    IMMORTAL.extend((on_start, wrong))

    esper.set_handler("collision_start", on_start)
    run()
    assert len(told) == 1
    assert esper.current_world == "menu"


def test_a_step_of_another_world_inside_a_handler(fresh_world: str, events: Events) -> None:
    ec.install()
    a, b, c, d = disk(0), disk(0.9), disk(10), disk(10.9)
    esper.switch_world("other")
    ec.install()
    disk(5), disk(5.9)
    other: list[tuple[str, int]] = []

    def on_other(contact: ec.Contact) -> None:
        other.append((esper.current_world, contact.entity_a))

    esper.set_handler("collision_start", on_other)
    esper.switch_world(fresh_world)

    def on_start(contact: ec.Contact) -> None:
        esper.switch_world("other")
        run()
        esper.switch_world(fresh_world)

    esper.set_handler("collision_start", on_start)
    run()
    assert esper.current_world == fresh_world
    esper.switch_world("other")
    esper.remove_handler("collision_start", on_other)
    assert other == [("other", 1)]
    assert events == [("collision_start", a, b), ("collision_start", c, d)]
    esper.switch_world(fresh_world)


def test_thousands_of_random_changes_keep_every_start_matched_by_one_end(events: Events) -> None:
    physics = ec.install(gravity=(0, -10))
    rng = np.random.default_rng(7)
    floor()
    alive: list[int] = []
    told, touches = 0, open_touches([])
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
        told += len(events)
        open_touches(events, touches)
        events.clear()
        for name, a, b in touches:
            assert physics.touching(a, b), (name, a, b)
        index = physics.pipeline.pairs.arrays.index
        index = index[index[:, ROW] != FREE]
        assert len(touches) == int((index[:, TOUCHING] != APART).sum())
        assert all(entity in alive or entity == 1 for _, *pair in touches for entity in pair)
    assert told > 500
    ec.uninstall()
    assert open_touches(events, touches) == {}
