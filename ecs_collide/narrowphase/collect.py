"""From the pairs' manifolds to this step's dense contact rows, in world coordinates."""

from __future__ import annotations

from math import sqrt

from ecs_collide.columns.bodies import (
    CENTER_X,
    CENTER_Y,
    COS,
    FRICTION,
    FRICTION_RULE,
    RESTITUTION,
    RESTITUTION_RULE,
    SENSOR,
    SIN,
)
from ecs_collide.columns.pairs import (
    ANCHOR_A,
    ANCHOR_B,
    BODY_A,
    BODY_B,
    CONTACT,
    NO_CONTACT,
    NORMAL_X,
    NORMAL_Y,
    POINT_COUNT,
    POINT_STRIDE,
    SENSED_BY_A,
    SENSED_BY_B,
)
from ecs_collide.components.combine import Combine
from ecs_collide.jit import device, stage

AVERAGE, MINIMUM, MULTIPLY = int(Combine.AVERAGE), int(Combine.MINIMUM), int(Combine.MULTIPLY)
GEOMETRIC_MEAN, MAXIMUM = int(Combine.GEOMETRIC_MEAN), int(Combine.MAXIMUM)


@device
def combined(a, b, rule_a, rule_b, usual_rule):
    """Two coefficients as one: by the usual rule unless either body has its own; of two, the greater number counts."""
    rule = max(rule_a, rule_b)
    if rule == 0:
        rule = usual_rule
    if rule == GEOMETRIC_MEAN:
        return sqrt(a * b)
    if rule == MAXIMUM:
        return max(a, b)
    if rule == AVERAGE:
        return 0.5 * (a + b)
    if rule == MINIMUM:
        return min(a, b)
    return a * b


@stage
def collect_contacts(live, count, bodies, pieces, pairs, contacts):
    """Add contact rows for the pairs in `live` to the `count` present ones; return how many there are then.

    A pair with a sensor gets no row: it is marked as sensed where the two overlap.
    Reads body_frame, body_material, body_filter, pair_manifold. Writes the contacts (room for all of `live`),
    pair_index (contact row).
    """
    manifold = pairs.manifold
    for slot in live:
        pairs.index[slot, CONTACT] = NO_CONTACT
        point_count = pairs.index[slot, POINT_COUNT]
        if point_count == 0:
            continue
        a, b = pairs.index[slot, BODY_A], pairs.index[slot, BODY_B]
        cos_a, sin_a, cos_b, sin_b = (
            bodies.frame[a, COS],
            bodies.frame[a, SIN],
            bodies.frame[b, COS],
            bodies.frame[b, SIN],
        )
        local_x, local_y = manifold[slot, NORMAL_X], manifold[slot, NORMAL_Y]
        normal_x, normal_y = cos_a * local_x - sin_a * local_y, sin_a * local_x + cos_a * local_y
        contacts.normal[count, 0] = normal_x
        contacts.normal[count, 1] = normal_y
        lowest = 1e300
        for k in range(point_count):
            at = k * POINT_STRIDE
            local_x, local_y = manifold[slot, ANCHOR_A + at], manifold[slot, ANCHOR_A + at + 1]
            ax = bodies.frame[a, CENTER_X] + (cos_a * local_x - sin_a * local_y)
            ay = bodies.frame[a, CENTER_Y] + (sin_a * local_x + cos_a * local_y)
            local_x, local_y = manifold[slot, ANCHOR_B + at], manifold[slot, ANCHOR_B + at + 1]
            bx = bodies.frame[b, CENTER_X] + (cos_b * local_x - sin_b * local_y)
            by = bodies.frame[b, CENTER_Y] + (sin_b * local_x + cos_b * local_y)
            contacts.point[count, k, 0] = 0.5 * (ax + bx)
            contacts.point[count, k, 1] = 0.5 * (ay + by)
            separation = (bx - ax) * normal_x + (by - ay) * normal_y
            contacts.separation[count, k] = separation
            contacts.normal_impulse[count, k] = 0.0
            contacts.tangent_impulse[count, k] = 0.0
            lowest = min(lowest, separation)
        a_senses = bodies.filter[a, SENSOR] != 0
        if a_senses or bodies.filter[b, SENSOR] != 0:
            if lowest <= 0.0:
                pairs.index[slot, CONTACT] = SENSED_BY_A if a_senses else SENSED_BY_B
            continue
        contacts.pair[count] = slot
        contacts.body[count, 0] = a
        contacts.body[count, 1] = b
        contacts.point_count[count] = point_count
        contacts.friction[count] = combined(
            bodies.material[a, FRICTION],
            bodies.material[b, FRICTION],
            bodies.material[a, FRICTION_RULE],
            bodies.material[b, FRICTION_RULE],
            GEOMETRIC_MEAN,
        )
        contacts.restitution[count] = combined(
            bodies.material[a, RESTITUTION],
            bodies.material[b, RESTITUTION],
            bodies.material[a, RESTITUTION_RULE],
            bodies.material[b, RESTITUTION_RULE],
            MAXIMUM,
        )
        contacts.enabled[count] = True
        pairs.index[slot, CONTACT] = count
        count += 1
    return count
