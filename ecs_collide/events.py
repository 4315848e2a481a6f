"""From touching pairs to esper events.

Events are gathered while the step runs and sent when it is complete, ends before starts, each in order of the
entities. All of them are sent even if a handler raises; its error is raised afterwards.
"""

from __future__ import annotations

from typing import NamedTuple

import esper

from ecs_collide.columns.pairs import A_SENSES, B_SENSES, COLLIDES
from ecs_collide.contact import Contact


class Event(NamedTuple):
    """An event by name, with what its handlers are given."""

    name: str
    arguments: tuple[object, ...]


def start_event(touching: int, entity_a: int, entity_b: int, contact: Contact | None) -> Event:
    """The event of two entities that began to touch in the given way (`TOUCHING`)."""
    if touching == COLLIDES:
        return Event("collision_start", (contact,))
    return Event("sensor_enter", _sensor_first(touching, entity_a, entity_b))


def end_event(touching: int, entity_a: int, entity_b: int) -> Event:
    """The event of two entities that ceased to touch in the given way (`TOUCHING`)."""
    if touching == COLLIDES:
        return Event("collision_end", (Contact(min(entity_a, entity_b), max(entity_a, entity_b)),))
    return Event("sensor_exit", _sensor_first(touching, entity_a, entity_b))


def _sensor_first(touching: int, entity_a: int, entity_b: int) -> tuple[int, int]:
    return {A_SENSES: (entity_a, entity_b), B_SENSES: (entity_b, entity_a)}[touching]


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
