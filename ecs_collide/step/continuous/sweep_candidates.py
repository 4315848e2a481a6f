"""What is near the ways of the fast pieces, and so may stop them."""

from __future__ import annotations

from math import sqrt

from ecs_collide.common.pair_roles import role_of
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import BODY_SPAN
from ecs_collide.data.pairs import PAIR
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE
from ecs_collide.geometry.aabb import rows_touch
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device
from ecs_collide.step.broadphase.lookup.static_tree import leaves_in_box
from ecs_collide.step.broadphase.lookup.strip_sweep import pieces_in_box
from ecs_collide.step.continuous import body_motions as of_track
from ecs_collide.step.continuous.body_motions import pose_on_way, start_of


@device
def way_box(piece, bodies, pieces, tracks, box):
    """Write the box (4,) of all places that a piece passes in the step, stopped or not."""
    body = pieces.index[piece, PIECE.BODY]
    x, y = pieces.size[piece, PIECE_SIZE.LOCAL_X], pieces.size[piece, PIECE_SIZE.LOCAL_Y]
    reach = (
        sqrt(pieces.size[piece, PIECE_SIZE.HALF_X] ** 2 + pieces.size[piece, PIECE_SIZE.HALF_Y] ** 2)
        + pieces.size[piece, PIECE_SIZE.RADIUS]
    )
    start_x, start_y, start_angle = start_of(body, bodies, tracks)
    start_c, start_s = cos_sin(start_angle)
    end_x, end_y, end_angle = pose_on_way(body, 1.0, bodies, tracks)
    end_c, end_s = cos_sin(end_angle)
    turn = end_angle - start_angle
    # the middle goes on an arc: beside the straight line by its height at most
    reach += sqrt(x * x + y * y) * min(2.0, 0.125 * turn * turn)
    ax, ay = start_x + start_c * x - start_s * y, start_y + start_s * x + start_c * y
    bx, by = end_x + end_c * x - end_s * y, end_y + end_s * x + end_c * y
    box[BOX.MIN_X], box[BOX.MAX_X] = min(ax, bx) - reach, max(ax, bx) + reach
    box[BOX.MIN_Y], box[BOX.MAX_Y] = min(ay, by) - reach, max(ay, by) + reach


@device
def is_off(p, q, scratch):
    """Whether a pair of pieces passes in this step."""
    off = scratch.off
    for k in range(scratch.off_count[0]):
        if (off[k, 0] == p and off[k, 1] == q) or (off[k, 0] == q and off[k, 1] == p):
            return True
    return False


@device
def append_pair(pairs, count, p, q):
    """Put a pair into row `count` of `pairs`, if there is room; return the next row."""
    if count < len(pairs):
        pairs[count, 0], pairs[count, 1] = p, q
    return count + 1


@device
def list_off(pairs, contacts, contact_count, scratch):
    """Write the pairs of pieces that pass in this step to `scratch.off`, as far as there is room; return how many.

    They are those that a game switched off, as pairs or as contacts, and those that pass a one-way collider.
    """
    index, count = pairs.index, 0
    for k in range(pairs.row_start[-1]):
        slot = pairs.order[k]
        if not pairs.enabled[slot] or index[slot, PAIR.ROLE] & (of_pair.PASSED | of_pair.PASSES) != 0:
            count = append_pair(scratch.off, count, index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B])
    for k in range(contact_count):
        if not contacts.enabled[k]:
            slot = contacts.pair[k]
            count = append_pair(scratch.off, count, index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B])
    scratch.off_count[0] = min(count, len(scratch.off))
    return count


@device
def list_fast(count, movers, owners, bodies, pieces, tracks, scratch):
    """List the pieces of the fast bodies, and the boxes of their ways; return how many.

    The first `count` pieces of `movers` can move, and `owners` are their bodies. Writes `scratch.fast`, `scratch.box`.
    """
    fast_count = 0
    for k in range(count):
        if tracks.is_fast[owners[k]]:
            scratch.fast[fast_count] = movers[k]
            way_box(movers[k], bodies, pieces, tracks, scratch.box[fast_count])
            fast_count += 1
    return fast_count


@device
def find_near(fast_count, unbounded, bodies, pieces, tree, scratch):
    """Find what does not move, or has no end, near the ways of the fast pieces; return how many pairs.

    Where that is more than `scratch.near` has room for, call again with more. Reads piece_box. Writes `scratch.near`.
    """
    count = 0
    for k in range(fast_count):
        p, box = scratch.fast[k], scratch.box[k]
        if bodies.kind[pieces.index[p, PIECE.BODY]] != of_track.DYNAMIC:
            continue
        hit_count = leaves_in_box(tree, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], tree.hits)
        for m in range(hit_count + len(unbounded)):
            q = tree.hits[m] if m < hit_count else unbounded[m - hit_count]
            if rows_touch(scratch.box, k, pieces.box, q):
                count = append_pair(scratch.near, count, p, q)
    return count


@device
def sort_by_min_x(count, box, rows, places):
    """Sort the first boxes (n, 4), and `rows` along with them, those that begin alike in the order in which they are.

    A shell sort, whose last round is by neighbours. `places` is scratch space (n,).
    """
    for k in range(count):
        places[k] = k
    gap = 1
    while 3 * gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            low_x, low_y, high_x, high_y = box[k, 0], box[k, 1], box[k, 2], box[k, 3]
            row, place, at = rows[k], places[k], k
            while at >= gap and (
                box[at - gap, BOX.MIN_X] > low_x or (box[at - gap, BOX.MIN_X] == low_x and places[at - gap] > place)
            ):
                for side in range(4):
                    box[at, side] = box[at - gap, side]
                rows[at], places[at] = rows[at - gap], places[at - gap]
                at -= gap
            box[at, 0], box[at, 1], box[at, 2], box[at, 3] = low_x, low_y, high_x, high_y
            rows[at], places[at] = row, place
        gap //= 3


@device
def append_movers(p, q, near_count, met_count, bodies, pieces, span, scratch):
    """Append two moving pieces whose ways may meet, where one is kinematic or a bullet; return (near, met) so far."""
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    kinds = bodies.kind[body_p] + bodies.kind[body_q]
    if kinds == of_track.KINEMATIC + of_track.DYNAMIC:
        if bodies.kind[body_p] == of_track.KINEMATIC:
            p, q = q, p
        near_count = append_pair(scratch.near, near_count, p, q)
    elif (
        kinds == of_track.DYNAMIC + of_track.DYNAMIC
        and span[body_p, BODY_SPAN.BULLET] + span[body_q, BODY_SPAN.BULLET] != 0.0
        and role_of(body_p, body_q, bodies) & of_pair.SOLID != 0
        and not is_off(p, q, scratch)
    ):
        met_count = append_pair(scratch.met, met_count, p, q)
    return near_count, met_count


@device
def find_near_movers(fast_count, near_count, farthest, bodies, pieces, tracks, span, strips, scratch):
    """Find what moves near the ways of the fast pieces, the first of `scratch.fast`, which are sorted by min_x.

    `farthest` is the way [m] of those that are slow at most. Returns (pairs near, pairs with a bullet); where one is
    more than `scratch` has room for, call again with more. Reads the strips. Writes `scratch.near` from row
    `near_count` on, and `scratch.met`.
    """
    met_count = 0
    for k in range(fast_count):
        p, box = scratch.fast[k], scratch.box[k]
        low_x, low_y, high_x, high_y = (
            box[BOX.MIN_X],
            box[BOX.MIN_Y],
            box[BOX.MAX_X],
            box[BOX.MAX_Y],
        )
        nearby = pieces_in_box(
            strips, low_x - farthest, low_y - farthest, high_x + farthest, high_y + farthest, scratch.nearby
        )
        after = k + 1
        while after < fast_count and scratch.box[after, BOX.MIN_X] <= high_x:
            after += 1
        for m in range(nearby + after - k - 1):
            if m < nearby:
                q = scratch.nearby[m]
                if tracks.is_fast[pieces.index[q, PIECE.BODY]]:
                    continue
            else:
                other = k + 1 + m - nearby
                q = scratch.fast[other]
                if scratch.box[other, BOX.MIN_Y] > high_y or scratch.box[other, BOX.MAX_Y] < low_y:
                    continue
            near_count, met_count = append_movers(p, q, near_count, met_count, bodies, pieces, span, scratch)
    return near_count, met_count
