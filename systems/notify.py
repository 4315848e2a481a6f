"""The last system: the events of the step."""

from __future__ import annotations

from typing import Any

from ecs_collide.step.plan import NOTIFY
from ecs_collide.systems.system import StepSystem


class Notify(StepSystem):
    """Completes the step and sends its events."""

    number = NOTIFY

    def process(self, *args: Any, **kwargs: Any) -> None:
        pipeline = self.pipeline
        if pipeline.last_done < NOTIFY:
            super().process(*args, **kwargs)
        if pipeline.events.is_waiting:
            pipeline.events.send()
