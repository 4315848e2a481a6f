"""Search for the pairs that fast bodies may reach within the step to come, before it is solved.

The movement of each body is predicted from its velocity, gravity and forces. A contact or a joint may turn it into any
direction: a body that has one may reach everything around it that is no farther than it moves.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ecs_collide.common.look_ahead import FAST
from ecs_collide.common.pair_roles import has_response
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import BODY_SPAN, MASS, MOTION, VELOCITY, Bodies
from ecs_collide.data.pairs import FOUND, PAIR, Pairs
from ecs_collide.data.pieces import BOX, PIECE, Pieces
from ecs_collide.geometry.aabb import boxes_touch, rows_touch
from ecs_collide.kernels.arrays import Flags, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import lane_array
from ecs_collide.step.broadphase.add_pieces import ListedPieces
from ecs_collide.step.broadphase.excluded_pairs import drop_excluded_pairs
from ecs_collide.step.broadphase.lookup.box_overlap import may_collide
from ecs_collide.step.broadphase.lookup.static_tree import leaves_in_box
from ecs_collide.step.broadphase.lookup.strip_sweep import pieces_in_box
from ecs_collide.step.broadphase.pair_slots import add_pairs, count_live, group_pairs
from ecs_collide.step.broadphase.pair_update_arrays import Exchange, Search
from ecs_collide.step.continuous.body_motions import DYNAMIC, KINEMATIC

PREDICTED = layout(
    "predicted motion of a body in a step",
    DX="movement, x [m]",
    DY="movement, y [m]",
    DA="movement of the angle [rad]",
    SLACK="greatest difference from this movement by forces [m]",
    BOUND="upper bound of the movement of any point [m]",
)


class Predictions(Bundle):
    """Predicted motions of all bodies; those of bodies that do not move are 0."""

    movement: FloatTable = rows_of(PREDICTED)
    """Columns of `PREDICTED` (n, 5)."""
    is_fast: Flags
    """True if the body may have to be swept (n,) bool."""
    is_diverted: Flags
    """True if the body has a contact or a joint near, which may turn its movement in any direction (n,) bool."""


def new_predictions(bodies: int) -> Predictions:
    """Return predictions for a number of bodies, none of which moves."""
    return Predictions(
        movement=lane_array((bodies, PREDICTED.WIDTH)),
        is_fast=np.zeros(bodies, np.bool_),
        is_diverted=np.zeros(bodies, np.bool_),
    )


EARLY = 0.5
"""Part of the movement that makes a body fast from which it counts as fast here: contacts may speed it up."""


@kernel
def predict_motions(
    awake: Ints,
    bodies: Bodies,
    span: FloatTable,
    pairs: Pairs,
    trees: Ints,
    gravity: tuple[float, float],
    dt: float,
    slop: float,
    least: float,
    predictions: Predictions,
):
    """Predict the motions of awake bodies in a step of dt [s]; return the farthest movement [m].

    `trees` is the joint tree of each body, -1 if it is in none; or it is empty. A kinematic body is fast above `least`
    [m]. Reads body_velocity, body_force, body_push. Writes `predictions`, which are 0 and False before.
    """
    farthest = 0.0
    for body in awake:
        row = predictions.movement[body]
        is_dynamic = bodies.kind[body] == DYNAMIC
        slack = 0.0
        for axis in range(2):
            speed_up = 0.0
            if is_dynamic and bodies.mass[body, MASS.INVERSE_X + axis] > 0.0:
                speed_up = (
                    gravity[axis] * bodies.motion[body, MOTION.GRAVITY_SCALE]
                    + (bodies.force[body, axis] + bodies.push[body, axis]) * bodies.mass[body, MASS.INVERSE_X + axis]
                )
            row[PREDICTED.DX + axis] = dt * (bodies.velocity[body, VELOCITY.X + axis] + 0.5 * dt * speed_up)
            slack += 0.5 * dt * dt * abs(speed_up)
        row[PREDICTED.DA] = dt * bodies.velocity[body, VELOCITY.ANGULAR]
        row[PREDICTED.SLACK] = slack
        row[PREDICTED.BOUND] = (
            sqrt(row[PREDICTED.DX] ** 2 + row[PREDICTED.DY] ** 2)
            + abs(row[PREDICTED.DA]) * span[body, BODY_SPAN.EXTENT]
            + slack
        )
        if span[body, BODY_SPAN.EXTENT] > 0.0:
            most = FAST * max(span[body, BODY_SPAN.CORE], slop) if is_dynamic else least
            predictions.is_fast[body] = row[PREDICTED.BOUND] > EARLY * most
            farthest = max(farthest, row[PREDICTED.BOUND])
        if len(trees) > 0 and trees[body] >= 0:
            predictions.is_diverted[body] = True
    for k in range(count_live(pairs)):
        slot = pairs.order[k]
        if pairs.index[slot, PAIR.ROLE] & of_pair.SOLID != 0:
            predictions.is_diverted[pairs.index[slot, PAIR.BODY_A]] = True
            predictions.is_diverted[pairs.index[slot, PAIR.BODY_B]] = True
    return farthest


@device
def predicted_box(piece, pieces, predictions):
    """Return the box (low x, low y, high x, high y) of all places that a piece may take in the step [m]."""
    body, box = pieces.index[piece, PIECE.BODY], pieces.box[piece]
    row = predictions.movement[body]
    low_x, low_y, high_x, high_y = box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y]
    dx, dy, bound = row[PREDICTED.DX], row[PREDICTED.DY], row[PREDICTED.BOUND]
    if predictions.is_diverted[body]:
        return low_x - bound, low_y - bound, high_x + bound, high_y + bound
    more = bound - sqrt(dx * dx + dy * dy)  # what turning and forces add to the movement
    low_x, low_y = low_x + min(dx, 0.0) - more, low_y + min(dy, 0.0) - more
    return low_x, low_y, high_x + max(dx, 0.0) + more, high_y + max(dy, 0.0) + more


@device
def is_reachable(p, q, bodies, pieces):
    """Return True if two pieces may collide and are no pair yet."""
    return not rows_touch(pieces.box, p, pieces.box, q) and may_collide(p, q, bodies, pieces)


@device
def append_found(found, count, p, q):
    """Write a pair to row `count` of `found`, if there is room; return the next row."""
    if count < len(found):
        found[count, FOUND.FIRST], found[count, FOUND.SECOND] = p, q
    return count + 1


@device
def may_stop(a, b, bodies):
    """Return True if sweeps stop one of two bodies that can move at the other."""
    kinds = bodies.kind[a] + bodies.kind[b]
    return kinds == KINEMATIC + DYNAMIC or (kinds == DYNAMIC + DYNAMIC and (bodies.is_bullet[a] or bodies.is_bullet[b]))


@device
def is_named_later(p, q, pieces, is_fast):
    """Return True if two moving pieces, of which p is fast, are found from q too, or belong to one body."""
    a, b = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    return a == b or (is_fast[b] and q < p)


@kernel
def find_reachable_pairs(
    movers: ListedPieces,
    bodies: Bodies,
    pieces: Pieces,
    search: Search,
    predictions: Predictions,
    farthest: float,
    stop_at_moving: bool,
    nearby: Ints,
):
    """Find the pairs of pieces that may meet in the step and are no pairs of the broadphase; return their number.

    If there are more pairs than `search.found` has room for, call again with more. `farthest` is the farthest movement
    of any body [m]. `nearby` is scratch space with room for all moving pieces. Writes search_found.
    """
    found, count, tree = search.found, 0, search.tree
    for k in range(movers.in_use[0]):
        p = movers.rows[k]
        if not predictions.is_fast[movers.bodies[k]]:
            continue
        low_x, low_y, high_x, high_y = predicted_box(p, pieces, predictions)
        if bodies.kind[movers.bodies[k]] == DYNAMIC:
            hit_count = leaves_in_box(tree, low_x, low_y, high_x, high_y, tree.hits)
            for m in range(hit_count + len(search.unbounded)):
                q = tree.hits[m] if m < hit_count else search.unbounded[m - hit_count]
                box = pieces.box[q]
                meets = boxes_touch(
                    low_x, low_y, high_x, high_y, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y]
                )
                if meets and is_reachable(p, q, bodies, pieces):
                    count = append_found(found, count, p, q)
        if stop_at_moving:
            near_count = pieces_in_box(
                search.strips, low_x - farthest, low_y - farthest, high_x + farthest, high_y + farthest, nearby
            )
            for m in range(near_count):
                q = nearby[m]
                if is_named_later(p, q, pieces, predictions.is_fast):
                    continue
                if not may_stop(movers.bodies[k], pieces.index[q, PIECE.BODY], bodies):
                    continue
                q_low_x, q_low_y, q_high_x, q_high_y = predicted_box(q, pieces, predictions)
                meets = boxes_touch(low_x, low_y, high_x, high_y, q_low_x, q_low_y, q_high_x, q_high_y)
                if meets and is_reachable(p, q, bodies, pieces):
                    count = append_found(found, count, p, q)
    if len(search.excluded_pairs) == 0 or count > len(found):
        return count
    return drop_excluded_pairs(found, count, search.excluded_pairs, pieces)


@kernel
def find_pairs_without_contact(pairs: Pairs, bodies: Bodies, predictions: Predictions, found: IntTable):
    """Find the pairs of the broadphase that fast bodies may reach but that have no contact; return their number.

    Reads pair_index, pair_enabled. Writes `found`, which has room for all pairs.
    """
    count = 0
    for k in range(count_live(pairs)):
        slot = pairs.order[k]
        role, a, b = pairs.index[slot, PAIR.ROLE], pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
        if pairs.index[slot, PAIR.CONTACT] != of_pair.NO_CONTACT or not pairs.enabled[slot]:
            continue
        if not (predictions.is_fast[a] or predictions.is_fast[b]):
            continue
        if not has_response(role) or role & of_pair.ACROSS != 0:
            continue
        if min(bodies.kind[a], bodies.kind[b]) < KINEMATIC or may_stop(a, b, bodies):
            count = append_found(found, count, pairs.index[slot, PAIR.PIECE_A], pairs.index[slot, PAIR.PIECE_B])
    return count


@kernel
def store_reachable_pairs(found: IntTable, count: int, exchange: Exchange, bodies: Bodies, pieces: Pieces):
    """Store the first `count` found pairs without manifolds, in columns that have room for them."""
    add_pairs(found, count, exchange, bodies, pieces)
    group_pairs(exchange.pairs)


@kernel
def clear_impulses(first: int, stop: int, normal: FloatTable, tangent: FloatTable, approach: FloatTable):
    """Set the impulses and approach speeds of the contacts in rows from `first` to before `stop` to 0."""
    for row in range(first, stop):
        for point in range(2):
            normal[row, point], tangent[row, point], approach[row, point] = 0.0, 0.0, 0.0
