"""Handlers of the physics' events, kept alive and checked for their event's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count
from math import inf
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, overload
from weakref import ref

import esper

from ecs_collide.hints import hint

if TYPE_CHECKING:
    from ecs_collide.step.notify.contact import Contact

ContactEvent: TypeAlias = Literal["collision_start", "collision_end", "collision_hit"]
"""Events that give their handlers a `Contact`."""
SensorEvent: TypeAlias = Literal["sensor_enter", "sensor_exit"]
"""Events that give their handlers the entity of the sensor and the other entity."""
EntityEvent: TypeAlias = Literal["joint_end", "body_sleep", "body_wake"]
"""Events that give their handlers one entity."""
JointLoadEvent: TypeAlias = Literal["joint_break", "joint_overload"]
"""Events that give their handlers the entity of the joint, its force [N] and its torque [N m]."""
EventName: TypeAlias = ContactEvent | SensorEvent | JointLoadEvent | EntityEvent
"""Name of an event of the physics."""

ContactHandler = TypeVar("ContactHandler", bound="Callable[[Contact], object]")
SensorHandler = TypeVar("SensorHandler", bound=Callable[[int, int], object])
BreakHandler = TypeVar("BreakHandler", bound=Callable[[int, float, float], object])
EntityHandler = TypeVar("EntityHandler", bound=Callable[[int], object])
Result = TypeVar("Result")

EVENTS: dict[EventName, str] = {
    "collision_start": "contact",
    "collision_end": "contact",
    "collision_hit": "contact",
    "sensor_enter": "sensor, entity",
    "sensor_exit": "sensor, entity",
    "joint_break": "joint, force, torque",
    "joint_overload": "joint, force, torque",
    "joint_end": "joint",
    "body_sleep": "entity",
    "body_wake": "entity",
}
"""The events that a step sends, and what their handlers are given."""


VAR_POSITIONAL = 0x04
"""Bit of `co_flags` of a function with `*args`."""

NOT_GIVEN: Any = object()


class _KeptReference(ref[Any]):
    """A reference as esper keeps them, except that its function stays alive as long as the world has the handler."""

    __slots__ = ("function", "number")
    _numbers = count()

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.number = next(self._numbers)


def in_order_of_calls(handlers: Iterable[ref[Any]]) -> list[ref[Any]]:
    """Return handlers in the order in which `on` added them, and then those of esper, whose sets have no order."""
    return sorted(handlers, key=lambda handler: handler.number if isinstance(handler, _KeptReference) else inf)


# A decorator keeps the type of its function. Given directly, a lambda has parameters of known types.
@overload
def on(event: ContactEvent) -> Callable[[ContactHandler], ContactHandler]: ...
@overload
def on(event: ContactEvent, function: Callable[[Contact], Result]) -> Callable[[Contact], Result]: ...
@overload
def on(event: SensorEvent) -> Callable[[SensorHandler], SensorHandler]: ...
@overload
def on(event: SensorEvent, function: Callable[[int, int], Result]) -> Callable[[int, int], Result]: ...
@overload
def on(event: JointLoadEvent) -> Callable[[BreakHandler], BreakHandler]: ...
@overload
def on(
    event: JointLoadEvent, function: Callable[[int, float, float], Result]
) -> Callable[[int, float, float], Result]: ...
@overload
def on(event: EntityEvent) -> Callable[[EntityHandler], EntityHandler]: ...
@overload
def on(event: EntityEvent, function: Callable[[int], Result]) -> Callable[[int], Result]: ...
def on(event: EventName, function: Any = NOT_GIVEN) -> Any:
    """Call `function` at each `event` of the current esper world, and return it; without one, return a decorator.

    Unlike `esper.set_handler`, it keeps the function alive, so a lambda or a method works. The handler stays until
    `off`, or as long as the esper world exists. Handlers of an event are called in the order of these calls, and
    those of `esper.set_handler` after them, in no fixed order. `EVENTS` lists the arguments of each event.

    Raises ValueError for an unknown event, and TypeError for a function that cannot take the event's arguments.
    """
    _checked(event)
    if function is NOT_GIVEN:
        return lambda decorated: on(event, decorated)
    if not callable(function):
        raise TypeError(f"the handler of {event!r} must be a function ({EVENTS[event]}), got {function!r}")
    _check_takes(event, function)
    esper.event_registry.setdefault(event, set()).add(_KeptReference(function))
    return function


def off(event: EventName, function: Callable[..., Any]) -> None:
    """Remove `function` from the handlers of `event` in the current esper world, whether `on` or esper added it.

    Raises ValueError for an unknown event, and if the function is no handler of it.
    """
    _checked(event)
    handlers = esper.event_registry.get(event, set())
    found = [reference for reference in handlers if reference() == function]
    if not found:
        raise ValueError(f"{function!r} is no handler of {event!r} in esper world {esper.current_world!r}")
    handlers.difference_update(found)
    if not handlers:
        del esper.event_registry[event]


def _checked(event: object) -> None:
    if not isinstance(event, str):
        raise TypeError(f"event must be the name of one, such as 'collision_start', got {event!r}")
    if event not in EVENTS:
        advice = hint(event, EVENTS) or f": there are {', '.join(EVENTS)}"
        raise ValueError(f"the physics sends no {event!r} (events of your own go to esper.set_handler){advice}")


def _check_takes(event: EventName, function: Callable[..., Any]) -> None:
    """Raise TypeError if a function of Python cannot take what its event gives."""
    count = EVENTS[event].count(",") + 1
    plain = getattr(function, "__func__", function)
    code = getattr(plain, "__code__", None)
    if code is None:
        return
    room = code.co_argcount - (plain is not function)
    needed = room - len(plain.__defaults__ or ())
    if needed > count or (room < count and not code.co_flags & VAR_POSITIONAL):
        names = ", ".join(code.co_varnames[code.co_argcount - room : code.co_argcount])
        raise TypeError(
            f"the handler of {event!r} is called with ({EVENTS[event]}), but {plain.__qualname__} takes ({names})"
        )
