"""The first system: what the game changed since the last step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper

from ecs_collide.systems.broadphase import Broadphase
from ecs_collide.systems.narrowphase import Narrowphase
from ecs_collide.systems.notify import Notify
from ecs_collide.systems.response import Response
from ecs_collide.systems.system import System
from ecs_collide.systems.timestep import frame_length, step_length

THE_REST: tuple[type[System], ...] = (Broadphase, Narrowphase, Response, Notify)


class Synchronise(System):
    """Brings entities and components that came, went or were replaced into the columns, and finds dt.

    Where the other systems follow at once, and none is one that a game has derived, it makes the whole step: they have
    nothing left to do, but for the events.

    With `fixed_dt` a frame may hold several steps, or none. All but the last are made in here, with whatever the game
    has put between the systems; the last one is esper's own round. Without one, the systems after this have nothing to
    do.
    """

    _order: list[esper.Processor] | None = None
    """The world's processors when it was last seen whether the others follow at once."""
    _is_whole = False

    def process(self, *args: Any, **kwargs: Any) -> None:
        pipeline = self.pipeline
        pipeline.is_made = False
        if self._order != esper._processors:
            self._look_at_order()
        if self._is_whole:
            self._make(pipeline.step, args, kwargs)
        else:
            self.measure(args, kwargs)

    def run(self, *args: Any, **kwargs: Any) -> None:
        self._make(self.pipeline.synchronise, args, kwargs)

    def _make(self, begin: Callable[[float], None], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Begin the steps that are due."""
        pipeline = self.pipeline
        settings, clock = pipeline.settings, pipeline.clock
        if settings.fixed_dt is None:
            begin(clock.time_scale * step_length(settings, args, kwargs))
            return
        pipeline.begin_frame(frame_length(settings, args, kwargs))
        while clock.due > 0 and esper.get_processor(type(self)) is self:
            begin(settings.fixed_dt)
            clock.due -= 1
            if clock.due > 0:
                for processor in self._rest_of_step():
                    processor.process(*args, **kwargs)
                pipeline.begin_further_step()

    def _look_at_order(self) -> None:
        self._order = list(esper._processors)
        if self not in self._order:  # another world is the current one
            self._is_whole = False
            return
        first = self._order.index(self) + 1
        following = self._order[first : first + len(THE_REST)]
        self._is_whole = (
            type(self) is Synchronise
            and tuple(map(type, following)) == THE_REST
            and all(processor.physics is self.physics for processor in following if isinstance(processor, System))
        )

    def _rest_of_step(self) -> list[esper.Processor]:
        """The processors from the one after this to the last system, the game's own among them, in their order."""
        after = esper._processors[esper._processors.index(self) + 1 :]
        last = max((place for place, processor in enumerate(after) if isinstance(processor, System)), default=-1)
        return after[: last + 1]
