"""Fixtures for tests that need esper, and the examples that hypothesis tries."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import ecs_collide as ec
from ecs_collide.common import user_thread
from tests.support.events import EventLog, entities_of
from tests.support.worlds import esper_world

settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("random", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("fixed")  # what passed once passes on every machine; --hypothesis-profile=random overrides it


@pytest.fixture(autouse=True)
def no_physics_left() -> Iterator[None]:
    """Fail a test that leaves an esper world with physics behind, in which later tests would run."""
    yield
    assert user_thread.names_of_worlds() == set()


@pytest.fixture
def fresh_world() -> Iterator[str]:
    """A new esper world of a name never used before; afterwards "default" is current and all new worlds are gone."""
    with esper_world() as name:
        yield name


@pytest.fixture
def new_warnings(request: pytest.FixtureRequest) -> Iterator[Callable[[], list[str]]]:
    """A function that returns the warnings since its last call, each from a line of the test's own file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")

        def since() -> list[str]:
            assert all(Path(warning.filename) == request.path for warning in caught)
            assert all(warning.category is ec.PhysicsWarning for warning in caught)
            texts = [str(warning.message) for warning in caught]
            caught.clear()
            return texts

        yield since
        assert since() == []


@pytest.fixture
def events(fresh_world: str) -> Iterator[list[tuple[Any, ...]]]:
    """Events of the fresh world in their order: (name, entity, entity); pairs of a collision smaller id first."""
    calls: list[tuple[Any, ...]] = []
    log = EventLog(hear=lambda name, arguments: calls.append((name, *entities_of(arguments))))
    yield calls
    del log
