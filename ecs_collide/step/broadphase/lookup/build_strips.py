"""Lays out the strips of the pieces that can move, see `strips.py`."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import BOX, Pieces
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import kernel
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.broadphase.lookup import strips as of_strip
from ecs_collide.step.broadphase.lookup.strips import ENTRY, SCALE, Strips, collides_with_nothing, strips_of

STRIP_HEIGHT = 8.0  # in mean box heights
WIDE = 1.25
"""Width, in mean box widths, from which a piece searches to its right even if it has not moved."""

NO_ENTRIES = lane_array((ENTRY.WIDTH, 0))

LEAST_SLOTS = 16
"""Least number of slots, a power of two."""

ENTERED = 64
"""Least number of empty slots for which there is room before the strips must be laid out anew."""


def build_strips(rows: np.ndarray, bodies: Bodies, pieces: Pieces) -> Strips:
    """Return strips with those of the pieces in `rows` that have a box; if there are any, all slots are changed."""
    if len(rows):
        low = pieces.box[rows, BOX.MIN_X]
        has_box = low <= pieces.box[rows, BOX.MAX_X]
        rows, low = rows[has_box], low[has_box]
        rows = rows[np.lexsort((rows, low))]
    slots = max(LEAST_SLOTS, 1 << (len(rows) // 4).bit_length())  # more than any tower of single pieces needs
    strips = Strips(
        start=np.zeros(slots, np.int64),
        room=np.zeros(slots, np.int64),
        filled=np.zeros(slots, np.int64),
        spare=np.zeros(1, np.int64),
        changed=np.zeros(slots, np.bool_),
        entry=NO_ENTRIES,
        scale=np.zeros(SCALE.WIDTH),
    )
    lay_out_slots(rows, pieces, strips)
    used = strips.spare.item()
    size = used + used // 2 + LANES * (min(slots, ENTERED) + 1) if len(rows) else used + LANES
    strips = strips._replace(entry=lane_array((ENTRY.WIDTH, size)))
    if len(rows):
        enter_pieces(rows, bodies, pieces, strips)
    return strips


@kernel
def lay_out_slots(rows: Ints, pieces: Pieces, strips: Strips):
    """Assign room to each slot: for its entries, and for half as many more.

    `rows` lists the pieces. Reads piece_box. Writes the scale, `start`, `room` and `spare` of the strips, and 0 to
    `filled`.
    """
    box, scale, filled, mask = pieces.box, strips.scale, strips.filled, len(strips.filled) - 1
    height, width, count = 0.0, 0.0, max(len(rows), 1)
    for piece in rows:
        height += box[piece, BOX.MAX_Y] - box[piece, BOX.MIN_Y]
        width += box[piece, BOX.MAX_X] - box[piece, BOX.MIN_X]
    scale[SCALE.PER_HEIGHT] = 1.0 / max(STRIP_HEIGHT * height / count, 1e-300)
    scale[SCALE.WIDE] = WIDE * width / count
    for piece in rows:
        first, last = strips_of(box, piece, strips)
        for strip in range(first, last + 1):
            filled[strip & mask] += 1
    place = LANES
    for slot in range(len(filled)):
        entered = filled[slot]
        strips.start[slot] = place
        strips.room[slot] = LANES * ((entered + entered // 2 + 4) // LANES + 1) if entered > 0 else 0
        place += strips.room[slot]
        filled[slot] = 0
    strips.spare[0] = place


@kernel
def enter_pieces(rows: Ints, bodies: Bodies, pieces: Pieces, strips: Strips):
    """Enter the pieces in `rows`, which are sorted by (min_x, piece), in the slots that they reach.

    Reads piece_box, piece_old_box, piece_moved, and the filters of the colliders. Writes `entry` and `filled` of the
    strips, and True to `changed`.
    """
    entry, mask = strips.entry, len(strips.filled) - 1
    strips.changed[:] = True
    for piece in rows:
        box, old_box = pieces.box[piece], pieces.old_box[piece]
        status = of_strip.STILL
        if collides_with_nothing(piece, bodies, pieces):
            status = of_strip.INERT
        elif pieces.moved[piece]:
            status = of_strip.MOVED
        elif box[BOX.MAX_X] - box[BOX.MIN_X] >= strips.scale[SCALE.WIDE]:
            status = of_strip.STILL_AND_WIDE
        first, last = strips_of(pieces.box, piece, strips)
        for strip in range(first, last + 1):
            slot = strip & mask
            k = strips.start[slot] + strips.filled[slot]
            strips.filled[slot] += 1
            for side in range(4):
                entry[ENTRY.NOW + side, k] = box[side]
                entry[ENTRY.BEFORE + side, k] = old_box[side]
            entry[ENTRY.PIECE, k], entry[ENTRY.STATUS, k] = piece, status
