"""The contacts of a step as a game sees them, and the events of what began and what ceased to touch."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.kernels.calls import Call, Cell, Run, chain, unprepared
from ecs_collide.step.broadphase.pair_finder import NOTHING_LOST, PairFinder
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.notify.colliding_entities import are_held
from ecs_collide.step.notify.contact_source import ContactSource
from ecs_collide.step.notify.events import Event, Handlers, crossing_events, end_events, hit_events, start_events
from ecs_collide.step.notify.touch_counts import TouchCounts
from ecs_collide.step.notify.touch_queries import Touches
from ecs_collide.step.notify.update_touching import update_touching

TOUCHES = ("collision_start", "collision_end", "sensor_enter", "sensor_exit")
"""The events of what began and what ceased to touch ..."""
HIT = "collision_hit"
"""... and of what hit something."""


class ContactEvents:
    """Looks at the pairs when a step is complete."""

    def __init__(
        self,
        pieces: PieceColumns,
        pairs: PairColumns,
        finder: PairFinder,
        contact_finder: ContactFinder,
        response: ContactSource,
        touches: Touches,
        tolerances: Tolerances,
        handlers: Handlers,
    ) -> None:
        self._pieces = pieces
        self._pairs = pairs
        self._finder = finder
        self._contact_finder = contact_finder
        self._response = response
        self._touches = touches
        self._tolerances = tolerances
        self._handlers = handlers
        self._touch_counts = TouchCounts()
        self._started, self._ended = np.zeros((64, 5), np.int64), np.zeros((64, 4), np.int64)
        """Scratch space of `update_touching` ..."""
        self._counts = np.zeros(3, np.int64)
        """... and what it returned."""
        self.is_heard = Cell(np.zeros(1, np.int64))
        """Whether anybody wants to know what begins and ceases to touch, as `listen` found."""
        self._update = unprepared

    def gather(self, dt: float) -> list[Event]:
        """The events of a step of dt [s]: ends before starts before hits, each in order of the entities."""
        events = self._changes()
        response, handlers = self._response, self._handlers
        if response.crossed:
            events += self._crossings()
        if response.has_own_contacts:
            events += self._changes_without_pairs()
        if HIT in handlers and dt != 0.0:
            hits = response.hits()
            events += hit_events(hits, response.contacts()) if hits else []
        return events

    def _changes(self) -> list[Event]:
        """The events of pairs that began and ceased to touch, as the call of `updating` has found them."""
        wanted, started_count, ended_count = self._counts.tolist()
        if not (wanted or len(self._finder.lost)):
            return []
        ends = self._ended[:ended_count].tolist() + self._taken_lost()
        return self._events_of(ends, self._started[:started_count].tolist())

    def update(self, least: float) -> None:
        """Bring up to date which pairs touch. A hit is faster than `least` [m/s]."""
        self.listen(least)
        columns = self.columns
        if self._update(*columns) is None:
            self._update = chain([self.updating()], *columns)
            self._update(*columns)

    def listen(self, least: float) -> None:
        """See whether anybody wants to know of what begins and ceases to touch, and of hits faster than `least` [m/s].

        `CollidingEntities` are filled anew where something does.
        """
        handlers = self._handlers
        self.is_heard.number[0] = are_held() or not handlers.keys().isdisjoint(TOUCHES)
        self._response.least_hit.number[0] = least if HIT in handlers else inf

    @property
    def columns(self) -> tuple[object, ...]:
        """What the call of `updating` is prepared for."""
        return self._pairs.arrays, self._pieces.arrays, self._contact_finder.contacts

    def updating(self, most: int | None = None) -> Call:
        """The call that brings up to date which pairs touch; a chain ends here where more than `most` are wanted."""
        pairs, pieces, contacts = self._pairs.arrays, self._pieces.arrays, self._contact_finder.contacts
        room = len(pairs.index)
        if room > len(self._started):
            self._started, self._ended = np.zeros((room, 5), np.int64), np.zeros((room, 4), np.int64)
        live = Run(pairs.order, pairs.row_start[:1], pairs.row_start[-1:])
        columns = pairs.index, pieces.index, contacts
        gaps = self._tolerances.touch, self._tolerances.slop
        found = self._started, self._ended
        return Call(update_touching, (live, *columns, *gaps, self.is_heard, *found), self._counts, most)

    def release(self) -> list[Event]:
        """The ends of all contacts, when every entity has been let go of."""
        return end_events(self._response.release(), self._handlers) + self._events_of(self._taken_lost(), [])

    def _crossings(self) -> list[Event]:
        """The events of sensors that were crossed within the step, but for those that still touch by another piece."""
        crossed = self._response.crossed.copy()
        self._response.crossed.clear()
        return crossing_events([pair for pair in crossed if not self._touches.touching(*pair)], self._handlers)

    def _changes_without_pairs(self) -> list[Event]:
        """The events of contacts that belong to no pair of the broadphase."""
        is_heard = not self._handlers.keys().isdisjoint(("collision_start", "collision_end"))
        ends, starts = self._response.changes(is_heard)
        if not (ends or starts):
            return []
        return end_events(ends, self._handlers) + start_events(starts, self._response.contacts(), self._handlers)

    def _taken_lost(self) -> list[Any]:
        """The pairs dropped while they touched."""
        lost, self._finder.lost = self._finder.lost, NOTHING_LOST
        return lost.tolist()

    def _events_of(self, ends: list[Any], starts: list[Any]) -> list[Event]:
        """The events of pairs of pieces that ceased and began to touch; the last item says if of several pieces."""
        over = [tuple(end[:3]) for end in ends if end[3] == of_pair.ONE_PIECE]
        begun = [tuple(start[:4]) for start in starts if not start[4]]
        if len(over) < len(ends) or len(begun) < len(starts):
            several = [tuple(start[:4]) for start in starts if start[4]]
            gone, _ = self._touch_counts.update([tuple(end[:3]) for end in ends if end[3] == of_pair.BODY_GONE], [])
            parted, first = self._touch_counts.update(
                [tuple(end[:3]) for end in ends if end[3] == of_pair.SEVERAL_PIECES], several
            )
            over += gone + parted
            begun += [several[number] for number in first]
        events = end_events(over, self._handlers)
        return events + start_events(begun, self._response.contacts(), self._handlers) if begun else events
