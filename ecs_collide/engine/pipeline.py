"""A step of one esper world: its columns, the stages that work on them, and their order."""

from __future__ import annotations

from functools import cached_property
from time import perf_counter

import numpy as np

from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.pairs import PairColumns
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.components import BodyKind, CollidingEntities
from ecs_collide.components.joints.joint import Joint
from ecs_collide.engine import at_once as at, basis, responses
from ecs_collide.engine.at_once import StepAtOnce
from ecs_collide.engine.basis.collection import Uncollected
from ecs_collide.engine.basis.interrupts import Uninterrupted
from ecs_collide.engine.basis.settings import Settings
from ecs_collide.engine.basis.statistics import Statistics
from ecs_collide.engine.basis.tuning import Tolerances
from ecs_collide.engine.broadphase.finder import PairFinder
from ecs_collide.engine.changes import Changes
from ecs_collide.engine.joints import jointing
from ecs_collide.engine.membership import bound
from ecs_collide.engine.membership.advice import LONG_STEP, Advice
from ecs_collide.engine.membership.membership import Membership
from ecs_collide.engine.narrowphase.contact_finder import ContactFinder
from ecs_collide.engine.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.engine.notify.colliding import fill_colliding_entities
from ecs_collide.engine.notify.contact_events import ContactEvents
from ecs_collide.engine.notify.events import Event, EventQueue
from ecs_collide.engine.response.socket import Stages
from ecs_collide.engine.sleeping.sleepers import Sleepers
from ecs_collide.engine.timing.clock import Clock
from ecs_collide.engine.timing.interpolation import Interpolation
from ecs_collide.errors import PhysicsError

NO_ROWS = np.zeros(0, np.int64)

# How far a step is: none under way, and then what has run of it
COMPLETE, SYNCHRONISED, PAIRED, FOUND, ANSWERED = "Notify", "Synchronise", "Broadphase", "Narrowphase", "Response"


class Pipeline:
    """The wiring of a physics world. Each stage of a step is called by the system of its name."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.statistics = Statistics()
        self.dt = 0.0
        """Length of the step that is under way, or was the last [s]; 0 in a frame without a step."""
        self.tolerances = tolerances = Tolerances.for_units(settings.length_unit, settings.time_unit)._replace(
            bounce_speed=settings.bounce_speed, sleep_speed=settings.sleep_speed
        )
        self.bodies = bodies = BodyColumns()
        self.pieces = pieces = PieceColumns()
        self.pairs = pairs = PairColumns(len(PAIR_TABLE))
        self.contact_finder = contacts = ContactFinder(bodies, pieces, pairs, tolerances)
        self.pair_finder = finder = PairFinder(bodies, pieces, pairs, tolerances)
        stages = Stages(bodies, pieces, pairs, finder, contacts, tolerances, settings.length_unit)
        self.response = responses.RESPONSES[settings.response](stages)
        bindings = [binding for binding in (settings.transform, settings.velocity) if binding is not None]
        bound_types = [binding.component for binding in bindings]
        self.membership = Membership(bodies, pieces, finder, tolerances, self.response.check, bound_types)
        self.sleepers = Sleepers(bodies, pieces, pairs, finder, contacts, self.membership, tolerances)
        self.changes = Changes(bodies, self.membership, lambda: self.joints, self.sleepers, self.response)
        self.events = EventQueue.of_current_world()
        self.contact_events = ContactEvents(
            pieces, pairs, finder, contacts, self.response, tolerances, self.events.handlers
        )
        self.advice = Advice()
        self._bound = bound.bound_components(settings, bodies, self.membership, self.advice) if bindings else []
        """The game's own components that stand for ours."""
        self.clock = Clock(settings)
        self.interpolation = Interpolation()
        self.membership.arriving = self.advice.on_arrival
        self._sleeps = settings.sleeping and self.response.sleeps
        self._at_once = self._step_at_once()
        self._done = COMPLETE
        """The system that ran last."""
        self._is_answered = True
        """Whether the world's own response ran in the last step."""
        self._long_step = LONG_STEP * settings.time_unit
        """What is longer is asked about [s]."""
        self.is_made = False
        """Whether Synchronise has made the whole step, so that the other systems have nothing to do."""

    @cached_property
    def joints(self) -> jointing.Jointing:
        """The world's joints, made at the first look: most worlds have none."""
        made = jointing.Jointing(self.bodies, self.membership, self.pair_finder, self.response.joints_refusal)
        self.response.assembly = made.assembly
        return made

    def _step_at_once(self) -> StepAtOnce | None:
        """What makes whole steps, where the response can be a part of them."""
        response = self.response.chained
        if response is None:
            return None
        return StepAtOnce(
            self.bodies,
            self.pair_finder,
            self.contact_finder,
            response,
            self.sleepers,
            self.contact_events,
            self.membership,
            self.settings.time_unit,
            self._sleeps,
            self.statistics.times[1:-1],
        )

    def begin_frame(self, length: float | None) -> None:
        """Take in a frame of a world with `fixed_dt`, of a length [s] or of one step; see `Clock`."""
        if length is not None:
            self.advice.on_step(length / self.settings.time_unit)
        self.clock.pass_frame(length)
        self.dt = 0.0
        if self.clock.due == 0:
            self._done = COMPLETE  # what a step that was broken off has left is not done in this frame

    def step(self, dt: float) -> None:
        """Make a whole step of dt [s], of which only the events are left to be sent. Raises as `synchronise` does."""
        times = self.statistics.times
        times[0] = perf_counter()
        self._look_around(dt)
        has_changes, at_once = self.changes.may_be(), self._at_once
        if has_changes:
            self._take_changes()
        if at_once is not None and len(self.changes.touched_statics) == 0 and at_once.is_possible(self.settings, dt):
            with Uninterrupted():
                self._make_at_once(at_once, dt)
        else:
            self._begin_stages(dt, has_changes)
            times[1] = perf_counter()
            with Uninterrupted():
                self._go_on(at.PAIRS)
        self.is_made = True
        for each in self._bound:
            each.give_back()
        times[-1] = perf_counter()
        self.statistics.are_passed = True

    def _make_at_once(self, at_once: StepAtOnce, dt: float) -> None:
        """Make a whole step in one chain of calls, as far as that goes, and the rest stage by stage."""
        interpolates = self.settings.fixed_dt is not None
        if interpolates:
            self.interpolation.begin(self.bodies.arrays, self.bodies.rows.high)
        self.pairs.enable_all()
        reached = at_once.step(self.settings, dt)
        if reached == at.BAD_NUMBER:
            raise self.changes.bad_number(at_once.bad_row.item())
        if self.bodies.touched.count.item() > 0:
            self.bodies.touched.clear()
        self.dt = dt
        if reached > at.ANSWER:
            if reached == at.SWEEPS:
                at_once.response.finish(self.settings)
                at_once.look_again()
            self.contact_finder.last_dt[0], self._done = dt, ANSWERED
            if interpolates:
                self.interpolation.end(self.bodies.arrays, self.bodies.rows.high)
        if reached == at.END and not self._has_news():
            self._is_answered, self._done = True, COMPLETE
            self._count_step()
        else:
            self._go_on(reached)

    def _go_on(self, reached: int) -> None:
        """Make what is left of a step, stage by stage."""
        if reached <= at.ANSWER and self._at_once is not None:
            self._at_once.look_again()
        times = self.statistics.times
        if reached == at.PAIRS:
            self._update_pairs()
            times[2] = perf_counter()
        elif reached == at.NEW_PAIRS and self.pair_finder.finish_renewal():
            self.contact_finder.regroup()
        if reached <= at.CONTACTS:
            self._update_contacts()
            times[3] = perf_counter()
        if reached <= at.ANSWER:
            self._answer()
            times[4] = perf_counter()
        self._complete_step(reached)

    def synchronise(self, dt: float) -> None:
        """Bring in what the game changed since the last step. Raises PhysicsError, with nothing done, if it cannot."""
        self._look_around(dt)
        has_changes = self.changes.may_be()
        if has_changes:
            self._take_changes()
        self._begin_stages(dt, has_changes)

    def _look_around(self, dt: float) -> None:
        """Before a step of dt [s]: see that it may be made, and what the game's own components and the joints say."""
        self.events.check_current()
        for each in self._bound:
            each.take_in()
        if Joint.were_made and self.joints.take_in_numbers() and self._at_once is not None:
            self._at_once.look_again()
        if dt > self._long_step:
            self.advice.on_step(dt / self.settings.time_unit)

    def _take_changes(self) -> None:
        if self._at_once is not None:
            self._at_once.look_again()
        if self.bodies.written:
            self.advice.on_writing(self.bodies)
        with Uncollected():
            self.changes.take()

    def _begin_stages(self, dt: float, has_changes: bool) -> None:
        """Begin a step of dt [s] that is made stage by stage, with the changes brought in."""
        if self._at_once is not None:
            self._at_once.look_again()
        if not has_changes:
            self.response.check_step(self.membership, None)
        self.changes.refresh_frames(self.sleepers.awake)
        self.bodies.touched.clear()
        self._done, self.dt = SYNCHRONISED, dt

    @property
    def moment(self) -> tuple[int, str]:
        """A new one whenever a stage has run that moves bodies or renews boxes."""
        return self.statistics.steps, self._done

    def bring_in(self) -> None:
        """Bring in what came, went or was exchanged since the last step, unless a step is under way."""
        if self._done is COMPLETE and self.events.is_in_current_world and self.membership.may_have_changed():
            for each in self._bound:
                each.find()
            if self._at_once is not None:
                self._at_once.look_again()
            with Uninterrupted():
                self.membership.update()

    def find_pairs(self) -> None:
        """Bring the candidate pairs up to date."""
        if self._done != SYNCHRONISED and self._stands_still(PAIRED, SYNCHRONISED):
            return
        with Uninterrupted():
            self._update_pairs()

    def _update_pairs(self) -> None:
        statics = self.changes.touched_statics
        if self.response.needs_pairs(self.membership, statics):
            if self.pair_finder.update(statics):
                self.contact_finder.regroup()
            self.changes.touched_statics = NO_ROWS
            self.pairs.enable_all()
            self.response.take_pairs(self.membership, statics)
        self._done = PAIRED

    def find_contacts(self) -> None:
        """Make the contact manifolds of the pairs, and this step's contact rows."""
        if self._done != PAIRED and self._stands_still(FOUND, PAIRED):
            return
        self._update_contacts()

    def _update_contacts(self) -> None:
        """They are made anew in each step: only waking must not be interrupted."""
        self.contact_finder.make_manifolds()
        while self.sleepers.count and self.sleepers.wake_touched():
            self.contact_finder.make_manifolds()
        self.contact_finder.collect(self.membership.movers)
        if not self._is_answered:
            self.contact_finder.leave_unanswered()
        self._done = FOUND

    def respond(self) -> None:
        """Answer the contacts and move the bodies."""
        if self._done != FOUND and self._stands_still(ANSWERED, FOUND):
            return
        with Uninterrupted():
            self._answer()

    def _answer(self) -> None:
        if self.dt / self.settings.substeps < basis.tuning.SHORTEST_SUBSTEP:
            self.contact_finder.leave_unanswered()
            self.response.pause()
        else:
            self._move()
        self._done = ANSWERED

    def _move(self) -> None:
        touched = self.bodies.touched
        if touched:  # teleports since Synchronise
            rows = touched.rows()
            self.changes.refresh_frames(rows[self.bodies.arrays.kind[rows] != BodyKind.STATIC])
        high, interpolates = self.bodies.rows.high, self.settings.fixed_dt is not None
        if interpolates:
            self.interpolation.begin(self.bodies.arrays, high)
        self.response.respond(self.sleepers.awake, self.settings, self.dt)
        self.contact_finder.last_dt[0] = self.dt
        if interpolates:
            self.interpolation.end(self.bodies.arrays, high)

    def notify(self) -> None:
        """Complete the step; its events wait to be sent."""
        if self._done not in (FOUND, ANSWERED) and self._stands_still(COMPLETE, FOUND):
            return
        with Uninterrupted():
            self._complete_step()
        for each in self._bound:
            each.give_back()

    def _complete_step(self, reached: int = at.SWEEPS) -> None:
        """Bring up to date what is known of the step, put bodies to sleep, and have events sent."""
        if self._done == FOUND:
            self._tell_no_answer()
        self._is_answered = self._done == ANSWERED
        self._count_step()
        events = self._events(reached)
        if Joint.were_made:
            if self._is_answered and self.joints.assembly.has_broken:
                self.joints.break_overloaded()
                if self._at_once is not None:
                    self._at_once.look_again()
            events += self.joints.taken_events()
        if self._sleeps and self.dt > 0.0:
            self._put_to_sleep(reached)
        self.statistics.sleeping_bodies = self.sleepers.count
        if CollidingEntities.were_made:
            self._fill_colliding_entities()
        if events:
            self.events.put(events)
        self._done = COMPLETE

    def _has_news(self) -> bool:
        """Whether there may be more to tell of a step than a chain that came to its end has told."""
        handlers, has_parted = self.events.handlers, len(self.pair_finder.lost) > 0
        has_joint_news = Joint.were_made and (self.joints.assembly.has_broken or self.joints.events)
        return bool(has_parted or CollidingEntities.were_made or "collision_hit" in handlers or has_joint_news)

    def _count_step(self) -> None:
        """Count what may be different in each step."""
        statistics, membership = self.statistics, self.membership
        statistics.steps += 1
        statistics.bodies, statistics.moving_bodies = len(membership.members), len(membership.movers)
        statistics.sleeping_bodies = self.sleepers.count
        statistics.pairs = self.pairs.awake_count
        self.response.report(statistics)

    def _events(self, reached: int) -> list[Event]:
        """The events of what began and ceased to touch, and of hits."""
        if reached < at.TOUCHES:
            self.contact_events.update()
        return self.contact_events.gather(self.settings.hit_speed, self.dt)

    def _put_to_sleep(self, reached: int) -> None:
        gravity, dt = self.settings.gravity, self.dt / self.settings.time_unit
        if reached <= at.TOUCHES:
            self.sleepers.fall_asleep(gravity, dt)
        elif reached == at.REST:
            self.sleepers.look_for_islands(gravity, dt)

    def _fill_colliding_entities(self) -> None:
        if self.events.is_in_current_world:
            fill_colliding_entities(self.pairs, self.response)

    def _tell_no_answer(self) -> None:
        """Nothing has answered the contacts, but perhaps a response of the game's own: the last answer is not told."""
        if self._is_answered:
            self.contact_finder.leave_unanswered()
        self.response.pause()

    @property
    def is_under_way(self) -> bool:
        """Between Synchronise and Notify: bodies must not come or go."""
        return self._done != COMPLETE

    def _stands_still(self, system: str, needed: str) -> bool:
        """Whether no step is under way, so that a system has nothing to do.

        Raises PhysicsError where one is and what the system needs has not run in it: what it would read is of an
        earlier step, and may have been freed.
        """
        if self._done == COMPLETE:
            return True
        raise PhysicsError(
            f"{system} runs after {self._done} in this step, but it needs {needed} just before: has a system been "
            "removed from esper, or added twice or with another priority? Put it back, or call uninstall(). "
            "An esper.process that fails within this step leads here too"
        )

    def release(self) -> None:
        """Let go of all entities, and send the ends of all contacts."""
        with Uninterrupted():
            self.joints.release()
            for each in self._bound:
                each.release()
            self.membership.release()
            self.contact_finder.clear()
            self.changes.touched_statics = NO_ROWS
            self._done = COMPLETE
            self.events.put(self.contact_events.release())
            self._fill_colliding_entities()
        self.events.send()
