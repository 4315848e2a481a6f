"""Keeps the pairs up to date: finds those that have come, drops those that have gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ecs_collide.broadphase.boxes import refresh_boxes
from ecs_collide.broadphase.static_tree import StaticTree, update_tree
from ecs_collide.broadphase.strips import strip_scratch
from ecs_collide.broadphase.update import change_pairs, find_new_pairs, sort_pairs_anew
from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.growth import next_capacity
from ecs_collide.columns.pairs import PairColumns
from ecs_collide.columns.pieces import BODY, EMPTY_BOX, KIND, MIN_X, PieceColumns
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.narrowphase.pair_table import kind_rows
from ecs_collide.seams.seams import Seams
from ecs_collide.shapes.piece import UNBOUNDED
from ecs_collide.sleeping.pieces import SleepingPieces
from ecs_collide.tuning import Tolerances

NO_ROWS = np.zeros(0, np.int64)


class PairFinder:
    """The broadphase's state beside the columns, and the order of its kernels."""

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, pairs: PairColumns, tolerances: Tolerances) -> None:
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._tolerances = tolerances
        self._kind_rows = kind_rows()
        self._tree = StaticTree()
        self.sleepers = SleepingPieces(pieces)
        """The pieces that could move but sleep."""
        self.disturbed: Callable[[np.ndarray], None] = lambda rows: None
        """Called with static pieces that came or changed, and unbounded ones that moved, before the pairs change."""
        self._seams = Seams(bodies, pieces, self._tree, tolerances.slop)
        self._movers = NO_ROWS
        """All pieces that can move and are awake."""
        self._order = NO_ROWS
        """Those of them with a finite box, sorted by its left side."""
        self._unbounded = NO_ROWS
        """Those without end, moving or not."""
        self._fresh_statics: list[int] = []
        """Static pieces that have no box yet."""
        self._found = np.zeros((64, 2), np.int64)
        self._strips = strip_scratch(16, 64)
        self._lost = np.zeros((64, 4), np.int64)
        self.lost: list[tuple[int, int, int, int]] = []
        """Pairs dropped while they touched, until Notify takes them: entities, way of touching, see `BODY_GONE`."""

    @property
    def tree(self) -> StaticTree:
        """The static pieces by place."""
        return self._tree

    @property
    def bounded_movers(self) -> np.ndarray:
        """The pieces that can move, are awake and have an end."""
        return self._order

    @property
    def unbounded(self) -> np.ndarray:
        """The pieces without end."""
        return self._unbounded

    def add(self, rows: Iterable[int]) -> None:
        """Take up new pieces, whose columns are filled."""
        pieces = self._pieces.arrays
        new = np.fromiter(rows, np.int64)
        pieces.box[new] = EMPTY_BOX
        pieces.old_box[new] = EMPTY_BOX
        pieces.leaf[new] = -1
        moving = self._bodies.arrays.kind[pieces.index[new, BODY]] != BodyKind.STATIC
        unbounded = np.isin(pieces.index[new, KIND], UNBOUNDED)
        self._movers = np.concatenate((self._movers, new[moving]))
        self._order = np.concatenate((self._order, new[moving & ~unbounded]))
        self._unbounded = np.concatenate((self._unbounded, new[unbounded]))
        self._fresh_statics.extend(new[~moving].tolist())

    def remove(self, rows: Iterable[int]) -> None:
        """Forget pieces and drop their pairs; their rows may be freed afterwards."""
        pieces = self._pieces.arrays
        gone = np.fromiter(rows, np.int64)
        self._seams.forget(gone)
        pieces.box[gone] = EMPTY_BOX
        pieces.moved[gone] = 1
        if (pieces.leaf[gone] >= 0).any():
            update_tree(NO_ROWS, gone, pieces, self._tree.arrays)
        dead = np.zeros(self._pieces.rows.high, np.bool_)
        dead[gone] = True
        self._movers = self._movers[~dead[self._movers]]
        self._order = self._order[~dead[self._order]]
        self._unbounded = self._unbounded[~dead[self._unbounded]]
        self._fresh_statics = [row for row in self._fresh_statics if not dead[row]]
        self._change(NO_ROWS, NO_ROWS, 0)

    def put_to_sleep(self, rows: np.ndarray) -> None:
        """Take pieces from those that move to those that sleep."""
        asleep = np.zeros(self._pieces.rows.high, np.bool_)
        asleep[rows] = True
        self._movers = self._movers[~asleep[self._movers]]
        self._order = self._order[~asleep[self._order]]
        self.sleepers.add(rows)

    def wake(self, rows: np.ndarray) -> None:
        """Take pieces from those that sleep to those that move."""
        self.sleepers.remove(rows)
        self._movers = np.concatenate((self._movers, rows))
        self._order = np.concatenate((self._order, rows))

    def update(self, touched_statics: np.ndarray) -> bool:
        """Renew boxes and pairs; return whether the set of pairs may have changed.

        `touched_statics` are the rows of static bodies that were put elsewhere.
        """
        bodies, pieces, speculative = self._bodies.arrays, self._pieces.arrays, self._tolerances.speculative
        moved_count = refresh_boxes(self._movers, bodies, pieces, speculative)
        statics = self._renewed_statics(touched_statics)
        seamed = self._seams.update(statics)
        unbounded = self._unbounded[pieces.moved[self._unbounded] != 0]
        if len(statics) or len(seamed) or len(unbounded):
            self.disturbed(np.concatenate((statics, seamed, unbounded)))
        if len(seamed) and self._pairs.count:
            sort_pairs_anew(seamed, self._pairs.arrays, self._kind_rows, self._pieces.arrays)
        if moved_count == 0 and len(statics) == 0 and len(seamed) == 0:
            return False
        every_mover = len(statics) > 0 or len(unbounded) > 0
        found_count = self._find(every_mover)
        self._pairs.reserve(found_count)
        self._change(self._movers, statics, found_count)
        return True

    def _renewed_statics(self, touched: np.ndarray) -> np.ndarray:
        """Renew the boxes of new and of touched static pieces and hang them into the tree; return their rows."""
        if not self._fresh_statics and len(touched) == 0:
            return NO_ROWS
        pieces = self._pieces.arrays
        owners = pieces.index[: self._pieces.rows.high, BODY]
        rows = np.union1d(np.flatnonzero(np.isin(owners, touched)), np.array(self._fresh_statics, np.int64))
        self._fresh_statics.clear()
        refresh_boxes(rows, self._bodies.arrays, pieces, self._tolerances.speculative)
        bounded = rows[~np.isin(pieces.index[rows, KIND], UNBOUNDED)]
        if len(bounded):  # a world without static pieces need not even compile this
            self._tree.reserve(len(bounded))
            update_tree(bounded, bounded, pieces, self._tree.arrays)
        return rows

    def _find(self, every_mover: bool) -> int:
        """Fill `_found` with the new pairs; return their number."""
        bodies, pieces = self._bodies.arrays, self._pieces.arrays
        if len(self._order) > len(self._strips.left):
            pieces_room = next_capacity(len(self._strips.left), len(self._order))
            self._strips = strip_scratch(pieces_room, 3 * pieces_room // 2)
        while True:
            is_sorted, count, entries = find_new_pairs(
                self._order,
                self._unbounded,
                every_mover,
                bodies,
                pieces,
                (self._tree.arrays, self.sleepers.tree),
                self._tree.stack,
                self._strips,
                self._found,
            )
            if not is_sorted:
                self._order.sort()
                self._order = self._order[np.argsort(pieces.box[self._order, MIN_X], kind="stable")]
            elif entries > len(self._strips.entry):
                self._strips = strip_scratch(len(self._strips.left), next_capacity(len(self._strips.entry), entries))
            elif count > len(self._found):
                self._found = np.zeros((next_capacity(len(self._found), count), 2), np.int64)
            else:
                return int(count)

    def _change(self, movers: np.ndarray, statics: np.ndarray, found_count: int) -> None:
        """Drop the pairs that have parted and add those found."""
        pairs = self._pairs
        if len(self._lost) < pairs.count:
            self._lost = np.zeros((next_capacity(len(self._lost), pairs.count), 4), np.int64)
        pairs.count, lost_count = change_pairs(
            movers,
            statics,
            self._found,
            found_count,
            pairs.arrays,
            pairs.count,
            pairs.free_slots,
            self._kind_rows,
            self._bodies.arrays,
            self._pieces.arrays,
            self._lost,
        )
        if lost_count:
            self.lost.extend(map(tuple, self._lost[:lost_count].tolist()))
