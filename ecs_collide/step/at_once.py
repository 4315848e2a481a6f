"""A whole step as one chain of kernels, where nothing came or went since the last one.

Most steps are such. Each stage says which calls it consists of: here they follow each other without a line of Python
between them, which in a small world takes longer than the kernels do. A call after which its stage has something to do
ends the chain, and the pipeline goes on from there, stage by stage.

In a steady world, where even what a game wrote is no more than numbers of what is awake, the chain is made again by a
call that also sees whether all is as before. Ctrl-C can come right after it, so what it has left to do is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ecs_collide.common import tolerances as tuning
from ecs_collide.common.settings import Settings
from ecs_collide.common.statistics import Statistics
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pairs import PairColumns
from ecs_collide.kernels.calls import NOTHING, Again, Call, Cell, Condition, Same, again, chain, not_again, unprepared
from ecs_collide.step.broadphase.boxes import refresh_frames
from ecs_collide.step.broadphase.pair_finder import NOTHING_LOST, PairFinder
from ecs_collide.step.broadphase.update_pairs import NOTHING_LEFT
from ecs_collide.step.completed import note_completed, number_in
from ecs_collide.step.narrowphase.contact_finder import FIRST_WELDED, ContactFinder
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.step.notify.contact_events import ContactEvents
from ecs_collide.step.response_protocol import ChainedResponse
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.step.sync.membership import Membership

# Where a step has to be gone on with: it was not begun, as what the game wrote may wake something, or is of what is
# static; a body has a bad number; the pairs have still to be looked at, or the call that renews them has left something
# to do; something wakes; the response needs more room; bodies are too fast; something began or ceased to touch, or hit,
# which has to be told; bodies could fall asleep; nothing is left to do
DISTURBED, BAD_NUMBER, PAIRS, NEW_PAIRS, CONTACTS, ANSWER, SWEEPS, TOUCHES, HITS, REST, END = range(11)


class StepAtOnce:
    """The chain of a whole step."""

    def __init__(
        self,
        bodies: BodyColumns,
        pairs: PairColumns,
        pair_finder: PairFinder,
        contact_finder: ContactFinder,
        response: ChainedResponse,
        sleepers: Sleepers,
        contact_events: ContactEvents,
        membership: Membership,
        conditions: Callable[[], tuple[Condition, ...] | None],
        longest: float,
        sleeps: bool,
        statistics: Statistics,
    ) -> None:
        self.bad_row = np.zeros(1, np.int64)
        """The body with a bad number."""
        self._bodies = bodies
        self._pairs = pairs
        self._pair_finder = pair_finder
        self._contact_finder = contact_finder
        self.response = response
        self._sleepers = sleepers
        self._contact_events = contact_events
        self._membership = membership
        self._conditions = conditions
        """Whatever else has to stay as it is in a steady world; None where it is none."""
        self._longest = longest
        """How long steps are in it, at most [s]."""
        self._sleeps = sleeps
        self._statistics = statistics
        self._ready, self._news = np.zeros(1, np.int64), np.zeros(1, np.int64)
        self._places: tuple[int, ...] = ()
        """Where a step has to be gone on with that ends with each of the calls, or with none."""
        self._make = unprepared
        self._given: tuple[object, ...] = ()
        """What the chain was given in the last step ..."""
        self._state: tuple[Settings, int] | None = None
        """... and for which these are still the columns, unless it is to `look_again`."""
        self.again: Again = not_again
        """Makes a step of a length [s] where the world is steady."""
        self._left = np.full(1, NOTHING, np.int64)
        """The call with which that ended before its time."""

    @property
    def is_left(self) -> bool:
        """Whether the last step that was made `again` has still to be gone on with."""
        return bool(self._left[0] != NOTHING)

    def left(self) -> int:
        """Where it has to be gone on with."""
        return self._places[int(self._left[0])]

    def leave_nothing(self) -> None:
        """It was gone on with."""
        self._left[0] = NOTHING

    def is_possible(self, settings: Settings, dt: float) -> bool:
        """Whether a step of dt [s] is such a one, where nothing has changed."""
        return dt / settings.substeps >= tuning.SHORTEST_SUBSTEP and self._pair_finder.only_movers_changed()

    def step(self, settings: Settings, dt: float) -> int:
        """Make as much of a step of dt [s] as is possible; return where it has to be gone on with."""
        self._contact_events.listen(settings.hit_speed)
        self.response.length[0] = dt
        state, ended_with = (settings, self._pair_finder.version), None
        if state == self._state:
            ended_with = self._make(*self._given)
            self._look_whether_steady(settings)
        while ended_with is None:
            self._given, self._state = self._columns(settings), state
            ended_with = self._make(*self._given)
            if ended_with is None:
                places, calls = zip(*self._calls(settings), strict=True)
                self._places, self._make = (*places, END), chain(calls, *self._given)
        return self._places[ended_with]

    def look_again(self) -> None:
        """Something has changed, or was done stage by stage: the columns may be others in the next step."""
        self._state, self.again = None, not_again

    def _look_whether_steady(self, settings: Settings) -> None:
        """Have the chain made `again`, as long as more than numbers does not change."""
        finder, members, others = self._pair_finder, self._membership.conditions(), self._conditions()
        if members is not None and others is not None:
            version, lost = Same(finder, "version", finder.version), Same(finder, "lost", NOTHING_LOST)
            conditions = *members, *others, version, lost, Same(self._pairs, "some_disabled", False)
            span = settings.substeps * tuning.SHORTEST_SUBSTEP, self._longest
            self.again = again(self._make, conditions, self.response.length, span, self._left)

    def _columns(self, settings: Settings) -> tuple[object, ...]:
        """What the calls are prepared for."""
        contacts, awake, bodies = self._contact_finder, self._sleepers.awake, self._bodies
        return (
            bodies.touched.marks,
            bodies.written.marks,
            self._sleepers.parked_kinematic,
            self._sleepers.awake_run,
            self._sleepers.count > 0,
            *self._pair_finder.columns,
            *contacts.manifold_columns,
            *contacts.contact_columns(self._membership.movers),
            *self.response.columns(awake, settings),
        )

    def _calls(self, settings: Settings) -> Iterator[tuple[int, Call]]:
        """The calls of a step, and where it is that ends with each."""
        contacts, sleepers = self._contact_finder, self._sleepers
        begun, synchronised, paired, found, answered, done = np.split(self._statistics.times, 6)
        for call in sleepers.disturbing():
            yield DISTURBED, call._replace(results=self._news, most=0, done_at=begun)
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
        yield HITS, self.response.listing_hits()
        if self._sleeps:
            yield REST, sleepers.timing(Cell(self.response.length), self._ready)
        touched, counted = self._bodies.touched, Cell(contacts.counts[1:])
        stopped, dt = self.response.stopped, Cell(self.response.length)
        listed = touched.marked, touched.count, touched.marks, self._pairs.arrays.row_start
        noted = *listed, counted, stopped, dt, contacts.last_dt, self._statistics.counts
        yield END, Call(note_completed, noted, done_at=done)
        if self.response.broken is not None:
            yield END, Call(number_in, (self.response.broken,), self._news, 0)
