"""From candidate pairs to this step's contacts: the order of the narrowphase's kernels, and their columns."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from ecs_collide.columns import pairs as of_pair
from ecs_collide.columns.bodies import Bodies, BodyColumns
from ecs_collide.columns.contacts import contact_arrays
from ecs_collide.columns.growth import next_capacity
from ecs_collide.columns.pairs import PairColumns
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.compiled.simd import LANES
from ecs_collide.engine.basis.tuning import Tolerances
from ecs_collide.engine.narrowphase.collect import collect_contacts
from ecs_collide.engine.narrowphase.one_way import let_pass
from ecs_collide.engine.narrowphase.pair_table import PAIR_TABLE, PairRow
from ecs_collide.engine.narrowphase.screen import screen_pairs
from ecs_collide.engine.narrowphase.thin_side import take_sides
from ecs_collide.engine.narrowphase.weld import WeldColumns, collect_welded, remember_impulses

NO_ROWS = np.zeros(0, np.int64)
ROOM = 64
FIRST_WELDED = sum(not row.welds for row in PAIR_TABLE)
"""These rows come last."""


class ContactFinder:
    """Makes the contact rows of the candidate pairs."""

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, pairs: PairColumns, tolerances: Tolerances) -> None:
        self.contacts = contact_arrays(ROOM)
        self.count = 0
        self.live = NO_ROWS
        """Slots of all pairs, by row of the pair table."""
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._tolerances = tolerances
        self._batches: list[tuple[PairRow, np.ndarray]] = []
        """Rows of the pair table in use, with the slots of their pairs."""
        self._screened = np.zeros(ROOM + LANES, np.int64)
        """Scratch space for the slots of those of a batch that need a new manifold."""
        self._plain = NO_ROWS
        """The part of `live` whose contacts stay as they are ..."""
        self._outlined = NO_ROWS
        """... and that whose contacts are welded."""
        self._first_welded = 0
        """Where the welded contacts begin."""
        self._one_way = NO_ROWS
        """The pairs with a one-way collider."""
        self._welds = WeldColumns()
        self._weld_room_for: Bodies | None = None
        """The body columns that there is room for in `_welds`, and for the present pairs."""

    def regroup(self) -> None:
        """Take up the pairs anew: some have come or gone."""
        pairs = self._pairs
        starts: list[int] = pairs.arrays.row_start.tolist()
        self.live = live = pairs.live
        self._batches = batches = []
        first, count = 0, starts[-1]
        while first < count:  # a few of the many rows
            row = bisect_right(starts, first)
            batches.append((PAIR_TABLE[row - 1], live[first : starts[row]]))
            first = starts[row]
        if self._bodies.has_one_way:
            self._one_way = live[pairs.arrays.index[live, of_pair.ROLE] & of_pair.ONE_WAY != 0]
        first_welded = starts[FIRST_WELDED]
        self._plain, self._outlined = live[:first_welded], live[first_welded:]
        if pairs.count > len(self.contacts.pair):
            room = next_capacity(len(self.contacts.pair), pairs.count)
            self.contacts = contact_arrays(room)
            self.count = self._first_welded = 0  # of the step before; without Narrowphase nobody makes new ones
            self._screened = np.zeros(room + LANES, np.int64)
        self._weld_room_for = None

    def clear(self) -> None:
        """Forget all pairs and contacts."""
        self.live = self._plain = self._outlined = self._one_way = NO_ROWS
        self._batches = []
        self.count = self._first_welded = 0

    def make_manifolds(self) -> None:
        """Make the manifolds of the pairs; a second time gives the same."""
        bodies, pieces, pairs = self._bodies.arrays, self._pieces.arrays, self._pairs.arrays
        speculative, recycle = self._tolerances.speculative, self._tolerances.recycle
        for row, slots in self._batches:
            if row.screened:
                tolerance = recycle if row.recycles else 0.0
                left = screen_pairs(slots, bodies, pieces, pairs, speculative, tolerance, self._screened)
                slots = self._screened[:left]
            if len(slots):
                if row.welds:
                    take_sides(slots, bodies, pieces, pairs, self._welds.arrays, self._tolerances.slop)
                row.kernel(slots, bodies, pieces, pairs, speculative)

    def collect(self, movers: np.ndarray, last_dt: float) -> None:
        """Make the contact rows; `movers` are the rows of the bodies that can move, asleep or not.

        `last_dt` [s] is the length of the step before.
        """
        if len(self._one_way):
            columns = self._bodies.arrays, self._pieces.arrays, self._pairs.arrays
            let_pass(self._one_way, *columns, last_dt, 2.0 * self._tolerances.slop)
        bodies, pieces, pairs, contacts = self._bodies.arrays, self._pieces.arrays, self._pairs.arrays, self.contacts
        has_surfaces = self._bodies.has_surfaces
        count = self._first_welded = collect_contacts(self._plain, 0, bodies, pairs, contacts, has_surfaces)
        if len(self._outlined):
            if self._weld_room_for is not bodies:
                self._welds.reserve(self._bodies, len(pairs.index), len(contacts.pair))
                self._weld_room_for = bodies
            welds, tolerances = self._welds.arrays, self._tolerances
            count = collect_welded(
                self._outlined,
                movers,
                count,
                bodies,
                pieces,
                pairs,
                contacts,
                welds,
                tolerances.speculative,
                tolerances.parting_speed,
                has_surfaces,
            )
        self.count = count

    def passing(self) -> np.ndarray:
        """The slots of the pairs that pass a one-way collider."""
        its: np.ndarray = self._one_way[self._pairs.arrays.index[self._one_way, of_pair.ROLE] & of_pair.PASSES != 0]
        return its

    def leave_unanswered(self) -> None:
        """Nothing answers the contacts in this step: they carry nothing."""
        contacts, count = self.contacts, self.count
        for column in (contacts.normal_impulse, contacts.tangent_impulse, contacts.approach_speed):
            column[:count] = 0.0

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
            self._pairs.arrays,
            self.contacts,
            welds.arrays,
        )
