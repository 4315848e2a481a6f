"""Transfer of pairs from the pieces of a terrain to the pieces that replace them, where nothing has changed.

A changed cell may replace a piece that reaches far beyond it. A body that lies on this piece elsewhere must not notice
the change: the solid near it is the same, only cut into other pieces. Its pair therefore keeps its slot, manifold,
impulses and state of touching. The new piece at the place of the contact takes the place of the old one. If the body
reaches further new pieces, it gets further pairs, which are parked if it sleeps.

Pairs near a changed cell, or near a neighbour of one, end with the old pieces.
"""

from __future__ import annotations

from math import inf

import numpy as np

from ecs_collide.common.pair_roles import has_response
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pairs import FOUND, MANIFOLD, PAIR, SIDES
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.shapes.changed_cells import ChangedCells, is_near_change
from ecs_collide.step.broadphase.pair_slots import add_pairs, group_pairs, park_slot, settle_boxes, wake_slot
from ecs_collide.step.broadphase.pair_update_arrays import Exchange
from ecs_collide.step.narrowphase.one_way_pairs import DECIDED

STATIC = int(BodyKind.STATIC)

NONE = -1
REMOVED, ADDED = 1, 2
"""Values of `marks`: the piece is removed, or it is a replacement."""

LIST = layout(
    "transfer lists",
    HEAD="first found pair of each piece",
    NEXT="next found pair of the same piece, for each found pair",
    GIVEN="slot that was transferred, for each piece",
)
"""Rows of `lists`."""


def find_bodies_near_change(
    near: np.ndarray, map_body: int, change: ChangedCells, bodies: Bodies, pieces: Pieces
) -> np.ndarray:
    """Return the bodies of those of the given pieces that are near a changed cell of a terrain."""
    found = np.empty(len(near), np.int64)
    return found[: list_bodies_near_change(near, map_body, change, bodies, pieces, found)]


def transfer_pairs(
    found: np.ndarray,
    removed: np.ndarray,
    added: np.ndarray,
    map_body: int,
    change: ChangedCells,
    exchange: Exchange,
    bodies: Bodies,
    pieces: Pieces,
) -> None:
    """Transfer the pairs of removed pieces to their replacements; `found` (f, 2) are all pairs of these."""
    marks = np.zeros(len(pieces.moved), np.int64)
    marks[removed], marks[added] = REMOVED, ADDED
    lists = np.full((LIST.WIDTH, max(len(marks), len(found))), NONE, np.int64)
    transfer_slots(found, marks, added, map_body, change, lists, exchange, bodies, pieces)


@device
def is_near_change_of(piece, map_body, change, bodies, pieces):
    """Return True if the fat box of a piece is near a changed cell of a terrain, or if the piece is unbounded."""
    if not is_piece_bounded(piece, pieces):
        return True
    x, y, half_x, half_y = box_in_map(piece, map_body, bodies, pieces)
    rows, columns = change.before.shape
    # the centre of a terrain is the middle of its grid without the rim
    x, y = x / change.size + 0.5 * (columns - 2), y / change.size + 0.5 * (rows - 2)
    half_x, half_y = half_x / change.size, half_y / change.size
    return is_near_change(x - half_x, y - half_y, x + half_x, y + half_y, change.before, change.after, change.span)


@device
def box_in_map(piece, map_body, bodies, pieces):
    """Return centre and half extents [m] of the box around a piece's fat box in the axes of a body."""
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


@kernel
def list_bodies_near_change(
    near: Ints, map_body: int, change: ChangedCells, bodies: Bodies, pieces: Pieces, found: Ints
):
    """Write the bodies of those of the pieces `near` that are near a changed cell to `found`; return their number.

    A body is listed once for each such piece. Reads body_frame, piece_box.
    """
    count = 0
    for piece in near:
        if is_near_change_of(piece, map_body, change, bodies, pieces):
            found[count] = pieces.index[piece, PIECE.BODY]
            count += 1
    return count


@kernel
def transfer_slots(
    found: IntTable,
    marks: Ints,
    added: Ints,
    map_body: int,
    change: ChangedCells,
    lists: IntTable,
    exchange: Exchange,
    bodies: Bodies,
    pieces: Pieces,
):
    """Transfer the pairs of removed pieces to their replacements where no cell near them has changed.

    `marks` (p,) holds REMOVED for removed pieces and ADDED for their replacements. `found` (f, 2) holds all pairs of
    the replacements, which have boxes; there is room for them. Pairs that stay with removed pieces are woken, so that
    they end with these. `lists` (3, p or f) is scratch space, filled with -1. Reads body_frame, the pieces. Writes the
    pairs, piece_old_box, piece_moved, found.
    """
    pairs = exchange.pairs
    for k in range(len(found)):
        if marks[found[k, FOUND.FIRST]] != ADDED:
            found[k, FOUND.FIRST], found[k, FOUND.SECOND] = found[k, FOUND.SECOND], found[k, FOUND.FIRST]
        if marks[found[k, FOUND.FIRST]] == ADDED:
            lists[LIST.NEXT, k], lists[LIST.HEAD, found[k, FOUND.SECOND]] = lists[LIST.HEAD, found[k, FOUND.SECOND]], k
        else:
            found[k, FOUND.FIRST] = NONE
    for must_touch in (True, False):  # pairs that touch first: a sleeping body keeps its contact
        for slot in range(len(pairs.awake)):
            a, b = pairs.sides[SIDES.FIRST, slot], pairs.sides[SIDES.SECOND, slot]
            continues = marks[a] != REMOVED and marks[b] != REMOVED
            if a == b or continues or (pairs.index[slot, PAIR.TOUCHING] != of_pair.APART) != must_touch:
                continue
            other, replacement = (b if marks[a] == REMOVED else a), NONE
            if not is_near_change_of(other, map_body, change, bodies, pieces):
                replacement = find_nearest_replacement(slot, other, map_body, found, lists, bodies, pieces, pairs)
            if replacement == NONE:
                wake_slot(slot, pairs)
            else:
                transfer_slot(slot, other, found[replacement, FOUND.FIRST], pieces, pairs)
                found[replacement, FOUND.FIRST], lists[LIST.GIVEN, other] = NONE, slot
    for k in range(len(found)):
        if found[k, FOUND.FIRST] != NONE:
            add_beside(found, k, lists, exchange, bodies, pieces)
    settle_boxes(added, len(added), pieces)
    group_pairs(pairs)


@device
def find_nearest_replacement(slot, other, map_body, found, lists, bodies, pieces, pairs):
    """Return the found pair of a piece whose new piece is nearest to the contact, or NONE if all are taken.

    Without a contact, the distance is measured from the centre of the other piece's box.
    """
    index, manifold = pairs.index[slot], pairs.manifold[slot]
    if index[PAIR.POINT_COUNT] > 0 and has_response(index[PAIR.ROLE]):
        at = MANIFOLD.ANCHOR_A if index[PAIR.BODY_A] == map_body else MANIFOLD.ANCHOR_B
        x, y = manifold[at], manifold[at + 1]
    else:
        x, y, _, _ = box_in_map(other, map_body, bodies, pieces)
    best, least = NONE, inf
    k = lists[LIST.HEAD, other]
    while k != NONE:
        if found[k, FOUND.FIRST] != NONE:
            size = pieces.size[found[k, FOUND.FIRST]]
            out_x = max(abs(x - size[PIECE_SIZE.LOCAL_X]) - size[PIECE_SIZE.HALF_X], 0.0)
            out_y = max(abs(y - size[PIECE_SIZE.LOCAL_Y]) - size[PIECE_SIZE.HALF_Y], 0.0)
            if out_x * out_x + out_y * out_y < least:
                best, least = k, out_x * out_x + out_y * out_y
        k = lists[LIST.NEXT, k]
    return best


@device
def transfer_slot(slot, other, replacement, pieces, pairs):
    """Replace the old piece of a pair by its replacement `replacement`; the slot stays the same."""
    index = pairs.index[slot]
    is_b = index[PAIR.PIECE_A] == other
    index[PAIR.PIECE_B if is_b else PAIR.PIECE_A] = replacement
    pairs.sides[SIDES.FIRST, slot], pairs.sides[SIDES.SECOND, slot] = index[PAIR.PIECE_A], index[PAIR.PIECE_B]
    for k in range(index[PAIR.POINT_COUNT]):
        feature = index[PAIR.FEATURE_0 + k]
        if feature >= 0 and (feature & 1 == 1) == is_b:
            index[PAIR.FEATURE_0 + k] = same_corner(feature, replacement, pieces)


@device
def same_corner(feature, replacement, pieces):
    """Return the feature of the corner of `replacement` at the place of another feature's corner, or -1."""
    corner, start = feature >> 1, pieces.index[replacement, PIECE.VERTEX_START]
    for v in range(start, start + pieces.index[replacement, PIECE.VERTEX_COUNT]):
        if pieces.vertices[v, X] == pieces.vertices[corner, X] and pieces.vertices[v, Y] == pieces.vertices[corner, Y]:
            return 2 * v + (feature & 1)
    return NONE


@device
def add_beside(found, k, lists, exchange, bodies, pieces):
    """Add a found pair. It is parked if the other piece sleeps, and keeps a one-way decision of the old pair."""
    pairs, other = exchange.pairs, found[k, FOUND.SECOND]
    body, given = pieces.index[other, PIECE.BODY], lists[LIST.GIVEN, other]
    add_pairs(found[k : k + 1], 1, exchange, bodies, pieces)
    slot = exchange.free_slots[len(exchange.free_slots) - pairs.in_use[0]]
    if given != NONE:
        pairs.index[slot, PAIR.ROLE] |= pairs.index[given, PAIR.ROLE] & (DECIDED | of_pair.BEHIND | of_pair.DEEP)
    if bodies.kind[body] != STATIC and bodies.island[body] != 0:
        park_slot(slot, pairs)
