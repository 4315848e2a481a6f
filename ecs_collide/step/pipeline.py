"""The subsystems of a physics world, and the course of its steps."""

from __future__ import annotations

from collections.abc import Callable
from threading import get_ident
from time import perf_counter

import esper

from ecs_collide.common import user_thread
from ecs_collide.common.interrupts import DelayedInterrupts
from ecs_collide.common.settings import Settings
from ecs_collide.common.statistics import STAGES, Statistics
from ecs_collide.common.tolerances import SHORTEST_SUBSTEP, Tolerances
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.errors import PhysicsError
from ecs_collide.native.guards import Condition, IsSame, guard, never
from ecs_collide.step.body_frames import BodyFrames
from ecs_collide.step.broadphase.ignored_pairs import IgnoredPairs
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.changes import Changes, PlannedChanges
from ecs_collide.step.contact_stage import ContactStage
from ecs_collide.step.joints.world_joints import WorldJoints
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.step.notify.contact_events import ContactEvents
from ecs_collide.step.notify.events import EventQueue
from ecs_collide.step.notify.touch_queries import TouchQueries
from ecs_collide.step.notify_stage import NotifyStage
from ecs_collide.step.pair_stage import PairStage
from ecs_collide.step.plan import NOTIFY, RESPONSE, SYNCHRONISE, Stage, StepPlan
from ecs_collide.step.response_protocol import ContactResponse, Subsystems
from ecs_collide.step.response_stage import ResponseStage
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.step.step_state import StepState
from ecs_collide.step.sync import bound_components
from ecs_collide.step.sync.body_sync import BodySync
from ecs_collide.step.sync.ignored_sync import IgnoredSync
from ecs_collide.step.sync.usage_warnings import LATE_FRAMES, LONG_STEP, UsageWarnings
from ecs_collide.step.sync_stage import SyncStage
from ecs_collide.step.timing.applied_forces import AppliedForces
from ecs_collide.step.timing.clock import Clock
from ecs_collide.step.timing.interpolation import Interpolation
from ecs_collide.step.timing.move_targets import MoveTargets
from ecs_collide.step.world_dependents import WorldDependents

NONE = -1


class Pipeline:
    """The subsystems of a physics world. Each system runs a slice of its step plan."""

    state_list = list_state(
        values="settings last_done is_before_step",
        objects=(
            "state statistics bodies pieces pairs contact_finder pair_finder body_sync sleepers ignored_entities "
            "response events contact_events bound_components clock pushes move_targets ignored_pairs interpolation "
            "world_joints"
        ),
        left_out="tolerances body_frames changes usage_warnings touches _notify plan _is_unchanged _shortest _longest",
    )

    def __init__(self, settings: Settings, make_response: Callable[[Subsystems], ContactResponse]) -> None:
        self.settings = settings
        """The settings of the world."""
        self.state = state = StepState(settings)
        self.statistics = Statistics()
        self.tolerances = tolerances = Tolerances.for_units(settings.length_unit, settings.time_unit)._replace(
            bounce_speed=settings.bounce_speed, sleep_speed=settings.sleep_speed
        )
        self.bodies = bodies = BodyColumns()
        self.pieces = pieces = PieceColumns()
        self.pairs = pairs = PairColumns(len(PAIR_TABLE))
        self.contact_finder = contact_finder = ContactFinder(bodies, pieces, pairs, tolerances)
        self.pair_finder = pair_finder = PairFinder(bodies, pieces, pairs, tolerances)
        bindings = [binding for binding in (settings.transform, settings.velocity) if binding is not None]
        bound_types = [binding.component for binding in bindings]
        self.body_sync = body_sync = BodySync(bodies, pieces, pair_finder, tolerances, bound_types)
        self.world_joints = joints = WorldJoints(bodies, body_sync, pair_finder)
        self.sleepers = sleepers = Sleepers(
            bodies, pieces, pairs, pair_finder, contact_finder, body_sync, joints, tolerances, settings.time_unit
        )
        self.usage_warnings = UsageWarnings()
        self.body_frames = frames = BodyFrames(bodies, sleepers)
        self.ignored_entities = ignored = IgnoredSync(bodies, body_sync, pair_finder.excluded_pairs)
        self.changes = Changes(bodies, body_sync, joints, ignored, sleepers, frames, self.usage_warnings)
        self.response = response = make_response(
            Subsystems(
                state=state,
                bodies=bodies,
                pieces=pieces,
                pairs=pairs,
                pair_finder=pair_finder,
                contact_finder=contact_finder,
                body_sync=body_sync,
                sleepers=sleepers,
                body_frames=frames,
                ignored_entities=ignored,
                joints=joints,
                statistics=self.statistics,
                tolerances=tolerances,
            )
        )
        self.events = events = EventQueue.of_current_world()
        own, hosts = response.own_contacts, bodies.hosts
        self.touches = touches = TouchQueries(body_sync.members, pieces, pairs, own)
        self.contact_events = contact_events = ContactEvents(
            pieces, pairs, pair_finder, contact_finder, response, own, touches, hosts, tolerances
        )
        contact_events.reshaped = body_sync.reshaped
        self.bound_components = (
            bound_components.bound_components(settings, bodies, body_sync, self.usage_warnings) if bindings else []
        )
        """The components of the game that stand for ours."""
        self.clock = Clock(settings)
        self.pushes = AppliedForces(bodies)
        self.move_targets = MoveTargets(bodies)
        self.ignored_pairs = IgnoredPairs(pair_finder.excluded_pairs)
        self.interpolation = Interpolation(bodies, settings.fixed_dt is not None)
        body_sync.dependents = WorldDependents(self)
        self._notify = NotifyStage(
            state, pairs, response, contact_events, events, body_sync, sleepers, joints, self.statistics
        )
        self.plan = StepPlan(self._stages(), state, self.statistics.times, response.steady_points)
        self._is_unchanged: Callable[[], bool] = never
        """Returns True while no more than numbers of awake bodies has changed since the list of calls was built."""
        self._shortest = SHORTEST_SUBSTEP * settings.substeps
        """Length of the shortest step that is no pause [s]."""
        self._longest = LONG_STEP * settings.time_unit
        """Length above which a step may deserve a warning [s]."""
        self.is_before_step = False
        """True while the game's systems run that act before a step of a world with `fixed_dt`."""
        self.last_done = NONE
        """The last system of the slice that ran last; the systems up to it have nothing left to do in this step."""

    def _stages(self) -> tuple[Stage, ...]:
        """Return the stages of a step, in order."""
        state, bodies, contacts, response = self.state, self.bodies, self.contact_finder, self.response
        return (
            SyncStage(bodies, self.sleepers, self.changes, self.body_frames),
            response.pair_stage
            or PairStage(state, bodies, self.pair_finder, contacts, self.body_frames, self.contact_events),
            ContactStage(state, contacts, self.sleepers, self.body_sync),
            ResponseStage(state, bodies, self.body_frames, contacts, response, self.interpolation, self.sleepers),
            self._notify,
        )

    @property
    def dt(self) -> float:
        """Length of the step that is under way, or was the last [s]; 0 in a frame without a step."""
        return self.state.dt

    def change_settings(self, settings: Settings) -> None:
        """Replace the settings."""
        self.settings = self.state.settings = settings
        self.invalidate()

    def invalidate(self) -> None:
        """Make the next step search for changes of any kind before it begins."""
        self._is_unchanged = never

    # ---- frames and steps

    def begin_frame(self, length: float | None) -> None:
        """Begin a frame of a world with `fixed_dt`, of a length [s] or of one step; see `Clock`."""
        if get_ident() != user_thread.user:
            user_thread.claim("step physics")
        if length is not None:
            self.usage_warnings.check_frame(length / self.settings.time_unit)
        self.clock.advance_frame(length)
        if self.clock.late_frames == LATE_FRAMES:
            self.usage_warnings.warn_of_dropped_steps(self.settings.max_steps)
        self.pushes.begin_frame(self.clock.due)
        self.state.length[0] = 0.0
        if self.clock.due == 0:
            self._end_earlier_step()
            self.last_done = NOTIFY

    def begin_further_step(self) -> None:
        """Prepare a step of a frame that is not its first one."""
        if self.state.had_response:
            self.pushes.begin_step()

    def begin_push(self, row: int) -> None:
        """Forget what `apply_force` gave to a body before the present time: it counts no more."""
        at = self.plan.at.item()
        is_moved = at >= self.plan.begins[NOTIFY] > 0
        self.pushes.begin_push(row, self.statistics.steps + self.pushes.empty_frames + is_moved, self.is_in_frame)

    def step(self, dt: float, end: int) -> None:
        """Begin a step of dt [s], and run it to the end of the system `end`.

        Raises PhysicsError, with nothing done, if a change of the game cannot be applied.
        """
        if get_ident() != user_thread.user:
            user_thread.claim("step physics")
        if self.plan.at.item():
            self._end_earlier_step()
        self.response.forget_reachable()
        if self.pairs.some_disabled.item() and self.response.pair_stage is None:
            self.pairs.enable_all()
        if self.move_targets.is_under_way:
            self.update_bodies()  # bodies that are gone or of another kind are not sent
            self.move_targets.begin_step(dt, max(self.clock.due, 1))
        if self._is_unchanged() and self._shortest <= dt <= self._longest:
            self.state.length[0] = dt
            if not self.state.is_list_current:
                with DelayedInterrupts():
                    self.plan.renew()
            self._run(SYNCHRONISE, end)
        else:
            begun = perf_counter()
            plan = self._plan_changes(dt)
            with DelayedInterrupts():
                self._begin_step(plan, dt)
                self._run(SYNCHRONISE, end)
            self.statistics.times[SYNCHRONISE, 0] = begun

    def run(self, system: int, end: int) -> None:
        """Run the step that is under way from a system to the end of the system `end`.

        Raises PhysicsError if the system before has not run in this step: its results would be of an earlier one.
        """
        plan, at = self.plan, self.plan.at.item()
        if at == 0:
            return
        if at != plan.begins[system]:
            if system != NOTIFY or at != plan.begins[RESPONSE]:
                raise PhysicsError(
                    f"{STAGES[system]} runs after {STAGES[plan.system - 1]} in this step, but it needs "
                    f"{STAGES[plan.system]} just before: has a system been removed from esper, or added twice or with "
                    "another priority? Put it back, or call uninstall(). An esper.process that fails within this step "
                    "leads here too"
                )
            self._clear_impulses()
        elif not self.state.is_list_current:
            with DelayedInterrupts():
                plan.renew()
                plan.at[0] = plan.begins[system]
        self._run(system, end)

    def _run(self, system: int, end: int) -> None:
        """Run a slice of the step."""
        plan, self.last_done = self.plan, end
        stop = plan.stops[end]
        reported = plan.run(plan.begins[system], stop)
        if reported != stop:
            with DelayedInterrupts():
                plan.resume(reported, end)
        if self.bound_components and not plan.is_under_way:
            for each in self.bound_components:
                each.write()

    def _clear_impulses(self) -> None:
        """Clear the impulses of the contacts, since no response of ours ran in this step."""
        self.response.pause()
        self.state.is_unanswered = True
        self.state.has_worked[0] = 1
        self.plan.stop_at(self.plan.begins[NOTIFY])
        self.invalidate()

    def _end_earlier_step(self) -> None:
        """End a step that was broken off: finish its last slice, and leave out the rest."""
        self._finish_slice()
        self.plan.at[0] = 0
        self.invalidate()

    def _finish_slice(self) -> None:
        """Do the work that a call has reported, if Ctrl-C came before that."""
        at = self.plan.at.item()
        if at < 0:
            with DelayedInterrupts():
                self.plan.resume(~at, self.last_done)

    def foresee(self, dt: float) -> None:
        """Write the velocities of the coming step to the bodies of `move_to`, before characters move for dt [s]."""
        if self.move_targets.is_under_way:
            self.move_targets.foresee(dt, max(self.clock.due, 1))

    def _plan_changes(self, dt: float) -> PlannedChanges | None:
        """Return the changes before a step of dt [s], before which anything may have changed; None if there are none.

        Raises PhysicsError if the step cannot be made.
        """
        self._is_unchanged = never
        self.events.check_current()
        for each in self.bound_components:
            each.read()
        joints = self.world_joints.find()
        if joints is not None:
            joints.read_written_numbers()
        if dt > self._longest:
            are_pairs = self.pairs.count > 0 and self.response.own_contacts is None
            self.usage_warnings.check_step(dt / self.settings.time_unit, are_pairs)
        if self.statistics.steps == 0:
            self.usage_warnings.check_lists()
        if self.changes.may_be_structural():
            return self.changes.plan()
        self.response.check_step(None)
        return None

    def _begin_step(self, changes: PlannedChanges | None, dt: float) -> None:
        """Carry out planned changes, if there are any, and begin a step of dt [s]."""
        if changes is not None:
            self.changes.carry_out(changes)
        self.state.length[0] = dt
        self.state.has_worked[0] = 1
        self.plan.renew()
        conditions = None if changes is not None else self._conditions()
        self._is_unchanged = never if conditions is None else guard(conditions)

    def _conditions(self) -> tuple[Condition, ...] | None:
        """Return the conditions under which no more than numbers has changed; None if nothing can promise that."""
        if self.bound_components or self.response.checks_steps or self.state.is_pause or not self.state.had_response:
            return None
        joints = self.world_joints.conditions()
        members = self.changes.conditions()
        if joints is None or members is None:
            return None
        current = IsSame(esper, "process_times", self.events.world_mark)
        return current, *members, *joints, *self.contact_events.conditions()

    # ---- between steps

    @property
    def state_version(self) -> tuple[int, int, int]:
        """A value that changes whenever a system has run that moves bodies or renews boxes, and with a restore."""
        return self.state.restores, self.statistics.steps, self.plan.at.item()

    @property
    def is_under_way(self) -> bool:
        """True between Synchronise and Notify, when bodies must not come or go."""
        return self.plan.is_under_way

    @property
    def is_in_frame(self) -> bool:
        """True in a system before a step, between the systems, and in handlers: what is given there is for one step."""
        return self.is_before_step or self.is_under_way or self.events.is_sending

    @property
    def may_have_changes(self) -> bool:
        """True if more than numbers may have changed in this world, which is current, and no step is under way."""
        none = self._is_unchanged() or self.plan.at.item() > 0 or not self.events.is_in_current_world
        return not none and self.body_sync.may_have_changed()

    def update_bodies(self) -> None:
        """Add, remove and replace bodies as entities have changed since the last step, unless one is under way.

        If another esper world is current, switch to the own one for that time.
        """
        if get_ident() != user_thread.user:
            user_thread.claim("read or change physics")
        if self._is_unchanged() or self.plan.at.item() > 0:  # the first also says that the own esper world is current
            return
        if not self.events.is_in_current_world:
            with self.events.own_world() as exists:
                if exists:
                    self.update_bodies()
        elif self.body_sync.may_have_changed():
            self._finish_slice()
            if self.is_under_way:
                return
            for each in self.bound_components:
                each.find()
            self.invalidate()
            with DelayedInterrupts():
                self.changes.update_bodies()

    def wake_disturbed(self) -> None:
        """Wake what the game has written to since the last step, as the next one would."""
        before = self.pair_finder.version
        self.sleepers.wake_disturbed()
        if self.pair_finder.version != before:
            self.invalidate()

    def release(self) -> None:
        """Release all entities, send the ends of all contacts, and disconnect the subsystems."""
        self._end_earlier_step()
        with DelayedInterrupts():
            for each in (self.world_joints.present, *self.bound_components):
                if each is not None:
                    each.release()
            self.body_sync.release()
            self.contact_finder.clear()
            self.events.put(self.contact_events.release())
            self._notify.fill_colliding_entities()
            self.disconnect()
        self.events.send()

    def disconnect(self) -> None:
        """Cut circles of references in a world that is gone, so that its memory is freed without a collection."""
        self.body_sync.disconnect()
