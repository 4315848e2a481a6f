"""The two halves of a pair update: find what is new, which changes nothing, and then carry it out."""

from __future__ import annotations

from ecs_collide.broadphase.pair_slots import add_pairs, drop_pairs, group_pairs, renew_pair, settle_boxes
from ecs_collide.broadphase.static_tree import query_trees
from ecs_collide.broadphase.strips import restore_order, sweep_strips
from ecs_collide.columns.pairs import PIECE_A, PIECE_B
from ecs_collide.jit import device, stage


@stage
def find_new_pairs(order, unbounded, every_mover, bodies, pieces, trees, stack, strips, found):
    """Write the new pairs to `found`; return (whether `order` could be sorted, pairs, strip entries).

    Where the order is too mixed up, or `found` or the entries of `strips` are too few for these numbers, the caller
    mends that and calls again. Reads the boxes. Writes order, found, scratch space.
    """
    if not restore_order(order, pieces.box, strips.left):
        return False, 0, 0
    count, entries = sweep_strips(order, bodies, pieces, strips, found)
    if entries <= len(strips.entry):
        count = query_trees(order, every_mover, unbounded, bodies, pieces, trees, stack, found, count)
    return True, count, entries


@stage
def change_pairs(movers, statics, found, found_count, pairs, pair_count, free_slots, kind_row, bodies, pieces, lost):
    """Drop the pairs that have parted and add those found; return (pairs, touching ones among those dropped).

    There must be room for all found pairs beside the present ones. Reads the boxes. Writes the pairs, `lost`,
    piece_old_box, piece_moved.
    """
    pair_count, lost_count = drop_pairs(pairs, pair_count, free_slots, pieces, lost)
    pair_count = add_pairs(found, found_count, pair_count, free_slots, kind_row, bodies, pieces, pairs)
    settle_boxes(movers, pieces)
    settle_boxes(statics, pieces)
    group_pairs(pairs)
    return pair_count, lost_count


@stage
def sort_pairs_anew(changed, pairs, kind_row, pieces):
    """Give the pairs of `changed` pieces (sorted rows), whose kind or vertices are others now, their rows of the table.

    Reads piece_index. Writes pair_index. `group_pairs` has to follow.
    """
    for k in range(pairs.row_start[-1]):
        slot = pairs.order[k]
        if is_among(changed, pairs.index[slot, PIECE_A]) or is_among(changed, pairs.index[slot, PIECE_B]):
            renew_pair(slot, pairs, kind_row, pieces)


@device
def is_among(rows, row):
    """Whether sorted `rows` hold a row."""
    low, high = 0, len(rows)
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low < len(rows) and rows[low] == row
