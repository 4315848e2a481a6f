"""The narrowphase: the order of the kernels that turn candidate pairs into contacts, and their columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.contacts import Contacts, contact_arrays
from ecs_collide.data.growth import grown, next_capacity
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.row_lists import StableRows
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, Input, LiveNumber, LiveSlice
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.narrowphase.collect_contacts import PARTS, SURFACES, collect_contacts
from ecs_collide.step.narrowphase.cull_pairs import cull_pairs
from ecs_collide.step.narrowphase.load_memory import empty_memory, grown_memory, remember_loads, scale_impulses
from ecs_collide.step.narrowphase.one_way_pairs import decide_passing, list_one_way
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.step.narrowphase.thin_side import choose_sides
from ecs_collide.step.narrowphase.weld_contacts import ContactColumns, collect_welded
from ecs_collide.step.narrowphase.weld_memory import WeldColumns, remember_impulses

NO_ROWS = np.zeros(0, np.int64)
ROOM = 64
FIRST_WELDED = sum(not row.welds for row in PAIR_TABLE)
"""First row of the pair table whose contacts are welded; these rows come last."""
WELDED_ROWS = np.array([row.welds for row in PAIR_TABLE])
NO_ROW_USED = np.zeros(len(PAIR_TABLE), np.bool_)


class ContactFinder:
    """Makes the contact rows of the candidate pairs."""

    state_list = list_state(
        arrays="contacts last_dt counts _memory _one_way _one_way_count",
        objects="_welds _mobile",
        in_use={"contacts": "count"},
        left_out="used_rows is_welding _memory.load _needing_manifold _tolerances",
    )

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, pairs: PairColumns, tolerances: Tolerances) -> None:
        self.contacts = contact_arrays(ROOM)
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._tolerances = tolerances
        self._needing_manifold = np.zeros(ROOM + LANES, np.int64)
        """Scratch space: slots of a batch that need a new manifold."""
        self.used_rows = NO_ROW_USED
        """True for the rows of the pair table that have calls, since they had pairs (rows,) bool.

        It is another array if that changes, and then the list of calls is renewed. A row stays in use if its last pair
        goes, also after a restore. Rows with welded contacts stay so until pieces are added or removed.
        """
        self.is_welding = False
        """True if there may be pairs whose contacts are welded."""
        self._one_way, self._one_way_count = NO_ROWS, np.zeros(1, np.int64)
        """Slots of the pairs with a one-way collider, in an array with spare room, and their number."""
        self.last_dt = np.zeros(1)
        """Length of the last step that moved bodies [s]."""
        self._memory = empty_memory(len(pairs.arrays.order))
        self._welds = WeldColumns()
        self.counts = np.zeros(2, np.int64)
        """Number of contacts that are not welded, and number of all contacts."""
        self._mobile = StableRows()
        """Rows of the bodies that can move, asleep or awake."""

    def regroup(self) -> None:
        """Adapt the arrays to the pairs after some were added or dropped."""
        room = len(self._pairs.arrays.order)
        if room > len(self._memory.length):
            self._memory = grown_memory(self._memory, room)
        self.reconnect()
        if room > len(self.contacts.pair):
            self.contacts = contact_arrays(room)
            self.counts.fill(0)  # these contacts belong to the step before

    def reconnect(self) -> None:
        """Make room for all pairs in the scratch space, and find out which rows of the pair table have pairs."""
        row_start = self._pairs.arrays.row_start
        present = row_start[1:] > row_start[:-1]
        if (present > self.used_rows).any():
            self._use_rows(self.used_rows | present)
        room = len(self._pairs.arrays.order)
        if room + LANES > len(self._needing_manifold):
            self._needing_manifold = lane_array((room + LANES,), np.int64)
        if len(self._memory.length) != len(self._memory.load):
            self._memory = grown_memory(self._memory, len(self._memory.length))

    def reserve_contacts(self, more: int) -> bool:
        """Make room for `more` contacts behind the present ones; return True if the columns were replaced."""
        capacity = len(self.contacts.pair)
        if self.count + more <= capacity:
            return False
        capacity = next_capacity(capacity, self.count + more)
        self.contacts = Contacts(*(grown(column, capacity) for column in self.contacts))
        return True

    def update_welding(self) -> None:
        """Find out whether there are still pairs whose contacts are welded, after pieces were added or removed."""
        row_start = self._pairs.arrays.row_start
        if self.is_welding and row_start[-1] == row_start[FIRST_WELDED]:
            self._use_rows(self.used_rows & ~WELDED_ROWS)

    def _use_rows(self, used_rows: np.ndarray) -> None:
        """Set the rows of the pair table that have calls."""
        self.used_rows, self.is_welding = used_rows, bool(used_rows[FIRST_WELDED:].any())

    @property
    def count(self) -> int:
        """Number of contacts."""
        return self.counts.item(1)

    def forget(self, rows: list[int]) -> None:
        """Drop the remembered impulses of bodies whose rows were freed."""
        self._welds.forget(rows)

    def clear(self) -> None:
        """Remove all contacts."""
        self._one_way_count[0] = 0
        self.counts.fill(0)

    def prepare(self, mobile: np.ndarray) -> None:
        """Make room for the welded contacts of all pairs, and list the bodies that can move."""
        if self.is_welding:
            self._welds.reserve(self._bodies, len(self._pairs.arrays.index), len(self.contacts.pair))
        self._mobile.store_rows(mobile)

    def inputs(self) -> tuple[Input, ...]:
        """Return the attributes from which manifolds and contacts are made, as owners and names."""
        return (
            *self.columns(),
            (self, "_needing_manifold"),
            (self._mobile, "live"),
            (self._pieces, "arrays"),
            (self, "used_rows"),
            (self, "details"),
            (self._bodies, "has_one_way"),
        )

    def columns(self) -> tuple[Input, ...]:
        """Return the attributes that hold the columns of contacts, as owners and names."""
        return (
            (self._bodies, "arrays"),
            (self._pairs, "arrays"),
            (self, "contacts"),
            (self._welds, "arrays"),
            (self, "_memory"),
        )

    def manifold_calls(self, look_ahead: np.ndarray) -> Iterator[Call]:
        """Yield the calls that make the manifolds, for each row of the pair table that is in use.

        Pairs that would meet within `look_ahead` (1,) [s] get theirs now.
        """
        bodies, pieces, pairs = self._bodies.arrays, self._pieces.arrays, self._pairs.arrays
        span = self._bodies.span
        welds, needing = self._welds.arrays, self._needing_manifold
        recycle, slop = self._tolerances.recycle, self._tolerances.slop
        zero, left = np.zeros((2, 1), np.int64)
        ahead = LookAhead.within(LiveNumber(look_ahead), self._tolerances)
        stops, those_left = pairs.row_start[1:], LiveSlice(needing, zero, left)
        for number in np.flatnonzero(self.used_rows).tolist():
            row, slots = PAIR_TABLE[number], LiveSlice(pairs.order, pairs.row_start, stops, number)
            if row.is_culled:
                tolerance = recycle if row.recycles else 0.0
                yield Call(
                    cull_pairs, (slots, bodies, pieces, pairs, span, ahead, tolerance, int(row.welds), needing), left
                )
                slots = those_left
            if row.welds:
                yield Call(choose_sides, (slots, bodies, pieces, pairs, welds, slop))
            yield Call(row.kernel, (slots, bodies, pieces, pairs, span, ahead))

    @property
    def details(self) -> int:
        """Bits of the details that contacts have, see `collect_contacts`."""
        has_surfaces = self._bodies.has_surfaces or self._pieces.material_count > 0
        return (SURFACES if has_surfaces else 0) | (PARTS if self._pieces.part_count > 0 else 0)

    def contact_calls(self, length: np.ndarray) -> Iterator[Call]:
        """Yield the calls that make the contact rows of a step of `length` (1,) [s]."""
        bodies, pieces, pairs = self._bodies.arrays, self._pieces.arrays, self._pairs.arrays
        contacts, tolerances, details = self.contacts, self._tolerances, self.details
        if self._bodies.has_one_way:
            yield from self._one_way_calls()
        zero, first_welded, stop = (pairs.row_start[k : k + 1] for k in (0, FIRST_WELDED, len(PAIR_TABLE)))
        plain = LiveSlice(pairs.order, zero, first_welded)
        outlined = (pairs.order, LiveNumber(first_welded), LiveNumber(stop))
        first, both = self.counts[:1], self.counts[1:]
        yield Call(collect_contacts, (plain, 0, bodies, pieces, pairs, contacts, details), first)
        yield Call(
            collect_welded,
            (
                *outlined,
                self._mobile.live.array,
                LiveNumber(self._mobile.live.stop),
                LiveNumber(first),
                ContactColumns(bodies=bodies, pieces=pieces, pairs=pairs, contacts=contacts, welds=self._welds.arrays),
                tolerances.speculative,
                tolerances.parting_speed,
                details,
            ),
            both,
        )
        yield Call(
            scale_impulses, (LiveNumber(first), LiveNumber(both), contacts, pairs, LiveNumber(length), self._memory)
        )

    def _one_way_calls(self) -> Iterator[Call]:
        """Yield the calls that decide which pairs with a one-way collider pass."""
        pairs, count = self._pairs.arrays, self._one_way_count
        if len(self._one_way) < len(pairs.order):
            self._one_way = np.zeros(len(pairs.order), np.int64)
        zero, tolerance = np.zeros(1, np.int64), 2.0 * self._tolerances.slop
        live = LiveSlice(pairs.order, pairs.row_start[:1], pairs.row_start[-1:])
        yield Call(list_one_way, (live, pairs, self._one_way), count)
        yield Call(
            decide_passing,
            (
                LiveSlice(self._one_way, zero, count),
                self._bodies.arrays,
                self._pieces.arrays,
                pairs,
                LiveNumber(self.last_dt),
                tolerance,
            ),
        )

    def clear_impulses(self) -> None:
        """Set the impulses of all contacts to 0, in a step without response."""
        contacts, count = self.contacts, self.count
        for column in (contacts.normal_impulse, contacts.tangent_impulse, contacts.approach_speed):
            column[:count] = 0.0

    def memory_calls(self, length: np.ndarray) -> Iterator[Call]:
        """Yield the calls that store the impulses after a step of `length` (1,) [s] for the next step's warm start."""
        pairs, contacts, welds = self._pairs.arrays, self.contacts, self._welds
        first = LiveNumber(self.counts[:1])
        count = LiveNumber(self.counts[1:])
        remembered = welds.remembered
        yield Call(remember_loads, (count, contacts, pairs, LiveNumber(length), self._memory))
        yield Call(
            remember_impulses,
            (first, count, LiveNumber(remembered), self._bodies.arrays, pairs, contacts, welds.arrays),
            remembered,
        )
