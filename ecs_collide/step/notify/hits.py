"""Hits: two bodies that meet faster than a threshold, one for each pair of entities and impact."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import PairColumns
from ecs_collide.kernels.calls import Call, Cell, make
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.notify.list_hits import HIT_WIDTH, list_hits

HardHit = tuple[int, int, int]
"""Entity A, the smaller one, entity B, and the row of their contact."""


def hardest(hits: list[list[float]]) -> list[HardHit]:
    """The fastest hit of each pair of entities, in order of the entities; of equal ones that of the least point.

    `hits` are given as `list_hits` lists them.
    """
    first: dict[tuple[int, int], int] = {}
    for a, b, _, _, _, row in sorted(hits):
        first.setdefault((int(a), int(b)), int(row))
    return [(a, b, row) for (a, b), row in first.items()]


class HitMemory:
    """The pairs of entities that hit each other in the last step.

    The soft contacts of a step may leave a part of the approach to the next one, where it is no hit of its own.
    """

    def __init__(self) -> None:
        self.remembered = np.zeros(1, np.int64)
        """1 if the last step had hits; a step without hits resets it (1,)."""
        self._last: set[tuple[int, int]] = set()
        """Pairs of entities that hit each other in the last step with hits."""

    def forget(self, gone: set[int]) -> None:
        """Entities have gone: whoever gets their ids has hit nobody."""
        if self.remembered[0]:
            self._last = {pair for pair in self._last if gone.isdisjoint(pair)}

    def begun(self, hits: list[HardHit]) -> list[HardHit]:
        """Return the hits of this step whose entities did not hit each other in the last one."""
        begun = [hit for hit in hits if not (self.remembered[0] and hit[:2] in self._last)]
        self._last, self.remembered[0] = {hit[:2] for hit in hits}, len(hits) > 0
        return begun


class PairHits:
    """The hits among the pairs of the broadphase."""

    def __init__(self, pairs: PairColumns, contact_finder: ContactFinder) -> None:
        self.least = Cell(np.zeros(1))
        """Speed above which a contact is a hit [m/s]; infinite if there are no listeners."""
        self.count = np.zeros(1, np.int64)
        """Number of hits in the last step (1,)."""
        self._pairs = pairs
        self._contact_finder = contact_finder
        self._memory = HitMemory()
        self.forget = self._memory.forget
        self._found = np.zeros((64, HIT_WIDTH))
        """The hits, as `list_hits` lists them."""

    def listing(self, dt: Cell) -> Call:
        """Return the call that lists the hits of a step of dt [s]."""
        pairs, finder = self._pairs.arrays, self._contact_finder
        live, contacts = (pairs.order, Cell(pairs.row_start[-1:]), pairs.index), Cell(finder.counts[1:])
        limits = dt, self.least
        return Call(
            list_hits, (*live, finder.contacts, contacts, *limits, self._memory.remembered, self._found), self.count
        )

    def begun(self, dt: Cell) -> list[HardHit]:
        """Return the hits of this step whose entities did not hit each other in the last one."""
        room = len(self._found)
        if self.count.item() > room:
            self._found = np.zeros((next_capacity(room, self.count.item()), HIT_WIDTH))
            make(self.listing(dt))
        return self._memory.begun(hardest(self._found[: self.count.item()].tolist()))

    @property
    def columns(self) -> tuple[object, ...]:
        """The objects that the call of `listing` is prepared from, besides the pairs and the contacts."""
        return (self._found,)
