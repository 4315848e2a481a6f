"""A world with physics for one test or example."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ecs_collide.api.install import install
from ecs_collide.testing.simulation import DT, GameSimulation
from ecs_collide.worlds.fresh_worlds import fresh_world


@contextmanager
def simulated(dt: float = DT, **settings: Any) -> Iterator[GameSimulation]:
    """Enter a new esper world with physics in a `with` block, and yield its `GameSimulation`.

    Args:
        dt: length of a step [s].
        settings: arguments of `install`.
    """
    with fresh_world("test"):
        install(**settings)
        yield GameSimulation(dt)
