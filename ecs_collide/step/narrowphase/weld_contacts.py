"""Welding: contacts of outlines that several pieces share become one point, in an order that insertion cannot change.

A corner of a box on a row of tiles, or on a floor cut into convex pieces, meets several pieces. Contacts are grouped by
the moving body and by partners that move as one. Two points count as one if they have the same corner of the moving
body or the same place, and nearly equal normals. The deeper one stays. Contacts are solved in the order of the body's
corners. Their warm start comes from whichever piece the corner stood on in the last step. Two rows of one point each
with equal normals become one row of two points, which the solver treats together. So a row of tiles gives the two
points of one long floor, and their impulses.
"""

from __future__ import annotations

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import IMPULSE, PAIR, Pairs
from ecs_collide.data.pieces import BOX, Pieces
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.narrowphase.bodies_moving_together import move_as_one
from ecs_collide.step.narrowphase.collect_contacts import collect_contacts
from ecs_collide.step.narrowphase.weld_memory import NONE, NOT_ITS_OWN, Welds, carrier, warm_start_row

SAME_NORMAL = 0.9998
"""Cosine from which two normals count as one, 1.1 degrees."""

ONE_NORMAL = 1.0 - 1e-12
"""Cosine from which two normals allow a common row."""

SAME_PLACE = 0.05
"""Distance of points that count as one, as a fraction of the speculative distance."""

WELDED = -1 - of_pair.BOTH_SENSE
"""Temporary `CONTACT` of a pair whose points all belong to another pair."""


class ContactColumns(Bundle):
    """The columns from which welded contacts are made, and those that they are written to."""

    bodies: Bodies
    pieces: Pieces
    pairs: Pairs
    contacts: Contacts
    welds: Welds


@device
def own_corner(feature, sign):
    """Return the pool row of a feature's corner if it belongs to the carrier, else NOT_ITS_OWN."""
    return feature >> 1 if (feature & 1) == (1 if sign > 0.0 else 0) else NOT_ITS_OWN


@device
def pieces_of(slot, sign, pairs):
    """Return the pieces of a pair: the partner's, and the carrier's."""
    a, b = pairs.index[slot, PAIR.PIECE_A], pairs.index[slot, PAIR.PIECE_B]
    return (a, b) if sign > 0.0 else (b, a)


@device
def comes_before(slot, other, bodies, pieces, pairs):
    """Return True if a pair is solved before another pair of the same carrier.

    The carrier's corner decides, then the partner's box. Rows of the pool depend on history; the pieces of a body
    follow the order of the shape.
    """
    _, _, sign = carrier(slot, bodies, pairs)
    _, _, other_sign = carrier(other, bodies, pairs)
    corner = own_corner(pairs.index[slot, PAIR.FEATURE_0], sign)
    other_corner = own_corner(pairs.index[other, PAIR.FEATURE_0], other_sign)
    piece, own = pieces_of(slot, sign, pairs)
    other_piece, other_own = pieces_of(other, other_sign, pairs)
    if corner != other_corner:
        are_own = corner != NOT_ITS_OWN and other_corner != NOT_ITS_OWN
        return own < other_own if are_own and own != other_own else corner < other_corner
    for side in (BOX.MIN_X, BOX.MIN_Y):
        if pieces.box[piece, side] != pieces.box[other_piece, side]:
            return pieces.box[piece, side] < pieces.box[other_piece, side]
    return slot < other


@device
def append_pairs_of(body, count, welds):
    """Append the pairs of a body to the order and empty its list; return the count so far."""
    at = welds.head[body]
    welds.head[body] = NONE
    while at != NONE:
        welds.order[count] = at
        count += 1
        at = welds.next[at]
    return count


@device
def order_pairs(slots, mobile, bodies, pieces, pairs, welds):
    """Sort the pairs in `slots` that have a manifold; return their number.

    Pairs without a mobile body, which exist for detection, come last. Reads pair_index, piece_box, body_kind. Writes
    weld_order, scratch space; pair_index (contact) of the others.
    """
    head, following = welds.head, welds.next
    in_use = 0
    for slot in slots:
        pairs.index[slot, PAIR.CONTACT] = of_pair.NO_CONTACT
        if pairs.index[slot, PAIR.POINT_COUNT] == 0:
            continue
        body, _, _ = carrier(slot, bodies, pairs)
        before, at = NONE, head[body]
        while at != NONE and comes_before(at, slot, bodies, pieces, pairs):
            before, at = at, following[at]
        following[slot] = at
        if before == NONE:
            head[body] = slot
        else:
            following[before] = slot
        in_use += 1
    count = 0
    for body in mobile:
        count = append_pairs_of(body, count, welds)
    if count < in_use:
        for slot in slots:
            if pairs.index[slot, PAIR.POINT_COUNT] != 0:
                body, _, _ = carrier(slot, bodies, pairs)
                count = append_pairs_of(body, count, welds)
    return count


@device
def drop_point(row, k, contacts, pairs, welds):
    """Remove point k from a contact row."""
    contacts.point_count[row] -= 1
    if k == 0:
        slot = contacts.pair[row]
        contacts.point[row, 0, X], contacts.point[row, 0, Y] = contacts.point[row, 1, X], contacts.point[row, 1, Y]
        contacts.separation[row, 0] = contacts.separation[row, 1]
        welds.corner[row, 0] = welds.corner[row, 1]
        pairs.impulse[slot, IMPULSE.NORMAL] = pairs.impulse[slot, IMPULSE.NORMAL + 1]
        pairs.impulse[slot, IMPULSE.TANGENT] = pairs.impulse[slot, IMPULSE.TANGENT + 1]


@device
def same_point(row, k, other, m, speculative, contacts, welds):
    """Return True if point k of a contact row and point m of another count as one.

    A point that the body would meet only behind the other one is not the same.
    """
    gap, other_gap = contacts.separation[row, k], contacts.separation[other, m]
    if max(gap, other_gap) > speculative and abs(gap - other_gap) > speculative:
        return False
    same_place = SAME_PLACE * speculative
    if welds.corner[row, k] != NOT_ITS_OWN and welds.corner[row, k] == welds.corner[other, m]:
        return True
    dx = contacts.point[row, k, X] - contacts.point[other, m, X]
    dy = contacts.point[row, k, Y] - contacts.point[other, m, Y]
    return dx * dx + dy * dy < same_place * same_place


@device
def weld(row, other, speculative, contacts, pairs, welds):
    """Weld the points of two contact rows: of two that count as one, the deeper stays, or the earlier of equals."""
    k = 0
    while k < contacts.point_count[row]:
        m = 0
        while m < contacts.point_count[other]:
            if same_point(row, k, other, m, speculative, contacts, welds):
                if contacts.separation[row, k] >= contacts.separation[other, m]:
                    drop_point(row, k, contacts, pairs, welds)
                    welds.keeper[contacts.pair[row]] = contacts.pair[other]
                    k -= 1
                    break
                drop_point(other, m, contacts, pairs, welds)
                welds.keeper[contacts.pair[other]] = contacts.pair[row]
                m -= 1
            m += 1
        k += 1


@device
def place_along(row, contacts, sign):
    """Return the place of a row's first point along the partner's surface [m]."""
    return sign * (
        contacts.point[row, 0, Y] * contacts.normal[row, X] - contacts.point[row, 0, X] * contacts.normal[row, Y]
    )


@device
def join(row, other, sign, other_sign, contacts, pairs, welds):
    """Make two rows of one point each, with one normal, a row of two in the order along the surface."""
    if place_along(row, contacts, sign) < place_along(other, contacts, other_sign):
        low, high = row, other
    else:
        low, high = other, row
    slot, joined = contacts.pair[low], contacts.pair[high]
    contacts.point[low, 1, X], contacts.point[low, 1, Y] = contacts.point[high, 0, X], contacts.point[high, 0, Y]
    contacts.separation[low, 1] = contacts.separation[high, 0]
    welds.corner[low, 1] = welds.corner[high, 0]
    pairs.impulse[slot, IMPULSE.NORMAL + 1] = pairs.impulse[joined, IMPULSE.NORMAL]
    pairs.impulse[slot, IMPULSE.TANGENT + 1] = pairs.impulse[joined, IMPULSE.TANGENT]
    contacts.point_count[low], contacts.point_count[high] = 2, 0
    welds.keeper[joined] = slot


@device
def may_join(row, other, sign, other_sign, contacts):
    """Return True if two contact rows have one point each, equal normals and equal materials."""
    along = contacts.normal[row, X] * contacts.normal[other, X] + contacts.normal[row, Y] * contacts.normal[other, Y]
    return (
        contacts.point_count[row] == 1
        and contacts.point_count[other] == 1
        and along * sign * other_sign > ONE_NORMAL
        and contacts.friction[row] == contacts.friction[other]
        and contacts.restitution[row] == contacts.restitution[other]
        and contacts.surface_speed[row] == contacts.surface_speed[other]
        and contacts.rolling_resistance[row] == contacts.rolling_resistance[other]
    )


@device
def move_row(row, to, contacts, welds):
    """Copy a contact row to an earlier place."""
    contacts.pair[to] = contacts.pair[row]
    contacts.point_count[to] = contacts.point_count[row]
    contacts.friction[to], contacts.restitution[to] = contacts.friction[row], contacts.restitution[row]
    contacts.surface_speed[to] = contacts.surface_speed[row]
    contacts.rolling_resistance[to] = contacts.rolling_resistance[row]
    contacts.enabled[to], contacts.missed[to] = contacts.enabled[row], contacts.missed[row]
    for i in range(2):
        contacts.body[to, i] = contacts.body[row, i]
        contacts.part[to, i] = contacts.part[row, i]
        contacts.normal[to, i] = contacts.normal[row, i]
        contacts.separation[to, i] = contacts.separation[row, i]
        contacts.normal_impulse[to, i] = contacts.normal_impulse[row, i]
        contacts.tangent_impulse[to, i] = contacts.tangent_impulse[row, i]
        contacts.approach_speed[to, i] = contacts.approach_speed[row, i]
        contacts.point[to, i, X], contacts.point[to, i, Y] = contacts.point[row, i, X], contacts.point[row, i, Y]
        welds.corner[to, i] = welds.corner[row, i]


@device
def weld_contacts(first, count, bodies, pairs, contacts, welds, speculative, parting_speed):
    """Weld the sorted contact rows from `first` to `count`; return the number of rows that are left.

    A pair that loses all its points gets the contact row that has them. Reads body_kind, body_entity, weld_memory.
    Writes the contacts, pair_index (contact row), pair_impulse, weld_corner.
    """
    # Weld the rows of each carrier, which stand side by side.
    group = first
    for row in range(first, count):
        slot = contacts.pair[row]
        body, partner, sign = carrier(slot, bodies, pairs)
        for k in range(contacts.point_count[row]):
            welds.corner[row, k] = own_corner(pairs.index[slot, PAIR.FEATURE_0 + k], sign)
        group_body, _, _ = carrier(contacts.pair[group], bodies, pairs)
        if group_body != body:
            group = row
        for other in range(group, row):
            _, other_partner, other_sign = carrier(contacts.pair[other], bodies, pairs)
            if partner != other_partner and not move_as_one(partner, other_partner, bodies, parting_speed):
                continue
            along = contacts.normal[row, X] * contacts.normal[other, X]
            along += contacts.normal[row, Y] * contacts.normal[other, Y]
            if along * sign * other_sign > SAME_NORMAL:
                weld(row, other, speculative, contacts, pairs, welds)
        for other in range(group, row):
            _, other_partner, other_sign = carrier(contacts.pair[other], bodies, pairs)
            if move_as_one(partner, other_partner, bodies, parting_speed) and may_join(
                row, other, sign, other_sign, contacts
            ):
                join(row, other, sign, other_sign, contacts, pairs, welds)
    # Close the gaps that rows without points leave.
    left = first
    for row in range(first, count):
        slot = contacts.pair[row]
        if contacts.point_count[row] == 0:
            pairs.index[slot, PAIR.CONTACT] = WELDED
            continue
        if left < row:
            move_row(row, left, contacts, welds)
        pairs.index[slot, PAIR.CONTACT] = left
        warm_start_row(left, bodies, pairs, contacts, welds)
        left += 1
    return left


@device
def redirect_welded(slots, pairs, welds):
    """Set the contact row of pairs that lost all their points. Writes pair_index (contact row)."""
    for slot in slots:
        if pairs.index[slot, PAIR.CONTACT] == WELDED:
            at = slot
            while pairs.index[at, PAIR.CONTACT] == WELDED:
                at = welds.keeper[at]
            pairs.index[slot, PAIR.CONTACT] = pairs.index[at, PAIR.CONTACT]


@kernel
def collect_welded(
    order: Ints,
    start: int,
    stop: int,
    mobile: Ints,
    mobile_count: int,
    count: int,
    columns: ContactColumns,
    speculative: float,
    parting_speed: float,
    details: int,
):
    """Add sorted and welded contact rows for the pairs in `order` from `start` to `stop`; return the new count.

    `count` rows are present before. The first `mobile_count` of `mobile` are the rows of the bodies that can move,
    asleep or awake. Reads and writes what its parts do: `order_pairs`, `collect_contacts`, `weld_contacts` and
    `redirect_welded`.
    """
    bodies = columns.bodies
    pieces = columns.pieces
    pairs = columns.pairs
    contacts = columns.contacts
    welds = columns.welds
    slots = order[start:stop]
    if len(slots) == 0:
        return count
    ordered = welds.order[: order_pairs(slots, mobile[:mobile_count], bodies, pieces, pairs, welds)]
    end = collect_contacts(ordered, count, bodies, pieces, pairs, contacts, details)
    left = weld_contacts(count, end, bodies, pairs, contacts, welds, speculative, parting_speed)
    redirect_welded(ordered, pairs, welds)
    return left
