"""The stage of Narrowphase: manifolds of the pairs, and the contact rows of this step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat

import numpy as np

from ecs_collide.kernels.calls import Call, Input
from ecs_collide.step.bookkeeping import OPEN_GATE, read_number
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.plan import StepPoint
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.step.step_state import StepState
from ecs_collide.step.sync.body_sync import BodySync


class ContactStage:
    """Makes manifolds until no sleeping body is touched by an awake one, then the contact rows."""

    ends_list = False

    def __init__(
        self, state: StepState, contact_finder: ContactFinder, sleepers: Sleepers, body_sync: BodySync
    ) -> None:
        self._state = state
        self._contact_finder = contact_finder
        self._sleepers = sleepers
        self._body_sync = body_sync
        self._gate_result = np.zeros(1, np.int64)

    def prepare(self) -> None:
        """Make room for welded contacts, and list the bodies that can move."""
        self._contact_finder.prepare(self._body_sync.mobile)

    def inputs(self) -> Iterable[Input]:
        """Return the columns, and the flags that decide which calls there are."""
        return (
            *self._contact_finder.inputs(),
            (self._state, "settings"),
            (self._sleepers, "has_requests"),
            (self._sleepers, "has_sleepers"),
        )

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the calls of the pair table, those that wake, and those that collect the contacts."""
        yield from zip(repeat(StepPoint.MANIFOLDS), self._contact_finder.manifold_calls(self._state.look_ahead))
        if self._sleepers.has_requests:
            yield StepPoint.REQUESTED_SLEEP, Call(read_number, (OPEN_GATE,), self._gate_result, most=0)
        if self._sleepers.has_sleepers:
            yield StepPoint.WAKES, self._sleepers.touch_call()
        yield from zip(repeat(StepPoint.CONTACTS), self._contact_finder.contact_calls(self._state.length))

    def resume(self, point: StepPoint) -> StepPoint:
        """Put the requested bodies to sleep, or wake touched ones."""
        if point is StepPoint.REQUESTED_SLEEP:
            self._sleepers.fulfil_requests()
            return StepPoint.WAKES
        self._sleepers.wake_touched()
        return StepPoint.MANIFOLDS
