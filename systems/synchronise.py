"""The first system: what the game changed since the last step."""

from __future__ import annotations

from typing import Any

from ecs_collide.systems.system import System
from ecs_collide.systems.timestep import step_length


class Synchronise(System):
    """Brings entities and components that came, went or were replaced into the columns, and finds dt."""

    def run(self, *args: Any, **kwargs: Any) -> None:
        self.pipeline.synchronise(step_length(self.pipeline.settings, args, kwargs))
