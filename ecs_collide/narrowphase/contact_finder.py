"""From candidate pairs to this step's contacts: the order of the narrowphase's kernels, and their columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ecs_collide.columns.bodies import Bodies, BodyColumns
from ecs_collide.columns.contacts import contact_arrays
from ecs_collide.columns.growth import next_capacity
from ecs_collide.columns.pairs import PairColumns
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.narrowphase.collect import collect_contacts
from ecs_collide.narrowphase.pair_table import PAIR_TABLE, WELDED_FROM
from ecs_collide.narrowphase.weld import WeldColumns, collect_welded, remember_impulses
from ecs_collide.tuning import Tolerances

NO_ROWS = np.zeros(0, np.int64)


class ContactFinder:
    """Makes the contact rows of the candidate pairs."""

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, pairs: PairColumns, tolerances: Tolerances) -> None:
        self.contacts = contact_arrays(64)
        self.count = 0
        self.live = NO_ROWS
        """Slots of all pairs, by row of the pair table."""
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._tolerances = tolerances
        self._batches: list[tuple[Callable[..., None], np.ndarray, float]] = []
        """The kernels in use, each with the slots of its pairs and their tolerance for being recycled [m]."""
        self._plain = NO_ROWS
        """The part of `live` without outlines ..."""
        self._outlined = NO_ROWS
        """... and that with them, whose contacts are welded."""
        self._first_welded = 0
        """Where the welded contacts begin."""
        self._welds = WeldColumns()
        self._weld_room_for: Bodies | None = None
        """The body columns that there is room for in `_welds`, and for the present pairs."""

    def regroup(self) -> None:
        """Take up the pairs anew: some have come or gone."""
        pairs, recycle = self._pairs, self._tolerances.recycle
        self.live = pairs.live
        start = pairs.arrays.row_start.tolist()
        self._batches = [
            (row.kernel, self.live[start[number] : start[number + 1]], recycle if row.recycles else 0.0)
            for number, row in enumerate(PAIR_TABLE)
            if start[number] < start[number + 1]
        ]
        self._plain, self._outlined = self.live[: start[WELDED_FROM]], self.live[start[WELDED_FROM] :]
        if pairs.count > len(self.contacts.pair):
            self.contacts = contact_arrays(next_capacity(len(self.contacts.pair), pairs.count))
        self._weld_room_for = None

    def clear(self) -> None:
        """Forget all pairs and contacts."""
        self.live = self._plain = self._outlined = NO_ROWS
        self._batches = []
        self.count = self._first_welded = 0

    def find(self, movers: np.ndarray) -> None:
        """Make the manifolds of the pairs, and the contact rows; `movers` are the rows of the bodies that can move."""
        bodies, pieces, pairs, contacts = self._bodies.arrays, self._pieces.arrays, self._pairs.arrays, self.contacts
        speculative = self._tolerances.speculative
        for kernel, slots, recycle in self._batches:
            kernel(slots, bodies, pieces, pairs, speculative, recycle)
        count = self._first_welded = collect_contacts(self._plain, 0, bodies, pieces, pairs, contacts)
        if len(self._outlined):
            if self._weld_room_for is not bodies:
                self._welds.reserve(self._bodies, len(pairs.index), len(contacts.pair))
                self._weld_room_for = bodies
            welds = self._welds.arrays
            count = collect_welded(self._outlined, movers, count, bodies, pieces, pairs, contacts, welds, speculative)
        self.count = count

    def remember_impulses(self) -> None:
        """Keep what the corners on outlines carried in this step, for the next one's warm start."""
        welds = self._welds
        if self._first_welded == self.count and welds.remembered == 0:
            return
        welds.remembered = remember_impulses(
            self._first_welded,
            self.count,
            welds.remembered,
            self._bodies.arrays,
            self._pieces.arrays,
            self._pairs.arrays,
            self.contacts,
            welds.arrays,
        )
