"""Only changes whose event has a handler are listed, and pairs that are dropped while they touch wait for Notify."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec
from ecs_collide.step.notify.handlers import EventName
from tests.support.events import EventLog
from tests.support.worlds import DT, dynamic, game, static

NAMES = "collision_start", "collision_end", "sensor_enter", "sensor_exit"


@pytest.mark.parametrize("listened", [(), *((name,) for name in NAMES), NAMES])
def test_a_change_is_listed_if_its_own_event_has_a_handler(listened: tuple[EventName, ...], fresh_world: str) -> None:
    physics = ec.install()
    log = EventLog(*(listened or ("body_wake",)))
    static(ec.Box(1.0, 1.0))
    ball = dynamic(ec.Circle(0.5), (0.0, 0.999))
    static(ec.Circle(0.2), (0.0, 1.0), sensor=True)
    counts = physics.pipeline.contact_events.touch_counts
    esper.process(DT)
    assert counts.tolist()[1:] == [len({"collision_start", "sensor_enter"}.intersection(listened)), 0]
    esper.component_for_entity(ball, ec.Velocity).y = 1.0
    ends = [0, 0]
    for _ in range(60):
        esper.process(DT)
        ends[0] += counts.item(0)
        ends[1] += counts.item(2)
    assert ends == [len({"collision_end", "sensor_exit"}.intersection(listened))] * 2
    assert {name for name, _ in log.calls} == set(listened)
    assert len(log.calls) == len(listened)


def test_colliding_entities_are_listed_without_handlers(fresh_world: str) -> None:
    ec.install()
    floor = static(ec.Box(1.0, 1.0))
    ball, listed = dynamic(ec.Circle(0.5), (0.0, 0.999)), ec.CollidingEntities()
    esper.add_component(ball, listed)
    esper.process(DT)
    assert list(listed.entities) == [floor]
    esper.component_for_entity(ball, ec.Velocity).y = 1.0
    for _ in range(60):
        esper.process(DT)
    assert list(listed.entities) == []


@pytest.mark.parametrize("count", [1, 70, 300])
def test_any_number_of_touching_pairs_may_be_dropped_at_once(count: int) -> None:
    with game() as play:
        log = EventLog("collision_end")
        floor = static(ec.Box(2.0 * count, 1.0), (count, -0.5))
        balls = [dynamic(ec.Circle(0.5), (2.0 * k, 0.499)) for k in range(count)]
        play.step()
        for ball in balls[::2]:
            esper.delete_entity(ball)
        play.physics.momentum()
        for ball in balls[1::2]:
            esper.delete_entity(ball)
        play.step()
        assert [(each.entity_a, each.entity_b) for each in log.contacts] == [(floor, ball) for ball in balls]


def test_a_snapshot_keeps_the_pairs_that_were_dropped_before_it() -> None:
    with game() as play:
        log = EventLog("collision_end")
        floor = static(ec.Box(9.0, 1.0), (0.0, -0.5))
        balls = [dynamic(ec.Circle(0.5), (2.0 * k, 0.499)) for k in range(3)]
        play.step()
        esper.delete_entity(balls[1], immediate=True)
        play.physics.momentum()
        snapshot = play.physics.snapshot()
        for _ in range(2):
            play.step()
            assert [(each.entity_a, each.entity_b) for each in log.contacts] == [(floor, balls[1])]
            play.step()
            log.calls.clear()
            play.physics.restore(snapshot)
