"""Parked pairs: the pairs of sleeping bodies, which kernels skip until a body wakes."""

from __future__ import annotations

from ecs_collide.common.pair_roles import has_response
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pairs import PAIR, Pairs
from ecs_collide.kernels.arrays import Flags, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.broadphase.pair_slots import group_pairs, park_slot, wake_slot

STATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.DYNAMIC)


@device
def is_awake(body, bodies):
    """Return True if a body is not static and does not sleep."""
    return bodies.kind[body] != STATIC and bodies.island[body] == 0


@kernel
def park_pairs(slots: Ints, bodies: Bodies, pairs: Pairs):
    """Park the pairs in `slots` of which no body is awake, and unpark the others.

    Pairs of two static bodies, of which one is a detecting sensor, are never parked: moving a static body wakes no
    sensor.
    Reads pair_index, body_kind, body_island. Writes pair_index (CONTACT), pair_awake, pair_used, pair_order,
    pair_row_start.
    """
    for slot in slots:
        a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
        are_static = bodies.kind[a] == STATIC and bodies.kind[b] == STATIC
        if are_static or is_awake(a, bodies) or is_awake(b, bodies):
            wake_slot(slot, pairs)
        else:
            park_slot(slot, pairs)
            pairs.index[slot, PAIR.CONTACT] = of_pair.STORED
    group_pairs(pairs)


@kernel
def list_island_bodies(rows: Ints, high: int, bodies: Bodies, wakes: Flags, found: Ints):
    """Write all bodies in the islands of some bodies to `found`; return their number.

    All bodies are below row `high`. `wakes` (high + 1,) is scratch space, False at first. Reads body_island.
    """
    for row in rows:
        wakes[bodies.island[row]] = True
    wakes[0] = False  # 0 is no island: awake bodies have it
    count = 0
    for row in range(high):
        if wakes[bodies.island[row]]:
            found[count] = row
            count += 1
    return count


@kernel
def find_touched(slots: Ints, bodies: Bodies, pairs: Pairs, found: Ints):
    """Write the sleeping dynamic bodies that have a manifold with an awake body to `found` (k,); return their number.

    Reads pair_index, body_kind, body_island.
    """
    count = 0
    for slot in slots:
        if pairs.index[slot, PAIR.POINT_COUNT] == 0 or not has_response(pairs.index[slot, PAIR.ROLE]):
            continue
        a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
        for body, other in ((a, b), (b, a)):
            if bodies.island[body] != 0 and bodies.kind[body] == DYNAMIC and is_awake(other, bodies):
                found[count] = body
                count += 1
    return count
