"""A step of one esper world: its columns, the stages that work on them, and their order."""

from __future__ import annotations

from functools import cached_property
from time import perf_counter

import numpy as np

from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.pairs import PairColumns
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.columns.row_lists import each_once
from ecs_collide.components import BodyKind, CollidingEntities
from ecs_collide.components.joints.joint import Joint
from ecs_collide.engine import basis, responses
from ecs_collide.engine.basis.interrupts import Uninterrupted
from ecs_collide.engine.basis.settings import Settings
from ecs_collide.engine.basis.statistics import Statistics
from ecs_collide.engine.basis.tuning import Tolerances
from ecs_collide.engine.broadphase.boxes import refresh_frames
from ecs_collide.engine.broadphase.finder import PairFinder
from ecs_collide.engine.joints import jointing
from ecs_collide.engine.membership import bound
from ecs_collide.engine.membership.advice import LONG_STEP, Advice
from ecs_collide.engine.membership.membership import Membership
from ecs_collide.engine.narrowphase.contact_finder import ContactFinder
from ecs_collide.engine.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.engine.notify.colliding import fill_colliding_entities
from ecs_collide.engine.notify.contact_events import ContactEvents
from ecs_collide.engine.notify.events import EventQueue
from ecs_collide.engine.response.socket import Stages
from ecs_collide.engine.sleeping.sleepers import Sleepers
from ecs_collide.engine.timing.clock import Clock
from ecs_collide.engine.timing.interpolation import Interpolation
from ecs_collide.errors import PhysicsError
from ecs_collide.validate import LARGEST, LARGEST_ANGLE

NO_ROWS = np.zeros(0, np.int64)

# How far a step is: none under way, and then what has run of it
COMPLETE, SYNCHRONISED, PAIRED, FOUND, ANSWERED = "Notify", "Synchronise", "Broadphase", "Narrowphase", "Response"
STAGES = SYNCHRONISED, PAIRED, FOUND, ANSWERED, COMPLETE


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
        self.events = EventQueue.of_current_world()
        self.contact_events = ContactEvents(
            pieces, pairs, finder, contacts, self.response, tolerances, self.events.handlers
        )
        self._bound = bound.bound_components(settings, bodies, self.membership) if bindings else []
        """The game's own components that stand for ours."""
        self.clock = Clock(settings)
        self.interpolation = Interpolation()
        self.advice = Advice()
        self.membership.arriving = self.advice.on_arrival
        self._last_dt = 0.0
        """Length of the last step that moved bodies [s]."""
        self._sleeps = settings.sleeping and self.response.sleeps
        self._done = COMPLETE
        """The system that ran last."""
        self._is_answered = True
        """Whether the world's own response ran in the last step."""
        self._long_step = LONG_STEP * settings.time_unit
        """What is longer is asked about [s]."""
        self.touched_statics = NO_ROWS
        """Rows of static bodies that were put elsewhere, until Broadphase takes them."""
        self.is_made = False
        """Whether Synchronise has made the whole step, so that the other systems have nothing to do."""

    @cached_property
    def joints(self) -> jointing.Jointing:
        """The world's joints, made at the first look: most worlds have none."""
        made = jointing.Jointing(self.bodies, self.membership, self.pair_finder, self.response.joints_refusal)
        self.response.assembly = made.assembly
        return made

    @property
    def runs_games_code(self) -> bool:
        """Whether a step reads and writes components of the game's own, whose properties may run any code."""
        return bool(self._bound)

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
        start = perf_counter()
        self.synchronise(dt)
        synchronised = perf_counter()
        with Uninterrupted():
            self._update_pairs()
            paired = perf_counter()
            self._update_contacts()
            found = perf_counter()
            self._answer()
            answered = perf_counter()
            self._complete_step()
            self.is_made = True
        times = start, synchronised, paired, found, answered, perf_counter()
        self.statistics.passed = STAGES, times

    def synchronise(self, dt: float) -> None:
        """Bring in what the game changed since the last step. Raises PhysicsError, with nothing done, if it cannot."""
        self.events.check_current()
        for each in self._bound:
            each.take_in()
        if dt > self._long_step:
            self.advice.on_step(dt / self.settings.time_unit)
        if self._has_changes():
            if self.bodies.written:
                self.advice.on_writing(self.bodies)
            self._take_changes()
        else:
            self.response.check_step(self.membership, None)
            self.refresh_frames(self.sleepers.awake)
        self._done = SYNCHRONISED
        self.dt = dt

    def _has_changes(self) -> bool:
        """Whether anything may be another than the last step left it, but for the numbers of what is awake."""
        return (
            Joint.were_made
            or bool(self.bodies.touched)
            or bool(self.bodies.written)
            or self.sleepers.has_parked
            or len(self.touched_statics) > 0
            or self.membership.may_have_changed  # last: it may have to ask esper for a list
        )

    def _take_changes(self) -> None:
        has_joints = Joint.were_made
        self.sleepers.wake_disturbed()
        plan = self.membership.plan()
        joint_plan = self.joints.plan(plan) if has_joints else None
        self.response.check_step(self.membership, plan)
        if plan is not None or (has_joints and self.joints.is_changing(joint_plan)):
            for rows in (self.sleepers.awake, self._put_elsewhere()):
                if refresh_frames(rows, self.bodies.arrays) >= 0:  # it may be one of those that are about to change
                    changes = self.membership.rows_of(() if plan is None else plan.change.parts)
                    self.refresh_frames(rows[~changes[rows]])
        if plan is not None or has_joints:
            with Uninterrupted():
                if plan is not None:
                    self.membership.carry_out(plan)
                if has_joints:
                    self.joints.carry_out(joint_plan)
        if has_joints:
            self.sleepers.links = self.joints.links
            self.sleepers.wake_disturbed()
        self.refresh_frames(self.sleepers.awake)
        statics = self._put_elsewhere()
        if len(statics):
            self.refresh_frames(statics)
        self.touched_statics = statics
        if self.bodies.touched:
            self.bodies.arrays.settled[self.bodies.touched.rows()] = False
            self.bodies.touched.clear()

    @property
    def moment(self) -> tuple[int, str]:
        """A new one whenever a stage has run that moves bodies or renews boxes."""
        return self.statistics.steps, self._done

    def bring_in(self) -> None:
        """Bring in what came, went or was exchanged since the last step, unless a step is under way."""
        if self._done is COMPLETE and self.events.is_in_current_world and self.membership.may_have_changed:
            for each in self._bound:
                each.find()
            with Uninterrupted():
                self.membership.update()

    def _put_elsewhere(self) -> np.ndarray:
        """Rows of the static bodies that were put elsewhere since Broadphase last looked."""
        touched = self.bodies.touched
        if not touched and len(self.touched_statics) == 0:
            return NO_ROWS
        rows = each_once(touched.rows(), self.touched_statics)
        rows = rows[rows < self.bodies.rows.high]  # without Broadphase they may have gone since
        statics: np.ndarray = rows[self.bodies.arrays.kind[rows] == BodyKind.STATIC]
        return statics

    def refresh_frames(self, rows: np.ndarray, outcome: str = "The step was not made") -> None:
        """Bring bodies' frames in line with their poses. Raises PhysicsError, with nothing done, for a bad number."""
        bad_row = refresh_frames(rows, self.bodies.arrays)
        if bad_row >= 0:
            raise self._bad_number(bad_row, outcome)

    def find_pairs(self) -> None:
        """Bring the candidate pairs up to date."""
        if self._done != SYNCHRONISED and self._stands_still(PAIRED, SYNCHRONISED):
            return
        with Uninterrupted():
            self._update_pairs()

    def _update_pairs(self) -> None:
        statics = self.touched_statics
        if self.response.needs_pairs(self.membership, statics):
            if self.pair_finder.update(statics):
                self.contact_finder.regroup()
            self.touched_statics = NO_ROWS
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
        self.contact_finder.collect(self.membership.movers, self._last_dt)
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
            self.refresh_frames(rows[self.bodies.arrays.kind[rows] != BodyKind.STATIC])
        high, interpolates = self.bodies.rows.high, self.settings.fixed_dt is not None
        if interpolates:
            self.interpolation.begin(self.bodies.arrays, high)
        self.response.respond(self.sleepers.awake, self.settings, self.dt)
        self._last_dt = self.dt
        if interpolates:
            self.interpolation.end(self.bodies.arrays, high)

    def notify(self) -> None:
        """Complete the step; its events wait to be sent."""
        if self._done not in (FOUND, ANSWERED) and self._stands_still(COMPLETE, FOUND):
            return
        for each in self._bound:
            each.give_back()
        with Uninterrupted():
            self._complete_step()

    def _complete_step(self) -> None:
        """Bring up to date what is known of the step, put bodies to sleep, and have events sent."""
        if self._done == FOUND:
            self._tell_no_answer()
        self._is_answered = self._done == ANSWERED
        statistics = self.statistics
        statistics.steps += 1
        statistics.bodies = len(self.membership.members)
        statistics.moving_bodies = len(self.membership.movers)
        statistics.pairs = len(self.contact_finder.live)
        self.response.report(statistics)
        events = self.contact_events.gather(self.settings.hit_speed, self.dt)
        if Joint.were_made:
            if self.joints.assembly.has_broken and self._is_answered:
                self.joints.break_overloaded()
            events += self.joints.taken_events()
        if self._sleeps and self.dt > 0.0:
            self.sleepers.fall_asleep(self.settings.gravity, self.dt / self.settings.time_unit)
        statistics.sleeping_bodies = self.sleepers.count
        if CollidingEntities.were_made:
            self._fill_colliding_entities()
        if events:
            self.events.put(events)
        self._done = COMPLETE

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
            self.touched_statics = NO_ROWS
            self._done = COMPLETE
            self.events.put(self.contact_events.release())
            self._fill_colliding_entities()
        self.events.send()

    def _bad_number(self, row: int, outcome: str) -> PhysicsError:
        bodies = self.bodies.arrays
        fields = (
            ("Transform", ("x", "y", "angle"), bodies.pose),
            ("Velocity", ("x", "y", "angular"), bodies.velocity),
            ("Force", ("x", "y", "torque"), bodies.force),
            ("apply_force's", ("x", "y", "torque"), bodies.push),
        )
        bad = [
            f"{component}.{name} is {column[row, k]}"
            for component, names, column in fields
            for k, name in enumerate(names)
            if not abs(column[row, k]) <= (LARGEST_ANGLE if name == "angle" else LARGEST)
        ]
        return PhysicsError(
            f"entity {bodies.entity[row]}: {', '.join(bad)}; numbers must be finite and "
            f"not exceed {LARGEST:g}, angles {LARGEST_ANGLE:g}. {outcome}"
        )
