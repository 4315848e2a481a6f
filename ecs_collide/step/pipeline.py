"""A step of one esper world, whole: in one chain of calls where that is possible, else stage by stage."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import esper

from ecs_collide.common.interrupts import Uninterrupted
from ecs_collide.common.settings import Settings
from ecs_collide.components import CollidingEntities
from ecs_collide.components.joints.joint import Joint
from ecs_collide.kernels.calls import Condition, Present, Same
from ecs_collide.step import at_once as at
from ecs_collide.step.at_once import StepAtOnce
from ecs_collide.step.notify.contact_events import HIT, TOUCHES
from ecs_collide.step.response_protocol import ContactResponse, Stages
from ecs_collide.step.stagewise import ANSWERED, COMPLETE, StagewisePipeline


class Pipeline(StagewisePipeline):
    """What one system, the first, can do of a step: all but to send its events."""

    def __init__(self, settings: Settings, make_response: Callable[[Stages], ContactResponse]) -> None:
        super().__init__(settings, make_response)
        self._at_once = self._step_at_once()

    def _step_at_once(self) -> StepAtOnce | None:
        """What makes whole steps, where the response can be a part of them."""
        response = self.response.chained
        if response is None:
            return None
        return StepAtOnce(
            self.bodies,
            self.pairs,
            self.pair_finder,
            self.contact_finder,
            response,
            self.sleepers,
            self.contact_events,
            self.membership,
            self._steady_conditions,
            self._long_step,
            self._sleeps,
            self.statistics,
        )

    def _steady_conditions(self) -> tuple[Condition, ...] | None:
        """What stays as it is in a steady world, beside what is there: nothing has to be told but what began and
        ceased to touch, or brought in or given back in Python. None where that is not so.

        The pipeline is not among them: it would hold itself for ever.
        """
        handlers, joints = self.events.handlers, self.joints.conditions() if Joint.were_made else ()
        if joints is None or self._bound:
            return None
        heard = (
            Present(handlers, name) if name in handlers else Same(handlers, name, None) for name in (*TOUCHES, HIT)
        )
        current = Same(esper, "event_registry", handlers)
        were_made = (Same(kind, "were_made", kind.were_made) for kind in (CollidingEntities, Joint))
        return current, *heard, *were_made, *joints

    def change_settings(self, settings: Settings) -> None:
        """Take up other settings."""
        self.settings = settings
        self.look_again()

    def look_again(self) -> None:
        if self._at_once is not None:
            self._at_once.look_again()

    def step(self, dt: float) -> None:
        """Make a whole step of dt [s], of which only the events are left to be sent. Raises as `synchronise` does."""
        self._begin_moves(dt)
        if not self._is_made_again(dt):
            self._step_anew(dt)
        self.is_made = True

    def _is_made_again(self, dt: float) -> bool:
        """Make a whole step in a steady world."""
        at_once = self._at_once
        if at_once is None:
            return False
        self.interpolation.begin()
        is_complete = at_once.again(dt)
        if is_complete:
            self.dt = dt
            self.interpolation.end()
            return True
        return is_complete is False and self.finish_left()

    def finish_left(self) -> bool:
        """Do what a step that was made again has left to do, if so; False where it is still to be begun."""
        at_once = self._at_once
        if at_once is None or not at_once.is_left:
            return False
        with Uninterrupted():
            reached, dt = at_once.left(), at_once.response.length.item()
            at_once.leave_nothing()
            if reached == at.DISTURBED:
                return False
            self._complete_at_once(at_once, reached, dt)
        return True

    def _step_anew(self, dt: float) -> None:
        """Make a whole step in which things may have come, gone or been exchanged."""
        times, begun = self.statistics.times, perf_counter()
        self._look_around(dt)
        has_changes, at_once = self.changes.may_be(), self._at_once
        if has_changes:
            self._take_changes()
        if at_once is not None and len(self.changes.touched_statics) == 0 and at_once.is_possible(self.settings, dt):
            with Uninterrupted():
                self.interpolation.begin()
                self.pairs.enable_all()
                self._complete_at_once(at_once, at_once.step(self.settings, dt), dt)
        else:
            self._begin_stages(dt, has_changes)
            times[1] = perf_counter()
            with Uninterrupted():
                self._go_on(at.PAIRS)
        for each in self._bound:
            each.give_back()
        times[0], times[-1] = begun, perf_counter()

    def _complete_at_once(self, at_once: StepAtOnce, reached: int, dt: float) -> None:
        """Do what is left to do of a step of dt [s] that a chain of calls has made as far as it `reached`."""
        if reached == at.BAD_NUMBER:
            raise self.changes.bad_number(at_once.bad_row.item())
        self.bodies.touched.clear()
        self.dt = dt
        if reached > at.ANSWER:
            if reached == at.SWEEPS:
                at_once.response.finish(self.settings)
                at_once.look_again()
            self.contact_finder.last_dt[0], self._done = dt, ANSWERED
            self.interpolation.end()
        if reached == at.END and not self._has_news():
            self._is_answered, self._done = True, COMPLETE
            self._count_bodies()
        else:
            self._go_on(reached)
