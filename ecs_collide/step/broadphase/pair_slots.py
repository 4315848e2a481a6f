"""Slots of the pair columns: new pairs take one, and it is freed when the fat boxes of the two pieces part."""

from __future__ import annotations

from ecs_collide.common.pair_roles import role_of
from ecs_collide.common.touch_rows import write_end
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import FOUND, PAIR, SIDES
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE
from ecs_collide.geometry.aabb import boxes_touch
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, gather4, lane_bits, trailing_zeros
from ecs_collide.shapes import PieceKind

CAPSULE = int(PieceKind.CAPSULE)

EIGHT_BITS = (1 << LANES) - 1


@device
def count_live(pairs):
    """Return the number of pairs that are not parked."""
    return pairs.row_start[len(pairs.row_start) - 1]


@device
def drop_pairs(exchange, pieces, has_listeners):
    """Free the slots of pairs whose boxes have parted, see `free_slot`.

    A removed piece has an empty box, which overlaps nothing. Parked pairs stay, because their boxes have not moved.
    Reads piece_box (p, 4). Writes pair_index, pair_sides, pair_used, pair_awake, pair_in_use, the stack of free slots,
    `lost`, `lost_count`.
    """
    pairs, free_slots = exchange.pairs, exchange.free_slots
    all_rows = len(pairs.used) - 1
    for block in range(0, len(free_slots), LANES):
        if (pairs.used[all_rows, block // of_pair.WORD] >> (block % of_pair.WORD)) & EIGHT_BITS == 0:
            continue
        a_min_x, a_min_y, a_max_x, a_max_y = gather4(pieces.box, BOX.MIN_X, pairs.sides, (SIDES.FIRST, block))
        b_min_x, b_min_y, b_max_x, b_max_y = gather4(pieces.box, BOX.MIN_X, pairs.sides, (SIDES.SECOND, block))
        meeting = boxes_touch(a_min_x, a_min_y, a_max_x, a_max_y, b_min_x, b_min_y, b_max_x, b_max_y)
        parted = lane_bits(~meeting)
        while parted != 0:
            slot = block + trailing_zeros(parted)
            parted &= parted - 1
            if slot >= len(free_slots) or pairs.index[slot, PAIR.ROW] == of_pair.FREE:
                continue
            free_slot(slot, exchange, pieces, has_listeners)


@device
def free_slot(slot, exchange, pieces, has_listeners):
    """Free the slot of a pair. A pair that touched is listed as lost if events have a listener.

    Writes what `drop_pairs` writes.
    """
    pairs, pair = exchange.pairs, exchange.pairs.index[slot]
    if pair[PAIR.TOUCHING] != of_pair.APART and has_listeners != 0:
        a, b = pairs.sides[SIDES.FIRST, slot], pairs.sides[SIDES.SECOND, slot]
        several = pieces.index[a, PIECE.SEVERAL] | pieces.index[b, PIECE.SEVERAL]
        if several != 0 and (has_empty_box(a, pieces) or has_empty_box(b, pieces)):
            several = of_pair.BODY_REMOVED
        write_end(exchange.lost[exchange.lost_count[0]], pair, pair[PAIR.TOUCHING], several)
        exchange.lost_count[0] += 1
    set_row(slot, of_pair.FREE, pairs)
    pairs.sides[SIDES.SECOND, slot] = pairs.sides[SIDES.FIRST, slot]
    exchange.free_slots[len(exchange.free_slots) - pairs.in_use[0]] = slot
    pairs.in_use[0] -= 1


@device
def has_empty_box(piece, pieces):
    """Return True if the box of a piece is empty: the piece was removed."""
    return pieces.box[piece, BOX.MIN_X] > pieces.box[piece, BOX.MAX_X]


@device
def set_row(slot, row, pairs):
    """Assign a slot to a row of the pair table, or to `FREE`. Writes pair_index, pair_used, pair_awake."""
    park_slot(slot, pairs)
    pairs.index[slot, PAIR.ROW] = row
    if row != of_pair.FREE:
        wake_slot(slot, pairs)


@device
def wake_slot(slot, pairs):
    """Add a slot in use to the list of its row. Writes pair_used, pair_awake; `group_pairs` has to follow."""
    word, bit = slot // of_pair.WORD, 1 << (slot % of_pair.WORD)
    pairs.used[pairs.index[slot, PAIR.ROW], word] |= bit
    pairs.used[len(pairs.used) - 1, word] |= bit
    pairs.awake[slot] = True


@device
def park_slot(slot, pairs):
    """Remove a slot from the list of its row, if it is in it. Writes pair_used, pair_awake; see `wake_slot`."""
    if pairs.awake[slot]:
        word, bit = slot // of_pair.WORD, 1 << (slot % of_pair.WORD)
        pairs.used[pairs.index[slot, PAIR.ROW], word] &= ~bit
        pairs.used[len(pairs.used) - 1, word] &= ~bit
        pairs.awake[slot] = False


@device
def row_of(a, b, kind_row, pieces):
    """Return the row of the pair table for two pieces; the first has the greater kind."""
    kind_a, kind_b = pieces.index[a, PIECE.KIND], pieces.index[b, PIECE.KIND]
    if (
        kind_a == CAPSULE
        and kind_b == CAPSULE
        and pieces.size[a, PIECE_SIZE.RADIUS] == 0.0
        and pieces.size[b, PIECE_SIZE.RADIUS] == 0.0
    ):
        last = len(kind_row) - 1  # see `THIN`
        return kind_row[last, last]
    return kind_row[kind_a, kind_b]


@device
def add_pairs(found, found_count, exchange, bodies, pieces):
    """Assign a slot to each found pair. The piece of the greater kind becomes A.

    Reads piece_index, body_entity, body_filter. Writes pair_index, pair_sides, pair_used, pair_awake, pair_enabled,
    pair_in_use.
    """
    pairs, free_slots = exchange.pairs, exchange.free_slots
    for k in range(found_count):
        a, b = found[k, FOUND.FIRST], found[k, FOUND.SECOND]
        kind_a, kind_b = pieces.index[a, PIECE.KIND], pieces.index[b, PIECE.KIND]
        if kind_a < kind_b or (kind_a == kind_b and a > b):
            a, b = b, a
        pairs.in_use[0] += 1
        slot = free_slots[len(free_slots) - pairs.in_use[0]]
        pairs.index[slot, PAIR.PIECE_A] = a
        pairs.index[slot, PAIR.PIECE_B] = b
        pairs.sides[SIDES.FIRST, slot] = a
        pairs.sides[SIDES.SECOND, slot] = b
        set_row(slot, row_of(a, b, exchange.kind_row, pieces), pairs)
        pairs.index[slot, PAIR.BODY_A] = pieces.index[a, PIECE.BODY]
        pairs.index[slot, PAIR.BODY_B] = pieces.index[b, PIECE.BODY]
        pairs.index[slot, PAIR.POINT_COUNT] = 0
        pairs.index[slot, PAIR.TOUCHING] = 0
        pairs.index[slot, PAIR.CONTACT] = of_pair.NO_CONTACT
        collider_a, collider_b = pieces.index[a, PIECE.COLLIDER], pieces.index[b, PIECE.COLLIDER]
        pairs.index[slot, PAIR.COLLIDER_A], pairs.index[slot, PAIR.COLLIDER_B] = collider_a, collider_b
        pairs.index[slot, PAIR.ENTITY_A], pairs.index[slot, PAIR.ENTITY_B] = (
            bodies.entity[collider_a],
            bodies.entity[collider_b],
        )
        pairs.index[slot, PAIR.ROLE] = role_of(a, b, bodies, pieces)
        pairs.enabled[slot] = True


@device
def reset_pair(slot, pairs, kind_row, pieces):
    """Reset a pair after one of its pieces changed its kind or vertices. It keeps its slot and stays in touch.

    The piece of the greater kind becomes A. Reads piece_index. Writes pair_index, pair_used.
    """
    index = pairs.index
    a, b = index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B]
    kind_a, kind_b = pieces.index[a, PIECE.KIND], pieces.index[b, PIECE.KIND]
    if kind_a < kind_b or (kind_a == kind_b and a > b):
        index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B] = b, a
        index[slot, PAIR.BODY_A], index[slot, PAIR.BODY_B] = (
            index[slot, PAIR.BODY_B],
            index[slot, PAIR.BODY_A],
        )
        index[slot, PAIR.ENTITY_A], index[slot, PAIR.ENTITY_B] = (
            index[slot, PAIR.ENTITY_B],
            index[slot, PAIR.ENTITY_A],
        )
        index[slot, PAIR.COLLIDER_A], index[slot, PAIR.COLLIDER_B] = (
            index[slot, PAIR.COLLIDER_B],
            index[slot, PAIR.COLLIDER_A],
        )
        if index[slot, PAIR.TOUCHING] == of_pair.A_SENSES:
            index[slot, PAIR.TOUCHING] = of_pair.B_SENSES
        elif index[slot, PAIR.TOUCHING] == of_pair.B_SENSES:
            index[slot, PAIR.TOUCHING] = of_pair.A_SENSES
        role = index[slot, PAIR.ROLE]
        notifies_a, notifies_b = role & of_pair.NOTIFIES_A, role & of_pair.NOTIFIES_B
        index[slot, PAIR.ROLE] = (role & ~(of_pair.NOTIFIES_A | of_pair.NOTIFIES_B)) | notifies_a << 1 | notifies_b >> 1
    set_row(slot, row_of(index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B], kind_row, pieces), pairs)
    index[slot, PAIR.POINT_COUNT] = 0


@device
def settle_boxes(piece_rows, count, pieces):
    """Copy the fat boxes of those of the first `count` pieces that moved, at the end of a pair update.

    Reads piece_box. Writes piece_old_box [m] (p, 4), piece_moved (p,).
    """
    for k in range(count):
        piece = piece_rows[k]
        if pieces.moved[piece]:
            pieces.moved[piece] = False
            for side in range(4):
                pieces.old_box[piece, side] = pieces.box[piece, side]


@device
def group_pairs(pairs):
    """List the slots of the pairs that are not parked by row of the pair table, in slot order within a row.

    Reads pair_used. Writes pair_order (s,), pair_row_start (rows + 1,).
    """
    rows, words = len(pairs.row_start) - 1, pairs.used.shape[1]
    count = 0
    for row in range(rows):
        pairs.row_start[row] = count
        for word in range(words):
            bits = pairs.used[row, word]
            while bits != 0:
                pairs.order[count] = word * of_pair.WORD + trailing_zeros(bits)
                bits &= bits - 1
                count += 1
    pairs.row_start[rows] = count
