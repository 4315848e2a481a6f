"""The sweep over the strips: it finds new pairs, and the pieces in a box.

A box is compared with eight others at once. A pair is reported in the first strip that both pieces reach.
"""

from __future__ import annotations

from ecs_collide.data.pairs import FOUND
from ecs_collide.data.pieces import BOX
from ecs_collide.geometry.aabb import boxes_touch
from ecs_collide.kernels.arrays import Flags, FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.kernels.simd import LANES, lane_bits, load, select, trailing_zeros
from ecs_collide.step.broadphase.lookup import strips as of_strip
from ecs_collide.step.broadphase.lookup.box_overlap import may_collide
from ecs_collide.step.broadphase.lookup.strips import (
    ENTRY,
    SCALE,
    Strips,
    drop_removed,
    insert_moved,
    sort_budget,
    sort_slot,
    strip_of,
    update_boxes,
)

NO_CANDIDATE = -2.0
"""A number less than any `STATUS`."""


@device
def find_overlapping(entry, m, left, low, right, high):
    """Return a mask of those of the eight entries from m on whose boxes overlap a given box."""
    return boxes_touch(
        load(entry, (BOX.MIN_X, m)),
        load(entry, (BOX.MIN_Y, m)),
        load(entry, (BOX.MAX_X, m)),
        load(entry, (BOX.MAX_Y, m)),
        left,
        low,
        right,
        high,
    )


@device
def find_overlapping_before(entry, m, k):
    """Return a mask of the eight entries from m on whose boxes overlapped that of entry k at the last update."""
    at = ENTRY.BEFORE if entry[ENTRY.STATUS, k] == of_strip.MOVED else ENTRY.NOW
    moved = load(entry, (ENTRY.STATUS, m)) >= of_strip.MOVED
    return boxes_touch(
        select(moved, load(entry, (ENTRY.BEFORE + BOX.MIN_X, m)), load(entry, (BOX.MIN_X, m))),
        select(moved, load(entry, (ENTRY.BEFORE + BOX.MIN_Y, m)), load(entry, (BOX.MIN_Y, m))),
        select(moved, load(entry, (ENTRY.BEFORE + BOX.MAX_X, m)), load(entry, (BOX.MAX_X, m))),
        select(moved, load(entry, (ENTRY.BEFORE + BOX.MAX_Y, m)), load(entry, (BOX.MAX_Y, m))),
        entry[at + BOX.MIN_X, k],
        entry[at + BOX.MIN_Y, k],
        entry[at + BOX.MAX_X, k],
        entry[at + BOX.MAX_Y, k],
    )


@device
def lanes_between(begin, stop):
    """Return a bit for each lane from `begin` on and before `stop`."""
    return ((1 << min(max(stop, 0), LANES)) - 1) & ~((1 << min(max(begin, 0), LANES)) - 1)


@device
def report(hits, left_m, right_m, k, slot, bodies, pieces, strips, found, found_count):
    """Add the pairs of entry k with the entries whose bits are set in `hits` to `found`; return the count so far.

    The lowest eight bits stand for the entries from `left_m` on, the next eight for those from `right_m` on.
    """
    entry = strips.entry
    while hits != 0:
        bit = trailing_zeros(hits)
        hits &= hits - 1
        n = left_m + bit if bit < LANES else right_m + bit - LANES
        a, b = int(entry[ENTRY.PIECE, min(k, n)]), int(entry[ENTRY.PIECE, max(k, n)])
        shared = strip_of(max(entry[BOX.MIN_Y, k], entry[BOX.MIN_Y, n]), strips.scale[SCALE.PER_HEIGHT])
        if shared & (len(strips.filled) - 1) == slot and may_collide(a, b, bodies, pieces):
            if found_count < len(found):
                found[found_count, FOUND.FIRST] = a
                found[found_count, FOUND.SECOND] = b
            found_count += 1
    return found_count


@subroutine
def sweep_slot(slot, bodies, pieces, strips, found, found_count):
    """Add the new pairs among the pieces of a slot to `found`; return the count so far.

    A pair can be new only if one piece moved: the boxes overlap now and did not before. If `found` (f, 2) is too short,
    the count is the needed length.
    """
    entry, wide = strips.entry, strips.scale[SCALE.WIDE]
    begin, stop = strips.start[slot], strips.start[slot] + strips.filled[slot]
    for first in range(begin, stop, LANES):
        lookers = lane_bits(load(entry, (ENTRY.STATUS, first)) > of_strip.STILL)
        if stop - first < LANES:
            lookers &= (1 << (stop - first)) - 1
        while lookers != 0:
            k = first + trailing_zeros(lookers)
            lookers &= lookers - 1
            left, low, right, high = (
                entry[BOX.MIN_X, k],
                entry[BOX.MIN_Y, k],
                entry[BOX.MAX_X, k],
                entry[BOX.MAX_Y, k],
            )
            has_moved = entry[ENTRY.STATUS, k] == of_strip.MOVED
            least, most = (of_strip.STILL, of_strip.STILL) if has_moved else (of_strip.MOVED, NO_CANDIDATE)
            right_m, left_m = k + 1, k - LANES
            is_more = True
            while is_more:
                to_right = find_overlapping(entry, right_m, left, low, right, high) & (
                    load(entry, (ENTRY.STATUS, right_m)) >= least
                )
                to_left = find_overlapping(entry, left_m, left, low, right, high) & (
                    load(entry, (ENTRY.STATUS, left_m)) <= most
                )
                right_hits = lane_bits(to_right) & lanes_between(0, stop - right_m)
                left_hits = lane_bits(to_left) & lanes_between(begin - left_m, LANES)
                if right_hits | left_hits != 0:
                    right_hits &= ~lane_bits(find_overlapping_before(entry, right_m, k))
                    left_hits &= ~lane_bits(find_overlapping_before(entry, left_m, k))
                    hits = left_hits | right_hits << LANES
                    found_count = report(hits, left_m, right_m, k, slot, bodies, pieces, strips, found, found_count)
                more_right = right_m + LANES < stop and entry[BOX.MIN_X, right_m + LANES] <= right
                more_left = has_moved and left_m > begin and entry[BOX.MIN_X, left_m - 1] >= left - wide
                right_m = right_m + LANES if more_right else stop
                left_m = left_m - LANES if more_left else begin - LANES
                is_more = more_right or more_left
    return found_count


@device
def sweep_strips(moved_rows, moved_count, is_laid, bodies, pieces, strips, reached, found):
    """Update the strips and write the new pairs among their pieces to `found`; return the number of pairs.

    The first `moved_count` of `moved_rows`, padded to a multiple of eight, are all pieces with `piece_moved` set.
    Returns -1 if the strips must be laid out anew, and the needed length if `found` (f, 2) is too short. In both cases
    the caller repeats the call with `is_laid`. Reads piece_box, piece_old_box [m] (p, 4), the filters. Writes the
    strips. `reached` is scratch space, see `insert_moved`.
    """
    moves = 0
    if not is_laid:
        moves = insert_moved(moved_rows, moved_count, bodies, pieces, strips, reached)
        if moves < 0:
            return -1
    found_count = 0
    for slot in range(len(strips.filled)):
        if strips.changed[slot]:
            if not is_laid:
                if update_boxes(slot, pieces, strips):
                    drop_removed(slot, strips)
                moves += sort_slot(slot, strips)
                if moves > sort_budget(moved_count, strips):
                    return -1
            found_count = sweep_slot(slot, bodies, pieces, strips, found, found_count)
    return found_count


@device
def pieces_in_box(strips, low_x, low_y, high_x, high_y, rows):
    """Write the pieces whose boxes overlap a box [m] to `rows`, which has room for all; return their number."""
    entry, slots = strips.entry, len(strips.filled)
    lowest = strip_of(low_y, strips.scale[SCALE.PER_HEIGHT])
    count = 0
    for strip in range(lowest, min(strip_of(high_y, strips.scale[SCALE.PER_HEIGHT]), lowest + slots - 1) + 1):
        slot = strip & (slots - 1)
        m, stop = strips.start[slot], strips.start[slot] + strips.filled[slot]
        while m < stop and entry[BOX.MIN_X, m] <= high_x:
            hits = lane_bits(find_overlapping(entry, m, low_x, low_y, high_x, high_y))
            if stop - m < LANES:
                hits &= (1 << (stop - m)) - 1
            while hits != 0:
                n = m + trailing_zeros(hits)
                hits &= hits - 1
                shared = strip_of(max(entry[BOX.MIN_Y, n], low_y), strips.scale[SCALE.PER_HEIGHT])
                if shared & (slots - 1) == slot:
                    rows[count] = int(entry[ENTRY.PIECE, n])
                    count += 1
            m += LANES
    return count


@kernel
def find_in_boxes(boxes: FloatTable, strips: Strips, hits: Ints, is_found: Flags, rows: Ints):
    """Write the pieces whose boxes overlap any of `boxes` [m] (k, 4) to `rows`; return their number.

    `hits`, as long as `rows`, and `is_found`, all False, are scratch space.
    """
    count = 0
    for k in range(len(boxes)):
        low_x, low_y, high_x, high_y = (
            boxes[k, BOX.MIN_X],
            boxes[k, BOX.MIN_Y],
            boxes[k, BOX.MAX_X],
            boxes[k, BOX.MAX_Y],
        )
        for i in range(pieces_in_box(strips, low_x, low_y, high_x, high_y, hits)):
            if not is_found[hits[i]]:
                is_found[hits[i]] = True
                rows[count] = hits[i]
                count += 1
    return count
