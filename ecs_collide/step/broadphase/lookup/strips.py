"""Horizontal strips of the pieces that can move, each sorted on x, kept from step to step.

The world is cut into strips of one height, see `build_strips.py`. A box is entered in every strip that it reaches.
Strip numbers are hashed by their low bits, so bodies far outside the crowd cost no memory. The boxes themselves
separate strips that share a slot.

Only slots with a piece that moved are updated and sorted, by insertion. A slot that becomes full moves to the spare
room behind all slots.
"""

from __future__ import annotations

from math import floor

from ecs_collide.data.bodies import FILTER
from ecs_collide.data.pieces import BOX, PIECE
from ecs_collide.kernels import simd
from ecs_collide.kernels.arrays import Flags, Floats, FloatTable, Ints
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.layout import layout

FARTHEST_STRIP = 2.0**40

SORT_BUDGET = 16
"""Largest number of places that entries may sink, per entry with room and per piece that moved.

Beyond it, laying out the strips anew is cheaper.
"""

ENTRY = layout(
    "strip entry",
    NOW=("fat box of the piece, columns of `BOX` [m]", 4),
    BEFORE=("fat box at the last pair update, columns of `BOX` [m]", 4),
    PIECE="row of the piece",
    STATUS="what the sweep does with the piece: `INERT`, `STILL`, `STILL_AND_WIDE`, `MOVED` or `REMOVED`",
)
"""Rows of `Strips.entry`.

An entry sinks as a whole while a slot is sorted, and eight statuses are compared at a time with eight boxes. Hence
piece and status are floats too.
"""

REACHED = layout(
    "strips of eight pieces",
    OLD_FIRST="lowest strip at the last pair update",
    OLD_LAST="highest strip at the last pair update",
    FIRST="lowest strip now",
    LAST="highest strip now",
)

SCALE = layout("strip scale", PER_HEIGHT="strips per height [1/m]", WIDE="width from which a piece is wide [m]")

INERT, STILL, STILL_AND_WIDE, MOVED, REMOVED = -1.0, 0.0, 1.0, 2.0, 3.0
"""Values of `STATUS`.

A piece that moved searches all entries to its right, and to its left the still ones that are not wide. A wide piece
searches to its right for pieces that moved. So no search to the left has to reach further than the width of a wide
piece. A piece that collides with nothing is `INERT`: it does not search, and no search looks for it.
"""


class Strips(Bundle):
    """The strips. Arrays that are loaded eight at a time have eight more entries at either end."""

    start: Ints
    """First entry of each slot, a multiple of eight; the number of slots is a power of two (slots,) int64."""
    room: Ints
    """Number of entries that each slot has room for, a multiple of eight (slots,) int64."""
    filled: Ints
    """Number of entries of each slot (slots,) int64."""
    spare: Ints
    """Start of the room that belongs to no slot (1,) int64."""
    changed: Flags
    """True if a piece of the slot moved before the last update (slots,) bool."""
    entry: FloatTable
    """Entries of the slots, rows of `ENTRY`, each slot sorted by (min_x, piece) (10, e)."""
    scale: Floats
    """Columns of `SCALE` (2,)."""


@device
def collides_with_nothing(piece, bodies, pieces):
    """Return True if the filter of a piece's collider keeps it from colliding with anything, see `filters_agree`."""
    filters = bodies.filter[pieces.index[piece, PIECE.COLLIDER]]
    return filters[FILTER.GROUP] <= 0 and (filters[FILTER.LAYER] == 0 or filters[FILTER.MASK] == 0)


@device
def strip_of(y, per_strip):
    """Return the number of the strip at a height [m]."""
    return floor(max(min(y * per_strip, FARTHEST_STRIP), -FARTHEST_STRIP))


@device
def strips_of(box, piece, strips):
    """Return the lowest and highest strip that row `piece` of `box` reaches; an empty box reaches none."""
    first = strip_of(box[piece, BOX.MIN_Y], strips.scale[SCALE.PER_HEIGHT])
    last = strip_of(box[piece, BOX.MAX_Y], strips.scale[SCALE.PER_HEIGHT])
    return first, min(last, first + len(strips.filled) - 1)


@device
def eight_strips_of(box, rows, at, strips):
    """Return the lowest and highest strips that eight pieces in `rows` reach, as vectors."""
    _, low, _, high = simd.gather4(box, BOX.MIN_X, rows, at)
    low, high = low * strips.scale[SCALE.PER_HEIGHT], high * strips.scale[SCALE.PER_HEIGHT]
    first = simd.round_down(simd.maximum(simd.minimum(low, FARTHEST_STRIP), -FARTHEST_STRIP))
    last = simd.round_down(simd.maximum(simd.minimum(high, FARTHEST_STRIP), -FARTHEST_STRIP))
    return first, simd.minimum(last, first + (len(strips.filled) - 1.0))


@device
def is_reached(slot, first, last, strips):
    """Return True if one of the strips from first to last belongs to a slot."""
    return (slot - first) & (len(strips.filled) - 1) <= last - first


@device
def sort_budget(moved_count, strips):
    """Return the number of places that entries may sink in total."""
    return SORT_BUDGET * (moved_count + strips.spare[0])


@subroutine
def move_to_spare_room(slot, strips):
    """Move the entries of a full slot to the spare room, with twice the space; return True if there is space."""
    entry, begin, count, place = strips.entry, strips.start[slot], strips.filled[slot], strips.spare[0]
    room = simd.LANES * (2 * count // simd.LANES + 1)
    if place + room > entry.shape[1] - simd.LANES:
        return False
    strips.spare[0] = place + room
    strips.start[slot], strips.room[slot] = place, room
    for field in range(len(entry)):
        for k in range(count):
            entry[field, place + k] = entry[field, begin + k]
    return True


@subroutine
def sink_entry(k, begin, entry):
    """Move entry k to its sorted place among those from `begin` on; return the number of places it moved."""
    low_x, piece = entry[BOX.MIN_X, k], entry[ENTRY.PIECE, k]
    j = k
    while j > begin and (
        entry[BOX.MIN_X, j - 1] > low_x or (entry[BOX.MIN_X, j - 1] == low_x and entry[ENTRY.PIECE, j - 1] > piece)
    ):
        j -= 1
    if j < k:
        for field in range(len(entry)):
            value = entry[field, k]
            m = k
            while m - simd.LANES >= j:
                m -= simd.LANES
                simd.store(entry, (field, m + 1), simd.load(entry, (field, m)))
            while m > j:
                entry[field, m] = entry[field, m - 1]
                m -= 1
            entry[field, j] = value
    return k - j


@subroutine
def remove_entry(k, slot, strips):
    """Remove an entry from its slot."""
    entry = strips.entry
    strips.filled[slot] -= 1
    stop = strips.start[slot] + strips.filled[slot]
    for field in range(len(entry)):
        m = k
        while m + simd.LANES <= stop:
            simd.store(entry, (field, m), simd.load(entry, (field, m + 1)))
            m += simd.LANES
        while m < stop:
            entry[field, m] = entry[field, m + 1]
            m += 1


@subroutine
def insert_entry(piece, slot, box, is_inert, strips):
    """Enter a piece in a slot with its row of `box`; return the number of moves, or -1 if there is no room."""
    if strips.filled[slot] == strips.room[slot] and not move_to_spare_room(slot, strips):
        return -1
    entry, begin = strips.entry, strips.start[slot]
    k = begin + strips.filled[slot]
    for side in range(4):
        entry[ENTRY.NOW + side, k] = box[piece, side]
    entry[ENTRY.PIECE, k] = piece
    entry[ENTRY.STATUS, k] = INERT if is_inert else STILL
    strips.filled[slot] += 1
    return sink_entry(k, begin, entry)


@subroutine
def update_boxes(slot, pieces, strips):
    """Copy the new boxes of the pieces of a slot that moved; return True if any has left the slot."""
    entry, begin, count = strips.entry, strips.start[slot], strips.filled[slot]
    any_removed = False
    for block in range(begin, begin + count, simd.LANES):
        widths = simd.load(entry, (BOX.MAX_X, block)) - simd.load(entry, (BOX.MIN_X, block))
        status = simd.select(widths >= strips.scale[SCALE.WIDE], simd.splat(STILL_AND_WIDE), simd.splat(STILL))
        is_inert = simd.load(entry, (ENTRY.STATUS, block)) < STILL
        simd.store(entry, (ENTRY.STATUS, block), simd.select(is_inert, simd.splat(INERT), status))
        moved = 0
        for lane in range(min(simd.LANES, begin + count - block)):
            moved |= int(pieces.moved[int(entry[ENTRY.PIECE, block + lane])]) << lane
        while moved != 0:
            k = block + simd.trailing_zeros(moved)
            moved &= moved - 1
            piece = int(entry[ENTRY.PIECE, k])
            for side in range(4):
                entry[ENTRY.BEFORE + side, k] = entry[ENTRY.NOW + side, k]
                entry[ENTRY.NOW + side, k] = pieces.box[piece, side]
            first, last = strips_of(pieces.box, piece, strips)
            is_here = is_reached(slot, first, last, strips)
            if not is_here:
                entry[ENTRY.STATUS, k] = REMOVED
            elif entry[ENTRY.STATUS, k] >= STILL:
                entry[ENTRY.STATUS, k] = MOVED
            any_removed = any_removed or not is_here
    return any_removed


@subroutine
def drop_removed(slot, strips):
    """Remove the entries marked REMOVED from a slot."""
    entry, begin = strips.entry, strips.start[slot]
    block = begin + (strips.filled[slot] - 1) // simd.LANES * simd.LANES
    while block >= begin:
        removed = simd.lane_bits(simd.load(entry, (ENTRY.STATUS, block)) >= REMOVED)
        for lane in range(simd.LANES - 1, -1, -1):
            if (removed >> lane) & 1 != 0 and block + lane < begin + strips.filled[slot]:
                remove_entry(block + lane, slot, strips)
        block -= simd.LANES


@subroutine
def sort_slot(slot, strips):
    """Sort a slot whose pieces have moved a little; return the number of places that entries moved."""
    entry, begin = strips.entry, strips.start[slot]
    stop = begin + strips.filled[slot]
    moves = 0
    for block in range(begin, stop, simd.LANES):
        if simd.any_lane(simd.load(entry, (BOX.MIN_X, block - 1)) >= simd.load(entry, (BOX.MIN_X, block))):
            for k in range(max(block, begin + 1), min(block + simd.LANES, stop)):
                if entry[BOX.MIN_X, k - 1] >= entry[BOX.MIN_X, k]:
                    moves += sink_entry(k, begin, entry)
    return moves


@subroutine
def insert_moved(moved_rows, moved_count, bodies, pieces, strips, reached):
    """Enter the pieces that moved in the slots that they newly reach; return the moves, or -1 without room.

    They are entered with their old boxes, which the other entries still have too. Marks the slots that they reach or
    reached as changed. `reached` is scratch space, rows of `REACHED` (4, 8).
    """
    mask = len(strips.filled) - 1
    strips.changed[:] = False
    total = 0
    for i in range(0, moved_count, simd.LANES):
        old_first, old_last = eight_strips_of(pieces.old_box, moved_rows, i, strips)
        first, last = eight_strips_of(pieces.box, moved_rows, i, strips)
        simd.store(reached, (REACHED.OLD_FIRST, 0), old_first)
        simd.store(reached, (REACHED.OLD_LAST, 0), old_last)
        simd.store(reached, (REACHED.FIRST, 0), first)
        simd.store(reached, (REACHED.LAST, 0), last)
        stay = simd.lane_bits((first >= old_first) & (last <= old_last))
        for lane in range(min(simd.LANES, moved_count - i)):
            before, before_last = int(reached[REACHED.OLD_FIRST, lane]), int(reached[REACHED.OLD_LAST, lane])
            for strip in range(before, before_last + 1):
                strips.changed[strip & mask] = True
            if (stay >> lane) & 1 != 0:
                continue
            for strip in range(int(reached[REACHED.FIRST, lane]), int(reached[REACHED.LAST, lane]) + 1):
                slot = strip & mask
                if not is_reached(slot, before, before_last, strips):
                    strips.changed[slot] = True
                    piece = moved_rows[i + lane]
                    moves = insert_entry(
                        piece, slot, pieces.old_box, collides_with_nothing(piece, bodies, pieces), strips
                    )
                    total += moves
                    if moves < 0 or total > sort_budget(moved_count, strips):
                        return -1
    return total
