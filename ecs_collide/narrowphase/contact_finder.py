"""From candidate pairs to this step's contacts: the order of the narrowphase's kernels, and their columns."""

from __future__ import annotations

import numpy as np

from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.contacts import contact_arrays
from ecs_collide.columns.growth import next_capacity
from ecs_collide.columns.pairs import PairColumns
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.narrowphase.collect import collect_contacts
from ecs_collide.narrowphase.pair_table import PAIR_TABLE, WELDED_FROM
from ecs_collide.narrowphase.weld import WeldColumns, follow_welded, order_pairs, remember_impulses, weld_contacts
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
        self._groups: list[tuple[int, np.ndarray]] = []
        """Rows of the pair table in use, with the slots of their pairs."""
        self._outlines = 0
        """Where in `live` the pairs of outlines begin ..."""
        self._first_welded = 0
        """... and where their contacts do."""
        self._welds = WeldColumns()

    def regroup(self) -> None:
        """Take up the pairs anew: some have come or gone."""
        pairs = self._pairs
        self.live = pairs.live
        start = pairs.arrays.row_start.tolist()
        self._groups = [
            (row, self.live[start[row] : start[row + 1]])
            for row in range(len(PAIR_TABLE))
            if start[row] < start[row + 1]
        ]
        self._outlines = start[WELDED_FROM]
        if pairs.count > len(self.contacts.pair):
            self.contacts = contact_arrays(next_capacity(len(self.contacts.pair), pairs.count))

    def clear(self) -> None:
        """Forget all pairs and contacts."""
        self.live, self._groups = NO_ROWS, []
        self.count = self._outlines = self._first_welded = 0

    def make_manifolds(self) -> None:
        """Make the manifolds of the pairs; a second time gives the same."""
        bodies, pieces, pairs = self._bodies.arrays, self._pieces.arrays, self._pairs.arrays
        speculative, recycle = self._tolerances.speculative, self._tolerances.recycle
        for row, slots in self._groups:
            entry = PAIR_TABLE[row]
            entry.kernel(slots, bodies, pieces, pairs, speculative, recycle if entry.recycles else 0.0)

    def collect(self, movers: np.ndarray) -> None:
        """Make the contact rows; `movers` are the rows of the bodies that can move, asleep or not."""
        bodies, pieces, pairs = self._bodies.arrays, self._pieces.arrays, self._pairs.arrays
        plain, outlines = self.live[: self._outlines], self.live[self._outlines :]
        self.count = self._first_welded = collect_contacts(plain, 0, bodies, pieces, pairs, self.contacts)
        if len(outlines) == 0:
            return
        self._welds.reserve(self._bodies, len(pairs.index), len(self.contacts.pair))
        welds = self._welds.arrays
        ordered = welds.order[: order_pairs(outlines, movers, bodies, pieces, pairs, welds)]
        count = collect_contacts(ordered, self.count, bodies, pieces, pairs, self.contacts)
        self.count = weld_contacts(
            self.count, count, bodies, pieces, pairs, self.contacts, welds, self._tolerances.speculative
        )
        follow_welded(ordered, pairs, welds)

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
