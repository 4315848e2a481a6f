"""The second system: which pieces might touch."""

from __future__ import annotations

from typing import Any

from ecs_collide.systems.system import Later


class Broadphase(Later):
    """Produces the candidate pairs."""

    def run(self, *args: Any, **kwargs: Any) -> None:
        self.pipeline.find_pairs()
