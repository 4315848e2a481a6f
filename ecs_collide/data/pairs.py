"""Pair columns: one slot for each two pieces whose fat boxes overlap, kept as long as they do.

A slot holds the data that must survive from step to step. They are the manifold in the bodies' own axes, the feature of
each point, and the impulses for warm starting.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ecs_collide.data.growth import grown, next_capacity
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.arrays import Flags, Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, lane_array

# The first eight columns, which every step reads for every pair, fill one cache line.
PAIR = layout(
    "pair",
    PIECE_A="row of piece A",
    PIECE_B="row of piece B",
    BODY_A="body row of A",
    BODY_B="body row of B",
    POINT_COUNT="number of contact points, 0 to 2",
    CONTACT="row of its contact; without one `NO_CONTACT`, `STORED`, or -`TOUCHING` if it overlaps",
    TOUCHING="how the pair touches: `APART`, `COLLIDES`, `A_SENSES`, `B_SENSES` or `BOTH_SENSE`",
    ROLE="bits from `SOLID` to `DEEP`",
    FEATURE_0="feature id of the first point",
    FEATURE_1="feature id of the second point",
    ENTITY_A="entity of A",
    ENTITY_B="entity of B",
    MERGED="1 if its contact was merged into another of the same two bodies",
    ROW="row of the pair table, `FREE` in a free slot",
    COLLIDER_A="row of the collider of A, see `PIECE`",
    COLLIDER_B="row of the collider of B",
)
ENTITIES = slice(PAIR.ENTITY_A, PAIR.ENTITY_B + 1)

FREE = -1
"""`PAIR.ROW` of a slot that holds no pair."""

SOLID, NOTIFIES_A, NOTIFIES_B, PASSED = 1, 2, 4, 8
"""Bits of `PAIR.ROLE`.

SOLID: contacts get a response. NOTIFIES_A, NOTIFIES_B: A or B is notified of an overlap without response. PASSED: the
pair gets no response in this step.
"""

ONE_WAY, PASSES, STANDS, DROPPED, ACROSS = 16, 32, 64, 128, 256
"""Bits of `PAIR.ROLE` for one-way colliders.

ONE_WAY: one of the two is one-way. PASSES: the pair passes, so it gets no response. STANDS: it is solid. DROPPED: it
passes because the game dropped it. ACROSS: the contact lies across, so it gets no response in this step.
"""

BORNE = 512
"""Bit of `PAIR.ROLE`: one of the two bears the other, a character, whose load it got as a force.

The contact has no response in the next step. The response clears the bit.
"""

BEHIND, DEEP = 1024, 2048
"""Bits of `PAIR.ROLE` for one-sided lines.

BEHIND: one piece came from behind the other, a one-sided line, so the pair gets no response. DEEP: it overlaps the line
by more than a piece that comes out, or did so and moves out, so it passes in the next step, too.
"""

STORED = -9
"""`PAIR.CONTACT` of a parked pair, and of one that woke since the last step: sleep stores its contact."""

NO_CONTACT = -1
"""`PAIR.CONTACT` of a pair without a contact row that does not overlap; with overlap it is -`TOUCHING`."""

APART, COLLIDES, A_SENSES, B_SENSES, BOTH_SENSE = 0, 1, 2, 3, 4
"""Values of `PAIR.TOUCHING`: the state of the pair, which also selects the event that ends it.

The event is a contact's end, or the end of an overlap for sensor A, for sensor B, or for both.
"""

COLLIDING, SENSING = 1 << COLLIDES, 1 << A_SENSES | 1 << B_SENSES | 1 << BOTH_SENSE
"""The ways of touching."""

ONE_PIECE, SEVERAL_PIECES, BODY_REMOVED = 0, 1, 2
"""Values of PIECES in `STARTED` and `ENDED`.

Both bodies have one piece, one of them has several, or a body with several pieces was removed.
"""

# A manifold of one point fills one cache line.
MANIFOLD = layout(
    "pair manifold",
    NORMAL_X="normal from A to B in A's axes, x",
    NORMAL_Y="normal from A to B in A's axes, y",
    ANCHOR_A=("first point on A in A's axes [m]", 2),
    ANCHOR_B=("first point on B in B's axes [m]", 2),
    PADDING=("unused", 2),
    SECOND_ANCHOR_A=("second point on A in A's axes [m]", 2),
    SECOND_ANCHOR_B=("second point on B in B's axes [m]", 2),
    MADE_X="position of B relative to A that the manifold was made for, x [m]",
    MADE_Y="position of B relative to A that the manifold was made for, y [m]",
    MADE_COS="cosine of the angle of B relative to A that the manifold was made for",
    MADE_SIN="sine of the angle of B relative to A that the manifold was made for",
)
POINT_STRIDE = MANIFOLD.SECOND_ANCHOR_A - MANIFOLD.ANCHOR_A
"""Columns of a manifold between the anchors of its first and its second point."""

IMPULSE = layout(
    "pair impulse",
    NORMAL=("accumulated normal impulse of each point [N s]", 2),
    TANGENT=("accumulated tangent impulse of each point [N s]", 2),
)

SIDES = layout("pieces of a slot", FIRST="row of one piece", SECOND="row of the other piece")
"""Rows of `Pairs.sides`."""

FOUND = layout("found pair", FIRST="row of one piece", SECOND="row of the other piece")

STARTED = layout(
    "start of a touch",
    ENTITY_A="smaller entity",
    ENTITY_B="larger entity",
    TOUCHING="way of touching, as in `PAIR`",
    SLOT="slot of the pair",
    PIECES="`ONE_PIECE` or `SEVERAL_PIECES`",
)

ENDED = layout(
    "end of a touch",
    ENTITY_A="smaller entity",
    ENTITY_B="larger entity",
    TOUCHING="way of touching, as in `PAIR`",
    PIECES="`ONE_PIECE`, `SEVERAL_PIECES` or `BODY_REMOVED`",
)


WORD = 32
"""Slots per word of `used`."""


class Pairs(Bundle):
    """The pair columns that kernels take; arrays without another length have one row per slot."""

    index: IntTable = rows_of(PAIR)  # type: ignore[assignment]  # hides tuple.index, which is not used
    """Columns of `PAIR` (s, 16) int64."""
    manifold: FloatTable = rows_of(MANIFOLD)
    """Columns of `MANIFOLD` (s, 16)."""
    impulse: FloatTable = rows_of(IMPULSE)
    """Impulses of the two points for warm starting, columns of `IMPULSE` (s, 4)."""
    rolling: Floats
    """Impulse of rolling resistance for warm starting [N m s] (s,)."""
    enabled: Flags
    """False if the game disabled the pair for this step (s,) bool."""
    in_use: Ints
    """Number of slots in use, those of parked pairs included (1,) int64."""
    awake: Flags
    """True if the slot holds a pair that is not parked; a pair is parked if no body is awake (s,) bool."""
    order: Ints
    """Slots of the pairs that are not parked, grouped by row of the pair table (s,) int64."""
    row_start: Ints
    """Start of each row's group in `order` (rows + 1,) int64."""
    sides: IntTable
    """The two pieces of each slot, rows of `SIDES`; a free slot holds one piece twice (2, s + 8) int64."""
    used: IntTable
    """A bit for each slot in use that is not parked (rows + 1, words) int64.

    There is one row for each row of the pair table, and a last one for all slots.
    """
    lanes: IntTable = rows_of(LANES)
    """Scratch space: integers of eight pairs for wide kernels (10, 8) int64."""
    values: FloatTable = rows_of(LANES)
    """Scratch space: floats of eight pairs for wide kernels (9, 8)."""


def scattered(start: int, stop: int) -> np.ndarray:
    """Return the numbers from start to stop in a fixed order that looks random (stop - start,) int64.

    New pairs take their slots in this order, and contacts are solved in the order of slots. The order in which the
    sweep finds pairs, from left to right, would push a pile to the side.
    """
    numbers = np.arange(start, stop, dtype=np.int64)
    mixed = (numbers * 1103515245 + 12345) & 0x7FFFFFFF  # two linear congruential steps with a mix between them
    mixed = ((mixed ^ (mixed >> 15)) * 69069) & 0x7FFFFFFF
    return numbers[np.argsort(mixed, kind="stable")]


@cache
def first_slots(capacity: int) -> np.ndarray:
    """Return the free slots of a new world, read-only (capacity,) int64."""
    slots = scattered(0, capacity)
    slots.flags.writeable = False
    return slots


class PairColumns:
    """Owns the pair arrays and their growth; kernels allocate and free the slots."""

    state_list = list_state(
        arrays="arrays free_slots some_disabled",
        left_out="arrays.lanes arrays.values _row_count _first_slots",
    )

    def __init__(self, row_count: int, capacity: int = 64) -> None:
        self._row_count, self._first_slots = row_count, first_slots(capacity)
        self.arrays = self._empty()
        self.free_slots = self._first_slots.copy()
        """Stack of free slots; its first `capacity - count` entries are valid."""
        self.some_disabled = np.zeros(1, np.int64)
        """1 if the game disabled pairs, or lets pairs pass, until the next `enable_all` (1,)."""

    def _empty(self) -> Pairs:
        """Return the columns of a new world."""
        row_count, capacity = self._row_count, len(self._first_slots)
        index = lane_array((capacity, PAIR.WIDTH), np.int64)
        index[:, PAIR.ROW] = FREE
        return Pairs(
            index=index,
            manifold=lane_array((capacity, MANIFOLD.WIDTH)),
            impulse=np.zeros((capacity, IMPULSE.WIDTH)),
            rolling=np.zeros(capacity),
            enabled=np.ones(capacity, np.bool_),
            in_use=np.zeros(1, np.int64),
            awake=np.zeros(capacity, np.bool_),
            order=np.zeros(capacity, np.int64),
            row_start=np.zeros(row_count + 1, np.int64),
            sides=np.zeros((SIDES.WIDTH, capacity + LANES), np.int64),
            used=np.zeros((row_count + 1, capacity // WORD + 1), np.int64),
            lanes=lane_array((10, LANES), np.int64),
            values=lane_array((9, LANES)),
        )

    def reset(self) -> None:
        """Reset the free slots after the last pair was dropped, so that slots are given as in a new world."""
        if len(self.free_slots) > len(self._first_slots):
            self.arrays, self.free_slots = self._empty(), self._first_slots.copy()
        else:
            self.free_slots[:] = self._first_slots

    @property
    def count(self) -> int:
        """Number of slots in use, those of parked pairs included."""
        return int(self.arrays.in_use.item())

    @property
    def awake_count(self) -> int:
        """Number of pairs that are not parked."""
        return int(self.arrays.row_start.item(-1))

    @property
    def live(self) -> np.ndarray:
        """Slots of the pairs that are not parked, grouped by row of the pair table."""
        return self.arrays.order[: self.arrays.row_start[-1]]

    def disable(self, slots: np.ndarray) -> None:
        """Disable pairs until the next `enable_all`."""
        self.arrays.enabled[slots] = False
        self.some_disabled[0] = 1

    def pass_through(self, slots: np.ndarray) -> None:
        """Mark pairs as without response until the next `enable_all`; disable those of which no side is notified."""
        role = self.arrays.index[slots, PAIR.ROLE]
        is_reported = (role & SOLID != 0) & (role & (NOTIFIES_A | NOTIFIES_B) != 0)
        self.arrays.index[slots[is_reported], PAIR.ROLE] |= PASSED
        self.disable(slots[~is_reported])

    def enable_all(self) -> None:
        """Enable all pairs."""
        if self.some_disabled.item():
            self.arrays.enabled.fill(True)
            self.arrays.index[:, PAIR.ROLE] &= ~PASSED
            self.some_disabled[0] = 0

    def reserve(self, more: int) -> None:
        """Make room for `more` further pairs."""
        old = len(self.arrays.index)
        if self.count + more <= old:
            return
        capacity = next_capacity(old, self.count + more)
        index = grown(self.arrays.index, capacity)
        index[old:, PAIR.ROW] = FREE
        enabled = grown(self.arrays.enabled, capacity)
        enabled[old:] = True
        sides = lane_array((SIDES.WIDTH, capacity + LANES), np.int64)
        sides[:, :old] = self.arrays.sides[:, :old]
        used = lane_array((len(self.arrays.used), capacity // WORD + 1), np.int64)
        used[:, : self.arrays.used.shape[1]] = self.arrays.used
        self.arrays = self.arrays._replace(
            index=index,
            manifold=grown(self.arrays.manifold, capacity),
            impulse=grown(self.arrays.impulse, capacity),
            rolling=grown(self.arrays.rolling, capacity),
            enabled=enabled,
            awake=grown(self.arrays.awake, capacity),
            order=grown(self.arrays.order, capacity),
            sides=sides,
            used=used,
        )
        free = old - self.count
        stack = lane_array((capacity,), np.int64)
        stack[: capacity - old] = scattered(old, capacity)
        stack[capacity - old : capacity - old + free] = self.free_slots[:free]
        self.free_slots = stack
