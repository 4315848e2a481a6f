"""The first system: it begins the steps of a frame, and applies the changes of the game."""

from __future__ import annotations

import sys
from math import floor
from typing import Any

import esper

from ecs_collide.errors import PhysicsError
from ecs_collide.step.plan import SYNCHRONISE
from ecs_collide.systems.system import StepSystem, System
from ecs_collide.systems.timestep import frame_length, step_length

BEFORE_STEP = "ecs_collide.systems.before_step"
"""Module of `BeforeStep`, loaded only if the game uses it."""


class Synchronise(StepSystem):
    """Writes added, removed and replaced components to the columns, and finds dt.

    With `fixed_dt` a frame may have several steps, or none. All but the last one are made here, with the processors
    that the game has put between the systems. The last one is made in the round of esper. In a frame without a step the
    systems that follow have nothing to do.
    """

    number = SYNCHRONISE

    def process(self, *args: Any, **kwargs: Any) -> None:
        if self._is_derived:
            self.measure(args, kwargs)
        else:
            self.run(*args, **kwargs)

    def run(self, *args: Any, **kwargs: Any) -> None:
        """Begin the steps that are due in this frame."""
        pipeline = self.pipeline
        settings, clock = pipeline.settings, pipeline.clock
        if settings.fixed_dt is None:
            pipeline.step(clock.time_scale * step_length(settings, args, kwargs), self.slice_end())
            return
        pipeline.begin_frame(frame_length(settings, args, kwargs))
        due = clock.due
        while clock.due > 0 and esper.get_processor(type(self)) is self:
            if clock.due < due:
                esper.clear_dead_entities()  # as `esper.process` does before the first step
            self._run_before_step(settings.fixed_dt)
            pipeline.step(settings.fixed_dt, self.slice_end())
            clock.due -= 1
            if clock.due > 0:
                for processor in self._rest_of_step():
                    processor.process(*args, **kwargs)
                pipeline.begin_further_step()

    def _run_before_step(self, dt: float) -> None:
        """Run the systems of this world that derive from `BeforeStep`, in their order.

        Raises PhysicsError if one of them comes after this system, where it would never run.
        """
        if BEFORE_STEP not in sys.modules:
            return
        from ecs_collide.systems.before_step import BeforeStep

        pipeline, order = self.pipeline, esper._processors
        own = [each for each in order if isinstance(each, BeforeStep) and each.physics is self.physics]
        if own and order.index(own[-1]) > order.index(self):
            raise PhysicsError(
                f"{type(own[-1]).__name__} must run before the physics: "
                f"esper.add_processor(..., priority={floor(self.priority) + 100})"
            )
        pipeline.is_before_step = True
        try:
            for processor in own:
                processor.before_step(dt)
        finally:
            pipeline.is_before_step = False

    def _rest_of_step(self) -> list[esper.Processor]:
        """Return the processors from the one after this to the last system, those of the game included, in order."""
        after = esper._processors[esper._processors.index(self) + 1 :]
        last = max((place for place, processor in enumerate(after) if isinstance(processor, System)), default=-1)
        return after[: last + 1]
