"""The pairs of what sleeps: set aside, so that no kernel goes through them, and taken up again as they were."""

from __future__ import annotations

from ecs_collide.common.pair_roles import is_answered
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pairs import PAIR, Pairs
from ecs_collide.kernels.arrays import Flags, Ints
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.step.broadphase.pair_slots import group_pairs, park_slot, wake_slot

STATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.DYNAMIC)


@device
def is_awake(body, bodies):
    return bodies.kind[body] != STATIC and bodies.island[body] == 0


@stage
def sort_pairs_out(slots: Ints, bodies: Bodies, pairs: Pairs):
    """Park those of the pairs in `slots` of which no body is awake, and take up the others.

    Two static bodies of which one detects are looked at in every step: what moves one of them wakes nobody.
    Reads pair_index, body_kind, body_island. Writes pair_awake, pair_used, pair_order, pair_row_start.
    """
    for slot in slots:
        a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
        are_static = bodies.kind[a] == STATIC and bodies.kind[b] == STATIC
        if are_static or is_awake(a, bodies) or is_awake(b, bodies):
            wake_slot(slot, pairs)
        else:
            park_slot(slot, pairs)
    group_pairs(pairs)


@stage
def list_islanders(rows: Ints, high: int, bodies: Bodies, wakes: Flags, found: Ints):
    """Write the bodies of the islands to which some bodies belong to `found`; return their number.

    All bodies are below `high`. `wakes` (high + 1,) is scratch space, False. Reads body_island.
    """
    for row in rows:
        wakes[bodies.island[row]] = True
    wakes[0] = False  # the island of those that are awake
    count = 0
    for row in range(high):
        if wakes[bodies.island[row]]:
            found[count] = row
            count += 1
    return count


@stage
def find_touched(slots: Ints, bodies: Bodies, pairs: Pairs, found: Ints):
    """Write the sleeping dynamic bodies that have a manifold with an awake one to `found` (k,); return their number.

    Reads pair_index, body_kind, body_island.
    """
    count = 0
    for slot in slots:
        if pairs.index[slot, PAIR.POINT_COUNT] == 0 or not is_answered(pairs.index[slot, PAIR.ROLE]):
            continue
        a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
        for body, other in ((a, b), (b, a)):
            if bodies.island[body] != 0 and bodies.kind[body] == DYNAMIC and is_awake(other, bodies):
                found[count] = body
                count += 1
    return count
