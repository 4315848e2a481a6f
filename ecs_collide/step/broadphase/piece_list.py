"""A list of pieces in the order in which they were added, with spare room, for kernels that read eight at a time."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import grown, next_capacity
from ecs_collide.data.pieces import Pieces
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.broadphase.add_pieces import ListedPieces, append_pieces, remove_from_list


class PieceList:
    """A list of pieces and their bodies, in arrays that are updated in place."""

    state_list = list_state(arrays="arrays")

    def __init__(self) -> None:
        self.arrays = ListedPieces(np.zeros(1, np.int64), np.zeros(LANES, np.int64), np.zeros(LANES, np.int64))

    @property
    def count(self) -> int:
        """Number of pieces."""
        return int(self.arrays.in_use.item())

    @property
    def rows(self) -> np.ndarray:
        """Rows of the pieces (n,) int64."""
        return self.arrays.rows[: self.count]

    def reserve(self, more: int) -> None:
        """Make room for `more` further pieces."""
        arrays, needed = self.arrays, self.count + more + LANES
        if needed > len(arrays.rows):
            capacity = next_capacity(len(arrays.rows), needed)
            self.arrays = ListedPieces(arrays.in_use, grown(arrays.rows, capacity), grown(arrays.bodies, capacity))

    def add(self, rows: np.ndarray, pieces: Pieces) -> None:
        """Append pieces."""
        self.reserve(len(rows))
        append_pieces(rows, pieces, self.arrays)

    def remove(self, rows: np.ndarray) -> None:
        """Remove those of some pieces, given as sorted rows, that are in the list."""
        remove_from_list(rows, self.arrays)
