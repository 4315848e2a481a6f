"""Dense contact rows of this step, in world coordinates, made from the pairs' manifolds."""

from __future__ import annotations

from math import nan, sqrt

from ecs_collide.common.pair_roles import has_response, touching_of_overlap
from ecs_collide.common.part_material import surface_speed_of, value_of
from ecs_collide.components.combine import Combine
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import FRAME, MATERIAL, RULE, SURFACE, Bodies
from ecs_collide.data.contacts import CONTACT_BODY, Contacts
from ecs_collide.data.pairs import MANIFOLD, PAIR, Pairs
from ecs_collide.data.pieces import Pieces
from ecs_collide.geometry.vector import X
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, gather2, gather4, maximum, scatter2, scatter4, square_root, store
from ecs_collide.shapes.material import MATERIAL_VALUE
from ecs_collide.shapes.measure import FORM_PART
from ecs_collide.step.narrowphase.eight_pairs import LANE

CONTACT_LANE = layout("lanes of eight contacts", after=LANE, ROW="row of the contact")
"""Rows of `Pairs.lanes`."""

COEFFICIENT = layout("coefficients of eight contacts", FRICTION="friction", RESTITUTION="restitution")
"""Rows of `Pairs.values`."""

SURFACES, PARTS = 1, 2
"""Bits of the details that contacts have.

SURFACES: any body's surface moves, resists rolling, has a combine rule of its own, or is attached, or any part of a
shape has a material. PARTS: any shape has several parts.
"""

AVERAGE, MINIMUM, MULTIPLY = int(Combine.AVERAGE), int(Combine.MINIMUM), int(Combine.MULTIPLY)
GEOMETRIC_MEAN, MAXIMUM = int(Combine.GEOMETRIC_MEAN), int(Combine.MAXIMUM)


@device
def combined_coefficient(a, b, rule_a, rule_b, usual_rule):
    """Return two coefficients combined by the usual rule, or by the bodies' own rules.

    If both bodies have a rule, the one of the greater number is used.
    """
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


@device
def middle_between(a, b, normal_x, normal_y, on_a, on_b):
    """Return the world point half way between a point on body A and one on body B, and the gap along the normal [m].

    A body is given as x, y, cosine and sine. All values may be numbers or vectors.
    """
    ax, ay, cos_a, sin_a = a
    bx, by, cos_b, sin_b = b
    ax, ay = ax + (cos_a * on_a[0] - sin_a * on_a[1]), ay + (sin_a * on_a[0] + cos_a * on_a[1])
    bx, by = bx + (cos_b * on_b[0] - sin_b * on_b[1]), by + (sin_b * on_b[0] + cos_b * on_b[1])
    return 0.5 * (ax + bx), 0.5 * (ay + by), (bx - ax) * normal_x + (by - ay) * normal_y


@device
def sensor_mark(slot, bodies, pairs):
    """Return `CONTACT` of a pair that gets no response.

    The pose that the manifold was made for becomes NaN, so the next step makes a new manifold whatever the motion.
    """
    a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
    manifold, frame = pairs.manifold[slot], bodies.frame
    manifold[MANIFOLD.MADE_COS] = nan
    pose_a = frame[a, FRAME.CENTER_X], frame[a, FRAME.CENTER_Y], frame[a, FRAME.COS], frame[a, FRAME.SIN]
    pose_b = frame[b, FRAME.CENTER_X], frame[b, FRAME.CENTER_Y], frame[b, FRAME.COS], frame[b, FRAME.SIN]
    local_x, local_y = manifold[MANIFOLD.NORMAL_X], manifold[MANIFOLD.NORMAL_Y]
    normal_x, normal_y = pose_a[2] * local_x - pose_a[3] * local_y, pose_a[3] * local_x + pose_a[2] * local_y
    for k in range(pairs.index[slot, PAIR.POINT_COUNT]):
        on_a, on_b = (
            manifold[MANIFOLD.ANCHOR_A + k * of_pair.POINT_STRIDE :],
            manifold[MANIFOLD.ANCHOR_B + k * of_pair.POINT_STRIDE :],
        )
        _, _, separation = middle_between(pose_a, pose_b, normal_x, normal_y, (on_a[0], on_a[1]), (on_b[0], on_b[1]))
        way = touching_of_overlap(pairs.index[slot, PAIR.ROLE])
        if separation <= 0.0 and way != of_pair.APART:
            return -way
    return of_pair.NO_CONTACT


@kernel
def collect_contacts(
    live: Ints,
    first: int,
    bodies: Bodies,
    pieces: Pieces,
    pairs: Pairs,
    contacts: Contacts,
    details: int,
):
    """Add contact rows for the pairs in `live` to the `first` present ones; return how many there are then.

    A pair that is not answered gets no row: its slot records which entities are notified if the two overlap.
    `details` are the bits `SURFACES` and `PARTS`, or 0. Reads body_frame, body_material, body_rule, body_surface,
    piece_part, piece_material, pair_manifold. Writes pair_index (contact row) and the contacts, which have room for all
    of `live`, except their impulses.
    """
    index, stop = pairs.index, first
    for slot in live:
        # written always, and overwritten by the next pair: cheaper than a branch that cannot be predicted
        contacts.pair[stop] = slot
        stop += min(index[slot, PAIR.POINT_COUNT], 1)
        index[slot, PAIR.CONTACT] = of_pair.NO_CONTACT
    count = first
    for k in range(first, stop):
        slot = contacts.pair[k]
        a, b = index[slot, PAIR.BODY_A], index[slot, PAIR.BODY_B]
        role = index[slot, PAIR.ROLE]
        if not has_response(role) or role & of_pair.ACROSS != 0:
            index[slot, PAIR.CONTACT] = sensor_mark(slot, bodies, pairs)
            continue
        contacts.pair[count], contacts.point_count[count] = slot, index[slot, PAIR.POINT_COUNT]
        contacts.body[count, CONTACT_BODY.A], contacts.body[count, CONTACT_BODY.B] = a, b
        contacts.enabled[count] = True
        index[slot, PAIR.CONTACT] = count
        count += 1
    for start in range(first, count, LANES):
        place_eight(start, count, bodies, pairs, contacts)
    contacts.surface_speed[first:count] = 0.0
    contacts.rolling_resistance[first:count] = 0.0
    contacts.part[first:count] = 0
    if details & SURFACES != 0:
        combine_surfaces(first, count, bodies, pieces, pairs, contacts)
    if details & PARTS != 0:
        for row in range(first, count):
            a, b = index[contacts.pair[row], PAIR.PIECE_A], index[contacts.pair[row], PAIR.PIECE_B]
            contacts.part[row, CONTACT_BODY.A] = pieces.part[a, FORM_PART.NUMBER]
            contacts.part[row, CONTACT_BODY.B] = pieces.part[b, FORM_PART.NUMBER]
    return count


@device
def combine_surfaces(start, stop, bodies, pieces, pairs, contacts):
    """Find surface speed, rolling resistance and coefficients of some contact rows from their pieces and colliders.

    Coefficients follow the rules of the colliders.
    """
    surface, material, rule = bodies.surface, bodies.material, bodies.rule
    of_friction, of_resistance = MATERIAL_VALUE.FRICTION, MATERIAL_VALUE.ROLLING_RESISTANCE
    for row in range(start, stop):
        pair = pairs.index[contacts.pair[row]]
        a, b, p, q = pair[PAIR.COLLIDER_A], pair[PAIR.COLLIDER_B], pair[PAIR.PIECE_A], pair[PAIR.PIECE_B]
        contacts.surface_speed[row] = surface_speed_of(a, p, bodies, pieces) + surface_speed_of(b, q, bodies, pieces)
        contacts.rolling_resistance[row] = max(
            value_of(p, of_resistance, surface[a, SURFACE.ROLLING_RESISTANCE], pieces),
            value_of(q, of_resistance, surface[b, SURFACE.ROLLING_RESISTANCE], pieces),
        )
        contacts.friction[row] = combined_coefficient(
            value_of(p, of_friction, material[a, MATERIAL.FRICTION], pieces),
            value_of(q, of_friction, material[b, MATERIAL.FRICTION], pieces),
            rule[a, RULE.FRICTION],
            rule[b, RULE.FRICTION],
            GEOMETRIC_MEAN,
        )
        contacts.restitution[row] = combined_restitution(
            a, b, restitution_of(a, p, bodies, pieces), restitution_of(b, q, bodies, pieces), bodies
        )


@device
def restitution_of(collider, piece, bodies, pieces):
    """Return the restitution of a piece of a collider."""
    return value_of(piece, MATERIAL_VALUE.RESTITUTION, bodies.material[collider, MATERIAL.RESTITUTION], pieces)


@device
def combined_restitution(a, b, of_a, of_b, bodies):
    """Return two restitutions combined by the rules of two colliders."""
    return combined_coefficient(of_a, of_b, bodies.rule[a, RULE.RESTITUTION], bodies.rule[b, RULE.RESTITUTION], MAXIMUM)


@device
def place_eight(start, count, bodies, pairs, contacts):
    """Find normals, points, separations and coefficients of the eight contact rows from `start` on."""
    lanes, values = pairs.lanes, pairs.values
    most = 0
    for lane in range(LANES):
        row = min(start + lane, count - 1)
        lanes[CONTACT_LANE.ROW, lane], lanes[LANE.SLOT, lane] = row, contacts.pair[row]
        lanes[LANE.BODY_A, lane], lanes[LANE.BODY_B, lane] = (
            contacts.body[row, CONTACT_BODY.A],
            contacts.body[row, CONTACT_BODY.B],
        )
        most = max(most, contacts.point_count[row])
    a, b = (
        gather4(bodies.frame, FRAME.CENTER_X, lanes, LANE.BODY_A),
        gather4(bodies.frame, FRAME.CENTER_X, lanes, LANE.BODY_B),
    )
    local_x, local_y, ax0, ay0 = gather4(pairs.manifold, MANIFOLD.NORMAL_X, lanes, LANE.SLOT)
    bx0, by0 = gather2(pairs.manifold, MANIFOLD.ANCHOR_B, lanes, LANE.SLOT)
    normal_x, normal_y = a[2] * local_x - a[3] * local_y, a[3] * local_x + a[2] * local_y
    x0, y0, separation0 = middle_between(a, b, normal_x, normal_y, (ax0, ay0), (bx0, by0))
    x1, y1, separation1 = x0, y0, separation0
    if most > 1:
        ax1, ay1, bx1, by1 = gather4(pairs.manifold, MANIFOLD.ANCHOR_A + of_pair.POINT_STRIDE, lanes, LANE.SLOT)
        x1, y1, separation1 = middle_between(a, b, normal_x, normal_y, (ax1, ay1), (bx1, by1))
    scatter2(contacts.normal, X, lanes, CONTACT_LANE.ROW, normal_x, normal_y)
    scatter4(contacts.point, X, lanes, CONTACT_LANE.ROW, x0, y0, x1, y1)
    scatter2(contacts.separation, 0, lanes, CONTACT_LANE.ROW, separation0, separation1)

    friction_a, restitution_a = gather2(bodies.material, MATERIAL.FRICTION, lanes, LANE.BODY_A)
    friction_b, restitution_b = gather2(bodies.material, MATERIAL.FRICTION, lanes, LANE.BODY_B)
    store(values, COEFFICIENT.FRICTION, square_root(friction_a * friction_b))
    store(values, COEFFICIENT.RESTITUTION, maximum(restitution_a, restitution_b))
    stop = min(start + LANES, count)
    for row in range(start, stop):
        contacts.friction[row], contacts.restitution[row] = (
            values[COEFFICIENT.FRICTION, row - start],
            values[COEFFICIENT.RESTITUTION, row - start],
        )
