"""New pairs among the pieces that move: horizontal strips, each sorted on x and swept.

The world is cut into strips eight mean box heights high. A box is entered in every strip that it
reaches; a pair is reported in the first strip that both reach. Strip numbers are hashed by their low
bits, so bodies far outside the crowd cost no memory: strips that share a slot are told apart by the
boxes themselves.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.broadphase.overlap import boxes_overlap, may_collide
from ecs_collide.bundle import Bundle
from ecs_collide.columns.pieces import MAX_X, MAX_Y, MIN_X, MIN_Y
from ecs_collide.jit import device
from ecs_collide.simd import (
    LANES,
    any_lane,
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
SORT_BUDGET = 16  # moves per piece that insertion sort may take before a full sort is cheaper


# strips_box, of each piece in the order of the sweep: its box, and the lowest and highest strip that it reaches
FIRST, LAST = 4, 5
BOX_WIDTH = 6

# strips_bounds, of each entry: the box of its piece, and whether it has moved
MOVED = 4
BOUNDS_WIDTH = 5


class Strips(Bundle):
    """Scratch space of the sweep. What is loaded eight at a time has eight more than there are."""

    left: np.ndarray
    """Left side of each piece, in the order of the sweep [m] (k,)."""
    rows: np.ndarray
    """The pieces in the order of the sweep (k + 8,) int64."""
    box: np.ndarray
    """Box [m] and strips of each piece (6, k + 8)."""
    start: np.ndarray
    """Where each slot's entries start (slots + 1,) int64."""
    fill: np.ndarray
    """Where each slot's next entry goes (slots,) int64; the number of slots is a power of two."""
    entry: np.ndarray
    """The pieces of each slot, as indices into the order (e,) int64."""
    bounds: np.ndarray
    """Their boxes [m], and 1 where the piece has moved (5, e + 8)."""


def strip_scratch(pieces: int, entries: int) -> Strips:
    """Scratch space for sweeping a number of pieces with a number of entries."""
    slots = 1 << max(4, (pieces // 4).bit_length())  # a tower of single pieces needs an eighth
    return Strips(
        np.zeros(pieces),
        np.zeros(pieces + LANES, np.int64),
        lane_array((BOX_WIDTH, pieces + LANES)),
        np.zeros(slots + 1, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(entries, np.int64),
        lane_array((BOUNDS_WIDTH, entries + LANES)),
    )


@device
def restore_order(order, box, left):
    """Sort piece rows by (min_x, row) by insertion; return False, half done, where a full sort would be cheaper.

    From step to step the order hardly changes, so this is a single pass over the pieces most of the time.
    Reads piece_box [m] (p, 4). Writes order (k,), and the left sides in that order to `left`, scratch space.
    """
    budget = SORT_BUDGET * len(order)
    for i in range(len(order)):
        piece = order[i]
        low = box[piece, MIN_X]
        j = i - 1
        while j >= 0 and (left[j] > low or (left[j] == low and order[j] > piece)):
            left[j + 1], order[j + 1] = left[j], order[j]
            j -= 1
        left[j + 1], order[j + 1] = low, piece
        budget -= i - 1 - j
        if budget < 0:
            return False
    return True


@device
def take_boxes(order, pieces, strips):
    """Copy the boxes of the pieces in order, and find the strips that they reach. Writes strips_rows, strips_box."""
    rows, box = strips.rows, strips.box
    count = len(order)
    rows[count : count + LANES] = 0
    total_height = 0.0
    for i in range(count):
        rows[i] = order[i]
        total_height += pieces.box[order[i], MAX_Y] - pieces.box[order[i], MIN_Y]
    per_strip = 1.0 / max(STRIP_HEIGHT * total_height / max(count, 1), 1e-300)
    highest_span = len(strips.fill) - 1.0
    for i in range(0, count, LANES):
        min_x, min_y, max_x, max_y = gather4(pieces.box, 0, rows, i)
        first = round_down(maximum(minimum(min_y * per_strip, FARTHEST_STRIP), -FARTHEST_STRIP))
        last = round_down(maximum(minimum(max_y * per_strip, FARTHEST_STRIP), -FARTHEST_STRIP))
        store(box, (MIN_X, i), min_x)
        store(box, (MIN_Y, i), min_y)
        store(box, (MAX_X, i), max_x)
        store(box, (MAX_Y, i), max_y)
        store(box, (FIRST, i), first)
        store(box, (LAST, i), minimum(last, first + highest_span))


@device
def enter_strips(order, pieces, strips):
    """Enter each piece in the slots of its strips; return the entries, which are not made where they are too many.

    Reads strips_box, piece_moved. Writes strips_start, strips_entry, strips_bounds.
    """
    box, start, fill, entry, bounds = strips.box, strips.start, strips.fill, strips.entry, strips.bounds
    slot_count = len(fill)
    slot_mask = slot_count - 1
    start[:] = 0
    for i in range(len(order)):
        for strip in range(int(box[FIRST, i]), int(box[LAST, i]) + 1):
            start[(strip & slot_mask) + 1] += 1
    for slot in range(slot_count):
        start[slot + 1] += start[slot]
        fill[slot] = start[slot]
    if start[slot_count] > len(entry):
        return start[slot_count]
    for i in range(len(order)):
        moved = 1.0 if pieces.moved[order[i]] != 0 else 0.0
        for strip in range(int(box[FIRST, i]), int(box[LAST, i]) + 1):
            k = fill[strip & slot_mask]
            fill[strip & slot_mask] = k + 1
            entry[k] = i
            for side in range(4):
                bounds[side, k] = box[side, i]
            bounds[MOVED, k] = moved
    return start[slot_count]


@device
def sweep_strips(order, bodies, pieces, strips, found):
    """Write the new pairs among the pieces in `order` (sorted by min_x) to `found`; return (pairs, strip entries).

    A box is compared with the next eight of its slot at once, until one begins beyond its right side. Only pairs with
    a moved piece can be new. Where `found` (f, 2) or the entries of `strips` are too few for these numbers, call again
    with more. Reads piece_box, piece_old_box [m] (p, 4), piece_moved, and what the filter needs. Writes found, strips.
    """
    take_boxes(order, pieces, strips)
    entry_count = enter_strips(order, pieces, strips)
    box, start, entry, bounds = strips.box, strips.start, strips.entry, strips.bounds
    slot_count = len(strips.fill)
    if entry_count > len(entry):
        return 0, entry_count
    found_count = 0
    for slot in range(slot_count):
        stop = start[slot + 1]
        for k in range(start[slot], stop):
            right, low, high = bounds[MAX_X, k], bounds[MIN_Y, k], bounds[MAX_Y, k]
            unmoved = bounds[MOVED, k] == 0.0
            for m in range(k + 1, stop, LANES):
                reached = load(bounds, (MIN_X, m)) <= right
                overlapping = (load(bounds, (MIN_Y, m)) <= high) & (load(bounds, (MAX_Y, m)) >= low)
                hits = lane_bits(reached & overlapping)
                if unmoved:
                    hits &= lane_bits(load(bounds, (MOVED, m)) > 0.0)
                if stop - m < LANES:
                    hits &= (1 << (stop - m)) - 1
                while hits != 0:
                    n = m + trailing_zeros(hits)
                    hits &= hits - 1
                    i, j = entry[k], entry[n]
                    a, b = order[i], order[j]
                    if (
                        int(max(box[FIRST, i], box[FIRST, j])) & (slot_count - 1) == slot
                        and not boxes_overlap(pieces.old_box, a, b)
                        and may_collide(a, b, bodies, pieces)
                    ):
                        if found_count < len(found):
                            found[found_count, 0] = a
                            found[found_count, 1] = b
                        found_count += 1
                if any_lane(~reached):
                    break
    return found_count, entry_count
