"""The fourth system: what the contacts do."""

from __future__ import annotations

from typing import Any

from ecs_collide.systems.system import Later


class Response(Later):
    """Produces new velocities and positions."""

    def run(self, *args: Any, **kwargs: Any) -> None:
        self.pipeline.respond()
