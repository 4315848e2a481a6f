"""Rows of pieces that kernels take eight at a time, in order of their coming, with spare room for more."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import grown, next_capacity
from ecs_collide.data.pieces import Pieces
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.broadphase.add_pieces import Listed, append_pieces, leave_out


class PieceList:
    """Pieces and their bodies, in arrays that are written over when any come or go."""

    def __init__(self) -> None:
        self.arrays = Listed(np.zeros(1, np.int64), np.zeros(LANES, np.int64), np.zeros(LANES, np.int64))

    @property
    def count(self) -> int:
        """How many pieces there are."""
        return int(self.arrays.counted.item())

    @property
    def rows(self) -> np.ndarray:
        """The pieces (n,) int64."""
        return self.arrays.padded[: self.count]

    def reserve(self, more: int) -> None:
        """Make room for so many more pieces."""
        counted, padded, bodies = self.arrays
        needed = self.count + more + LANES
        if needed > len(padded):
            capacity = next_capacity(len(padded), needed)
            self.arrays = Listed(counted, grown(padded, capacity), grown(bodies, capacity))

    def add(self, rows: np.ndarray, pieces: Pieces) -> None:
        """Put pieces at the end."""
        self.reserve(len(rows))
        append_pieces(rows, pieces, self.arrays)

    def remove(self, rows: np.ndarray) -> None:
        """Take those of some pieces out, sorted rows, that are here."""
        leave_out(rows, self.arrays)


def piece_list(rows: np.ndarray, pieces: Pieces) -> PieceList:
    """The list of these pieces."""
    made = PieceList()
    made.add(rows, pieces)
    return made
