"""Rows of pieces that kernels take eight at a time, in order of their coming, with spare room for more."""

from __future__ import annotations

import numpy as np

from ecs_collide.columns.growth import grown, next_capacity
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled.simd import LANES
from ecs_collide.engine.broadphase.list_pieces import append_pieces, leave_out


class PieceList:
    """Pieces and their bodies, in arrays that are written over when any come or go."""

    def __init__(self) -> None:
        self.count = 0
        self.padded = np.zeros(LANES, np.int64)
        """The pieces, and the last one again up to a multiple of eight; what follows is spare room."""
        self.bodies = np.zeros(LANES, np.int64)
        """Body of each of these."""

    @property
    def rows(self) -> np.ndarray:
        """The pieces (n,) int64."""
        return self.padded[: self.count]

    def add(self, rows: np.ndarray, pieces: Pieces) -> None:
        """Put pieces at the end."""
        needed = self.count + len(rows) + LANES
        if needed > len(self.padded):
            capacity = next_capacity(len(self.padded), needed)
            self.padded, self.bodies = grown(self.padded, capacity), grown(self.bodies, capacity)
        self.count = append_pieces(rows, pieces, self.count, self.padded, self.bodies)

    def remove(self, rows: np.ndarray) -> PieceList:
        """Take those of some pieces out, sorted rows, that are here; return them in the order in which they were."""
        left = PieceList()
        left.padded, left.bodies = np.empty((2, min(self.count, len(rows)) + LANES), np.int64)
        before = self.count
        self.count = leave_out(rows, before, self.padded, self.bodies, left.padded, left.bodies)
        left.count = before - self.count
        return left


def piece_list(rows: np.ndarray, pieces: Pieces) -> PieceList:
    """The list of these pieces."""
    made = PieceList()
    made.add(rows, pieces)
    return made
