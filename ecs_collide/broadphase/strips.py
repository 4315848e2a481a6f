"""New pairs among the pieces that move: horizontal strips, each sorted on x, kept from step to step.

The world is cut into strips eight mean box heights high. A box is entered in every strip that it
reaches; a pair is reported in the first strip that both reach. Strip numbers are hashed by their low
bits, so bodies far outside the crowd cost no memory: strips that share a slot are told apart by the
boxes themselves.

Only slots with a piece that moved are looked at: they are sorted anew by insertion, and the pieces that moved are
swept. A slot that has become too full goes on in the spare room behind all slots.
"""

from __future__ import annotations

from math import floor

import numpy as np

from ecs_collide.broadphase.overlap import boxes_overlap, may_collide
from ecs_collide.bundle import Bundle
from ecs_collide.columns.pieces import MAX_X, MAX_Y, MIN_X, MIN_Y, Pieces
from ecs_collide.jit import device, stage
from ecs_collide.simd import (
    LANES,
    gather4,
    lane_array,
    lane_bits,
    load,
    maximum,
    minimum,
    round_down,
    store,
    trailing_zeros,
)

STRIP_HEIGHT = 8.0  # in mean box heights; with eight tests at once 6 to 12 measure alike, 3 twice as slow
FARTHEST_STRIP = 2.0**40
WIDE = 1.5
"""From this many mean box widths on, a piece looks for others to its right even if it has not moved itself."""

SORT_BUDGET = 16  # moves per entry that insertion sort may take before laying the strips anew is cheaper

# strips_bounds, of each entry: the box of its piece, and what part it takes in the sweep
PART = 4
BOUNDS_WIDTH = 5

STILL, STILL_AND_WIDE, MOVED = 0.0, 1.0, 2.0
"""`PART`: a piece that moved looks for all to its right, and to its left for those that are still and not wide. What
is wide looks to its right for those that moved, so nobody has to look further to the left than a wide piece reaches."""


class Strips(Bundle):
    """Where the pieces are. What is loaded eight at a time has eight more at either end."""

    start: np.ndarray
    """Where each slot's entries start (slots,) int64; the number of slots is a power of two."""
    room: np.ndarray
    """How many entries each slot has room for (slots,) int64."""
    count: np.ndarray
    """How many entries each slot has (slots,) int64."""
    spare: np.ndarray
    """Where the room begins that belongs to no slot (1,) int64."""
    changed: np.ndarray
    """Whether a piece of the slot has moved, at the last update (slots,) bool."""
    rows: np.ndarray
    """The pieces of each slot, sorted by (min_x, row) (e,) int64."""
    bounds: np.ndarray
    """Their boxes [m] as they were at the last update, and their parts in the sweep (5, e)."""
    scale: np.ndarray
    """Strips per height [1/m], and the width from which a piece is wide [m] (2,)."""
    reached: np.ndarray
    """Scratch space: the lowest and highest strips that eight pieces reached before and reach now (4, 8)."""


def lay_strips(rows: np.ndarray, pieces: Pieces) -> Strips:
    """Strips with the boxes of the pieces in `rows`, which have one; all slots count as changed."""
    box = pieces.box[rows]
    slots = 1 << max(4, (len(rows) // 4).bit_length())  # a tower of single pieces needs an eighth
    heights, widths = box[:, MAX_Y] - box[:, MIN_Y], box[:, MAX_X] - box[:, MIN_X]
    per_strip = 1.0 / max(STRIP_HEIGHT * float(heights.sum()) / max(len(rows), 1), 1e-300)
    wide = WIDE * float(widths.sum()) / max(len(rows), 1)
    with np.errstate(over="ignore"):
        low, high = np.floor(np.clip(per_strip * box[:, [MIN_Y, MAX_Y]], -FARTHEST_STRIP, FARTHEST_STRIP).T)
    span = np.minimum(high - low, slots - 1.0).astype(np.int64) + 1
    owner = np.repeat(np.arange(len(rows)), span)
    strip = low.astype(np.int64)[owner] + np.arange(len(owner)) - np.repeat(np.cumsum(span) - span, span)
    slot = strip & (slots - 1)
    order = np.lexsort((rows[owner], box[owner, MIN_X], slot))
    owner, slot = owner[order], slot[order]
    count = np.bincount(slot, minlength=slots)
    room = count + count // 2 + 4
    start = LANES + np.cumsum(room) - room
    spare = int(start[-1] + room[-1])
    size = spare + spare // 2 + LANES
    place = start[slot] + np.arange(len(owner)) - (np.cumsum(count) - count)[slot]
    strips = Strips(
        start,
        room,
        count,
        np.array([spare]),
        np.ones(slots, np.bool_),
        np.zeros(size, np.int64),
        lane_array((BOUNDS_WIDTH, size)),
        np.array((per_strip, wide)),
        lane_array((4, LANES)),
    )
    strips.rows[place] = rows[owner]
    strips.bounds[: MAX_Y + 1, place] = box[owner].T
    part = np.where(pieces.moved[rows], MOVED, np.where(widths >= wide, STILL_AND_WIDE, STILL))
    strips.bounds[PART, place] = part[owner]
    return strips


@device
def strip_of(y, per_strip):
    """The number of the strip at a height [m]."""
    return floor(max(min(y * per_strip, FARTHEST_STRIP), -FARTHEST_STRIP))


@device
def strips_of(box, piece, strips):
    """The lowest and highest strip that row `piece` of `box` reaches; an empty box reaches none."""
    first, last = strip_of(box[piece, MIN_Y], strips.scale[0]), strip_of(box[piece, MAX_Y], strips.scale[0])
    return first, min(last, first + len(strips.count) - 1)


@device
def eight_strips_of(box, rows, at, strips):
    """The same for eight pieces in `rows`."""
    _, low, _, high = gather4(box, MIN_X, rows, at)
    low, high = low * strips.scale[0], high * strips.scale[0]
    first = round_down(maximum(minimum(low, FARTHEST_STRIP), -FARTHEST_STRIP))
    last = round_down(maximum(minimum(high, FARTHEST_STRIP), -FARTHEST_STRIP))
    return first, minimum(last, first + (len(strips.count) - 1.0))


@device
def is_reached(slot, first, last, strips):
    """Whether one of the strips from first to last is in a slot."""
    return (slot - first) & (len(strips.count) - 1) <= last - first


@device
def make_room(slot, strips):
    """Move a full slot's entries to the spare room, with as much again; return whether there is so much."""
    begin, count, place = strips.start[slot], strips.count[slot], strips.spare[0]
    room = 2 * count + LANES
    if place + room > len(strips.rows) - LANES:
        return False
    strips.spare[0] = place + room
    strips.start[slot], strips.room[slot] = place, room
    for k in range(count):
        strips.rows[place + k] = strips.rows[begin + k]
        for side in range(BOUNDS_WIDTH):
            strips.bounds[side, place + k] = strips.bounds[side, begin + k]
    return True


@device
def enter(piece, slot, box, strips):
    """Enter a piece in a slot in its place in the order; return whether there is room for it."""
    if strips.count[slot] == strips.room[slot] and not make_room(slot, strips):
        return False
    rows, bounds = strips.rows, strips.bounds
    low_x = box[piece, MIN_X]
    place, above = strips.start[slot], strips.start[slot] + strips.count[slot]
    stop = above
    while place < above:
        middle = (place + above) // 2
        if bounds[MIN_X, middle] < low_x or (bounds[MIN_X, middle] == low_x and rows[middle] < piece):
            place = middle + 1
        else:
            above = middle
    for k in range(stop, place, -1):
        rows[k] = rows[k - 1]
    for side in range(BOUNDS_WIDTH):
        for k in range(stop, place, -1):
            bounds[side, k] = bounds[side, k - 1]
    rows[place] = piece
    for side in range(4):
        bounds[side, place] = box[piece, side]
    strips.count[slot] += 1
    return True


@device
def part_of(low_x, high_x, strips):
    """The part of a piece that has not moved."""
    return STILL_AND_WIDE if high_x - low_x >= strips.scale[1] else STILL


@device
def renew_slot(slot, pieces, strips):
    """Take the new boxes of the pieces that moved, drop those that left, and sort; return the moves that this took."""
    rows, bounds = strips.rows, strips.bounds
    begin = strips.start[slot]
    stop, moves = begin, 0
    for k in range(begin, begin + strips.count[slot]):
        piece = rows[k]
        low_x, low_y, high_x, high_y = bounds[MIN_X, k], bounds[MIN_Y, k], bounds[MAX_X, k], bounds[MAX_Y, k]
        if pieces.moved[piece]:
            first, last = strips_of(pieces.box, piece, strips)
            if not is_reached(slot, first, last, strips):
                continue
            low_x, low_y = pieces.box[piece, MIN_X], pieces.box[piece, MIN_Y]
            high_x, high_y = pieces.box[piece, MAX_X], pieces.box[piece, MAX_Y]
            part = MOVED
        else:
            part = part_of(low_x, high_x, strips)
            if stop == k and (k == begin or bounds[MIN_X, k - 1] < low_x):  # as it is for most
                bounds[PART, k] = part
                stop += 1
                continue
        j = stop
        while j > begin and (bounds[MIN_X, j - 1] > low_x or (bounds[MIN_X, j - 1] == low_x and rows[j - 1] > piece)):
            rows[j] = rows[j - 1]
            for side in range(BOUNDS_WIDTH):
                bounds[side, j] = bounds[side, j - 1]
            j -= 1
        moves += stop - j
        stop += 1
        rows[j] = piece
        bounds[MIN_X, j], bounds[MIN_Y, j], bounds[MAX_X, j], bounds[MAX_Y, j] = low_x, low_y, high_x, high_y
        bounds[PART, j] = part
    strips.count[slot] = stop - begin
    return moves


@stage
def update_strips(moved_rows, moved_count, pieces, strips):
    """Bring the entries of the pieces that moved up to date; return False where the strips have to be laid anew.

    The first `moved_count` of `moved_rows`, which go on to a multiple of eight, are all with `piece_moved` set.
    Reads piece_box, piece_old_box [m] (p, 4). Writes the strips.
    """
    reached, mask = strips.reached, len(strips.count) - 1
    strips.changed[:] = False
    for i in range(0, moved_count, LANES):
        old_first, old_last = eight_strips_of(pieces.old_box, moved_rows, i, strips)
        first, last = eight_strips_of(pieces.box, moved_rows, i, strips)
        store(reached, (0, 0), old_first)
        store(reached, (1, 0), old_last)
        store(reached, (2, 0), first)
        store(reached, (3, 0), last)
        stay = lane_bits((first >= old_first) & (last <= old_last))
        for lane in range(min(LANES, moved_count - i)):
            before, before_last = int(reached[0, lane]), int(reached[1, lane])
            for strip in range(before, before_last + 1):
                strips.changed[strip & mask] = True
            if (stay >> lane) & 1 != 0:
                continue
            for strip in range(int(reached[2, lane]), int(reached[3, lane]) + 1):
                slot = strip & mask
                if not is_reached(slot, before, before_last, strips):
                    strips.changed[slot] = True
                    if not enter(moved_rows[i + lane], slot, pieces.box, strips):
                        return False
    budget = SORT_BUDGET * moved_count
    for slot in range(mask + 1):
        if strips.changed[slot]:
            budget -= renew_slot(slot, pieces, strips)
            if budget < 0:
                return False
    return True


@device
def report(hits, m, k, slot, bodies, pieces, strips, found, found_count):
    """Add the new ones among the pairs of entry k with those of entries m + bits of `hits`; return the count so far."""
    while hits != 0:
        n = m + trailing_zeros(hits)
        hits &= hits - 1
        a, b = strips.rows[min(k, n)], strips.rows[max(k, n)]
        if boxes_overlap(pieces.old_box, a, b):
            continue
        shared = strip_of(max(strips.bounds[MIN_Y, k], strips.bounds[MIN_Y, n]), strips.scale[0])
        if shared & (len(strips.count) - 1) == slot and may_collide(a, b, bodies, pieces):
            if found_count < len(found):
                found[found_count, 0] = a
                found[found_count, 1] = b
            found_count += 1
    return found_count


@device
def sweep_strips(bodies, pieces, strips, found):
    """Write the new pairs among the pieces in the strips to `found`; return their number.

    A box is compared with eight others of its slot at once. Only pairs with a piece that moved can be new. Where
    `found` (f, 2) is too short for this number, call again with more. Reads piece_old_box [m] (p, 4), the strips and
    what the filter needs.
    """
    start, bounds, wide = strips.start, strips.bounds, strips.scale[1]
    found_count = 0
    for slot in range(len(strips.count)):
        if not strips.changed[slot]:
            continue
        begin, stop = start[slot], start[slot] + strips.count[slot]
        for first in range(begin, stop, LANES):
            lookers = lane_bits(load(bounds, (PART, first)) > STILL)
            if stop - first < LANES:
                lookers &= (1 << (stop - first)) - 1
            while lookers != 0:
                k = first + trailing_zeros(lookers)
                lookers &= lookers - 1
                left, right = bounds[MIN_X, k], bounds[MAX_X, k]
                low, high = bounds[MIN_Y, k], bounds[MAX_Y, k]
                moved = bounds[PART, k] == MOVED
                least = STILL if moved else MOVED
                m = k + 1
                while m < stop and bounds[MIN_X, m] <= right:
                    reached = (load(bounds, (MIN_X, m)) <= right) & (load(bounds, (PART, m)) >= least)
                    overlapping = (load(bounds, (MIN_Y, m)) <= high) & (load(bounds, (MAX_Y, m)) >= low)
                    hits = lane_bits(reached & overlapping)
                    if stop - m < LANES:
                        hits &= (1 << (stop - m)) - 1
                    found_count = report(hits, m, k, slot, bodies, pieces, strips, found, found_count)
                    m += LANES
                if not moved:
                    continue
                m = k
                while m > begin and bounds[MIN_X, m - 1] >= left - wide:
                    m -= LANES
                    reached = (load(bounds, (MAX_X, m)) >= left) & (load(bounds, (PART, m)) <= STILL)
                    overlapping = (load(bounds, (MIN_Y, m)) <= high) & (load(bounds, (MAX_Y, m)) >= low)
                    hits = lane_bits(reached & overlapping)
                    if m < begin:
                        hits &= -1 << (begin - m)
                    found_count = report(hits, m, k, slot, bodies, pieces, strips, found, found_count)
    return found_count


@device
def pieces_in_box(strips, low_x, low_y, high_x, high_y, rows):
    """Write the pieces whose boxes meet a box [m] to `rows`, which has room for all; return their number."""
    bounds, slots = strips.bounds, len(strips.count)
    lowest = strip_of(low_y, strips.scale[0])
    count = 0
    for strip in range(lowest, min(strip_of(high_y, strips.scale[0]), lowest + slots - 1) + 1):
        slot = strip & (slots - 1)
        m, stop = strips.start[slot], strips.start[slot] + strips.count[slot]
        while m < stop and bounds[MIN_X, m] <= high_x:
            within = (load(bounds, (MIN_X, m)) <= high_x) & (load(bounds, (MAX_X, m)) >= low_x)
            overlapping = (load(bounds, (MIN_Y, m)) <= high_y) & (load(bounds, (MAX_Y, m)) >= low_y)
            hits = lane_bits(within & overlapping)
            if stop - m < LANES:
                hits &= (1 << (stop - m)) - 1
            while hits != 0:
                n = m + trailing_zeros(hits)
                hits &= hits - 1
                shared = strip_of(max(bounds[MIN_Y, n], low_y), strips.scale[0])
                if shared & (slots - 1) == slot:
                    rows[count] = strips.rows[n]
                    count += 1
            m += LANES
    return count
