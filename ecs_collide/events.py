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
    heard = {name: name in esper.event_registry for name in ("collision_end", "sensor_exit")}
    events = []
    for a, b, way in sorted((min(a, b), max(a, b), _way_of_smaller(a, b, way)) for a, b, way in ends):
        if way == COLLIDES and heard["collision_end"]:
            events.append(Event("collision_end", (Contact(a, b),)))
        elif way != COLLIDES and heard["sensor_exit"]:
            events.append(Event("sensor_exit", _sensor_first(a, b, way)))
    return events


def start_events(starts: list[tuple[int, int, int, int]], contacts: ContactView) -> list[Event]:
    """The events of pairs that began to touch, given as entity A, entity B, way of touching and contact row."""
    heard = {name: name in esper.event_registry for name in ("collision_start", "sensor_enter")}
    events = []
    for a, b, way, row in sorted((min(a, b), max(a, b), _way_of_smaller(a, b, way), row) for a, b, way, row in starts):
        if way == COLLIDES and heard["collision_start"]:
            events.append(Event("collision_start", (contacts.snapshot(row),)))
        elif way != COLLIDES and heard["sensor_enter"]:
            events.append(Event("sensor_enter", _sensor_first(a, b, way)))
    return events


def _way_of_smaller(entity_a: int, entity_b: int, way: int) -> int:
    """The way of touching when the smaller entity stands first."""
    swapped = {A_SENSES: B_SENSES, B_SENSES: A_SENSES}
    return way if entity_a < entity_b else swapped.get(way, way)


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
