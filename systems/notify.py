"""The last system: what the game is told."""

from __future__ import annotations

from typing import Any

from ecs_collide.systems.system import Later


class Notify(Later):
    """Completes the step and sends its events."""

    def process(self, *args: Any, **kwargs: Any) -> None:
        if not self.pipeline.is_made:
            self.measure(args, kwargs)
        if self.pipeline.events.is_waiting:
            self.pipeline.events.send()

    def run(self, *args: Any, **kwargs: Any) -> None:
        self.pipeline.notify()
