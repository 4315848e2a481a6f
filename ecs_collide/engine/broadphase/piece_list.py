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
        self.counted = np.zeros(1, np.int64)
        """How many pieces there are (1,) int64."""
        self.padded = np.zeros(LANES, np.int64)
        """The pieces, and the last one again up to a multiple of eight; what follows is spare room."""
        self.bodies = np.zeros(LANES, np.int64)
        """Body of each of these."""
        self._left, self._left_bodies = np.zeros((2, 2 * LANES), np.int64)
        """What `remove` has taken out last."""

    @property
    def count(self) -> int:
        """How many pieces there are."""
        return self.counted.item()

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
        self.counted[0] = append_pieces(rows, pieces, self.count, self.padded, self.bodies)

    def remove(self, rows: np.ndarray) -> tuple[np.ndarray, int]:
        """Take those of some pieces out, sorted rows, that are here.

        Returns them, in the order in which they were and padded like all, until the next call, and how many they are.
        """
        before, room = self.count, min(self.count, len(rows)) + LANES
        if room > len(self._left):
            self._left, self._left_bodies = np.zeros((2, next_capacity(len(self._left), room)), np.int64)
        self.counted[0] = leave_out(rows, before, self.padded, self.bodies, self._left, self._left_bodies)
        return self._left, before - self.count


def piece_list(rows: np.ndarray, pieces: Pieces) -> PieceList:
    """The list of these pieces."""
    made = PieceList()
    made.add(rows, pieces)
    return made
