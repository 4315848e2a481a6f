"""Hits: impacts faster than a threshold, one for each pair of entities."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, Cell, make
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.notify.list_hits import HIT, HIT_NUMBERS, list_hits

HardHit = tuple[int, int, int]
"""Entity A, the smaller one, entity B, and the row of their contact."""


def hardest(hits: np.ndarray, numbers: np.ndarray) -> list[HardHit]:
    """Return the fastest hit of each pair of entities, in order of the entities.

    Of equally fast hits, the one with the least point counts.

    `hits` and `numbers` have rows of `HIT` and `HIT_NUMBERS`.
    """
    first: dict[tuple[int, int], int] = {}
    for (a, b, row), _ in sorted(zip(hits.tolist(), numbers.tolist(), strict=True), key=_order):
        first.setdefault((a, b), row)
    return [(a, b, row) for (a, b), row in first.items()]


def _order(hit: tuple[list[int], list[float]]) -> tuple[float, ...]:
    """Return the sort key of a hit: entities, the faster first, then place, then contact row."""
    (a, b, row), (speed, x, y) = hit
    return a, b, -speed, x, y, row


class HitMemory:
    """The pairs of entities that hit each other in the last step.

    Soft contacts may leave a part of an approach to the next step, in which it is no new hit.
    """

    state_list = list_state(values="_last", arrays="remembered")

    def __init__(self) -> None:
        self.remembered = np.zeros(1, np.int64)
        """1 if the last step had hits; a step without hits sets it to 0 (1,)."""
        self._last: set[tuple[int, int]] = set()
        """The pairs of entities in the last step that had hits."""

    def forget(self, removed: set[int]) -> None:
        """Forget entities that are gone: another entity with such an id has not hit anything yet."""
        if self.remembered[0]:
            self._last = {pair for pair in self._last if removed.isdisjoint(pair)}

    def new_hits(self, hits: list[HardHit]) -> list[HardHit]:
        """Return the hits of this step whose entities did not hit each other in the last one."""
        new_hits = [hit for hit in hits if not (self.remembered[0] and hit[:2] in self._last)]
        self._last, self.remembered[0] = {hit[:2] for hit in hits}, len(hits) > 0
        return new_hits


class PairHits:
    """The hits among the pairs of the broadphase."""

    state_list = list_state(parts="_memory", left_out="least count _hits _numbers")

    def __init__(self, pairs: PairColumns, contact_finder: ContactFinder) -> None:
        self.least = Cell(np.zeros(1))
        """Speed above which a contact is a hit [m/s]; infinite if there are no listeners."""
        self.count = np.zeros(1, np.int64)
        """Number of hits in the last step (1,)."""
        self._pairs = pairs
        self._contact_finder = contact_finder
        self._memory = HitMemory()
        self.forget = self._memory.forget
        self._hits, self._numbers = _room_for(64)
        """Rows of `HIT` and of `HIT_NUMBERS`."""

    def hits_call(self, dt: Cell) -> Call:
        """Return the call that lists the hits of a step of dt [s]."""
        pairs, finder = self._pairs.arrays, self._contact_finder
        live, contacts = (pairs.order, Cell(pairs.row_start[-1:]), pairs.index), Cell(finder.counts[1:])
        limits = dt, self.least
        return Call(
            list_hits,
            (*live, finder.contacts, contacts, *limits, self._memory.remembered, self._hits, self._numbers),
            self.count,
        )

    def new_hits(self, dt: Cell) -> list[HardHit]:
        """Return the hits of this step whose entities did not hit each other in the last one."""
        room = len(self._hits)
        if self.count.item() > room:
            self._hits, self._numbers = _room_for(next_capacity(room, self.count.item()))
            make(self.hits_call(dt))
        count = self.count.item()
        return self._memory.new_hits(hardest(self._hits[:count], self._numbers[:count]))

    @property
    def columns(self) -> tuple[object, ...]:
        """The objects that the call of `hits_call` is prepared from, besides the pairs and the contacts."""
        return self._hits, self._numbers


def _room_for(count: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((count, HIT.WIDTH), np.int64), np.zeros((count, HIT_NUMBERS.WIDTH))
