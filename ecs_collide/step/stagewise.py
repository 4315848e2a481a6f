"""A step of one esper world, stage by stage: its columns, what works on them, and the order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from time import perf_counter

import numpy as np

from ecs_collide.common.gc_pause import Uncollected
from ecs_collide.common.interrupts import Uninterrupted
from ecs_collide.common.settings import Settings
from ecs_collide.common.statistics import Statistics
from ecs_collide.common.tolerances import SHORTEST_SUBSTEP, Tolerances
from ecs_collide.components import BodyKind
from ecs_collide.components.joints.joint import Joint
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.errors import PhysicsError
from ecs_collide.step import at_once as at
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.changes import Changes
from ecs_collide.step.joints import joint_sync as jointing
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.step.notify.colliding_entities import are_held, fill_colliding_entities
from ecs_collide.step.notify.contact_events import ContactEvents
from ecs_collide.step.notify.events import Event, EventQueue
from ecs_collide.step.notify.touch_queries import Touches
from ecs_collide.step.response_protocol import ContactResponse, Stages
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.step.sync import bound_components as bound
from ecs_collide.step.sync.membership import Membership
from ecs_collide.step.sync.usage_warnings import LONG_STEP, Advice
from ecs_collide.step.timing.applied_forces import Pushes
from ecs_collide.step.timing.clock import Clock
from ecs_collide.step.timing.interpolation import Interpolation
from ecs_collide.step.timing.move_targets import Goals

NO_ROWS = np.zeros(0, np.int64)

# How far a step is: none under way, and then what has run of it
COMPLETE, SYNCHRONISED, PAIRED, FOUND, ANSWERED = "Notify", "Synchronise", "Broadphase", "Narrowphase", "Response"


class StagewisePipeline:
    """The wiring of a physics world. Each stage of a step is called by the system of its name."""

    def __init__(self, settings: Settings, make_response: Callable[[Stages], ContactResponse]) -> None:
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
        self.response = make_response(stages)
        bindings = [binding for binding in (settings.transform, settings.velocity) if binding is not None]
        bound_types = [binding.component for binding in bindings]
        self.membership = Membership(bodies, pieces, finder, tolerances, self.response.check, bound_types)
        self.sleepers = Sleepers(
            bodies, pieces, pairs, finder, contacts, self.membership, tolerances, settings.time_unit
        )
        self.changes = Changes(bodies, self.membership, lambda: self.joints, self.sleepers, self.response)
        self.events = EventQueue.of_current_world()
        self.touches = Touches(self.membership.members, pieces, pairs, self.response)
        self.contact_events = ContactEvents(
            pieces, pairs, finder, contacts, self.response, self.touches, tolerances, self.events.handlers
        )
        self.advice = Advice()
        self._bound = bound.bound_components(settings, bodies, self.membership, self.advice) if bindings else []
        """The game's own components that stand for ours."""
        self.clock = Clock(settings)
        self._pushes = Pushes(bodies)
        self.goals = Goals(bodies)
        self.interpolation = Interpolation(bodies, settings.fixed_dt is not None)
        self.membership.arriving = self.advice.on_arrival
        self.membership.freed += (self.goals.forget, self._pushes.forget, self.interpolation.forget, contacts.forget)
        self.membership.departed.append(self.response.forget)
        self.membership.emptied += (finder.begin_anew, contacts.clear, self.sleepers.begin_anew)
        self._sleeps = settings.sleeping and self.response.sleeps
        self._done = COMPLETE
        """The system that ran last."""
        self._is_answered = True
        """Whether the world's own response ran in the last step."""
        self._long_step = LONG_STEP * settings.time_unit
        """In steps that are longer there may be something to tell [s]."""
        self.is_made = False
        """Whether Synchronise has made the whole step, so that the other systems have nothing to do."""

    @cached_property
    def joints(self) -> jointing.Jointing:
        """The world's joints, made at the first look: most worlds have none."""
        made = jointing.Jointing(self.bodies, self.membership, self.pair_finder, self.response.joints_refusal)
        self.response.assembly = made.assembly
        return made

    def look_again(self) -> None:
        """Something has changed, or is done stage by stage: no whole step is prepared for what there is now."""

    def finish_left(self) -> bool:
        """Finish a whole step that Ctrl-C has broken off, if so; return whether there was one."""
        return False

    def begin_frame(self, length: float | None) -> None:
        """Take in a frame of a world with `fixed_dt`, of a length [s] or of one step; see `Clock`."""
        if length is not None:
            self.advice.on_frame(length / self.settings.time_unit)
        self.clock.pass_frame(length)
        self._pushes.begin_frame(self.clock.due)
        self.dt = 0.0
        if self.clock.due == 0:
            self._done = COMPLETE  # what a step that was broken off has left is not done in this frame

    def _go_on(self, reached: int) -> None:
        """Make what is left of a step, stage by stage."""
        if reached <= at.ANSWER:
            self.look_again()
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

    def begin_further_step(self) -> None:
        """Before each step of a frame but its first."""
        if self._is_answered:
            self._pushes.begin_step()

    def _begin_moves(self, dt: float) -> None:
        """Before a step of dt [s]: send kinematic bodies to their goals."""
        if self.goals.is_under_way:
            self.bring_in()  # who has gone or become another kind is not sent
            self.goals.begin_step(dt, max(self.clock.due, 1))

    def begin_push(self, row: int) -> None:
        """Before `apply_force` pushes a body: what it was given earlier counts no more."""
        self._pushes.begin_push(row, self.statistics.steps + self._pushes.empty_frames + (self._done == ANSWERED))

    def synchronise(self, dt: float) -> None:
        """Bring in what the game changed since the last step. Raises PhysicsError, with nothing done, if it cannot."""
        self._begin_moves(dt)
        self._look_around(dt)
        has_changes = self.changes.may_be()
        if has_changes:
            self._take_changes()
        self._begin_stages(dt, has_changes)

    def _look_around(self, dt: float) -> None:
        """Before a step of dt [s]: see that it may be made, and what the game's own components and the joints say."""
        self.events.check_current()
        self.finish_left()
        for each in self._bound:
            each.take_in()
        if Joint.were_made and self.joints.take_in_numbers():
            self.look_again()
        if dt > self._long_step:
            are_pairs = self.pairs.count > 0 and not self.response.has_own_contacts
            self.advice.on_long_step(dt / self.settings.time_unit, are_pairs)

    def _take_changes(self) -> None:
        self.look_again()
        if self.bodies.written:
            self.advice.on_writing(self.bodies)
        with Uncollected():
            self.changes.take()

    def _begin_stages(self, dt: float, has_changes: bool) -> None:
        """Begin a step of dt [s] that is made stage by stage, with the changes brought in."""
        self.look_again()
        if not has_changes:
            self.response.check_step(self.membership, None)
        self.changes.refresh_frames(self.sleepers.awake)
        self.bodies.touched.clear()
        self._done, self.dt = SYNCHRONISED, dt

    @property
    def moment(self) -> tuple[int, str]:
        """A new one whenever a stage has run that moves bodies or renews boxes."""
        return self.statistics.steps, self._done

    @property
    def may_bring_in(self) -> bool:
        """Whether anything may have come, gone or been exchanged since the last step, and no step is under way."""
        return self._done is COMPLETE and self.events.is_in_current_world and self.membership.may_have_changed()

    def bring_in(self) -> None:
        """Bring in what came, went or was exchanged since the last step, unless a step is under way."""
        if self.may_bring_in:
            self.finish_left()
            for each in self._bound:
                each.find()
            self.look_again()
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
        if self.dt / self.settings.substeps < SHORTEST_SUBSTEP:
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
        self.interpolation.begin()
        self.response.respond(self.sleepers.awake, self.settings, self.dt)
        self.contact_finder.last_dt[0] = self.dt
        self.interpolation.end()

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
        self._count_bodies()
        if reached != at.END:
            self.statistics.steps += 1
            self.statistics.pairs = self.pairs.awake_count
            self.response.report(self.statistics)
        events = self._events(reached)
        if Joint.were_made:
            if self._is_answered and self.joints.assembly.has_broken:
                self.joints.break_overloaded()
                self.look_again()
            events += self.joints.taken_events()
        if self._sleeps and self.dt > 0.0:
            self._put_to_sleep(reached)
        self.statistics.sleeping_bodies = self.sleepers.count
        self._fill_colliding_entities()
        if events:
            self.events.put(events)
        self._done = COMPLETE

    def _has_news(self) -> bool:
        """Whether there may be more to tell of a step than a chain that came to its end has told."""
        has_joint_news = Joint.were_made and (self.joints.assembly.has_broken or self.joints.events)
        return bool(len(self.pair_finder.lost) or are_held() or has_joint_news)

    def _count_bodies(self) -> None:
        statistics, membership = self.statistics, self.membership
        statistics.bodies, statistics.moving_bodies = len(membership.members), len(membership.movers)
        statistics.sleeping_bodies = self.sleepers.count

    def _events(self, reached: int) -> list[Event]:
        """The events of what began and ceased to touch, and of hits."""
        if reached < at.TOUCHES:
            self.contact_events.update(self.settings.hit_speed)
        return self.contact_events.gather(self.dt)

    def _put_to_sleep(self, reached: int) -> None:
        if reached < at.REST:
            self.sleepers.fall_asleep(self.settings.gravity, self.dt)
        elif reached == at.REST:
            self.sleepers.look_for_islands(self.settings.gravity, self.dt)

    def _fill_colliding_entities(self) -> None:
        if self.events.is_in_current_world and are_held():
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
        self.finish_left()
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
