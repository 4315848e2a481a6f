"""Pieces of a terrain take the places of others: the pairs go over to them, where nothing has changed.

A cell that changes may exchange a piece that reaches far beyond it. What lies on that elsewhere is to notice nothing:
all that is solid near it is as before, only cut into other pieces. So its pair stays in its slot, with its manifold,
its impulses and its way of touching, and is one with that of the new pieces which holds the place of the contact. If
the body reaches others of them too, it gets further pairs with these, which are parked if it sleeps.

What is near a cell that changed, be it in one beside it, begins anew: its pairs end with the pieces.
"""

from __future__ import annotations

from math import inf

import numpy as np

from ecs_collide.common.pair_roles import is_answered
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pairs import MANIFOLD, PAIR
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.shapes.changed_cells import ChangedCells, is_near_change
from ecs_collide.step.broadphase.pair_slots import add_pairs, group_pairs, park_slot, settle_boxes, wake_slot
from ecs_collide.step.broadphase.pair_update_arrays import Exchange
from ecs_collide.step.narrowphase.one_way_pairs import DECIDED

STATIC = int(BodyKind.STATIC)

NONE = -1
GONE, CAME = 1, 2
"""`marks` of pieces that go, and of those that take their places."""

# rows of `lists`: of each piece its first found pair, of each pair the next one of that piece, and of each piece a slot
# that went over
HEAD, NEXT, GIVEN = range(3)


def bodies_close(near: np.ndarray, map_body: int, change: ChangedCells, bodies: Bodies, pieces: Pieces) -> np.ndarray:
    """The bodies of those of some pieces that are near a changed cell of a terrain."""
    found = np.empty(len(near), np.int64)
    return found[: find_close(near, map_body, change, bodies, pieces, found)]


def hand_pairs_over(
    found: np.ndarray,
    gone: np.ndarray,
    came: np.ndarray,
    map_body: int,
    change: ChangedCells,
    exchange: Exchange,
    bodies: Bodies,
    pieces: Pieces,
) -> None:
    """Let the pairs of pieces that are `gone` go over to those that `came`, of which `found` (f, 2) are all pairs."""
    marks = np.zeros(len(pieces.moved), np.int64)
    marks[gone], marks[came] = GONE, CAME
    lists = np.full((3, max(len(marks), len(found))), NONE, np.int64)
    hand_over(found, marks, came, map_body, change, lists, exchange, bodies, pieces)


@device
def is_close(piece, map_body, change, bodies, pieces):
    """Whether the fat box of a piece is near a changed cell of a terrain; what has no end is."""
    if not is_piece_bounded(piece, pieces):
        return True
    x, y, half_x, half_y = box_in_map(piece, map_body, bodies, pieces)
    rows, columns = change.before.shape
    # a terrain's centre is the middle of its grid; the rim is not a part of that
    x, y = x / change.size + 0.5 * (columns - 2), y / change.size + 0.5 * (rows - 2)
    half_x, half_y = half_x / change.size, half_y / change.size
    return is_near_change(x - half_x, y - half_y, x + half_x, y + half_y, change.before, change.after, change.span)


@device
def box_in_map(piece, map_body, bodies, pieces):
    """The middle and the half extents [m] of the box around a piece's fat box in the axes of a body."""
    box, pose = pieces.box[piece], body_pose(map_body, bodies)
    half_x = 0.5 * (box[BOX.MAX_X] - box[BOX.MIN_X])
    half_y = 0.5 * (box[BOX.MAX_Y] - box[BOX.MIN_Y])
    x, y = rotate_vector_back(
        pose,
        0.5 * (box[BOX.MIN_X] + box[BOX.MAX_X]) - pose.x,
        0.5 * (box[BOX.MIN_Y] + box[BOX.MAX_Y]) - pose.y,
    )
    c, s = abs(pose.cos), abs(pose.sin)
    return x, y, c * half_x + s * half_y, s * half_x + c * half_y


@stage
def find_close(near: Ints, map_body: int, change: ChangedCells, bodies: Bodies, pieces: Pieces, found: Ints):
    """Write the bodies of those of the pieces `near` that are near a changed cell to `found`; return their number.

    A body stands there for each such piece. Reads body_frame, piece_box.
    """
    count = 0
    for piece in near:
        if is_close(piece, map_body, change, bodies, pieces):
            found[count] = pieces.index[piece, PIECE.BODY]
            count += 1
    return count


@stage
def hand_over(
    found: IntTable,
    marks: Ints,
    came: Ints,
    map_body: int,
    change: ChangedCells,
    lists: IntTable,
    exchange: Exchange,
    bodies: Bodies,
    pieces: Pieces,
):
    """Let the pairs of pieces that go be pairs of those that `came` in their places, where no cell near has changed.

    `marks` (p,) say which pieces go, GONE, and which came, CAME. In `found` (f, 2) are all pairs of those that came,
    which have boxes; there is room for them. The pairs that are left with those that go are parked no more, so that
    they end with these. `lists` (3, p or f) is scratch space, -1.
    Reads body_frame, the pieces. Writes the pairs, piece_old_box, piece_moved, found.
    """
    pairs = exchange.pairs
    for k in range(len(found)):
        if marks[found[k, 0]] != CAME:
            found[k, 0], found[k, 1] = found[k, 1], found[k, 0]
        if marks[found[k, 0]] == CAME:
            lists[NEXT, k], lists[HEAD, found[k, 1]] = lists[HEAD, found[k, 1]], k
        else:
            found[k, 0] = NONE
    for must_touch in (True, False):  # who sleeps must not lose its last one to a pair that does not
        for slot in range(len(pairs.awake)):
            a, b = pairs.sides[0, slot], pairs.sides[1, slot]
            goes_on = marks[a] != GONE and marks[b] != GONE
            if a == b or goes_on or (pairs.index[slot, PAIR.TOUCHING] != of_pair.APART) != must_touch:
                continue
            other, heir = (b if marks[a] == GONE else a), NONE
            if not is_close(other, map_body, change, bodies, pieces):
                heir = nearest_heir(slot, other, map_body, found, lists, bodies, pieces, pairs)
            if heir == NONE:
                wake_slot(slot, pairs)
            else:
                give_slot(slot, other, found[heir, 0], pieces, pairs)
                found[heir, 0], lists[GIVEN, other] = NONE, slot
    for k in range(len(found)):
        if found[k, 0] != NONE:
            add_beside(found, k, lists, exchange, bodies, pieces)
    settle_boxes(came, len(came), pieces)
    group_pairs(pairs)


@device
def nearest_heir(slot, other, map_body, found, lists, bodies, pieces, pairs):
    """Which of the found pairs of a piece is with the new piece where a pair's contact is, or NONE where all are given.

    Without a contact that is the one nearest to the middle of the other piece's box.
    """
    index, manifold = pairs.index[slot], pairs.manifold[slot]
    if index[PAIR.POINT_COUNT] > 0 and is_answered(index[PAIR.ROLE]):
        at = MANIFOLD.ANCHOR_A if index[PAIR.BODY_A] == map_body else MANIFOLD.ANCHOR_B
        x, y = manifold[at], manifold[at + 1]
    else:
        x, y, _, _ = box_in_map(other, map_body, bodies, pieces)
    best, least = NONE, inf
    k = lists[HEAD, other]
    while k != NONE:
        if found[k, 0] != NONE:
            size = pieces.size[found[k, 0]]
            out_x = max(abs(x - size[PIECE_SIZE.LOCAL_X]) - size[PIECE_SIZE.HALF_X], 0.0)
            out_y = max(abs(y - size[PIECE_SIZE.LOCAL_Y]) - size[PIECE_SIZE.HALF_Y], 0.0)
            if out_x * out_x + out_y * out_y < least:
                best, least = k, out_x * out_x + out_y * out_y
        k = lists[NEXT, k]
    return best


@device
def give_slot(slot, other, heir, pieces, pairs):
    """Let a slot hold the pair of a piece with the heir of the one that it was with."""
    index = pairs.index[slot]
    is_b = index[PAIR.PIECE_A] == other
    index[PAIR.PIECE_B if is_b else PAIR.PIECE_A] = heir
    pairs.sides[0, slot], pairs.sides[1, slot] = index[PAIR.PIECE_A], index[PAIR.PIECE_B]
    for k in range(index[PAIR.POINT_COUNT]):
        feature = index[PAIR.FEATURE_0 + k]
        if feature >= 0 and (feature & 1 == 1) == is_b:
            index[PAIR.FEATURE_0 + k] = same_corner(feature, heir, pieces)


@device
def same_corner(feature, heir, pieces):
    """The feature of the heir's corner that is where the one of another feature is; -1 where there is none."""
    corner, start = feature >> 1, pieces.index[heir, PIECE.VERTEX_START]
    for v in range(start, start + pieces.index[heir, PIECE.VERTEX_COUNT]):
        if pieces.vertices[v, 0] == pieces.vertices[corner, 0] and pieces.vertices[v, 1] == pieces.vertices[corner, 1]:
            return 2 * v + (feature & 1)
    return NONE


@device
def add_beside(found, k, lists, exchange, bodies, pieces):
    """Add a found pair; it is parked where the other piece sleeps, and passes where that passed what is gone."""
    pairs, other = exchange.pairs, found[k, 1]
    body, given = pieces.index[other, PIECE.BODY], lists[GIVEN, other]
    add_pairs(found[k : k + 1], 1, exchange, bodies, pieces)
    slot = exchange.free_slots[len(exchange.free_slots) - pairs.taken[0]]
    if given != NONE:
        pairs.index[slot, PAIR.ROLE] |= pairs.index[given, PAIR.ROLE] & DECIDED
    if bodies.kind[body] != STATIC and bodies.island[body] != 0:
        park_slot(slot, pairs)
