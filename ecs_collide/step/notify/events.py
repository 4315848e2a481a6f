"""From touching pairs to esper events.

Events are gathered while the step runs and sent when it is complete, ends before starts before hits, each in order of
the entities. Every handler gets every event, even if another one raises; the first error is raised afterwards, and the
others stand in its notes. An event that has no handler is not even made.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, TypeAlias, TypeVar
from weakref import WeakValueDictionary

import esper
import numpy as np

from ecs_collide.common.interrupts import DelayedInterrupts, ImmediateInterrupts
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.host_names import HostNames
from ecs_collide.data.state_list import list_state
from ecs_collide.errors import PhysicsError
from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_source import Start
from ecs_collide.step.notify.handlers import in_order_of_calls
from ecs_collide.step.notify.touch_counts import Touch

Event: TypeAlias = tuple[str, tuple[object, ...]]
"""The name of an event, and what its handlers are given."""
AnyTouch = TypeVar("AnyTouch", Touch, Start)
Handlers: TypeAlias = Mapping[str, Any]
"""Weak references to the handlers of each event, as esper keeps them."""
WAY = 2
"""Place of the way of touching in a `Touch` or `Start`."""
STARTS, ENDS = ("collision_start", "sensor_enter"), ("collision_end", "sensor_exit")
"""Events of two entities that began and that ceased to touch, as a contact or as an overlap."""


def end_events(ends: list[Touch], handlers: Handlers, hosts: HostNames) -> list[Event]:
    """Return the events of touches that ended."""

    def contacts_of(ended: list[Touch]) -> list[contact.Contact]:
        return contact.ended_contacts([(a, b, hosts.former_body_of(a), hosts.former_body_of(b)) for a, b, _ in ended])

    return _touch_events(ENDS, ends, contacts_of, handlers)


def start_events(
    starts: list[Start],
    contacts_at: Callable[[np.ndarray], list[contact.Contact]],
    handlers: Handlers,
) -> list[Event]:
    """Return the events of touches that began; `contacts_at` returns the contacts at their places."""

    def contacts_of(started: list[Start]) -> list[contact.Contact]:
        return contacts_at(np.array([place for _, _, _, place in started], np.int64))

    return _touch_events(STARTS, starts, contacts_of, handlers)


def _touch_events(
    names: tuple[str, str],
    touches: list[AnyTouch],
    contacts_of: Callable[[list[AnyTouch]], list[contact.Contact]],
    handlers: Handlers,
) -> list[Event]:
    """Return the events of starts or ends that have a handler, in order of the entities.

    `contacts_of` returns the contacts of those that collide.
    """
    listed = sorted([touch for touch in touches if names[touch[WAY] != of_pair.COLLIDES] in handlers])
    colliding = [touch for touch in listed if touch[WAY] == of_pair.COLLIDES]
    contacts = iter(contacts_of(colliding) if colliding else ())
    of_collision, of_overlap = names
    events: list[Event] = []
    for touch in listed:
        if touch[WAY] == of_pair.COLLIDES:
            events.append((of_collision, (next(contacts),)))
        else:
            events += [(of_overlap, both) for both in _notified_first(*touch[: WAY + 1])]
    return events


def crossing_events(crossed: list[tuple[int, int]], handlers: Handlers) -> list[Event]:
    """Return the events of sensors that an entity entered and left within one step, given as sensor and entity."""
    names = [name for name in ("sensor_enter", "sensor_exit") if name in handlers]
    return [(name, crossing) for crossing in sorted(crossed) for name in names]


def sleep_events(changes: list[tuple[int, bool]], handlers: Handlers) -> list[Event]:
    """Return the events of entities that fell asleep (True) or woke (False), in order."""
    named = [("body_sleep" if sleeps else "body_wake", entity) for entity, sleeps in changes]
    return [(name, (entity,)) for name, entity in named if name in handlers]


def listened_ways(names: tuple[str, str], handlers: Handlers) -> int:
    """Return the ways of touching whose start or end (`names`) has a handler, each as bit 1 << `TOUCHING`."""
    collides, senses = names
    return (of_pair.COLLIDING if collides in handlers else 0) | (of_pair.SENSING if senses in handlers else 0)


def _notified_first(entity_a: int, entity_b: int, way: int) -> list[tuple[int, int]]:
    """Return two overlapping entities, once for each that gets the event, which comes first."""
    ordered = [] if way == of_pair.B_SENSES else [(entity_a, entity_b)]
    return ordered if way == of_pair.A_SENSES else [*ordered, (entity_b, entity_a)]


def _first_of(errors: list[Exception]) -> Exception:
    """Return the first error of the handlers, with a note of each other error and its count."""
    first = errors[0]
    others = Counter(_describe(error) for error in errors if error is not first)
    for text, times in others.items():
        first.add_note(f"Another handler raised as well, after this: {text}{f', {times} times' if times > 1 else ''}")
    return first


def _describe(error: Exception) -> str:
    """Return the text of an error with the line of the game that raised it."""
    from traceback import format_exception_only, walk_tb

    *_, (frame, line) = walk_tb(error.__traceback__)
    code = frame.f_code
    return f"{format_exception_only(error)[0].strip()} (line {line} of {code.co_filename}, in {code.co_name})"


class EventQueue:
    """Sends the events of one esper world: the one that is current when the queue is made.

    A world has one queue, even if a handler uninstalls the physics and installs it again. Events of the new physics
    follow the waiting ones of the old.
    """

    state_list = list_state(contents="_waiting _left", left_out="_world world_mark _sending")

    _queues: ClassVar[WeakValueDictionary[int, EventQueue]] = WeakValueDictionary()
    """Queues by the identity of their world's `process_times`, which stays unique while the queue lives."""

    @classmethod
    def of_current_world(cls) -> EventQueue:
        """Return the queue of the current esper world."""
        return cls._queues.setdefault(id(esper.process_times), cls())

    def __init__(self) -> None:
        self._world = esper.current_world
        self.world_mark: object = esper.process_times
        """A dict that esper makes with a world and keeps as long as it exists, so it identifies the world.

        The registry of handlers would too, but must not be kept: if it outlives a deleted world, a handler that dies
        while another world is current makes esper print a KeyError.
        """
        self._waiting: deque[Event] = deque()
        self._left: deque[tuple[Any, Event]] = deque()
        """The handlers (weak references) that have still to be given the event that is being sent."""
        self._sending = False

    @property
    def is_in_current_world(self) -> bool:
        """True if the queue's esper world is the current one; a later world of the same name is another."""
        return esper.process_times is self.world_mark

    def check_current(self) -> None:
        """Raise PhysicsError where a processor has switched to another esper world in the middle of a step."""
        if not self.is_in_current_world:
            raise PhysicsError(
                f"esper world {esper.current_world!r} became current in the middle of a step of world {self._world!r}: "
                "switch worlds before or after esper.process, not in a processor. The step was not made"
            )

    @contextmanager
    def own_world(self) -> Iterator[bool]:
        """Make the queue's esper world the current one for a while; yield False if it has been deleted."""
        elsewhere = esper.current_world
        try:
            yield self._enter()
        finally:
            if esper.current_world != elsewhere:
                esper.switch_world(elsewhere)

    @property
    def is_sending(self) -> bool:
        """True while handlers are given events."""
        return self._sending

    @property
    def is_waiting(self) -> bool:
        """True if events are left to send, because Ctrl-C interrupted sending."""
        return bool(self._waiting or self._left)

    def put(self, events: Iterable[Event]) -> None:
        """Add events to the queue."""
        self._waiting.extend(events)

    def send(self, events: Iterable[Event] = ()) -> None:
        """Send all events, each to all its handlers, in the queue's own esper world.

        Errors of handlers are raised at the end: the first one, with the others as its notes. So its type does not
        depend on their number. A step or an `uninstall` inside a handler adds its events to the end of the queue, so
        that no end overtakes its start. A handler may switch to another esper world, which is then current when all
        events are sent.
        """
        with DelayedInterrupts():
            self._waiting.extend(events)
            errors = [] if self._sending else self._send_waiting()
        if errors:
            raise _first_of(errors)

    def _send_waiting(self) -> list[Exception]:
        """Send the waiting events; return the errors of handlers."""
        errors: list[Exception] = []
        target, waiting, left = esper.current_world, self._waiting, self._left
        self._sending = True
        try:
            while (waiting or left) and self._enter():
                if not left:
                    event = waiting.popleft()
                    references = in_order_of_calls(esper.event_registry.get(event[0], ()))
                    left.extend([(reference, event) for reference in references])
                    if not left:
                        continue
                reference, (name, arguments) = to_send = left.popleft()
                handler = reference() if reference in esper.event_registry.get(name, ()) else None
                if handler is None:
                    continue
                given = None
                try:
                    with ImmediateInterrupts():
                        handler(*(given := arguments))
                except Exception as error:
                    errors.append(error)
                finally:
                    if given is None:  # Ctrl-C was faster than the handler
                        left.appendleft(to_send)
                if not self.is_in_current_world:
                    target = esper.current_world
        finally:
            self._sending = False
            if esper.current_world != target:
                esper.switch_world(target)
        return errors

    def _enter(self) -> bool:
        """Switch to the queue's esper world; False, with nothing left to send, where it has been deleted."""
        if not self.is_in_current_world and self._world in esper.list_worlds():
            elsewhere = esper.current_world
            esper.switch_world(self._world)
            if not self.is_in_current_world:  # deleted, and made anew under the same name
                esper.switch_world(elsewhere)
        if not self.is_in_current_world:
            self._left.clear()
            self._waiting.clear()
        return self.is_in_current_world
