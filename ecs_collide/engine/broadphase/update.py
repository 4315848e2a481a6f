"""The two halves of a pair update: find what is new, which changes nothing, and then carry it out.

Where nothing but the movers has changed, as in most steps, both are one call.
"""

from __future__ import annotations

from ecs_collide.columns import pairs as of_pair
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.pairs import Pairs
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled.arrays import Ints, IntTable
from ecs_collide.compiled.kernels import device, stage
from ecs_collide.engine.broadphase.boxes import renew_boxes
from ecs_collide.engine.broadphase.connected import leave_out_connected
from ecs_collide.engine.broadphase.lookup.overlap import may_collide
from ecs_collide.engine.broadphase.lookup.static_tree import query_among_statics, query_statics
from ecs_collide.engine.broadphase.lookup.strip_sweep import sweep_strips
from ecs_collide.engine.broadphase.pair_slots import (
    add_pairs,
    drop_pairs,
    free_slot,
    group_pairs,
    renew_pair,
    settle_boxes,
)
from ecs_collide.engine.broadphase.tables import Exchange, Search
from ecs_collide.geometry.box import rows_touch


@stage
def find_new_pairs(
    moved_rows: Ints,
    moved_count: int,
    is_laid: bool,
    asking: Ints,
    asking_count: int,
    statics: Ints,
    bodies: Bodies,
    pieces: Pieces,
    search: Search,
):
    """Bring the strips up to date and write the new pairs to search_found; return their number.

    Where the strips have to be laid anew -1 is returned, and where `found` is too short, the length needed: call again
    with `is_laid`. The first `asking_count` pieces of `asking` ask for static and unbounded ones; `statics` are moved
    ones that may be told of others.
    Reads the boxes and the tree. Writes search_found, the strips, scratch space.
    """
    count = find_movers(moved_rows, moved_count, is_laid, asking, asking_count, bodies, pieces, search)
    if count < 0:
        return count
    return query_among_statics(statics, search.unbounded, bodies, pieces, search.tree, search.found, count)


@device
def find_movers(moved_rows, moved_count, is_laid, asking, asking_count, bodies, pieces, search):
    """The same, without what static pieces are told of each other."""
    found = search.found
    count = sweep_strips(moved_rows, moved_count, is_laid, bodies, pieces, search.strips, found)
    if count < 0:
        return count
    count = query_statics(asking, asking_count, search.unbounded, bodies, pieces, search.tree, found, count)
    if len(search.connected) == 0 or count > len(found):
        return count
    return leave_out_connected(found, count, search.connected, pieces)


@stage
def change_pairs(
    moved_rows: Ints,
    moved_count: int,
    unbounded: Ints,
    statics: Ints,
    found: IntTable,
    found_count: int,
    is_sorted: bool,
    exchange: Exchange,
    pair_count: int,
    bodies: Bodies,
    pieces: Pieces,
):
    """Drop the pairs that have parted and add those found; return (pairs, touching ones among those dropped).

    There must be room for all found pairs beside the present ones. Where none comes or goes and `is_sorted` holds, the
    pairs stay listed as they are. Reads the boxes. Writes the pairs, exchange_lost, piece_old_box, piece_moved.
    """
    new_count, lost_count = exchange_pairs(found, found_count, is_sorted, exchange, pair_count, bodies, pieces)
    settle_boxes(moved_rows, moved_count, pieces)
    settle_boxes(unbounded, len(unbounded), pieces)
    settle_boxes(statics, len(statics), pieces)
    return new_count, lost_count


@device
def exchange_pairs(found, found_count, is_sorted, exchange, pair_count, bodies, pieces):
    """The same, but for what is written of the pieces."""
    left_count, lost_count = drop_pairs(exchange, pair_count, pieces)
    new_count = add_pairs(found, found_count, left_count, exchange, bodies, pieces)
    if found_count > 0 or left_count < pair_count or not is_sorted:
        group_pairs(exchange.pairs)
    return new_count, lost_count


@stage
def renew_pairs(
    mover_count: int,
    movers: Ints,
    mover_bodies: Ints,
    speculative: float,
    moved_rows: Ints,
    bodies: Bodies,
    pieces: Pieces,
    search: Search,
    exchange: Exchange,
    pair_count: int,
):
    """All that an update has to do where nothing but the movers has changed: renew boxes, find pairs, change them.

    Returns how many pieces moved, how many pairs were found, how many there are then, and how many of those dropped
    were touching. Where there are too many for the room, or the strips have to be laid anew, there are -1 then: the
    boxes are renewed, and nothing else is done. See `refresh_boxes`, `find_new_pairs` and `change_pairs`.
    """
    moved_count = renew_boxes(mover_count, movers, mover_bodies, bodies, pieces, speculative, moved_rows)
    if moved_count == 0:
        return 0, 0, pair_count, 0
    found_count = find_movers(moved_rows, moved_count, False, moved_rows, moved_count, bodies, pieces, search)
    if found_count < 0 or found_count > min(len(search.found), len(exchange.free_slots) - pair_count):
        return moved_count, found_count, -1, 0
    new_count, lost_count = exchange_pairs(search.found, found_count, True, exchange, pair_count, bodies, pieces)
    settle_boxes(moved_rows, moved_count, pieces)
    return moved_count, found_count, new_count, lost_count


@stage
def drop_slots(slots: Ints, exchange: Exchange, pair_count: int, pieces: Pieces):
    """Drop the pairs in some slots, whose boxes may overlap; return (pairs, touching ones among those dropped).

    Writes the pairs and exchange_lost.
    """
    slot_count = len(exchange.free_slots)
    free_count, lost_count = slot_count - pair_count, 0
    for slot in slots:
        lost_count = free_slot(slot, free_count, exchange, pieces, lost_count)
        free_count += 1
    group_pairs(exchange.pairs)
    return slot_count - free_count, lost_count


@stage
def find_freed(a: Ints, b: Ints, bodies: Bodies, pieces: Pieces, found: IntTable, count: int):
    """Append the pairs of a piece in `a` and one in `b` that overlapped at the last update, and do; return how many.

    Nobody else finds them, as they are not new. Reads the boxes. Writes `found`, which has room for all.
    """
    for p in a:
        for q in b:
            if (
                rows_touch(pieces.box, p, pieces.box, q)
                and rows_touch(pieces.old_box, p, pieces.old_box, q)
                and may_collide(p, q, bodies, pieces)
            ):
                found[count, 0], found[count, 1] = p, q
                count += 1
    return count


@stage
def sort_pairs_anew(changed: Ints, pairs: Pairs, kind_row: IntTable, pieces: Pieces):
    """Give the pairs of `changed` pieces (sorted rows), whose kind or vertices are others now, their rows of the table.

    Reads piece_index. Writes pair_index. `group_pairs` has to follow.
    """
    for k in range(pairs.row_start[-1]):
        slot = pairs.order[k]
        if is_among(changed, pairs.index[slot, of_pair.PIECE_A]) or is_among(
            changed, pairs.index[slot, of_pair.PIECE_B]
        ):
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
