"""The two halves of a pair update: find new pairs, which changes nothing, and then change the pairs.

Most steps change only pieces that move. For these, one call does both halves.
"""

from __future__ import annotations

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pairs import FOUND, PAIR, Pairs
from ecs_collide.data.pieces import Pieces
from ecs_collide.geometry.aabb import rows_touch
from ecs_collide.kernels.arrays import Flags, Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.broadphase.add_pieces import ListedPieces
from ecs_collide.step.broadphase.boxes import update_fat_boxes
from ecs_collide.step.broadphase.excluded_pairs import are_excluded, drop_excluded_pairs
from ecs_collide.step.broadphase.lookup.box_overlap import may_collide
from ecs_collide.step.broadphase.lookup.static_tree import query_among_statics, query_statics
from ecs_collide.step.broadphase.lookup.strip_sweep import sweep_strips
from ecs_collide.step.broadphase.pair_slots import (
    add_pairs,
    count_live,
    drop_pairs,
    free_slot,
    group_pairs,
    reset_pair,
    settle_boxes,
)
from ecs_collide.step.broadphase.pair_update_arrays import RELOCATED, Exchange, Search
from ecs_collide.step.broadphase.relocated_pieces import query_relocated
from ecs_collide.step.broadphase.seams.link_poses import are_as_before
from ecs_collide.step.broadphase.seams.seam_arrays import LinkTable
from ecs_collide.step.broadphase.sorted_rows import is_among

NOTHING_LEFT, TO_REGROUP, TO_EXCHANGE, TO_UPDATE_SEAMS = range(4)
"""Work that `update_pairs` leaves to do, see there."""


@kernel
def find_new_pairs(
    moved_rows: Ints,
    moved_count: int,
    is_laid: bool,
    query_rows: Ints,
    query_count: int,
    statics: Ints,
    bodies: Bodies,
    pieces: Pieces,
    search: Search,
):
    """Update the strips and write the new pairs to search_found; return their number.

    Returns -1 if the strips must be laid out anew, and the needed length if `found` is too short. In both cases the
    caller repeats the call with `is_laid`. The first `query_count` rows of `query_rows` are tested against static and
    unbounded pieces. `statics` are static pieces that moved and are tested against others. Reads the boxes and the
    tree. Writes search_found, the strips, scratch space.
    """
    count = find_pairs_of_movers(moved_rows, moved_count, is_laid, query_rows, query_count, bodies, pieces, search)
    if count >= 0:
        count = query_among_statics(statics, search.unbounded, bodies, pieces, search.tree, search.found, count)
    return drop_kept_apart(count, pieces, search)


@device
def find_pairs_of_movers(moved_rows, moved_count, is_laid, query_rows, query_count, bodies, pieces, search):
    """Find new pairs as `find_new_pairs` does, except those between two static pieces; drop none of them."""
    found = search.found
    count = sweep_strips(moved_rows, moved_count, is_laid, bodies, pieces, search.strips, search.reached, found)
    if count < 0:
        return count
    return query_statics(query_rows, query_count, search.unbounded, bodies, pieces, search.tree, found, count)


@device
def drop_kept_apart(count, pieces, search):
    """Drop the found pairs that joints or the game keep from colliding; return the number of the others.

    Returns `count` itself if the pairs must be found again: it is -1, or greater than `found` is long.
    """
    if len(search.excluded_pairs) == 0 or not 0 <= count <= len(search.found):
        return count
    return drop_excluded_pairs(search.found, count, search.excluded_pairs, pieces)


@kernel
def change_pairs(
    moved_rows: Ints,
    moved_count: int,
    unbounded: Ints,
    statics: Ints,
    found: IntTable,
    found_count: int,
    is_sorted: bool,
    exchange: Exchange,
    bodies: Bodies,
    pieces: Pieces,
):
    """Drop the pairs that have parted and add the found ones.

    Returns True if the list of pairs has changed. There must be room for all found pairs beside the present ones. If no
    pair comes or goes and `is_sorted` is set, the list stays as it is.
    Reads the boxes. Writes the pairs, exchange_lost, piece_old_box, piece_moved.
    """
    are_others = exchange_pairs(found, found_count, is_sorted, exchange, bodies, pieces, 1)
    settle_boxes(moved_rows, moved_count, pieces)
    settle_boxes(unbounded, len(unbounded), pieces)
    settle_boxes(statics, len(statics), pieces)
    return are_others


@device
def exchange_pairs(found, found_count, is_sorted, exchange, bodies, pieces, has_listeners):
    """Drop and add pairs as `change_pairs` does, without changing the pieces.

    `has_listeners` is 0 if events have no listener; then no dropped pair is listed.
    """
    before = exchange.pairs.in_use[0]
    drop_pairs(exchange, pieces, has_listeners)
    are_others = found_count > 0 or exchange.pairs.in_use[0] < before or not is_sorted
    add_pairs(found, found_count, exchange, bodies, pieces)
    if are_others:
        group_pairs(exchange.pairs)
    return are_others


@kernel
def update_pairs(
    movers: ListedPieces,
    ahead: LookAhead,
    moved_rows: Ints,
    bodies: Bodies,
    pieces: Pieces,
    search: Search,
    exchange: Exchange,
    links: LinkTable,
    used_rows: Flags,
    has_listeners: int,
):
    """Make a whole pair update if only pieces that move have changed: boxes, new pairs, changes.

    The pieces of relocated static bodies have been placed, see `place_relocated`.
    Returns the work that is left, the numbers of moved pieces and found pairs, and True if the list of pairs has
    changed. `has_listeners` is as in `exchange_pairs`. See `update_bounded_boxes`, `find_new_pairs` and `change_pairs`.

        NOTHING_LEFT     all is done, and all rows of the pair table that have pairs are in `used_rows` (rows,) bool
        TO_REGROUP       all is done; other rows have pairs
        TO_EXCHANGE      only the boxes are updated: there is no room for the new pairs, or the strips must be laid out
                         anew (then -1 pairs were found)
        TO_UPDATE_SEAMS  only the boxes are updated: links of kinematic pieces have changed
    """
    pairs = exchange.pairs
    mover_count, rows, owners = movers.in_use[0], movers.rows, movers.bodies
    moved_count = update_fat_boxes(mover_count, rows, owners, bodies, pieces, ahead, moved_rows)
    if not are_as_before(links, search.tree, bodies, pieces, search.relocated.counts[RELOCATED.SHIFTED] > 0):
        return TO_UPDATE_SEAMS, moved_count, 0, False
    counts = search.relocated.counts
    if moved_count == 0 and counts[RELOCATED.OUTSIDE] == 0:
        return NOTHING_LEFT, 0, 0, False
    found_count = find_pairs_of_movers(moved_rows, moved_count, False, moved_rows, moved_count, bodies, pieces, search)
    if counts[RELOCATED.OUTSIDE] > 0 and found_count >= 0:
        found_count = query_relocated(bodies, pieces, search, found_count)
    found_count = drop_kept_apart(found_count, pieces, search)
    if found_count < 0 or found_count > min(len(search.found), len(exchange.free_slots) - pairs.in_use[0]):
        return TO_EXCHANGE, moved_count, found_count, False
    are_others = exchange_pairs(search.found, found_count, True, exchange, bodies, pieces, has_listeners)
    settle_boxes(moved_rows, moved_count, pieces)
    settle_boxes(search.relocated.outside, counts[RELOCATED.OUTSIDE], pieces)
    left = NOTHING_LEFT
    for row in range(len(used_rows)):
        if pairs.row_start[row + 1] > pairs.row_start[row] and not used_rows[row]:
            left = TO_REGROUP
    return left, moved_count, found_count, are_others


@kernel
def drop_slots(slots: Ints, exchange: Exchange, pieces: Pieces):
    """Drop the pairs in some slots, whose boxes may overlap. Writes the pairs and exchange_lost."""
    for slot in slots:
        free_slot(slot, exchange, pieces, 1)
    group_pairs(exchange.pairs)


@kernel
def find_pairs_between(a: Ints, b: Ints, keys: Ints, bodies: Bodies, pieces: Pieces, found: IntTable, count: int):
    """Append the pairs of a piece in `a` and a piece in `b` that overlap now and at the last update; return the count.

    Other searches do not find them, because they are not new. Pairs that `keys` keep from colliding are left out. Reads
    the boxes. Writes `found`, which has room for all.
    """
    for p in a:
        for q in b:
            if (
                rows_touch(pieces.box, p, pieces.box, q)
                and rows_touch(pieces.old_box, p, pieces.old_box, q)
                and may_collide(p, q, bodies, pieces)
                and not are_excluded(p, q, keys, pieces)
            ):
                found[count, FOUND.FIRST], found[count, FOUND.SECOND] = p, q
                count += 1
    return count


@kernel
def regroup_changed_pairs(changed: Ints, pairs: Pairs, kind_row: IntTable, pieces: Pieces):
    """Move the pairs of `changed` pieces (sorted rows) to their rows of the pair table.

    The pieces have changed their kind or vertices. Reads piece_index. Writes pair_index. `group_pairs` has to follow.
    """
    for k in range(count_live(pairs)):
        slot = pairs.order[k]
        if is_among(changed, pairs.index[slot, PAIR.PIECE_A]) or is_among(changed, pairs.index[slot, PAIR.PIECE_B]):
            reset_pair(slot, pairs, kind_row, pieces)
