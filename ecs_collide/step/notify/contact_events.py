"""The events of a step: pairs that began and ceased to touch, and hits."""

from __future__ import annotations

from math import inf
from typing import Any

import esper
import numpy as np

from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.host_names import HostNames
from ecs_collide.data.pairs import ENDED, STARTED, PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, Input, LiveNumber, LiveSlice
from ecs_collide.kernels.simd import lane_array
from ecs_collide.native.guards import Condition, HasNoHandlers
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.notify.colliding_entities import any_colliding_entities
from ecs_collide.step.notify.contact_source import ContactSource, OwnContacts
from ecs_collide.step.notify.events import (
    ENDS,
    STARTS,
    Event,
    crossing_events,
    end_events,
    listened_ways,
    start_events,
)
from ecs_collide.step.notify.hits import PairHits
from ecs_collide.step.notify.touch_counts import find_changed_touches
from ecs_collide.step.notify.touch_queries import TouchQueries
from ecs_collide.step.notify.update_touching import update_touching

HIT = "collision_hit"
"""Name of the event of a hit."""
ALL_WAYS = -1
"""Listeners of all ways of touching, see `listened_ways`."""


class ContactEvents:
    """Finds the pairs that began and ceased to touch, and the hits, and makes their events."""

    state_list = list_state(
        objects="_hits",
        left_out=(
            "reshaped hit_count lost_count _candidates _started _ended touch_counts _start_listeners _end_listeners "
            "listeners fills_components _tolerances _own_contacts _touches"
        ),
    )

    def __init__(
        self,
        pieces: PieceColumns,
        pairs: PairColumns,
        finder: PairFinder,
        contact_finder: ContactFinder,
        source: ContactSource,
        own_contacts: OwnContacts | None,
        touches: TouchQueries,
        hosts: HostNames,
        tolerances: Tolerances,
    ) -> None:
        self._pieces = pieces
        self._pairs = pairs
        self._finder = finder
        self._contact_finder = contact_finder
        self._source = source
        self._own_contacts = own_contacts
        self._touches = touches
        self._hosts = hosts
        self._tolerances = tolerances
        self.reshaped: set[int] = set()
        """Entities of which only the shape was replaced since the last step, from `BodySync`, until `gather`."""
        self._hits = PairHits(pairs, contact_finder)
        self.hit_count = self._hits.count
        """Number of hits in the last step (1,)."""
        self.forget = self._hits.forget
        self._started, self._ended = np.zeros((64, STARTED.WIDTH), np.int64), np.zeros((64, ENDED.WIDTH), np.int64)
        """The starts and ends of touches that `update_touching` lists."""
        self._candidates = np.zeros(64, np.int64)
        """Scratch space of `update_touching`."""
        self.lost_count = finder.pair_exchange.lost_count
        """Number of pairs that were dropped while they touched (1,)."""
        self.touch_counts = np.zeros(3, np.int64)
        """Number of starts and ends that were listed, of starts, and of ends (3,)."""
        self._start_listeners = LiveNumber(np.zeros(1, np.int64))
        self._end_listeners = LiveNumber(np.zeros(1, np.int64))
        """The ways of touching whose start, or end, has listeners, see `listened_ways`."""
        self.listeners = LiveNumber(np.zeros(1, np.int64))
        """The ways of touching whose start or end has listeners."""
        self.fills_components = False
        """True if any entity has `CollidingEntities`, so that all ways have listeners."""

    def gather(self, dt: float) -> list[Event]:
        """Return the events of a step of dt [s]: ends before starts before hits, each in order of the entities."""
        events, source, own = self._changes(), self._source, self._own_contacts
        self.reshaped.clear()
        self._hosts.before.clear()
        if source.crossed:
            events += self._crossings()
        if own is not None:
            events += self._own_changes(own)
        if own is not None and dt != 0.0:
            events += self._hit_events(own.hits(self._hits.threshold.number.item()))
        elif own is None and self.hit_count[0] > 0:
            events += self._hit_events(self._hits.new_places())
        return events

    def _hit_events(self, places: np.ndarray) -> list[Event]:
        """Return the events of hits, given by the places of their contacts, in order."""
        return [(HIT, (contact,)) for contact in self._source.contacts_at(places)] if len(places) else []

    def _changes(self) -> list[Event]:
        """Return the events of pairs that began and ceased to touch, as the call of `touching_call` has found them."""
        count, started_count, ended_count = self.touch_counts.tolist()
        if not (count or self.lost_count[0]):  # most steps with hits have no other event
            return []
        ends = self._ended[:ended_count].tolist() + self._pop_lost()
        return self._events_of(ends, self._started[:started_count].tolist())

    def read_listeners(self, hit_speed: float) -> None:
        """Find out whether touches and hits faster than `hit_speed` [m/s] have listeners."""
        handlers = esper.event_registry
        self.fills_components = fills = any_colliding_entities()
        starts = ALL_WAYS if fills else listened_ways(STARTS, handlers)
        ends = ALL_WAYS if fills else listened_ways(ENDS, handlers)
        for cell, ways in (
            (self._start_listeners, starts),
            (self._end_listeners, ends),
            (self.listeners, starts | ends),
        ):
            cell.number[0] = ways
        self._hits.listen(hit_speed if HIT in handlers else inf)

    def conditions(self) -> tuple[Condition, ...]:
        """Return the conditions under which no listener has come to those that `read_listeners` found."""
        names = tuple([name for name in (*STARTS, *ENDS, HIT) if name not in esper.event_registry])
        return (HasNoHandlers(esper, names),)

    def reserve(self) -> None:
        """Make room for the events of all pairs."""
        room = len(self._pairs.arrays.index)
        if room > len(self._started):
            self._started = lane_array((room, STARTED.WIDTH), np.int64)
            self._ended = lane_array((room, ENDED.WIDTH), np.int64)
            self._candidates = lane_array((room,), np.int64)

    def inputs(self) -> tuple[Input, ...]:
        """Return the attributes from which the calls are prepared, as owners and names."""
        return (
            (self._pairs, "arrays"),
            (self._pieces, "arrays"),
            (self._contact_finder, "contacts"),
            *self._hits.inputs(),
        )

    def hits_call(self, dt: LiveNumber) -> Call:
        """Return the call that lists the hits of a step of dt [s]."""
        return self._hits.hits_call(dt)

    def touching_call(self) -> Call:
        """Return the call that finds the pairs that began and ceased to touch."""
        pairs, pieces, contacts = self._pairs.arrays, self._pieces.arrays, self._contact_finder.contacts
        live = LiveSlice(pairs.order, pairs.row_start[:1], pairs.row_start[-1:])
        return Call(
            update_touching,
            (
                live,
                pairs.index,
                pieces.index,
                contacts,
                self._tolerances,
                self._start_listeners,
                self._end_listeners,
                self._candidates,
                self._started,
                self._ended,
            ),
            self.touch_counts,
        )

    def release(self) -> list[Event]:
        """Return the ends of all contacts, after every entity was released."""
        own = [] if self._own_contacts is None else self._own_contacts.release()
        return end_events(own, esper.event_registry, self._hosts) + self._events_of(self._pop_lost(), [])

    def _crossings(self) -> list[Event]:
        """Return the events of sensors that were crossed within the step, except those that another piece touches."""
        crossed = self._source.crossed.copy()
        self._source.crossed.clear()
        return crossing_events([pair for pair in crossed if not self._touches.touching(*pair)], esper.event_registry)

    def _own_changes(self, own: OwnContacts) -> list[Event]:
        """Return the events of contacts that belong to no pair of the broadphase."""
        has_listeners = not esper.event_registry.keys().isdisjoint(("collision_start", "collision_end"))
        ends, starts = own.changes(has_listeners)
        events = end_events(ends, esper.event_registry, self._hosts)
        return events + start_events(starts, self._source.contacts_at, esper.event_registry)

    def _pop_lost(self) -> list[Any]:
        """Return the pairs that were dropped while they touched, and forget them."""
        lost: list[Any] = self._finder.pair_exchange.lost.tolist()
        self.lost_count[0] = 0
        return lost

    def _events_of(self, ends: list[Any], starts: list[Any]) -> list[Event]:
        """Return the events of pairs of pieces that ceased and began to touch, rows of `ENDED` and `STARTED`."""
        ended = _touches_of(ends, of_pair.ONE_PIECE)
        started = [tuple(start[: STARTED.PIECES]) for start in starts]
        if len(ended) < len(ends) or any(start[STARTED.PIECES] != of_pair.ONE_PIECE for start in starts):
            removed, parted = _touches_of(ends, of_pair.BODY_REMOVED), _touches_of(ends, of_pair.SEVERAL_PIECES)
            touches = [start[: STARTED.SLOT] for start in started]
            changed = find_changed_touches(removed, parted, touches, self._pairs.arrays)
            ended += changed.ended
            started = [started[place] for place in changed.started]
        if self.reshaped:
            ended, started = self._without_reshaped_sensors(ended, started)
        events = end_events(ended, esper.event_registry, self._hosts) if ended else []
        return events + start_events(started, self._source.contacts_at, esper.event_registry) if started else events

    def _without_reshaped_sensors(self, ended: list[Any], started: list[Any]) -> tuple[list[Any], list[Any]]:
        """Return ends and starts without the overlaps that last although one of the two shapes was replaced."""
        both = {start[:3] for start in started}.intersection(ended)
        lasting = {end for end in both if end[2] != of_pair.COLLIDES and not self.reshaped.isdisjoint(end[:2])}
        return [end for end in ended if end not in lasting], [start for start in started if start[:3] not in lasting]


def _touches_of(ends: list[Any], pieces: int) -> list[Any]:
    """Return entities and way of touching of the rows of `ENDED` with a certain value of PIECES."""
    return [tuple(end[: ENDED.PIECES]) for end in ends if end[ENDED.PIECES] == pieces]
