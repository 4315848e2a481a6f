"""From touching pairs to esper events.

Events are gathered while the step runs and sent when it is complete, ends before starts, each in order of the
entities. All of them are sent even if a handler raises; its error is raised afterwards. An event that has no handler
is not even made.
"""

from __future__ import annotations

from typing import NamedTuple

import esper

from ecs_collide.columns.pairs import A_SENSES, B_SENSES, COLLIDES
from ecs_collide.contact import Contact
from ecs_collide.contact_view import ContactView


class Event(NamedTuple):
    """An event by name, with what its handlers are given."""

    name: str
    arguments: tuple[object, ...]


def end_events(ends: list[tuple[int, int, int]]) -> list[Event]:
    """The events of pairs that ceased to touch, given as entity A, entity B and the way they touched (`TOUCHING`)."""
    heard = _heard("collision_end", "sensor_exit")
    events = []
    for a, b, way in sorted(_smaller_first(a, b, way) for a, b, way in ends if way in heard):
        if way == COLLIDES:
            events.append(Event("collision_end", (Contact(a, b),)))
        else:
            events.append(Event("sensor_exit", _sensor_first(a, b, way)))
    return events


def start_events(starts: list[tuple[int, int, int, int]], contacts: ContactView) -> list[Event]:
    """The events of pairs that began to touch, given as entity A, entity B, way of touching and contact row."""
    heard = _heard("collision_start", "sensor_enter")
    events = []
    for a, b, way, row in sorted((*_smaller_first(a, b, way), row) for a, b, way, row in starts if way in heard):
        if way == COLLIDES:
            events.append(Event("collision_start", (contacts.snapshot(row),)))
        else:
            events.append(Event("sensor_enter", _sensor_first(a, b, way)))
    return events


def _heard(collision: str, sensor: str) -> set[int]:
    """The ways of touching whose event has a handler."""
    ways = {COLLIDES} if collision in esper.event_registry else set()
    return ways | {A_SENSES, B_SENSES} if sensor in esper.event_registry else ways


def _smaller_first(entity_a: int, entity_b: int, way: int) -> tuple[int, int, int]:
    """Two entities and their way of touching with the smaller one as A."""
    if entity_a < entity_b:
        return entity_a, entity_b, way
    return entity_b, entity_a, {A_SENSES: B_SENSES, B_SENSES: A_SENSES}.get(way, way)


def _sensor_first(entity_a: int, entity_b: int, way: int) -> tuple[int, int]:
    return (entity_a, entity_b) if way == A_SENSES else (entity_b, entity_a)


def dispatch(events: list[Event]) -> None:
    """Send all events. What handlers raise is raised at the end: one error as it is, several as an ExceptionGroup."""
    errors: list[Exception] = []
    for event in events:
        try:
            esper.dispatch_event(event.name, *event.arguments)
        except Exception as error:
            errors.append(error)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise ExceptionGroup("several event handlers failed", errors)
