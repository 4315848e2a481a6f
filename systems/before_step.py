"""The base of systems that run before each step: with `fixed_dt` as often as there are steps, and not once a frame."""

from __future__ import annotations

from typing import Any

from ecs_collide.systems.system import System
from ecs_collide.systems.timestep import step_length


class BeforeStep(System):
    """A system that runs before each step, in the order of esper's priorities: derive from it, write `before_step`.

    A game decides here what happens in a step: it reads keys, and writes velocities and targets. Poses are those that
    the last step left. `esper.add_processor(Decide(physics), priority=...)` adds a system, with a priority above that
    of Synchronise. In a frame without a step it does not run.
    """

    def before_step(self, dt: float) -> None:
        """Act before a step of dt [s]."""
        raise NotImplementedError

    def run(self, *args: Any, **kwargs: Any) -> None:
        """Run before the step of this frame. With `fixed_dt`, Synchronise calls `before_step` before each step."""
        settings = self.pipeline.settings
        if settings.fixed_dt is None:
            self.before_step(self.pipeline.clock.time_scale * step_length(settings, args, kwargs))
