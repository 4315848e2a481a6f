"""Pairs between bodies or colliders that did not collide for a while, and may collide again."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.growth import grown, next_capacity
from ecs_collide.data.pieces import PIECE, Pieces
from ecs_collide.data.row_lists import each_once, rows_where
from ecs_collide.step.broadphase.pair_update_arrays import Search
from ecs_collide.step.broadphase.update_pairs import find_pairs_between


def find_freed_pairs(
    freed: np.ndarray, search: Search, count: int, high: int, bodies: Bodies, pieces: Pieces
) -> tuple[Search, int]:
    """Append the pairs between bodies or colliders (k, 2) to the first `count` in `search.found`; return the new count.

    Pairs that others of `search.excluded_pairs` keep from colliding are left out. `high` is the bound of the rows of
    pieces in use. The returned search has a longer array if there was too little room.
    """
    found, keys = search.found, search.excluded_pairs
    owners, colliders = pieces.index[:high, PIECE.BODY], pieces.index[:high, PIECE.COLLIDER]
    first = count
    for a, b in freed.tolist():
        of_a, of_b = rows_where((owners == a) | (colliders == a)), rows_where((owners == b) | (colliders == b))
        room = count + len(of_a) * len(of_b)
        if room > len(found):
            found = grown(found, next_capacity(len(found), room))
        count = find_pairs_between(of_a, of_b, keys, bodies, pieces, found, count)
    low, top = np.sort(found[first:count], axis=1).T
    each = each_once(low * high + top)  # a collider and its body may both be freed
    found[first : first + len(each)] = np.column_stack(np.divmod(each, high))
    return search if found is search.found else search._replace(found=found), first + len(each)
