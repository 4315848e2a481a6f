"""The first system: what the game changed since the last step."""

from __future__ import annotations

from typing import Any

import esper

from ecs_collide.systems.system import System
from ecs_collide.systems.timestep import frame_length, step_length


class Synchronise(System):
    """Brings entities and components that came, went or were replaced into the columns, and finds dt.

    With `fixed_dt` a frame may hold several steps, or none. All but the last are made in here, with whatever the game
    has put between the systems; the last one is esper's own round. Without one, the systems after this have nothing to
    do.
    """

    def run(self, *args: Any, **kwargs: Any) -> None:
        pipeline = self.pipeline
        settings, clock = pipeline.settings, pipeline.clock
        if settings.fixed_dt is None:
            pipeline.synchronise(clock.time_scale * step_length(settings, args, kwargs))
            return
        pipeline.begin_frame(frame_length(settings, args, kwargs))
        while clock.due > 0 and esper.get_processor(type(self)) is self:
            pipeline.synchronise(settings.fixed_dt)
            clock.due -= 1
            if clock.due > 0:
                for processor in self._rest_of_step():
                    processor.process(*args, **kwargs)

    def _rest_of_step(self) -> list[esper.Processor]:
        """The processors from the one after this to the last system, the game's own among them, in their order."""
        after = esper._processors[esper._processors.index(self) + 1 :]
        last = max((place for place, processor in enumerate(after) if isinstance(processor, System)), default=-1)
        return after[: last + 1]
