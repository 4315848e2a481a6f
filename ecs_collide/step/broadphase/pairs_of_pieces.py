"""Which slots hold the pairs of some pieces."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.kernels.arrays import Flags, Ints, IntTable
from ecs_collide.kernels.kernel import stage


def slots_of(rows: np.ndarray | list[int], pieces: PieceColumns, pairs: PairColumns) -> np.ndarray:
    """The slots of the pairs of some pieces, parked or not, in ascending order (k,) int64."""
    marked = np.zeros(pieces.rows.high + 1, np.bool_)
    marked[rows] = True
    found = np.empty(len(pairs.arrays.order), np.int64)
    return found[: find_slots(marked, pairs.arrays.sides, found)]


@stage
def find_slots(marked: Flags, sides: IntTable, found: Ints):
    """Write the slots that hold a pair with a marked piece to `found`, with room for all; return their number."""
    count = 0
    for slot in range(len(found)):
        a, b = sides[0, slot], sides[1, slot]
        if a != b and (marked[a] or marked[b]):
            found[count] = slot
            count += 1
    return count
