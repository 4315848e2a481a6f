"""Pairs come and go here: slots are taken for new ones and freed when the boxes part."""

from __future__ import annotations

from ecs_collide.broadphase.overlap import boxes_overlap
from ecs_collide.columns.pairs import (
    A_SENSES,
    B_SENSES,
    BODY_GONE,
    CONTACT,
    ENTITY_A,
    ENTITY_B,
    FREE,
    HINT,
    NO_CONTACT,
    PIECE_A,
    PIECE_B,
    POINT_COUNT,
    ROW,
    TOUCHING,
)
from ecs_collide.columns.pieces import BODY, KIND, MAX_X, MIN_X, SEVERAL
from ecs_collide.jit import device
from ecs_collide.narrowphase.manifold import NO_HINT


@device
def drop_pairs(pairs, pair_count, free_slots, pieces, lost):
    """Free the slots of pairs whose boxes have parted; return (pairs left, touching ones among those lost).

    Those that are parked stay: their boxes have not moved.

    A removed piece has an empty box, which overlaps nothing.
    Reads piece_box (p, 4), piece_moved (p,). Writes pair_index, pair_awake, the stack of free slots, `lost` (at least
    pair_count, 4): entities and way of touching of those that were touching, and whether one has several pieces.
    """
    free_count = len(free_slots) - pair_count
    lost_count = 0
    for k in range(pairs.row_start[-1]):
        slot = pairs.order[k]
        a, b = pairs.index[slot, PIECE_A], pairs.index[slot, PIECE_B]
        if (pieces.moved[a] == 0 and pieces.moved[b] == 0) or boxes_overlap(pieces.box, a, b):
            continue
        if pairs.index[slot, TOUCHING] != 0:
            lost[lost_count, 0] = pairs.index[slot, ENTITY_A]
            lost[lost_count, 1] = pairs.index[slot, ENTITY_B]
            lost[lost_count, 2] = pairs.index[slot, TOUCHING]
            several = pieces.index[a, SEVERAL] | pieces.index[b, SEVERAL]
            is_gone = pieces.box[a, MIN_X] > pieces.box[a, MAX_X] or pieces.box[b, MIN_X] > pieces.box[b, MAX_X]
            lost[lost_count, 3] = BODY_GONE if several != 0 and is_gone else several
            lost_count += 1
        pairs.index[slot, ROW] = FREE
        pairs.awake[slot] = False
        free_slots[free_count] = slot
        free_count += 1
    return len(free_slots) - free_count, lost_count


@device
def add_pairs(found, found_count, pair_count, free_slots, kind_row, bodies, pieces, pairs):
    """Give a slot to each pair in `found`, with the piece of the greater kind as A; return the number of pairs.

    `kind_row` (kinds, kinds) is the row of the pair table for two kinds.
    Reads piece_index, body_entity. Writes pair_index, pair_enabled, pair_awake.
    """
    for k in range(found_count):
        a, b = found[k, 0], found[k, 1]
        kind_a, kind_b = pieces.index[a, KIND], pieces.index[b, KIND]
        if kind_a < kind_b or (kind_a == kind_b and a > b):
            a, b = b, a
            kind_a, kind_b = kind_b, kind_a
        slot = free_slots[len(free_slots) - pair_count - 1]
        pair_count += 1
        pairs.index[slot, PIECE_A] = a
        pairs.index[slot, PIECE_B] = b
        pairs.index[slot, ROW] = kind_row[kind_a, kind_b]
        pairs.index[slot, POINT_COUNT] = 0
        pairs.index[slot, TOUCHING] = 0
        pairs.index[slot, CONTACT] = NO_CONTACT
        pairs.index[slot, HINT] = NO_HINT
        pairs.index[slot, ENTITY_A] = bodies.entity[pieces.index[a, BODY]]
        pairs.index[slot, ENTITY_B] = bodies.entity[pieces.index[b, BODY]]
        pairs.enabled[slot] = True
        pairs.awake[slot] = True
    return pair_count


@device
def renew_pair(slot, pairs, kind_row, pieces):
    """Begin a pair anew of whose pieces one has another kind or other vertices; it stays in its slot and goes on
    touching.

    The piece of the greater kind comes to be A. Reads piece_index. Writes pair_index.
    """
    index = pairs.index
    a, b = index[slot, PIECE_A], index[slot, PIECE_B]
    kind_a, kind_b = pieces.index[a, KIND], pieces.index[b, KIND]
    if kind_a < kind_b or (kind_a == kind_b and a > b):
        index[slot, PIECE_A], index[slot, PIECE_B] = b, a
        index[slot, ENTITY_A], index[slot, ENTITY_B] = index[slot, ENTITY_B], index[slot, ENTITY_A]
        if index[slot, TOUCHING] == A_SENSES:
            index[slot, TOUCHING] = B_SENSES
        elif index[slot, TOUCHING] == B_SENSES:
            index[slot, TOUCHING] = A_SENSES
        kind_a, kind_b = kind_b, kind_a
    index[slot, ROW] = kind_row[kind_a, kind_b]
    index[slot, POINT_COUNT] = 0
    index[slot, HINT] = NO_HINT


@device
def settle_boxes(piece_rows, pieces):
    """The pair update is done: what moved counts as unmoved until its next fat box.

    Reads piece_box. Writes piece_old_box [m] (p, 4), piece_moved (p,).
    """
    for piece in piece_rows:
        if pieces.moved[piece] != 0:
            pieces.moved[piece] = 0
            for side in range(4):
                pieces.old_box[piece, side] = pieces.box[piece, side]


@device
def group_pairs(pairs):
    """List the slots of pairs that are not parked by row of the pair table, in slot order within a row.

    Reads pair_index, pair_awake. Writes pair_order (s,), pair_row_start (rows + 1,).
    """
    start = pairs.row_start
    start[:] = 0
    slot_count = len(pairs.index)
    for slot in range(slot_count):
        if pairs.awake[slot]:
            start[pairs.index[slot, ROW] + 1] += 1
    for row in range(1, len(start)):
        start[row] += start[row - 1]
    # filling moves each start to its end, which is the next one's start: shift back afterwards
    for slot in range(slot_count):
        if pairs.awake[slot]:
            row = pairs.index[slot, ROW]
            pairs.order[start[row]] = slot
            start[row] += 1
    for row in range(len(start) - 1, 0, -1):
        start[row] = start[row - 1]
    start[0] = 0
