"""A recorder of events, and a check that starts and ends match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import esper

import ecs_collide as ec

ENDS = {"collision_end": "collision_start", "sensor_exit": "sensor_enter"}
STARTS_AND_ENDS = ("collision_start", "collision_end", "sensor_enter", "sensor_exit")


class EventLog:
    """A record of the events that the current esper world sends from now on, as (name, arguments).

    Keep a reference to it while it should listen: esper holds handlers weakly. It listens to starts and ends, or to
    the events that are named. `collision_hit` has to be named, because the engine computes it only for a listener.
    With `hear` it calls that function with each event, and records nothing.
    """

    def __init__(self, *names: str, hear: Callable[[str, tuple[Any, ...]], object] | None = None) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self._hear = hear or (lambda name, arguments: self.calls.append((name, arguments)))
        self._handlers = [self._handler(name) for name in names or STARTS_AND_ENDS]

    def _handler(self, name: str) -> Callable[..., None]:
        def handler(*arguments: Any) -> None:
            self._hear(name, arguments)

        esper.set_handler(name, handler)
        return handler

    @property
    def contacts(self) -> list[ec.Contact]:
        """Contacts of all recorded events that have one."""
        return [arguments[0] for _, arguments in self.calls if len(arguments) == 1]


def entities_of(arguments: tuple[Any, ...]) -> tuple[int, int]:
    """Return the two entities of an event; those of a contact in its order, smaller id first."""
    if len(arguments) == 2:
        return arguments[0], arguments[1]
    return arguments[0].entity_a, arguments[0].entity_b


def open_touches(events: Iterable[tuple[Any, ...]], touches: Counter[tuple[Any, ...]] | None = None) -> Counter[Any]:
    """Return the touches that have started and not ended, with their count.

    `touches` holds those that were open before these events; it is updated in place.

    Raises:
        AssertionError: an end has no start before it, or a start comes twice.
    """
    touches = Counter() if touches is None else touches
    for name, *entities in events:
        key = (ENDS.get(name, name), *entities)
        touches[key] += -1 if name in ENDS else 1
        assert touches[key] in (0, 1), f"{name} {entities}"
        if touches[key] == 0:
            del touches[key]
    return touches
