"""The stage of Notify: events, sleep, and the counts of the completed step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import esper
import numpy as np

from ecs_collide.common.statistics import Statistics
from ecs_collide.data.pairs import PairColumns
from ecs_collide.kernels.calls import Call, Input, LiveNumber
from ecs_collide.step.bookkeeping import count_events, store_counts
from ecs_collide.step.joints.world_joints import WorldJoints
from ecs_collide.step.notify.colliding_entities import fill_colliding_entities
from ecs_collide.step.notify.contact_events import ContactEvents
from ecs_collide.step.notify.events import Event, EventQueue, sleep_events
from ecs_collide.step.plan import StepPoint
from ecs_collide.step.response_protocol import ContactResponse
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.step.step_state import StepState
from ecs_collide.step.sync.body_sync import BodySync

NONE_OVERLOADED = np.zeros(1, np.int64)


class NotifyStage:
    """Finds what began and ceased to touch, gathers the events, and puts bodies to sleep."""

    ends_list = False

    def __init__(
        self,
        state: StepState,
        pairs: PairColumns,
        response: ContactResponse,
        contact_events: ContactEvents,
        events: EventQueue,
        body_sync: BodySync,
        sleepers: Sleepers,
        joints: WorldJoints,
        statistics: Statistics,
    ) -> None:
        self._state = state
        self._pairs = pairs
        self._response = response
        self._contact_events = contact_events
        self._events = events
        self._body_sync = body_sync
        self._sleepers = sleepers
        self._joints = joints
        self._statistics = statistics
        self._event_count, self._ready_count = np.zeros((2, 1), np.int64)

    def prepare(self) -> None:
        """Find out which events have listeners, and make room for them."""
        self._contact_events.read_listeners(self._state.settings.hit_speed)
        self._contact_events.reserve()

    def inputs(self) -> Iterable[Input]:
        """Return the columns, and whether bodies may fall asleep."""
        own = (self, "_overloaded"), (self, "_sleeps")
        return *self._contact_events.inputs(), (self._sleepers, "awake_slice"), *own

    @property
    def _overloaded(self) -> np.ndarray:
        """1 if a joint bore more than a threshold, or than it can bear, in this step, else 0 (1,)."""
        joints = self._joints.present
        return NONE_OVERLOADED if joints is None or not joints.graph.count else joints.layout.trees.any_overloaded

    @property
    def _sleeps(self) -> bool:
        """True if bodies may fall asleep."""
        return self._state.settings.sleeping and self._response.sleeps

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the calls that find touches, hits and sleepers, and the one that counts."""
        events, dt = self._contact_events, LiveNumber(self._state.length)
        yield StepPoint.TOUCHES, events.touching_call()
        yield StepPoint.TOUCHES, events.hits_call(dt)
        counts = events.touch_counts[:1], events.lost_count, events.hit_count, self._overloaded, self._state.has_worked
        yield StepPoint.EVENTS, Call(count_events, tuple(map(LiveNumber, counts)), self._event_count, most=0)
        if self._sleeps:
            yield StepPoint.REST, self._sleepers.rest_call(dt, self._ready_count)
        contact_count, stopped = LiveNumber(self._response.contact_count), self._response.stopped
        counted = self._pairs.arrays.row_start, contact_count, stopped, self._statistics.counts
        yield StepPoint.END, Call(store_counts, counted)

    def resume(self, point: StepPoint) -> StepPoint:
        """Gather the events of the step, or put islands to sleep."""
        if self._events.is_in_current_world:
            return self._resume(point)
        with self._events.own_world():  # a hook has switched to another one
            return self._resume(point)

    def _resume(self, point: StepPoint) -> StepPoint:
        state, dt = self._state, self._state.dt
        if point is StepPoint.EVENTS:
            self._gather_events(dt)
            state.had_response, state.is_unanswered = not state.is_unanswered, False
            if state.has_worked[0]:
                state.has_worked[0] = 0
                self._count_bodies()
            return StepPoint.REST if dt > 0.0 else StepPoint.END
        if self._sleepers.find_islands(state.settings.gravity):
            state.is_list_current = False
            self._events.put(self._sleep_events())
        self._count_bodies()
        return StepPoint.END

    def _gather_events(self, dt: float) -> None:
        events = self._contact_events.gather(dt)
        joints = self._joints.present
        if joints is not None:
            if not self._state.is_unanswered and joints.layout.has_overloaded:
                joints.record_overloaded()
                joints.layout.forget_overload()
                self._state.is_list_current = False
            events += joints.pop_events()
        if self._contact_events.fills_components:
            self.fill_colliding_entities()
        self._events.put(events + self._sleep_events())

    def _sleep_events(self) -> list[Event]:
        """Return the events of bodies that fell asleep or woke, and forget these changes."""
        if not self._sleepers.changes:
            return []
        changes, self._sleepers.changes = self._sleepers.changes, []
        members = self._body_sync.members
        return sleep_events([change for change in changes if change[0] in members], esper.event_registry)

    def fill_colliding_entities(self) -> None:
        """Write the entities that touch now to the `CollidingEntities` of the world."""
        if self._events.is_in_current_world:
            fill_colliding_entities(self._pairs, self._response.own_contacts)

    def _count_bodies(self) -> None:
        statistics, body_sync = self._statistics, self._body_sync
        statistics.bodies, statistics.moving_bodies = len(body_sync.members), len(body_sync.mobile)
        statistics.sleeping_bodies = self._sleepers.count
