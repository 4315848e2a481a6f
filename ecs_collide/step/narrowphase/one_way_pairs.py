"""One-way colliders: a body that comes from the side to which the direction points stands; others pass.

A decision holds for the pair of pieces as long as they overlap:

- The other body stands if it was above before; otherwise it passes. Above means past the whole piece along the
  direction, or outside along a normal that faces the direction (`common/one_way_side`). Before means one step earlier,
  computed from the velocities, so a body that lands fast has come from above. A body that was moved by the game has
  no such history.
- A body that passes does so until it is outside again, whether it continues or falls back. A body that is outside but
  not above passes too, without overlap.
- A piece does not stand while another piece of the same body passes the same platform. Otherwise the body would hang
  half-way.
- A dropped body passes from where it stands. It is outside again only after it was inside, or if it is far away.

A contact across the direction gets no response, although its pair stands. So a body that walks off the floor beside a
platform does not trip on it.
"""

from __future__ import annotations

from math import inf

from ecs_collide.common.body_velocity import velocity_of_place
from ecs_collide.common.one_way_side import LEAST_FACING, direction_of, facing, is_one_way
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import FRAME, Bodies
from ecs_collide.data.pairs import MANIFOLD, PAIR, Pairs
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, Pieces
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.narrowphase.collect_contacts import middle_between

STATIC = int(BodyKind.STATIC)

LEAST_WITH_RESPONSE = 0.1
"""Least cosine between normal and direction of a standing contact that gets a response."""

NEAR = 2.0
"""Greatest gap at which a pair is decided for more than a step, in tolerances."""

DECIDED = of_pair.PASSES | of_pair.STANDS | of_pair.DROPPED


@device
def frame_of(body, bodies):
    """Return the centre of mass [m], cosine and sine of a body."""
    frame = bodies.frame[body]
    return frame[FRAME.CENTER_X], frame[FRAME.CENTER_Y], frame[FRAME.COS], frame[FRAME.SIN]


@device
def contact_of(slot, bodies, pairs):
    """Return the least separation [m], the normal from A to B, and the point [m] of a pair that has a manifold."""
    manifold = pairs.manifold[slot]
    a = frame_of(pairs.index[slot, PAIR.BODY_A], bodies)
    b = frame_of(pairs.index[slot, PAIR.BODY_B], bodies)
    local_x, local_y = manifold[MANIFOLD.NORMAL_X], manifold[MANIFOLD.NORMAL_Y]
    normal_x, normal_y = a[2] * local_x - a[3] * local_y, a[3] * local_x + a[2] * local_y
    least, least_x, least_y = inf, 0.0, 0.0
    for k in range(pairs.index[slot, PAIR.POINT_COUNT]):
        on_a = manifold[MANIFOLD.ANCHOR_A + k * of_pair.POINT_STRIDE :]
        on_b = manifold[MANIFOLD.ANCHOR_B + k * of_pair.POINT_STRIDE :]
        x, y, separation = middle_between(a, b, normal_x, normal_y, (on_a[0], on_a[1]), (on_b[0], on_b[1]))
        if separation < least:
            least, least_x, least_y = separation, x, y
    return least, normal_x, normal_y, least_x, least_y


@device
def box_reach_along(piece, x, y, sign, bodies, pieces):
    """Return the end of a piece's box along a direction (x, y) [m], or its start if `sign` is -1."""
    center_x, center_y, c, s = frame_of(pieces.index[piece, PIECE.BODY], bodies)
    local_x, local_y = c * x + s * y, c * y - s * x
    size = pieces.size[piece]
    middle = center_x * x + center_y * y + local_x * size[PIECE_SIZE.LOCAL_X] + local_y * size[PIECE_SIZE.LOCAL_Y]
    half = abs(local_x) * size[PIECE_SIZE.HALF_X] + abs(local_y) * size[PIECE_SIZE.HALF_Y] + size[PIECE_SIZE.RADIUS]
    return middle + sign * half


@device
def follows_its_velocity(body, bodies):
    """Return True if a body's pose results from its velocity."""
    return bodies.kind[body] == STATIC or bodies.settled[body]


@device
def came_from_above(piece, other_piece, sign, contact, dt, tolerance, bodies, pieces):
    """Return True if the other piece was above a one-way one dt [s] ago; `sign` is 1 if the normal leads away."""
    separation, normal_x, normal_y, x, y = contact
    own, other = pieces.index[piece, PIECE.BODY], pieces.index[other_piece, PIECE.BODY]
    if not (follows_its_velocity(own, bodies) and follows_its_velocity(other, bodies)):
        dt = 0.0
    frame = bodies.frame[own]
    up_x, up_y = direction_of(pieces.index[piece, PIECE.COLLIDER], frame[FRAME.COS], frame[FRAME.SIN], bodies)
    own_vx, own_vy = velocity_of_place(own, x, y, bodies)
    vx, vy = velocity_of_place(other, x, y, bodies)
    vx, vy = vx - own_vx, vy - own_vy
    if is_piece_bounded(piece, pieces) and is_piece_bounded(other_piece, pieces):
        height = box_reach_along(other_piece, up_x, up_y, -1.0, bodies, pieces)
        height -= box_reach_along(piece, up_x, up_y, 1.0, bodies, pieces)
        if height - dt * (vx * up_x + vy * up_y) >= -tolerance:
            return True
    normal_x, normal_y = sign * normal_x, sign * normal_y
    is_facing = normal_x * up_x + normal_y * up_y >= LEAST_FACING
    return is_facing and separation - dt * (vx * normal_x + vy * normal_y) >= -tolerance


@device
def is_above(slot, contact, dt, tolerance, bodies, pieces, pairs):
    """Return True if each one-way collider of a pair has the other above it, or had dt [s] ago."""
    index = pairs.index[slot]
    p, q = index[PAIR.PIECE_A], index[PAIR.PIECE_B]
    if is_one_way(index[PAIR.COLLIDER_A], bodies) and not came_from_above(
        p, q, 1.0, contact, dt, tolerance, bodies, pieces
    ):
        return False
    if is_one_way(index[PAIR.COLLIDER_B], bodies):
        return came_from_above(q, p, -1.0, contact, dt, tolerance, bodies, pieces)
    return True


@device
def least_facing(slot, normal_x, normal_y, bodies, pairs):
    """Return the lesser cosine between a pair's normal and the directions of its colliders."""
    a, b = pairs.index[slot, PAIR.COLLIDER_A], pairs.index[slot, PAIR.COLLIDER_B]
    _, _, cos_a, sin_a = frame_of(pairs.index[slot, PAIR.BODY_A], bodies)
    _, _, cos_b, sin_b = frame_of(pairs.index[slot, PAIR.BODY_B], bodies)
    return min(
        facing(a, cos_a, sin_a, normal_x, normal_y, bodies), facing(b, cos_b, sin_b, -normal_x, -normal_y, bodies)
    )


@device
def has_passing_pair(slot, slots, pairs):
    """Return True if another pair of pieces of the same two colliders passes."""
    index = pairs.index
    a, b = index[slot, PAIR.COLLIDER_A], index[slot, PAIR.COLLIDER_B]
    for other in slots:
        c, d = index[other, PAIR.COLLIDER_A], index[other, PAIR.COLLIDER_B]
        is_theirs = other != slot and ((a == c and b == d) or (a == d and b == c))
        if is_theirs and index[other, PAIR.ROLE] & of_pair.PASSES != 0:
            return True
    return False


@device
def clear_decision_outside(slot, tolerance, bodies, pairs):
    """Clear the decision about a pair that is outside again."""
    role = pairs.index[slot, PAIR.ROLE] & ~of_pair.ACROSS
    if pairs.index[slot, PAIR.POINT_COUNT] == 0:
        role &= ~DECIDED
    elif role & of_pair.PASSES != 0:
        separation, _, _, _, _ = contact_of(slot, bodies, pairs)
        if separation < -tolerance:
            role &= ~of_pair.DROPPED
        elif separation > 0.0 and role & of_pair.DROPPED == 0:
            role &= ~DECIDED
    pairs.index[slot, PAIR.ROLE] = role


@kernel
def list_one_way(slots: Ints, pairs: Pairs, found: Ints):
    """Write the pairs in `slots` that have a one-way body to `found` (k,); return their number."""
    count = 0
    for slot in slots:
        if pairs.index[slot, PAIR.ROLE] & of_pair.ONE_WAY != 0:
            found[count] = slot
            count += 1
    return count


@kernel
def decide_passing(slots: Ints, bodies: Bodies, pieces: Pieces, pairs: Pairs, dt: float, tolerance: float):
    """Decide which of the one-way pairs in `slots` pass; `dt` [s] is the length of the last step.

    `tolerance` [m] is the largest initial depth of a body that stands. Reads body_frame, body_velocity, body_one_way,
    pair_manifold, the pieces. Writes pair_index (role).
    """
    index = pairs.index
    for slot in slots:
        clear_decision_outside(slot, tolerance, bodies, pairs)
    for slot in slots:
        role = index[slot, PAIR.ROLE]
        if index[slot, PAIR.POINT_COUNT] == 0 or role & of_pair.PASSES != 0:
            continue
        contact = contact_of(slot, bodies, pairs)
        cosine = least_facing(slot, contact[1], contact[2], bodies, pairs)
        stands = role & of_pair.STANDS != 0 and (contact[0] <= 0.0 or cosine >= LEAST_FACING)
        if not stands:
            stands = is_above(slot, contact, dt, tolerance, bodies, pieces, pairs)
            stands = stands and not has_passing_pair(slot, slots, pairs)
        role &= ~DECIDED
        if not stands:
            role |= of_pair.PASSES
        elif contact[0] <= NEAR * tolerance:  # from farther away it may still meet another side
            role |= of_pair.STANDS
        if stands and cosine < LEAST_WITH_RESPONSE:
            role |= of_pair.ACROSS
        index[slot, PAIR.ROLE] = role
