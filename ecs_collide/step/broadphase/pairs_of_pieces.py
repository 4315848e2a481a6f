"""Search for the slots that hold the pairs of given pieces."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.pairs import SIDES, PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.kernels.arrays import Flags, Ints, IntTable
from ecs_collide.kernels.kernel import kernel


def slots_of(rows: np.ndarray | list[int], pieces: PieceColumns, pairs: PairColumns) -> np.ndarray:
    """Return the slots of the pairs of some pieces, parked or not, in ascending order (k,) int64."""
    marked = np.zeros(pieces.rows.high + 1, np.bool_)
    marked[rows] = True
    found = np.empty(len(pairs.arrays.order), np.int64)
    return found[: find_slots(marked, pairs.arrays.sides, found)]


@kernel
def find_slots(marked: Flags, sides: IntTable, found: Ints):
    """Write the slots that hold a pair with a marked piece to `found`, which has room for all; return their number."""
    count = 0
    for slot in range(len(found)):
        a, b = sides[SIDES.FIRST, slot], sides[SIDES.SECOND, slot]
        if a != b and (marked[a] or marked[b]):
            found[count] = slot
            count += 1
    return count
