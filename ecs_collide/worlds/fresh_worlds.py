"""Esper worlds for the time of a `with` block, of which nothing is left afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count

import esper

from ecs_collide.api.install import disconnect_physics

_numbers = count(1)


@contextmanager
def fresh_world(name: str = "world") -> Iterator[str]:
    """Enter a new esper world in a `with` block, and yield its name.

    At the end of the block the former world is the current one, and all worlds that were made in the block are gone,
    with their entities, processors and handlers.

    Args:
        name: beginning of the name of the world; a number makes it unique.
    """
    before, known = esper.current_world, set(esper.list_worlds())
    own = unused_name(name)
    esper.switch_world(own)
    try:
        yield own
    finally:
        delete_worlds([world for world in esper.list_worlds() if world not in known], before)


def unused_name(beginning: str) -> str:
    """Return a name that no esper world has: its beginning and a number."""
    known = set(esper.list_worlds())
    return next(name for number in _numbers if (name := f"{beginning} ({number})") not in known)


def delete_worlds(worlds: Iterable[str], following: str) -> None:
    """Delete esper worlds with their handlers; afterwards the world `following`, which stays, is the current one."""
    gone = [world for world in worlds if world != following]
    for world in gone:  # a handler that dies later must find neither its world nor another one in its place
        esper.switch_world(world)
        esper.event_registry.clear()
        disconnect_physics()
    esper.switch_world(following)
    for world in gone:
        esper.delete_world(world)
