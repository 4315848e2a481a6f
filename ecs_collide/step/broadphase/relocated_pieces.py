"""Relocated bodies: static bodies that the game moves, and whose moves kernels apply.

Python applies the first move of a static body. From then on the pieces of the body have a margin, as those of a
kinematic body have, so that most moves change neither the tree nor the pairs. A body is relocated no more if a body
falls asleep on it, because its next move may wake others, or if it gains or loses pieces, because the list names those
that it had. Then Python applies the next move.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.common import tolerances as tuning
from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data.bodies import Bodies, BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE, PieceColumns, Pieces
from ecs_collide.data.row_lists import rows_where
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.arrays import Flags, Ints
from ecs_collide.kernels.calls import Call, LiveSlice
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.simd import lane_array
from ecs_collide.shapes.piece import UNBOUNDED
from ecs_collide.step.broadphase.boxes import update_fat_boxes
from ecs_collide.step.broadphase.lookup.static_tree import (
    add_found,
    insert_into_tree,
    query_among_statics,
    remove_from_tree,
)
from ecs_collide.step.broadphase.lookup.strip_sweep import pieces_in_box
from ecs_collide.step.broadphase.pair_update_arrays import RELOCATED, Relocated, Search
from ecs_collide.step.broadphase.piece_list import PieceList

FIRST_UNBOUNDED = int(min(UNBOUNDED))
NO_ROWS = np.zeros(0, np.int64)


class RelocatedPieces:
    """Owns the list of the pieces of relocated bodies, and their arrays."""

    state_list = list_state(
        arrays="arrays.counts",
        renewed={"_is_current": False},
        left_out="_list arrays.listed arrays.outside arrays.shifted arrays.hits _tolerances",
    )

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, tolerances: Tolerances) -> None:
        self._bodies = bodies
        self._pieces = pieces
        self._tolerances = tolerances
        self._is_current = True
        """True if the list holds the pieces of all bodies that are relocated."""
        self._list = PieceList()
        outside, shifted = np.zeros((2, 64), np.int64)
        self.arrays = Relocated(
            listed=self._list.arrays,
            outside=outside,
            shifted=shifted,
            counts=np.zeros(RELOCATED.WIDTH, np.int64),
            hits=NO_ROWS,
        )

    def add(self, rows: np.ndarray) -> None:
        """Mark static bodies as relocated, except those with an unbounded piece: kernels apply their next moves."""
        if len(rows) == 0:
            return
        relocated, pieces = self._bodies.relocated, self._pieces.arrays
        index = pieces.index[: self._pieces.rows.high]
        is_new = np.zeros(len(relocated) + 1, np.bool_)  # the last entry, -1, is for free rows
        is_new[rows[~relocated[rows]]] = True
        is_new[index[index[:, PIECE.KIND] >= FIRST_UNBOUNDED, PIECE.BODY]] = False
        its = rows_where(is_new[index[:, PIECE.BODY]])
        if len(its) == 0:
            return
        relocated[index[its, PIECE.BODY]] = True
        half = np.maximum(pieces.size[its, PIECE_SIZE.HALF_X], pieces.size[its, PIECE_SIZE.HALF_Y])
        margin = tuning.BOX_MARGIN_FRACTION * (half + pieces.size[its, PIECE_SIZE.RADIUS])
        pieces.size[its, PIECE_SIZE.MARGIN] = np.minimum(margin, self._tolerances.box_margin)
        self._is_current = False

    def record_added(self, rows: np.ndarray, detects: bool) -> None:
        """Clear the marks of the bodies of new static pieces; `detects`: some of these may detect static ones."""
        self.forget_owners(rows)
        if detects:
            self.arrays.counts[RELOCATED.DETECTS] = 1

    def forget_owners(self, rows: np.ndarray) -> None:
        """Clear the marks of the bodies of some pieces: Python applies their next moves."""
        if not self._is_current or self._list.count > 0:
            self.forget(self._pieces.arrays.index[rows, PIECE.BODY])

    def forget(self, rows: np.ndarray) -> None:
        """Clear the marks of some bodies: Python applies their next moves."""
        relocated = self._bodies.relocated
        if relocated[rows].any():
            relocated[rows] = False
            self._is_current = False

    def prepare(self, mobile_count: int) -> None:
        """Update the list of pieces of relocated bodies; if it has any, make room for so many mobile pieces."""
        arrays = self.arrays
        if not self._is_current:
            pieces = self._pieces.arrays
            owners = pieces.index[: self._pieces.rows.high, PIECE.BODY]
            rows = rows_where((owners >= 0) & self._bodies.relocated[owners])
            self._list.arrays.in_use[0] = 0
            self._list.add(rows, pieces)
            if len(rows) > len(arrays.outside):
                outside, shifted = lane_array((2, next_capacity(len(arrays.outside), len(rows))), np.int64)
                arrays = arrays._replace(outside=outside, shifted=shifted)
            if self._list.arrays is not arrays.listed:
                arrays = arrays._replace(listed=self._list.arrays)
            self._is_current = True
        if self._list.count and mobile_count > len(arrays.hits):
            arrays = arrays._replace(hits=lane_array((next_capacity(len(arrays.hits), mobile_count),), np.int64))
        self.arrays = arrays

    @property
    def outside(self) -> np.ndarray:
        """The pieces that have left their fat boxes in this update (n,) int64."""
        return self.arrays.outside[: self.arrays.counts.item(RELOCATED.OUTSIDE)]

    @property
    def rows_of_moved(self) -> np.ndarray:
        """The pieces whose bodies were moved (n,) int64."""
        return self.arrays.shifted[: self.arrays.counts.item(RELOCATED.SHIFTED)]

    @property
    def shifted(self) -> LiveSlice:
        """The pieces of relocated bodies that were moved, as an argument of prepared calls."""
        counts = self.arrays.counts
        return LiveSlice(self.arrays.shifted, counts[RELOCATED.ZERO :][:1], counts[RELOCATED.SHIFTED :][:1])

    def call(self, search: Search, results: np.ndarray) -> Call:
        """Return the call of `place_relocated`, which reports if a sleeping body has to wake."""
        moved, columns = self._bodies.moved_statics, (self._bodies.arrays, self._pieces.arrays)
        arguments = moved.count, moved.marks, *columns, search, LookAhead.within(0.0, self._tolerances)
        return Call(place_relocated, arguments, results, most=0)


@kernel
def place_relocated(
    moved_count: Ints, moved_marks: Flags, bodies: Bodies, pieces: Pieces, search: Search, ahead: LookAhead
):
    """Update the fat boxes of relocated bodies, and the tree; return True if a body sleeps in one of the new boxes.

    `moved_marks` (n,) is True for the static bodies that were moved, and `moved_count` (1,) is their number. If it is
    0, nothing is done. Reads body_frame, body_island, piece_size, the strips. Writes piece_box, piece_moved,
    piece_leaf, the tree, and the lists of `search.relocated`.
    """
    relocated, tree = search.relocated, search.tree
    listed, counts = relocated.listed, relocated.counts
    counts[RELOCATED.OUTSIDE], counts[RELOCATED.SHIFTED] = 0, 0
    if moved_count[0] == 0:
        return False
    outside = relocated.outside
    outside_count = update_fat_boxes(listed.in_use[0], listed.rows, listed.bodies, bodies, pieces, ahead, outside)
    shifted_count = 0
    for k in range(listed.in_use[0]):
        if moved_marks[listed.bodies[k]]:
            relocated.shifted[shifted_count] = listed.rows[k]
            shifted_count += 1
    counts[RELOCATED.OUTSIDE], counts[RELOCATED.SHIFTED] = outside_count, shifted_count
    wakes = False
    for k in range(outside_count):
        piece = outside[k]
        remove_from_tree(outside[k : k + 1], pieces, tree)
        insert_into_tree(piece, pieces, tree)
        wakes = wakes or is_sleeper_in_box(piece, bodies, pieces, search)
    return wakes


@device
def is_sleeper_in_box(piece, bodies, pieces, search):
    """Return True if the fat box of a piece overlaps that of a piece whose body sleeps."""
    box, hits = pieces.box[piece], search.relocated.hits
    hit_count = pieces_in_box(search.strips, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], hits)
    for k in range(hit_count):
        if bodies.island[pieces.index[hits[k], PIECE.BODY]] != 0:
            return True
    return False


@device
def query_relocated(bodies, pieces, search, found_count):
    """Add the new pairs of relocated pieces that have left their fat boxes to `found`; return the count so far.

    The other piece did not move; `query_statics` finds pairs with pieces that did. The strips must be up to date.
    `found` is filled as by `query_statics`.
    """
    relocated, found = search.relocated, search.found
    outside, hits = relocated.outside[: relocated.counts[RELOCATED.OUTSIDE]], relocated.hits
    for a in outside:
        box = pieces.box[a]
        hit_count = pieces_in_box(search.strips, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], hits)
        for k in range(hit_count):
            if not pieces.moved[hits[k]]:
                found_count = add_found(hits[k], a, bodies, pieces, found, found_count)
    if relocated.counts[RELOCATED.DETECTS] != 0:
        return query_among_statics(outside, search.unbounded, bodies, pieces, search.tree, found, found_count)
    return found_count
