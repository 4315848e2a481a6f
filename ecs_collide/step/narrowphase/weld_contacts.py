"""Contacts of outlines: one point where several pieces give the same, in an order that no insertion decides.

A box on a row of tiles, or on a floor cut into convex pieces, meets several pieces at one of its corners. Per moving
body, and per partner or partners that move as one, points count as one where the body's own corner is the same or the
places are, and the normals nearly agree: the deepest stays. Contacts are solved in the order of the body's corners, and
take their warm start from whichever piece that corner stood on in the last step. Two rows of one point each that have
one normal become one row of two, which the solver treats as a whole. So a row of tiles gives the two points of one
long floor, and their impulses.
"""

from __future__ import annotations

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import IMPULSE, PAIR, Pairs
from ecs_collide.data.pieces import BOX, Pieces
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.step.narrowphase.bodies_moving_together import move_as_one
from ecs_collide.step.narrowphase.collect_contacts import collect_contacts
from ecs_collide.step.narrowphase.weld_memory import NONE, NOT_ITS_OWN, Welds, carrier, warm_start_row

SAME_NORMAL = 0.9998
"""Cosine from which two normals count as one, 1.1 degrees ..."""

ONE_NORMAL = 1.0 - 1e-12
"""... and for a common row."""

SAME_PLACE = 0.05
"""Distance of points that count as one, as a fraction of the speculative distance."""

WELDED = -1 - of_pair.BOTH_SENSE
"""`CONTACT`, for the time being, of a pair whose points are all those of another."""


@device
def own_corner(feature, sign):
    """The pool row of the corner that a feature stands for, where it is the carrier's own."""
    return feature >> 1 if (feature & 1) == (1 if sign > 0.0 else 0) else NOT_ITS_OWN


@device
def pieces_of(slot, sign, pairs):
    """The pieces of a pair: the partner's, and the carrier's own."""
    a, b = pairs.index[slot, PAIR.PIECE_A], pairs.index[slot, PAIR.PIECE_B]
    return (a, b) if sign > 0.0 else (b, a)


@device
def comes_before(slot, other, bodies, pieces, pairs):
    """Whether a pair of one carrier is solved before another: by the carrier's corner, then the partner's box.

    Where a piece's corners are in the pool depends on what was there before; pieces of a body are in the shape's order.
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
def take_pairs_of(body, count, welds):
    """Add the pairs that a body carries to the order, and leave it none; return how many there are in all."""
    at = welds.head[body]
    welds.head[body] = NONE
    while at != NONE:
        welds.order[count] = at
        count += 1
        at = welds.next[at]
    return count


@device
def order_pairs(slots, movers, bodies, pieces, pairs, welds):
    """Put the pairs in `slots` that have a manifold in order; return how many they are.

    Pairs that nothing moves in, which are there for who detects, come last.
    Reads pair_index, piece_box, body_kind. Writes weld_order, scratch space; pair_index (contact) of the others.
    """
    head, following = welds.head, welds.next
    taken = 0
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
        taken += 1
    count = 0
    for body in movers:
        count = take_pairs_of(body, count, welds)
    if count < taken:
        for slot in slots:
            if pairs.index[slot, PAIR.POINT_COUNT] != 0:
                body, _, _ = carrier(slot, bodies, pairs)
                count = take_pairs_of(body, count, welds)
    return count


@device
def drop_point(row, k, contacts, pairs, welds):
    """Take point k out of a contact row."""
    contacts.point_count[row] -= 1
    if k == 0:
        slot = contacts.pair[row]
        contacts.point[row, 0, 0], contacts.point[row, 0, 1] = contacts.point[row, 1, 0], contacts.point[row, 1, 1]
        contacts.separation[row, 0] = contacts.separation[row, 1]
        welds.corner[row, 0] = welds.corner[row, 1]
        pairs.impulse[slot, IMPULSE.NORMAL] = pairs.impulse[slot, IMPULSE.NORMAL + 1]
        pairs.impulse[slot, IMPULSE.TANGENT] = pairs.impulse[slot, IMPULSE.TANGENT + 1]


@device
def same_point(row, k, other, m, same_place, contacts, welds):
    """Whether point k of a contact row and point m of another are one."""
    if welds.corner[row, k] != NOT_ITS_OWN and welds.corner[row, k] == welds.corner[other, m]:
        return True
    dx = contacts.point[row, k, 0] - contacts.point[other, m, 0]
    dy = contacts.point[row, k, 1] - contacts.point[other, m, 1]
    return dx * dx + dy * dy < same_place * same_place


@device
def weld(row, other, same_place, contacts, pairs, welds):
    """Weld the points of two contact rows: of two that are one, the deeper one stays, and the earlier of equals."""
    k = 0
    while k < contacts.point_count[row]:
        m = 0
        while m < contacts.point_count[other]:
            if same_point(row, k, other, m, same_place, contacts, welds):
                if contacts.separation[row, k] >= contacts.separation[other, m]:
                    drop_point(row, k, contacts, pairs, welds)
                    welds.next[contacts.pair[row]] = contacts.pair[other]
                    k -= 1
                    break
                drop_point(other, m, contacts, pairs, welds)
                welds.next[contacts.pair[other]] = contacts.pair[row]
                m -= 1
            m += 1
        k += 1


@device
def place_along(row, contacts, sign):
    """Where the first point of a contact row is along its partner's surface [m]."""
    return sign * (
        contacts.point[row, 0, 1] * contacts.normal[row, 0] - contacts.point[row, 0, 0] * contacts.normal[row, 1]
    )


@device
def join(row, other, sign, other_sign, contacts, pairs, welds):
    """Make two rows of one point each, of one normal, a row of two, in the order along the surface."""
    if place_along(row, contacts, sign) < place_along(other, contacts, other_sign):
        low, high = row, other
    else:
        low, high = other, row
    slot, joined = contacts.pair[low], contacts.pair[high]
    contacts.point[low, 1, 0], contacts.point[low, 1, 1] = contacts.point[high, 0, 0], contacts.point[high, 0, 1]
    contacts.separation[low, 1] = contacts.separation[high, 0]
    welds.corner[low, 1] = welds.corner[high, 0]
    pairs.impulse[slot, IMPULSE.NORMAL + 1] = pairs.impulse[joined, IMPULSE.NORMAL]
    pairs.impulse[slot, IMPULSE.TANGENT + 1] = pairs.impulse[joined, IMPULSE.TANGENT]
    contacts.point_count[low], contacts.point_count[high] = 2, 0
    welds.next[joined] = slot


@device
def may_join(row, other, sign, other_sign, contacts):
    """Whether two contact rows are of one point, one normal and one material each."""
    along = contacts.normal[row, 0] * contacts.normal[other, 0] + contacts.normal[row, 1] * contacts.normal[other, 1]
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
    """Copy a contact row, all of it, to an earlier place."""
    contacts.pair[to] = contacts.pair[row]
    contacts.point_count[to] = contacts.point_count[row]
    contacts.friction[to], contacts.restitution[to] = contacts.friction[row], contacts.restitution[row]
    contacts.surface_speed[to] = contacts.surface_speed[row]
    contacts.rolling_resistance[to] = contacts.rolling_resistance[row]
    contacts.enabled[to] = contacts.enabled[row]
    for i in range(2):
        contacts.body[to, i] = contacts.body[row, i]
        contacts.normal[to, i] = contacts.normal[row, i]
        contacts.separation[to, i] = contacts.separation[row, i]
        contacts.normal_impulse[to, i] = contacts.normal_impulse[row, i]
        contacts.tangent_impulse[to, i] = contacts.tangent_impulse[row, i]
        contacts.approach_speed[to, i] = contacts.approach_speed[row, i]
        contacts.point[to, i, 0], contacts.point[to, i, 1] = contacts.point[row, i, 0], contacts.point[row, i, 1]
        welds.corner[to, i] = welds.corner[row, i]


@device
def weld_contacts(first, count, bodies, pairs, contacts, welds, speculative, parting_speed):
    """Weld the contact rows from `first` to `count`, which are in order; return how many rows are left.

    Where a pair loses all its points, its contact row is the one that has them. Reads body_kind, body_entity,
    weld_memory. Writes the contacts, pair_index (contact row), pair_impulse, weld_corner.
    """
    same_place = SAME_PLACE * speculative
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
            along = contacts.normal[row, 0] * contacts.normal[other, 0]
            along += contacts.normal[row, 1] * contacts.normal[other, 1]
            if along * sign * other_sign > SAME_NORMAL:
                weld(row, other, same_place, contacts, pairs, welds)
        for other in range(group, row):
            _, other_partner, other_sign = carrier(contacts.pair[other], bodies, pairs)
            if move_as_one(partner, other_partner, bodies, parting_speed) and may_join(
                row, other, sign, other_sign, contacts
            ):
                join(row, other, sign, other_sign, contacts, pairs, welds)

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
def follow_welded(slots, pairs, welds):
    """Give pairs that lost all their points the contact row that has them. Writes pair_index (contact row)."""
    for slot in slots:
        if pairs.index[slot, PAIR.CONTACT] == WELDED:
            at = slot
            while pairs.index[at, PAIR.CONTACT] == WELDED:
                at = welds.next[at]
            pairs.index[slot, PAIR.CONTACT] = pairs.index[at, PAIR.CONTACT]


@stage
def collect_welded(
    order: Ints,
    start: int,
    stop: int,
    movers: Ints,
    mover_count: int,
    count: int,
    bodies: Bodies,
    pieces: Pieces,
    pairs: Pairs,
    contacts: Contacts,
    welds: Welds,
    speculative: float,
    parting_speed: float,
    has_surfaces: bool,
):
    """Add contact rows for the pairs in `order` from `start` to `stop`, in their own order and welded, to the `count`
    present ones; return how many there are then. The first `mover_count` of `movers` count.

    Reads and writes what its parts do: `order_pairs`, `collect_contacts`, `weld_contacts` and `follow_welded`.
    """
    slots = order[start:stop]
    if len(slots) == 0:
        return count
    ordered = welds.order[: order_pairs(slots, movers[:mover_count], bodies, pieces, pairs, welds)]
    end = collect_contacts(ordered, count, bodies, pairs, contacts, has_surfaces)
    left = weld_contacts(count, end, bodies, pairs, contacts, welds, speculative, parting_speed)
    follow_welded(ordered, pairs, welds)
    return left
