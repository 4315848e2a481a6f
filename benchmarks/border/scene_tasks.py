"""Border tasks that are steps of a scene, alike for all engines: a module of tasks binds its engine to each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.scene import Scene
from benchmarks.scenes.bridge import bridge
from benchmarks.scenes.ragdolls import ragdolls

WARMUP = 60
"""Number of steps before the first frame that counts."""

EngineMaker = Callable[[Scene], Any]
"""Makes the engine of a scene, see `Engine`."""


class SceneTask:
    """A frame is a step of a scene."""

    def __init__(self, engine: Any) -> None:
        self.activate, self.close = engine.activate, engine.close
        self._step = engine.step
        for _ in range(WARMUP):
            self._step()

    def __call__(self) -> None:
        """Make a step."""
        self._step()


def bridge_task(engine: EngineMaker, size: int) -> SceneTask:
    """Return a bridge with five bodies on it, without friction in its hinges."""
    return SceneTask(engine(bridge(size)))


def rusty_bridge_task(engine: EngineMaker, size: int) -> SceneTask:
    """Return the same bridge with friction of 20 N m in its hinges."""
    return SceneTask(engine(bridge(size, friction=20.0)))


def ragdolls_task(engine: EngineMaker, size: int) -> SceneTask:
    """Return ragdolls that fall onto each other, without friction in their joints."""
    return SceneTask(engine(ragdolls(size)))


def stiff_ragdolls_task(engine: EngineMaker, size: int) -> SceneTask:
    """Return the same ragdolls with friction of 0.3 N m in their joints."""
    return SceneTask(engine(ragdolls(size, friction=0.3)))
