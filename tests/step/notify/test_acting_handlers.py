"""Handlers that raise, change the world, step it, leave it or switch to another one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.events import EventLog, open_touches
from tests.support.worlds import disk, floor, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

Events = list[tuple[Any, ...]]

IMMORTAL: list[object] = []
"""Handlers whose world ends before them: esper fails when such a one dies."""


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


def test_a_handler_that_raises_does_not_keep_events_from_other_handlers(events: Events) -> None:
    physics = ec.install()
    log: list[str] = []
    one, two = raising("one", log), raising("two", log)
    esper.set_handler("collision_start", one)
    esper.set_handler("collision_start", two)
    a, b, c, d = disk(0), disk(0.9), disk(10), disk(10.9)
    with pytest.raises(ValueError, match=r"one|two") as caught:
        run()
    first = str(caught.value)
    assert log[0] == f"{first} 1"
    second = "two" if first == "one" else "one"
    for note, text, times in zip(caught.value.__notes__, (second, first), (", 2 times", ""), strict=True):
        assert re.fullmatch(
            rf"Another .*: ValueError: {text} \(line \d+ of .*{Path(__file__).name}, in handler\){times}", note
        )
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


class LevelDone(Exception):
    """A game's own, by which it leaves a level."""


@pytest.mark.parametrize("balls", [1, 2, 9])
def test_an_exception_that_ends_a_level_is_the_same_however_many_handlers_raise_it(balls: int) -> None:
    ec.install(gravity=(0, -10))
    floor()
    for k in range(balls):
        disk(2 * k, 0.6)
    cause = OSError("no more levels")

    def done(contact: ec.Contact) -> None:
        raise LevelDone(contact.entity_b) from cause

    ec.on("collision_start", done)
    with pytest.raises(LevelDone) as caught:
        run(30)
    assert caught.value.__cause__ is cause
    assert len(getattr(caught.value, "__notes__", ())) == balls - 1


def test_the_first_error_is_raised_and_one_of_another_type_is_noted_on_it() -> None:
    ec.install()
    a, _, c, _ = disk(0), disk(0.9), disk(10), disk(10.9)

    def handler(contact: ec.Contact) -> None:
        if contact.entity_a == a:
            raise LevelDone
        assert contact.entity_a != c, "a bug"

    ec.on("collision_start", handler)
    with pytest.raises(LevelDone) as caught:
        run()
    (note,) = caught.value.__notes__
    assert "AssertionError: a bug" in note
    assert "in handler" in note


def test_an_error_that_two_handlers_share_is_not_noted_on_itself() -> None:
    ec.install()
    disk(0), disk(0.9), disk(10), disk(10.9)
    shared = LevelDone()

    def handler(contact: ec.Contact) -> None:
        raise shared

    ec.on("collision_start", handler)
    with pytest.raises(LevelDone) as caught:
        run()
    assert caught.value is shared
    assert not hasattr(shared, "__notes__")


def test_an_interrupt_is_raised_at_once_and_other_events_are_sent_later(events: Events) -> None:
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
    received: list[Any] = []

    def on_start(contact: ec.Contact) -> None:
        received.append(contact)
        esper.switch_world("menu")
        esper.delete_world("level")
        if anew:
            esper.switch_world("level")
            esper.set_handler("collision_start", wrong)
            esper.switch_world("menu")

    def wrong(contact: ec.Contact) -> None:
        received.append("wrong")

    IMMORTAL.extend((on_start, wrong))

    esper.set_handler("collision_start", on_start)
    run()
    assert len(received) == 1
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
