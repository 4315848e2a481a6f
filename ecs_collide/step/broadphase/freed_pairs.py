"""Pairs between bodies that did not collide for a while, and may collide again."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.growth import grown, next_capacity
from ecs_collide.data.pieces import PIECE, Pieces
from ecs_collide.data.row_lists import rows_where
from ecs_collide.step.broadphase.update_pairs import find_pairs_between


def find_freed_pairs(
    freed: np.ndarray, found: np.ndarray, count: int, high: int, bodies: Bodies, pieces: Pieces
) -> tuple[np.ndarray, int]:
    """Append the pairs between bodies (k, 2) to the first `count` found ones; return the array, and the new count.

    `high` is the bound of the rows of pieces in use. The array is replaced by a longer one if it has too little room.
    """
    owners = pieces.index[:high, PIECE.BODY]
    for a, b in freed.tolist():
        of_a, of_b = rows_where(owners == a), rows_where(owners == b)
        room = count + len(of_a) * len(of_b)
        if room > len(found):
            found = grown(found, next_capacity(len(found), room))
        count = find_pairs_between(of_a, of_b, bodies, pieces, found, count)
    return found, count
