"""The static pieces, and which of them the next pair update still has to process."""

from __future__ import annotations

import numpy as np

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pieces import PIECE, PieceColumns
from ecs_collide.data.row_lists import each_once, rows_where
from ecs_collide.data.state_list import list_state
from ecs_collide.shapes.piece import UNBOUNDED
from ecs_collide.step.broadphase.boxes import update_bounded_boxes, update_unbounded_boxes
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree, update_tree
from ecs_collide.step.broadphase.piece_list import PieceList

NO_ROWS = np.zeros(0, np.int64)
STATIC = int(BodyKind.STATIC)
FIRST_UNBOUNDED = int(min(UNBOUNDED))
"""First unbounded kind; all kinds from this one on are unbounded."""


class StaticPieces:
    """Computes the boxes of static pieces and puts them into the static tree."""

    state_list = list_state(
        values="were_replaced any_removed",
        contents="without_box replacements",
        objects="tree",
        left_out="_tolerances",
    )

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, tolerances: Tolerances) -> None:
        self.tree = StaticTree()
        """Tree of the static pieces."""
        self.without_box: list[int] = []
        """Rows of the pieces that have no box yet."""
        self.replacements: list[int] = []
        """Pieces that replaced others since the last update. They have boxes and pairs, but no seams yet."""
        self.were_replaced = False
        """True if pieces were replaced, or removed without a replacement, by a change of a terrain."""
        self.any_removed = False
        """True if static pieces were removed since the last update in any other way."""
        self._bodies = bodies
        self._pieces = pieces
        self._tolerances = tolerances

    def refresh(self, moved: np.ndarray) -> np.ndarray:
        """Update the boxes of new pieces and of the pieces of static bodies that were moved; return their rows."""
        if not self.without_box and len(moved) == 0:
            return NO_ROWS
        rows = np.array(sorted(self.without_box), np.int64)
        if len(moved):
            owners = self._pieces.arrays.index[: self._pieces.rows.high, PIECE.BODY]
            is_moved = np.zeros(len(self._bodies.arrays.entity) + 1, np.bool_)  # the last entry, -1, is for free rows
            is_moved[moved] = True
            rows = each_once(rows_where(is_moved[owners]), rows)
        self.without_box.clear()
        self.place(rows)
        return rows

    def place(self, rows: np.ndarray) -> None:
        """Compute the boxes of pieces from the poses of their bodies, and put the bounded ones into the tree."""
        bodies, pieces, tolerances = self._bodies.arrays, self._pieces.arrays, self._tolerances
        unbounded = pieces.index[rows, PIECE.KIND] >= FIRST_UNBOUNDED
        if unbounded.any():
            update_unbounded_boxes(rows[unbounded], bodies, pieces, tolerances.speculative)
        bounded = rows[~unbounded]
        if len(bounded):
            placed = PieceList()
            placed.add(bounded, pieces)
            rows, owners = placed.arrays.rows, placed.arrays.bodies
            ahead = LookAhead.within(0.0, tolerances)
            update_bounded_boxes(len(bounded), rows, owners, bodies, pieces, ahead, np.empty_like(bounded))
            self.tree.reserve(len(bounded))
            update_tree(bounded, bounded, pieces, self.tree.arrays)

    def place_replacements(self, added: np.ndarray) -> None:
        """Place pieces that replace others; all their pairs are made at once."""
        self.were_replaced = True
        if len(added):
            self.place(added)
            self.replacements += added.tolist()

    def drop(self, removed: np.ndarray) -> None:
        """Drop pieces, static or not, that are about to be freed."""
        if self.without_box:
            self.without_box = sorted(set(self.without_box).difference(removed.tolist()))
        if self.replacements:
            self.replacements = sorted(set(self.replacements).difference(removed.tolist()))

    def pop_replacements(self, rows: np.ndarray) -> np.ndarray:
        """Return sorted pieces together with those that replaced others, and forget these."""
        if self.replacements:
            rows = each_once(rows, np.array(self.replacements, np.int64))
            self.replacements.clear()
        self.were_replaced = self.any_removed = False
        return rows
