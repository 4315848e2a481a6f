"""Fixtures for tests that need esper, which examples hypothesis tries, and that stages look at their arguments."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from typing import Any

import esper
import pytest
from hypothesis import settings

os.environ.setdefault("ECS_COLLIDE_CHECK", "1")  # before any kernel is entered

settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("random", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("fixed")  # what passed once passes on every machine; --hypothesis-profile=random overrides it

EVENT_NAMES = ("collision_start", "collision_end", "sensor_enter", "sensor_exit")

_numbers = count(1)


@pytest.fixture
def fresh_world() -> Iterator[str]:
    """A new esper world of a name never used before; afterwards "default" is current and all new worlds are gone."""
    before = set(esper.list_worlds())
    name = f"test world {next(_numbers)}"
    esper.switch_world(name)
    yield name
    esper.switch_world("default")
    for world in set(esper.list_worlds()) - before - {"default"}:
        esper.delete_world(world)


@pytest.fixture
def events(fresh_world: str) -> Iterator[list[tuple[Any, ...]]]:
    """What the fresh world is told, in order: (name, entity, entity); pairs of a collision smaller id first."""
    told: list[tuple[Any, ...]] = []
    handlers = []
    for name in EVENT_NAMES:

        def handler(*arguments: Any, name: str = name) -> None:
            contact = arguments[0]
            told.append((name, *arguments) if len(arguments) == 2 else (name, contact.entity_a, contact.entity_b))

        handlers.append(handler)  # esper itself keeps weak references
        esper.set_handler(name, handler)
    yield told
    if fresh_world in esper.list_worlds():  # a handler that dies while another world is current is an error in esper
        esper.switch_world(fresh_world)
    handlers.clear()
