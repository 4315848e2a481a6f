"""The last system: what the game is told."""

from __future__ import annotations

from typing import Any

from ecs_collide.systems.system import System


class Notify(System):
    """Completes the step and sends its events."""

    def run(self, *args: Any, **kwargs: Any) -> None:
        self.pipeline.notify()
