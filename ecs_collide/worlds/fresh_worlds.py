"""Esper worlds for the time of a `with` block, of which nothing is left afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import esper

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
    own = next(unique for number in _numbers if (unique := f"{name} ({number})") not in known)
    esper.switch_world(own)
    try:
        yield own
    finally:
        made = [world for world in esper.list_worlds() if world not in known]
        for world in made:  # a handler that dies later must find neither its world nor another one in its place
            esper.switch_world(world)
            esper.event_registry.clear()
        esper.switch_world(before)
        for world in made:
            if world != before:
                esper.delete_world(world)
