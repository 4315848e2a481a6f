"""New pairs among the pieces that move: horizontal strips, each sorted on x and swept.

The world is cut into strips three mean box heights high. A box is entered in every strip that it
reaches; a pair is reported in the first strip that both reach. Strip numbers are hashed by their low
bits, so bodies far outside the crowd cost no memory: strips that share a slot are told apart by the
boxes themselves.
"""

from __future__ import annotations

from math import floor
from typing import NamedTuple

import numpy as np

from ecs_collide.broadphase.overlap import boxes_overlap, may_collide
from ecs_collide.columns.pieces import MAX_X, MAX_Y, MIN_X, MIN_Y
from ecs_collide.jit import device

STRIP_HEIGHT = 3.0  # in mean box heights; 2 to 4 measure alike
FARTHEST_STRIP = 2.0**40
SORT_BUDGET = 16  # moves per piece that insertion sort may take before a full sort is cheaper


class Strips(NamedTuple):
    """Scratch space of the sweep."""

    left: np.ndarray
    """Left side of each piece, in the order of the sweep [m] (k,)."""
    first: np.ndarray
    """Lowest strip of each piece (k,) int64."""
    last: np.ndarray
    """Highest strip of each piece (k,) int64."""
    box: np.ndarray
    """Box of each piece, in the order of the sweep [m] (k, 4)."""
    start: np.ndarray
    """Where each slot's entries start (slots + 1,) int64."""
    fill: np.ndarray
    """Where each slot's next entry goes (slots,) int64; the number of slots is a power of two."""
    entry: np.ndarray
    """The pieces of each slot, as indices into the order (e,) int64."""
    bounds: np.ndarray
    """Their boxes [m] (e, 4)."""


def strip_scratch(pieces: int, entries: int) -> Strips:
    """Scratch space for sweeping a number of pieces with a number of entries."""
    slots = 1 << max(4, (pieces - 1).bit_length())
    return Strips(
        np.zeros(pieces),
        np.zeros(pieces, np.int64),
        np.zeros(pieces, np.int64),
        np.zeros((pieces, 4)),
        np.zeros(slots + 1, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(entries, np.int64),
        np.zeros((entries, 4)),
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
def strip_of(y, height):
    """The strip number of a coordinate [m]."""
    return floor(max(-FARTHEST_STRIP, min(FARTHEST_STRIP, y / height)))


@device
def sweep_strips(order, bodies, pieces, strips, found):
    """Write the new pairs among the pieces in `order` (sorted by min_x) to `found`; return (pairs, strip entries).

    Only pairs with a moved piece can be new. Where `found` (f, 2) or the entries of `strips` are too few for these
    numbers, call again with more. Reads piece_box, piece_old_box [m] (p, 4), piece_moved, and what the filter
    needs. Writes found, strips.
    """
    count = len(order)
    _, first, last, box, start, fill, entry, bounds = strips
    total_height = 0.0
    for i in range(count):
        for side in range(4):
            box[i, side] = pieces.box[order[i], side]
        total_height += box[i, MAX_Y] - box[i, MIN_Y]
    height = max(STRIP_HEIGHT * total_height / max(count, 1), 1e-300)
    slot_count = len(fill)
    slot_mask = slot_count - 1

    start[:] = 0
    for i in range(count):
        first[i] = strip_of(box[i, MIN_Y], height)
        last[i] = min(strip_of(box[i, MAX_Y], height), first[i] + slot_mask)
        for strip in range(first[i], last[i] + 1):
            start[(strip & slot_mask) + 1] += 1
    for slot in range(slot_count):
        start[slot + 1] += start[slot]
        fill[slot] = start[slot]
    entry_count = start[slot_count]
    if entry_count > len(entry):
        return 0, entry_count

    for i in range(count):
        for strip in range(first[i], last[i] + 1):
            k = fill[strip & slot_mask]
            fill[strip & slot_mask] = k + 1
            entry[k] = i
            for side in range(4):
                bounds[k, side] = box[i, side]

    found_count = 0
    for slot in range(slot_count):
        stop = start[slot + 1]
        for k in range(start[slot], stop):
            right, low, high = bounds[k, MAX_X], bounds[k, MIN_Y], bounds[k, MAX_Y]
            i = entry[k]
            a = order[i]
            a_moved = pieces.moved[a] != 0
            for m in range(k + 1, stop):
                if bounds[m, MIN_X] > right:
                    break
                if bounds[m, MIN_Y] > high or bounds[m, MAX_Y] < low:
                    continue
                j = entry[m]
                b = order[j]
                if (
                    (a_moved or pieces.moved[b] != 0)
                    and max(first[i], first[j]) & slot_mask == slot
                    and not boxes_overlap(pieces.old_box, a, b)
                    and may_collide(a, b, bodies, pieces)
                ):
                    if found_count < len(found):
                        found[found_count, 0] = a
                        found[found_count, 1] = b
                    found_count += 1
    return found_count, entry_count
