"""The pairs of what sleeps: set aside, so that no kernel goes through them, and taken up again as they were."""

from __future__ import annotations

from ecs_collide.broadphase.pair_slots import group_pairs
from ecs_collide.columns.bodies import SENSOR
from ecs_collide.columns.pairs import PIECE_A, PIECE_B, POINT_COUNT
from ecs_collide.columns.pieces import BODY
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.jit import device, stage

STATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.DYNAMIC)


@device
def is_awake(body, bodies):
    return bodies.kind[body] != STATIC and bodies.island[body] == 0


@stage
def sort_pairs_out(slots, bodies, pieces, pairs):
    """Park those of the pairs in `slots` of which no body is awake, and take up the others.

    Reads pair_index, body_kind, body_island, piece_index. Writes pair_awake, pair_order, pair_row_start.
    """
    for slot in slots:
        a, b = pairs.index[slot, PIECE_A], pairs.index[slot, PIECE_B]
        pairs.awake[slot] = is_awake(pieces.index[a, BODY], bodies) or is_awake(pieces.index[b, BODY], bodies)
    group_pairs(pairs)


@stage
def find_touched(slots, bodies, pieces, pairs, found):
    """Write the sleeping dynamic bodies that have a manifold with an awake one to `found` (k,); return their number.

    Reads pair_index, body_kind, body_island, body_filter.
    """
    count = 0
    for slot in slots:
        if pairs.index[slot, POINT_COUNT] == 0:
            continue
        a = pieces.index[pairs.index[slot, PIECE_A], BODY]
        b = pieces.index[pairs.index[slot, PIECE_B], BODY]
        if bodies.filter[a, SENSOR] + bodies.filter[b, SENSOR] != 0:
            continue
        for body, other in ((a, b), (b, a)):
            if bodies.island[body] != 0 and bodies.kind[body] == DYNAMIC and is_awake(other, bodies):
                found[count] = body
                count += 1
    return count
