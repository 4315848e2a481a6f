"""`ec.on` keeps handlers alive and checks the events' names; `ec.off` removes them."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any
from weakref import ref

import esper
import pytest

import ecs_collide as ec
from ecs_collide.step.notify.handlers import EVENTS, EventName
from tests.support.worlds import disk, run, transform

pytestmark = pytest.mark.usefixtures("fresh_world")


def meet() -> None:
    """Two discs that touch, in a world with physics."""
    ec.install()
    disk(0)
    disk(0.9)
    gc.collect()
    run()


def test_a_lambda_is_kept() -> None:
    received: list[ec.Contact] = []
    ec.on("collision_start", lambda contact: received.append(contact))
    meet()
    assert [(contact.entity_a, contact.entity_b) for contact in received] == [(1, 2)]


def test_a_method_of_an_object_without_other_references_is_kept() -> None:
    received: list[int] = []

    class Game:
        def starts(self, contact: ec.Contact) -> None:
            received.append(contact.entity_a)

    ec.on("collision_start", Game().starts)
    meet()
    assert received == [1]


def test_it_is_a_decorator_too_and_leaves_the_function_as_it_is() -> None:
    received: list[str] = []

    @ec.on("sensor_enter")
    def entered(sensor: int, entity: int) -> None:
        received.append(f"{sensor} {entity}")

    ec.install()
    sensor, guest = disk(moving=False, sensor=True), disk()
    run()
    entered(7, 8)
    assert received == [f"{sensor} {guest}", "7 8"]


@pytest.mark.parametrize("event", [event for event in EVENTS if not event.startswith("joint")])
def test_every_event_reaches_its_handler_with_what_is_promised(event: EventName) -> None:
    received: list[tuple[Any, ...]] = []
    ec.on(event, lambda *given: received.append(given))
    ec.install()
    ball, sensor = disk(), disk(50, moving=False, sensor=True)
    wall = disk(-3, moving=False)
    ec.physics().apply_impulse(ball, (-100, 0))
    run(5)
    for x in (50, 0):
        transform(ball).x = x
        run()
    ec.physics().sleep(ball)
    run()
    ec.physics().wake(ball)
    run()
    assert received
    for given in received:
        assert len(given) == len(EVENTS[event].split(", "))
        if len(given) == 2:
            assert given == (sensor, ball)
        elif event.startswith("body"):
            assert given == (ball,)
        else:
            assert {given[0].entity_a, given[0].entity_b} == {ball, wall}


@pytest.mark.parametrize("event", [event for event in EVENTS if event.startswith("joint")])
def test_every_event_of_joints_reaches_its_handler_with_what_is_promised(event: EventName) -> None:
    received: list[tuple[Any, ...]] = []
    ec.on(event, lambda *given: received.append(given))
    ec.install(gravity=(0.0, -10.0))
    a, b = disk(), disk(50)
    joints = {
        "joint_break": esper.create_entity(ec.RevoluteJoint(a, break_force=1.0)),
        "joint_overload": esper.create_entity(ec.RevoluteJoint(b, force_threshold=1.0)),
        "joint_end": 0,
    }
    run(5)
    esper.delete_entity(b)
    run(5)
    joints["joint_end"] = joints["joint_overload"]
    times = 5 if event == "joint_overload" else 1  # in each step above the threshold
    assert [given[0] for given in received] == [joints[event]] * times
    assert len(received[0]) == len(EVENTS[event].split(", "))


def test_off_removes_a_handler() -> None:
    received: list[str] = []
    first = ec.on("collision_start", lambda contact: received.append("first"))
    second = ec.on("collision_start", lambda contact: received.append("second"))
    ec.off("collision_start", first)
    meet()
    assert received == ["second"]
    ec.off("collision_start", second)
    assert "collision_start" not in esper.event_registry
    with pytest.raises(ValueError, match="is no handler of 'collision_start'"):
        ec.off("collision_start", second)


def test_esper_takes_away_what_on_has_set_and_off_what_esper_has() -> None:
    def handler(contact: ec.Contact) -> None:
        raise AssertionError

    ec.on("collision_start", handler)
    esper.remove_handler("collision_start", handler)
    esper.set_handler("collision_start", handler)
    ec.off("collision_start", handler)
    meet()


def test_the_same_function_twice_is_called_once() -> None:
    received: list[ec.Contact] = []
    for _ in range(2):
        ec.on("collision_start", received.append)
    meet()
    assert len(received) == 1


def test_handlers_are_called_in_the_order_in_which_on_added_them() -> None:
    called: list[int] = []

    def by_esper(contact: ec.Contact) -> None:
        called.append(-1)

    esper.set_handler("collision_start", by_esper)
    handlers = [lambda contact, number=number: called.append(number) for number in range(20)]
    for handler in (*handlers[10:], *handlers[:10]):
        ec.on("collision_start", handler)
    ec.off("collision_start", handlers[12])
    ec.on("collision_start", handlers[12])
    ec.on("collision_start", handlers[3])  # it has its place already
    meet()
    assert called == [10, 11, *range(13, 20), *range(10), 12, -1]


def test_handlers_belong_to_the_esper_world_they_were_set_in(fresh_world: str) -> None:
    received: list[str] = []
    ec.on("collision_start", lambda contact: received.append(fresh_world))
    esper.switch_world("another")
    meet()
    assert received == []
    esper.switch_world(fresh_world)
    meet()
    assert received == [fresh_world]


def test_a_handler_goes_with_its_world(fresh_world: str) -> None:
    class Game:
        def starts(self, contact: ec.Contact) -> None: ...

    esper.switch_world("doomed")
    game = Game()
    ec.on("collision_start", game.starts)
    left = ref(game)
    del game
    esper.switch_world(fresh_world)
    gc.collect()
    assert left() is not None
    esper.delete_world("doomed")
    gc.collect()
    assert left() is None


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("colision_start", "did you mean 'collision_start'"),
        ("collision_begin", "use collision_start"),
        ("on_collision_start", "did you mean 'collision_start'"),
        ("sensor_leave", "'sensor_enter'"),
        ("Collision_Start", "did you mean 'collision_start'"),
        ("boom", "there are collision_start, collision_end, collision_hit, sensor_enter, sensor_exit"),
    ],
)
def test_a_misspelt_name_is_an_error_that_names_the_nearest(name: str, near: str) -> None:
    wrong: Any = name
    for act in (lambda: ec.on(wrong, print), lambda: ec.on(wrong), lambda: ec.off(wrong, print)):
        with pytest.raises(ValueError, match=f"sends no '{name}'.*{near}"):
            act()


def test_an_invalid_handler_is_refused() -> None:
    for wrong in (3, None):
        with pytest.raises(TypeError, match=rf"handler of 'collision_start' .*function \(contact\), got {wrong}"):
            ec.on("collision_start", wrong)  # type: ignore[call-overload]
    with pytest.raises(
        TypeError, match=r"'collision_start' is called with \(contact\), but .* takes \(arbiter, space, da"
    ):
        ec.on("collision_start", lambda arbiter, space, data: True)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="event must be the name"):
        ec.on(print)  # type: ignore[call-overload]
    assert esper.event_registry == {}


class _Listener:
    """Takes events in methods of several forms."""

    def __init__(self) -> None:
        self.calls = 0

    def hear(self, contact: ec.Contact) -> None:
        self.calls += 1

    def hear_any(self, *what: object) -> None:
        self.calls += 1

    def hear_with_default(self, contact: ec.Contact, loud: bool = True) -> None:
        self.calls += 1

    @staticmethod
    def hear_nothing() -> None:
        raise AssertionError


def test_handlers_of_all_forms_that_can_take_a_contact_are_called() -> None:
    listener = _Listener()
    functions: list[Callable[..., object]] = [listener.hear, listener.hear_any, listener.hear_with_default, print]
    for function in functions:
        ec.on("collision_start", function)
    with pytest.raises(TypeError, match=r"called with \(contact\), but .*hear_nothing takes \(\)"):
        ec.on("collision_start", listener.hear_nothing)  # type: ignore[call-overload]
    meet()
    assert listener.calls == 3


def test_a_handler_of_a_deleted_world_dies_without_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    errors: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda error: errors.append(error.exc_value))
    gc.disable()  # the physics of the deleted world is still there when its handler dies
    try:
        menu = esper.current_world
        esper.switch_world("a level")
        ec.install()
        disk()

        def handler(contact: ec.Contact) -> None:
            pass

        esper.set_handler("collision_start", handler)
        run(3)
        esper.switch_world(menu)
        esper.delete_world("a level")
        del handler
    finally:
        gc.enable()
    assert errors == []
