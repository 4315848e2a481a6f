"""The static pieces, and what is still to be done for some of them in the next pair update."""

from __future__ import annotations

import numpy as np

from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pieces import PIECE, PieceColumns
from ecs_collide.data.row_lists import each_once, rows_where
from ecs_collide.shapes.piece import UNBOUNDED
from ecs_collide.step.broadphase.boxes import refresh_boxes, refresh_unbounded
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree, update_tree
from ecs_collide.step.broadphase.piece_list import piece_list

NO_ROWS = np.zeros(0, np.int64)
STATIC = int(BodyKind.STATIC)
FIRST_UNBOUNDED = int(min(UNBOUNDED))
"""The kinds without end are the last ones."""


class Statics:
    """Gives static pieces their boxes and their places in the tree."""

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, tolerances: Tolerances) -> None:
        self.tree = StaticTree()
        """The static pieces by place."""
        self.fresh: list[int] = []
        """Those that have no box yet."""
        self.detect = False
        """Whether any has been one of a body that detects."""
        self.followers: list[int] = []
        """Those that took others' places since the last update: they have boxes and pairs, but no seams yet."""
        self.were_exchanged = False
        """Whether any did, or others that nothing followed left in the same way."""
        self.any_left = False
        """Whether static pieces have left since the last update in any other way."""
        self._bodies = bodies
        self._pieces = pieces
        self._tolerances = tolerances

    def renewed(self, touched: np.ndarray) -> np.ndarray:
        """Renew the boxes of what is fresh, and of the pieces of static bodies that were put elsewhere; return them."""
        if not self.fresh and len(touched) == 0:
            return NO_ROWS
        pieces = self._pieces.arrays
        owners = pieces.index[: self._pieces.rows.high, PIECE.BODY]
        is_touched = np.zeros(len(self._bodies.arrays.entity) + 1, np.bool_)  # the last one is that of free rows, -1
        is_touched[touched] = True
        rows = each_once(rows_where(is_touched[owners]), np.array(self.fresh, np.int64))
        self.fresh.clear()
        self.place(rows)
        return rows

    def place(self, rows: np.ndarray) -> None:
        """Give pieces boxes where their bodies are, and hang those into the tree that have an end."""
        bodies, pieces, speculative = self._bodies.arrays, self._pieces.arrays, self._tolerances.speculative
        endless = pieces.index[rows, PIECE.KIND] >= FIRST_UNBOUNDED
        if endless.any():
            refresh_unbounded(rows[endless], bodies, pieces, speculative)
        bounded = rows[~endless]
        if len(bounded):  # a world without static pieces need not even compile this
            whole = piece_list(bounded, pieces)
            _, *listed = whole.arrays
            refresh_boxes(len(bounded), *listed, bodies, pieces, speculative, np.empty_like(bounded))
            self.tree.reserve(len(bounded))
            update_tree(bounded, bounded, pieces, self.tree.arrays)

    def follow(self, came: np.ndarray) -> None:
        """Place pieces that take others' places; all pairs with them are made at once."""
        self.were_exchanged = True
        if len(came):
            self.place(came)
            self.followers += came.tolist()

    def forget(self, gone: np.ndarray) -> None:
        """Take leave of pieces, static or not, that are about to be freed."""
        if self.fresh:
            self.fresh = sorted(set(self.fresh).difference(gone.tolist()))
        if self.followers:
            self.followers = sorted(set(self.followers).difference(gone.tolist()))

    def leave(self, gone: np.ndarray) -> None:
        """Note whether any of some pieces is static, and leaves without others in its place."""
        if not self.any_left:
            owners = self._pieces.arrays.index[gone, PIECE.BODY]
            self.any_left = bool((self._bodies.arrays.kind[owners] == STATIC).any())

    def settled(self) -> np.ndarray:
        """The pieces that took others' places since this was last asked."""
        followers = np.array(self.followers, np.int64)
        self.followers.clear()
        self.were_exchanged = self.any_left = False
        return followers
