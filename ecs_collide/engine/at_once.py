"""A whole step as one chain of kernels, where nothing came or went since the last one.

Most steps are such. Each stage says which calls it consists of: here they follow each other without a line of Python
between them, which in a small world takes longer than the kernels do. A call after which its stage has something to do
ends the chain, and the pipeline goes on from there, stage by stage.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.compiled.chain import Call, Cell, chain, unprepared
from ecs_collide.engine.basis import tuning
from ecs_collide.engine.basis.settings import Settings
from ecs_collide.engine.broadphase.boxes import refresh_frames
from ecs_collide.engine.broadphase.finder import PairFinder
from ecs_collide.engine.broadphase.update import NOTHING_LEFT
from ecs_collide.engine.membership.membership import Membership
from ecs_collide.engine.narrowphase.contact_finder import FIRST_WELDED, ContactFinder
from ecs_collide.engine.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.engine.notify.contact_events import ContactEvents
from ecs_collide.engine.response.socket import ChainedResponse
from ecs_collide.engine.sleeping.sleepers import Sleepers

# Where a step has to be gone on with: a body has a bad number; the pairs have still to be looked at, or the call that
# renews them has left something to do; something wakes; the response needs more room; bodies are too fast; events have
# to be sent; bodies could fall asleep; nothing is left to do
BAD_NUMBER, PAIRS, NEW_PAIRS, CONTACTS, ANSWER, SWEEPS, TOUCHES, REST, END = range(9)


class StepAtOnce:
    """The chain of a whole step."""

    def __init__(
        self,
        bodies: BodyColumns,
        pair_finder: PairFinder,
        contact_finder: ContactFinder,
        response: ChainedResponse,
        sleepers: Sleepers,
        contact_events: ContactEvents,
        membership: Membership,
        time_unit: float,
        sleeps: bool,
        done_at: np.ndarray,
    ) -> None:
        self.bad_row = np.zeros(1, np.int64)
        """The body with a bad number."""
        self._bodies = bodies
        self._pair_finder = pair_finder
        self._contact_finder = contact_finder
        self.response = response
        self._sleepers = sleepers
        self._contact_events = contact_events
        self._membership = membership
        self._time_unit = time_unit
        self._sleeps = sleeps
        self._done_at = done_at
        """When the first four stages were done [s] (4,)."""
        self._time = np.zeros(1)
        """Length of the step, in which bodies rest [time units]."""
        self._ready = np.zeros(1, np.int64)
        self._places: tuple[int, ...] = ()
        """Where a step has to be gone on with that ends with each of the calls, or with none."""
        self._make = unprepared
        self._given: tuple[object, ...] = ()
        """What the chain was given in the last step ..."""
        self._state: tuple[Settings, float, int] | None = None
        """... and for which these are still the columns, unless it is to `look_again`."""

    def is_possible(self, settings: Settings, dt: float) -> bool:
        """Whether a step of dt [s] is such a one, where nothing has changed."""
        return dt / settings.substeps >= tuning.SHORTEST_SUBSTEP and self._pair_finder.only_movers_changed()

    def step(self, settings: Settings, dt: float) -> int:
        """Make as much of a step of dt [s] as is possible; return where it has to be gone on with."""
        self._contact_events.listen()
        state = settings, dt, self._pair_finder.version
        ended_with = self._make(*self._given) if state == self._state else None
        while ended_with is None:
            self._time[0] = dt / self._time_unit
            self._given, self._state = self._columns(settings, dt), state
            ended_with = self._make(*self._given)
            if ended_with is None:
                places, calls = zip(*self._calls(settings), strict=True)
                self._places, self._make = (*places, END), chain(calls, *self._given)
        return self._places[ended_with]

    def look_again(self) -> None:
        """Something has changed, or was done stage by stage: the columns may be others in the next step."""
        self._state = None

    def _columns(self, settings: Settings, dt: float) -> tuple[object, ...]:
        """What the calls are prepared for."""
        contacts, awake = self._contact_finder, self._sleepers.awake
        return (
            self._sleepers.awake_run,
            self._sleepers.count > 0,
            *self._pair_finder.columns,
            *contacts.manifold_columns,
            *contacts.contact_columns(self._membership.movers),
            *self.response.columns(awake, settings, dt),
        )

    def _calls(self, settings: Settings) -> Iterator[tuple[int, Call]]:
        """The calls of a step, and where it is that ends with each."""
        contacts, sleepers = self._contact_finder, self._sleepers
        synchronised, paired, found, answered = np.split(self._done_at, 4)
        frames = Call(refresh_frames, (sleepers.awake_run, self._bodies.arrays), self.bad_row, -1, synchronised)
        yield BAD_NUMBER, frames
        stop_row = len(PAIR_TABLE) if contacts.is_welding else FIRST_WELDED
        renewal = self._pair_finder.renewal(NOTHING_LEFT, stop_row, self._contact_events.is_heard)
        yield NEW_PAIRS, renewal._replace(done_at=paired)
        for call in contacts.making():
            yield CONTACTS, call
        if sleepers.count:
            yield CONTACTS, sleepers.touching()
        *collecting, last = contacts.collecting()
        for call in collecting:
            yield CONTACTS, call
        yield CONTACTS, last._replace(done_at=found)
        first, *others, last = self.response.answering(settings)
        yield ANSWER, first
        for call in others:
            yield SWEEPS, call
        yield SWEEPS, last._replace(done_at=answered)
        yield TOUCHES, self._contact_events.updating(most=0)
        if self._sleeps:
            yield REST, sleepers.timing(Cell(self._time), self._ready)
