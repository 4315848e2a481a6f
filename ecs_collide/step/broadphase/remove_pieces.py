"""Removal of pieces from the lists, the tree and the strips, with their pairs."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pieces import Pieces
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.broadphase.add_pieces import Listed, unlist_pieces
from ecs_collide.step.broadphase.pair_update_arrays import Exchange, Search
from ecs_collide.step.broadphase.update_pairs import change_pairs, find_new_pairs

NO_ROWS = np.zeros(0, np.int64)


class PieceRemover:
    """Removes pieces, and keeps the scratch space for that."""

    def __init__(self) -> None:
        self._left = np.zeros(64, np.int64)
        """Scratch space for the removed pieces that could move."""

    def remove(
        self,
        removed: np.ndarray,
        bodies: Bodies,
        pieces: Pieces,
        mobile: Listed,
        movers: Listed,
        search: Search,
        exchange: Exchange,
        unbounded: np.ndarray,
    ) -> tuple[int, int]:
        """Remove pieces, given as sorted rows, from all structures, and drop their pairs.

        `unbounded` are the unbounded pieces that can move. Returns what `find_new_pairs` returned (below 0: the strips
        must be laid out anew), and the number of removed static pieces.
        """
        if len(removed) + LANES > len(self._left):
            self._left = lane_array((next_capacity(len(self._left), len(removed) + LANES),), np.int64)
        left = self._left
        left_count, static_count = unlist_pieces(removed, bodies, pieces, search.tree, mobile, movers, left)
        found_count = find_new_pairs(left, left_count, False, NO_ROWS, 0, NO_ROWS, bodies, pieces, search)
        change_pairs(NO_ROWS, 0, unbounded, NO_ROWS, search.found, 0, True, exchange, bodies, pieces)
        return found_count, static_count
