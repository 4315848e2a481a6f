"""Guards: functions that tell, without work in Python, whether anything on which a decision depends has changed.

A guard tests conditions in C: some attributes and dict items are still the same objects, some containers are empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sized
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

from ecs_collide.native import make_guard


class IsSame(NamedTuple):
    """The condition that an attribute of an object, or an item of a dict, is a certain object; None: no such item."""

    owner: object
    name: Any
    value: object


class IsEmpty(NamedTuple):
    """The condition that a container is empty."""

    container: Sized


class HasNoHandlers(NamedTuple):
    """The condition that the current esper world has no handler of some events.

    It does not hold esper's registry of handlers. The registry would outlive a deleted world, and a handler that dies
    while another world is current makes esper print a KeyError.
    """

    esper: ModuleType
    events: tuple[str, ...]


Condition: TypeAlias = IsSame | IsEmpty | HasNoHandlers


def guard(conditions: Iterable[Condition]) -> Callable[[], bool]:
    """Return a function that returns True while all conditions hold."""
    return make_guard(tuple(conditions))


def has_same(attributes: Iterable[tuple[object, str]]) -> Callable[[], bool]:
    """Return a function that returns True while attributes, given by owner and name, are the present objects."""
    return make_guard(tuple([(owner, name, getattr(owner, name)) for owner, name in attributes]))


def never() -> bool:
    """Return False: a guard for a state in which something may always have changed."""
    return False
