"""Ctrl-C at any line of the engine: what was under way is completed or was not begun, and later steps go on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import FrameType

import esper
import pytest

import ecs_collide as ec
from ecs_collide.common.interrupts import DelayedInterrupts, ImmediateInterrupts
from ecs_collide.common.settings import ResponseName
from ecs_collide.data.pairs import FREE, PAIR
from ecs_collide.step.notify.events import EventQueue
from ecs_collide.step.plan import StepPlan
from tests.support.events import open_touches
from tests.support.interrupted import interrupted
from tests.support.worlds import collider, disk, floor, run, transform

pytestmark = pytest.mark.usefixtures("fresh_world", "ctrl_c")

TELLING = tuple(str(Path(ec.__file__).parent / name) for name in ("step/notify/events.py", "common/interrupts.py"))
"""The files of which every single line is tried."""


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Python's own answer to Ctrl-C: a process that was started in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_comes_in_a_process_that_ignores_it() -> None:
    """A shell starts processes in the background with Ctrl-C ignored, and they hand that on to all that they start."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    came: list[str] = []

    def act() -> None:
        try:
            ec.install()
        except KeyboardInterrupt:
            came.append("Ctrl-C")
            raise

    assert interrupted(act, 3)
    assert came == ["Ctrl-C"]
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def create_heap_of_disks() -> list[int]:
    floor()
    esper.create_entity(ec.Transform(2.0, 0.2), ec.Collider(ec.Box(1.0, 0.4)))
    return [disk(0.9 * (k % 3), 0.5 + 0.95 * (k // 3)) for k in range(9)]


def change_everything(disks: list[int]) -> None:
    """Everything that is structural at once."""
    esper.delete_entity(disks.pop(4))
    disks.append(disk(0.5, 4.0))
    esper.create_entity(ec.Transform(-1.5, 0.2), ec.Collider(ec.Box(1.0, 0.4)))
    collider(disks[0]).shape = ec.Box(0.8, 0.8)
    esper.remove_component(disks[1], ec.Velocity)
    esper.add_component(disks[2], ec.Transform(1.0, 6.0))
    transform(disks[3]).x += 0.3


def play_interrupted(response: ResponseName, line: int, sleepy: bool) -> tuple[bool, str, list[tuple[str, int, int]]]:
    """Change and step a world, interrupted at a line; return its state afterwards and its events."""
    received: list[tuple[str, int, int]] = []

    def on_start(contact: ec.Contact) -> None:
        received.append(("collision_start", contact.entity_a, contact.entity_b))

    def on_end(contact: ec.Contact) -> None:
        received.append(("collision_end", contact.entity_a, contact.entity_b))

    esper.switch_world(f"{response} {line} {sleepy}")
    physics = ec.install(gravity=(0.0, -10.0), response=response)
    ec.on("collision_start", on_start)
    ec.on("collision_end", on_end)
    disks = create_heap_of_disks()
    run(70 if sleepy else 3)
    if response == "impulse":
        change_everything(disks)
    else:
        esper.delete_entity(disks.pop(4))
        disks.append(disk(0.5, 4.0))
    came = interrupted(run, line)
    run(30)
    assert physics.statistics.bodies == len(physics.pipeline.body_sync.members) == (12 if response == "impulse" else 11)
    for entity, member in physics.pipeline.body_sync.members.items():
        assert physics.entities[member.row] == entity
    touching = {
        tuple(sorted((a, b))) for a in disks for b in physics.pipeline.body_sync.members if physics.touching(a, b)
    }
    assert {key[1:] for key in open_touches(received)} >= touching
    assert physics.pipeline.pairs.count == int((physics.pipeline.pairs.arrays.index[:, PAIR.ROW] != FREE).sum())
    state = physics.state_hash()
    ec.uninstall()
    assert not open_touches(received)
    esper.switch_world("default")
    return came, state, received


@pytest.mark.parametrize(("response", "sleepy"), [("impulse", False), ("impulse", True), ("exact", False)])
def test_ctrl_c_before_any_line_of_a_step(response: ResponseName, sleepy: bool) -> None:
    """At any line, whole stages are completed, the records stay consistent, and later steps go on."""
    play_interrupted(response, 0, sleepy)
    line, lines = 1, 0
    while True:
        came, *_ = play_interrupted(response, line, sleepy)
        if not came:
            break
        lines += 1
        line += 1 + line // 10
    assert lines > 25


@pytest.mark.parametrize("sleeping", [False, True])
def test_ctrl_c_between_a_call_that_reports_and_its_work_loses_nothing(
    sleeping: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of an interrupted step, above all its events, is done before anything else."""
    calm, none_came = play_bouncing_balls(sleeping, "calm")
    resume, reports = StepPlan.resume, count()

    def interrupted_first(self: StepPlan, reported: int, end: int) -> None:
        number = next(reports)
        if number < 30 and number % 2 == 0:
            raise KeyboardInterrupt
        resume(self, reported, end)

    monkeypatch.setattr(StepPlan, "resume", interrupted_first)
    interrupted_often, came = play_bouncing_balls(sleeping, "interrupted")
    assert interrupted_often == calm
    assert none_came == 0
    assert came > 3


def test_ctrl_c_waits_while_the_list_of_calls_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees of joints that were laid out by half kept the rows of bodies that were gone."""
    waits: list[bool] = []
    prepare = StepPlan._prepare

    def noted(self: StepPlan) -> tuple[object, ...]:
        waits.append(isinstance(signal.getsignal(signal.SIGINT), DelayedInterrupts))
        return prepare(self)

    monkeypatch.setattr(StepPlan, "_prepare", noted)
    ec.install(gravity=(0.0, -10.0))
    disks = create_heap_of_disks()
    joint = esper.create_entity(ec.DistanceJoint(disks[0], disks[1]))
    run(40)
    change_everything(disks)
    esper.delete_entity(joint)
    run(40)
    assert len(waits) > 4
    assert all(waits)


def play_bouncing_balls(sleeping: bool, world: str) -> tuple[tuple[str, list[tuple[str, int, int]], int], int]:
    """Return the result of two balls that bounce to rest, their events, and the number of times Ctrl-C came."""
    received: list[tuple[str, int, int]] = []

    def on_start(contact: ec.Contact) -> None:
        received.append(("start", contact.entity_a, contact.entity_b))

    def on_end(contact: ec.Contact) -> None:
        received.append(("end", contact.entity_a, contact.entity_b))

    esper.switch_world(world)
    physics = ec.install(gravity=(0.0, -10.0), sleeping=sleeping)
    ec.on("collision_start", on_start)
    ec.on("collision_end", on_end)
    floor()
    for k in range(2):
        bouncing = ec.Collider(ec.Circle(0.5), restitution=0.8)
        esper.create_entity(ec.Transform(3.0 * k, 1.0 + k), ec.Velocity(), bouncing)
    came = 0
    for step in range(300):
        try:
            esper.process(1 / 60)
        except KeyboardInterrupt:
            came += 1
            if step % 2:
                esper.create_entity(ec.Transform(50.0, 0.0))
                assert physics.ray_cast((0.0, 9.0), (0.0, -9.0)) is not None
    esper.process(1 / 60)
    state = physics.state_hash(), list(received), physics.statistics.steps
    ec.uninstall()
    esper.switch_world("default")
    return state, came


def test_ctrl_c_at_any_line_of_sending_loses_no_event_and_sends_none_twice() -> None:
    """Of an end that were lost, the game would hear the next start without it."""
    received: list[int] = []

    def note(number: int, _: int) -> None:
        received.append(number)

    ec.on("sensor_enter", note)
    line = 0
    while True:
        received.clear()
        queue = EventQueue.of_current_world()
        queue.put([("sensor_enter", (number, 9)) for number in range(3)])
        came = interrupted(queue.send, line := line + 1, TELLING)
        queue.send()
        assert received == [0, 1, 2]
        if not came:
            break
    assert line > 50


def test_a_block_lets_ctrl_c_wait_and_one_within_changes_nothing() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), DelayedInterrupts():
        with DelayedInterrupts():
            signal.raise_signal(signal.SIGINT)
            done.append(1)
        done.append(2)
    assert done == [1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_within_a_block_a_games_own_code_is_interrupted_at_once() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), DelayedInterrupts():
        with ImmediateInterrupts():
            signal.raise_signal(signal.SIGINT)
            done.append(1)
        done.append(2)
    assert done == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_games_own_handler_of_ctrl_c_is_called_and_kept() -> None:
    came = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        with DelayedInterrupts():
            signal.raise_signal(signal.SIGINT)
            assert came == []
        assert came == [signal.SIGINT]
        assert signal.getsignal(signal.SIGINT) is note
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_another_thread_steps_go_on_as_before() -> None:
    ec.install()
    ball = disk()
    esper.component_for_entity(ball, ec.Velocity).x = 6.0
    failed: list[BaseException] = []

    def work() -> None:
        try:
            ec.use_this_thread()
            run(60)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not failed
    assert transform(ball).x == pytest.approx(6.0)


def test_events_left_by_ctrl_c_in_a_handler_are_sent_in_the_next_step() -> None:
    ec.install()
    pairs = [(disk(5.0 * k), disk(5.0 * k + 0.9)) for k in range(4)]
    received: list[tuple[int, int]] = []

    def on_start(contact: ec.Contact) -> None:
        received.append((contact.entity_a, contact.entity_b))
        if len(received) == 2:
            signal.raise_signal(signal.SIGINT)

    ec.on("collision_start", on_start)
    with pytest.raises(KeyboardInterrupt):
        run()
    assert received == pairs[:2]
    run()
    assert received == pairs
