"""Removal of pieces from the lists, the tree and the strips, with their pairs."""

from __future__ import annotations

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import Pieces
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import kernel
from ecs_collide.step.broadphase.add_pieces import ListedPieces, unlist_pieces
from ecs_collide.step.broadphase.lookup.strip_sweep import sweep_strips
from ecs_collide.step.broadphase.pair_slots import settle_boxes
from ecs_collide.step.broadphase.pair_update_arrays import Exchange, Search
from ecs_collide.step.broadphase.update_pairs import exchange_pairs


@kernel
def remove_pieces(
    removed: Ints,
    bodies: Bodies,
    pieces: Pieces,
    mobile: ListedPieces,
    movers: ListedPieces,
    search: Search,
    exchange: Exchange,
    unbounded: Ints,
    left: Ints,
):
    """Remove pieces, given as sorted rows, from all structures, and drop their pairs.

    `unbounded` are the unbounded pieces that can move, `left` is scratch space for all bounded ones. Returns True if
    the strips must be laid out anew, and the numbers of removed static and kinematic pieces.
    """
    left_count, fixed, kinematic = unlist_pieces(removed, bodies, pieces, search.tree, mobile, movers, left)
    found_count = sweep_strips(left, left_count, False, bodies, pieces, search.strips, search.reached, search.found)
    exchange_pairs(search.found, 0, True, exchange, bodies, pieces, 1)
    settle_boxes(unbounded, len(unbounded), pieces)
    return found_count < 0, fixed, kinematic
