"""The third system: where and how they touch."""

from __future__ import annotations

from typing import Any

from ecs_collide.systems.system import Later


class Narrowphase(Later):
    """Produces the contact manifolds."""

    def run(self, *args: Any, **kwargs: Any) -> None:
        self.pipeline.find_contacts()
