"""Records of a frame of a game, and the first difference between two of them."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import esper

from ecs_collide.components.described import Described, shorten_repr
from ecs_collide.snapshots.component_forms import Missing, form_of
from ecs_collide.snapshots.world_state import StateImage, WorldState

Values: TypeAlias = dict[str, tuple[bytes, str]]
"""Pickle and representation of each value of a component, by its name."""


class FrameRecord(NamedTuple):
    """The state of a world after a frame, and the events of the frame."""

    components: dict[tuple[int, type], Values]
    """Values of each component, by entity and type."""
    image: StateImage
    events: list[str]


def record_frame(state: WorldState, events: list[str]) -> FrameRecord:
    """Return a record of the present state of the current esper world."""
    components = {
        (entity, kind): {name: _print_of(value) for name, value in _values_of(one)}
        for entity, held in sorted(esper._entities.items())
        for kind, one in held.items()
    }
    return FrameRecord(components, state.read(), events.copy())


def find_difference(state: WorldState, one: FrameRecord, other: FrameRecord) -> str | None:
    """Return a description of the first component, event or array that differs; None if none does."""
    for key in {**one.components, **other.components}:
        entity, kind = key
        if key not in other.components or key not in one.components:
            which = "first" if key in one.components else "second"
            return f"only the {which} run has a {kind.__name__} of entity {entity}"
        before, now = one.components[key], other.components[key]
        for name in {**before, **now}:
            a, b = before.get(name, MISSING), now.get(name, MISSING)
            if a[0] != b[0] and not _unpickle_equal(a, b):  # a representation may hold an address
                whole = f"{kind.__name__}.{name}" if name else kind.__name__
                return f"{whole} of entity {entity} is {a[1]} in the first run and {b[1]} in the second"
    for number in range(max(len(one.events), len(other.events))):
        first, second = ("none" if number >= len(each) else each[number] for each in (one.events, other.events))
        if first != second:
            return f"event {number + 1} is {first} in the first run and {second} in the second"
    array = state.find_difference(one.image, other.image)
    return None if array is None else f"the array {array} of the physics differs"


MISSING = b"", "missing"


def _values_of(component: Any) -> Iterator[tuple[str, Any]]:
    """Yield name and value of all that a component holds."""
    form = form_of(type(component))
    if isinstance(component, Described):
        yield from component._arguments().items()
    elif not form.is_plain:
        yield "", component
    if form.is_plain and form.may_change:
        by_name, slots = form.read(component)
        yield from (by_name or {}).items()
        yield from ((name, value) for name, value in zip(form.slots, slots, strict=True) if value is not Missing)


def _print_of(value: Any) -> tuple[bytes, str]:
    """Return pickle and representation of a value; without a pickle, the name of its class counts."""
    try:
        return pickle.dumps(value), shorten_repr(value)
    except Exception:  # whatever a class of the game raises
        return type(value).__qualname__.encode(), shorten_repr(value)


def _unpickle_equal(a: tuple[bytes, str], b: tuple[bytes, str]) -> bool:
    """Return True if two values with different pickles are equal: pickles tell apart what equals, such as sets."""
    if a is MISSING or b is MISSING:
        return False
    try:
        return bool(pickle.loads(a[0]) == pickle.loads(b[0]))
    except Exception:  # they cannot be pickled or compared
        return False
