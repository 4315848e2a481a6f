"""Sensors that get another shape while bodies are in them."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, static

KINDS: dict[str, Callable[[float], ec.Shape]] = {
    "circle": ec.Circle,
    "box": lambda size: ec.Box(2.0 * size, 2.0 * size),
    "several pieces": lambda size: ec.Compound([ec.Circle(size), (ec.Circle(size), (0.5, 0.0, 0.0))]),
    "one piece or two": lambda size: ec.Circle(size) if size > 1.2 else ec.Compound([ec.Circle(size), ec.Box(size, 1)]),
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("resizes_visitor", [False, True], ids=["sensor", "visitor"])
def test_a_body_that_stays_inside_enters_once(make: Callable[[float], ec.Shape], resizes_visitor: bool) -> None:
    with game() as play:
        sensor = static(make(1.0), sensor=True)
        body = dynamic(make(1.0), (0.3, 0.0))
        changed = esper.component_for_entity(body if resizes_visitor else sensor, ec.Collider)
        for frame in range(12):
            changed.shape = make(1.0 + 0.04 * frame)
            if frame % 3 == 0:
                play.physics.point_query((0.0, 0.0))  # a query brings the change in before the step
            play.step(1)
            assert play.physics.touching(sensor, body)
        assert play.named_pairs() == [("sensor_enter", sensor, body)]
        esper.component_for_entity(body, ec.Transform).position = (50.0, 0.0)
        play.step(1)
        assert play.named_pairs()[1:] == [("sensor_exit", sensor, body)]


def test_only_the_bodies_that_a_growing_sensor_reaches_enter_it() -> None:
    with game() as play:
        sensor = static(ec.Circle(0.5), sensor=True)
        bodies = [dynamic(ec.Circle(0.2), (float(k), 0.0)) for k in range(5)]
        collider = esper.component_for_entity(sensor, ec.Collider)
        for tenths in [*range(5, 45), *range(44, 4, -1)]:
            collider.shape = ec.Circle(tenths / 10.0)
            play.step(1)
        entered = [("sensor_enter", sensor, body) for body in bodies]
        left = [("sensor_exit", sensor, body) for body in reversed(bodies[1:])]
        assert play.named_pairs() == entered + left


@pytest.mark.parametrize(("name", "value"), [("mask", 1), ("layer", 3), ("sensor_mask", 4)])
def test_another_filter_ends_an_overlap_even_with_another_shape(name: str, value: int) -> None:
    with game() as play:
        sensor = static(ec.Circle(1.0), sensor=True)
        body = dynamic(ec.Circle(0.5))
        play.step(1)
        collider = esper.component_for_entity(sensor, ec.Collider)
        collider.shape = ec.Circle(2.0)
        setattr(collider, name, value)
        play.step(1)
        assert [event for event, *_ in play.named_pairs()] == ["sensor_enter", "sensor_exit", "sensor_enter"]
        assert play.physics.touching(sensor, body)
