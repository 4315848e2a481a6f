"""Islands that a game puts to sleep.

They are found within Narrowphase, from the manifolds of this step: two dynamic bodies with a manifold, or with a joint,
belong to one island. Kinematic bodies at rest that touch the island sleep with it, because an awake one would wake it.
"""

from __future__ import annotations

from ecs_collide.common.pair_roles import has_response
from ecs_collide.data.bodies import VELOCITY, Bodies
from ecs_collide.data.joints import WORLD
from ecs_collide.data.pairs import PAIR, Pairs
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.sleep.islands import DYNAMIC, KINEMATIC, Islands, fall_asleep, merge_islands, root_of
from ecs_collide.step.sleep.slow_motion import LINK, IslandLinks

WANTED, LISTED = 1, 2
"""Flags of the roots of requested islands, and of kinematic bodies that sleep with them."""


@device
def is_awake_dynamic(body, bodies):
    """Return True if a body is dynamic and does not sleep."""
    return bodies.kind[body] == DYNAMIC and bodies.island[body] == 0


@device
def is_answered(slot, pairs):
    """Return True if a pair has a manifold that the solver answers."""
    return pairs.index[slot, PAIR.POINT_COUNT] > 0 and has_response(pairs.index[slot, PAIR.ROLE])


@device
def stands_still(body, bodies):
    """Return True if a body is kinematic, awake and without velocity."""
    is_moving = False
    for k in range(VELOCITY.WIDTH):
        is_moving = is_moving or bodies.velocity[body, k] != 0.0
    return bodies.kind[body] == KINEMATIC and bodies.island[body] == 0 and not is_moving


@kernel
def put_islands_to_sleep(
    requested: Ints, movers: Ints, slots: Ints, bodies: Bodies, pairs: Pairs, links: IslandLinks, islands: Islands
):
    """Put the islands of the `requested` awake dynamic bodies to sleep; return the number of their bodies.

    `slots` are those of the pairs that a step processes, `links` the joints. Kinematic bodies count too. Reads
    pair_index, body_kind. Writes body_island, body_velocity (0), body_solver_row (0) and island_asleep.
    """
    parent, flags, asleep = islands.parent, islands.flags, islands.asleep
    for body in movers:
        parent[body], flags[body] = body, 0
    for slot in slots:
        a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
        if is_answered(slot, pairs) and is_awake_dynamic(a, bodies) and is_awake_dynamic(b, bodies):
            merge_islands(a, b, parent)
    for k in range(len(links.ends)):
        a, b = links.ends[k, LINK.A], links.ends[k, LINK.B]
        if a != WORLD and b != WORLD and is_awake_dynamic(a, bodies) and is_awake_dynamic(b, bodies):
            merge_islands(a, b, parent)
    for body in requested:
        flags[root_of(body, parent)] = WANTED
    count = 0
    for body in movers:
        if is_awake_dynamic(body, bodies) and flags[root_of(body, parent)] == WANTED:
            asleep[count] = body
            count += 1
    for slot in slots:
        if not is_answered(slot, pairs):
            continue
        a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
        for body, other in ((a, b), (b, a)):
            if not (stands_still(body, bodies) and is_awake_dynamic(other, bodies)) or flags[body] == LISTED:
                continue
            if flags[root_of(other, parent)] == WANTED:
                flags[body] = LISTED
                asleep[count] = body
                count += 1
    for body in asleep[:count]:
        fall_asleep(body, root_of(body, parent), bodies)
    return count
