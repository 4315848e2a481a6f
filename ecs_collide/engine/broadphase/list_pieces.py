"""Pieces come and go: what the broadphase's lists and columns hold of them."""

from __future__ import annotations

from math import inf

from ecs_collide.columns import bodies as of_body, pieces as of_piece
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled.arrays import Ints, IntTable
from ecs_collide.compiled.kernels import device, stage
from ecs_collide.compiled.simd import LANES
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.piece_rows import has_end
from ecs_collide.engine.broadphase.sorted_rows import is_among

STATIC, KINEMATIC = int(BodyKind.STATIC), int(BodyKind.KINEMATIC)

# rows of `sorts`
MOBILE, ENDLESS_MOBILE, ENDLESS, FIXED = range(4)


@stage
def append_pieces(rows: Ints, pieces: Pieces, count: int, padded: Ints, owners: Ints):
    """Put pieces behind the first `count` of a list, and their bodies; return how many it has then."""
    for k in range(len(rows)):
        padded[count + k] = rows[k]
        owners[count + k] = pieces.index[rows[k], of_piece.BODY]
    pad(count + len(rows), padded, owners)
    return count + len(rows)


@stage
def leave_out(rows: Ints, count: int, padded: Ints, owners: Ints, left: Ints, left_owners: Ints):
    """Take sorted rows out of the first `count` of a list and write them to another; return how many stay."""
    kept = 0
    for k in range(count):
        if is_among(rows, padded[k]):
            left[k - kept], left_owners[k - kept] = padded[k], owners[k]
        else:
            padded[kept], owners[kept] = padded[k], owners[k]
            kept += 1
    pad(kept, padded, owners)
    pad(count - kept, left, left_owners)
    return kept


@device
def pad(count, padded, owners):
    """Repeat the last piece of a list up to a multiple of eight."""
    if count > 0:
        for k in range(count, (count + LANES - 1) // LANES * LANES):
            padded[k], owners[k] = padded[count - 1], owners[count - 1]


@stage
def enter_pieces(rows: Ints, bodies: Bodies, pieces: Pieces, sorts: IntTable):
    """Take up new pieces, which have no box yet; return how many are mobile, mobile without end, without end, static,
    static and detecting, and kinematic.

    Reads piece_index, body_kind. Writes piece_box, piece_old_box, piece_leaf, and the first four sorts to `sorts`.
    """
    mobile, endless_mobile, endless, fixed, detecting, kinematic = 0, 0, 0, 0, 0, 0
    for row in rows:
        empty_box(pieces.box, row)
        empty_box(pieces.old_box, row)
        pieces.leaf[row] = -1
        body = pieces.index[row, of_piece.BODY]
        kind = bodies.kind[body]
        kinematic += int(kind == KINEMATIC)
        if not has_end(row, pieces):
            sorts[ENDLESS, endless] = row
            endless += 1
            if kind != STATIC:
                sorts[ENDLESS_MOBILE, endless_mobile] = row
                endless_mobile += 1
        elif kind != STATIC:
            sorts[MOBILE, mobile] = row
            mobile += 1
        if kind == STATIC:
            sorts[FIXED, fixed] = row
            fixed += 1
            detecting += int(bodies.filter[body, of_body.DETECT] != 0)
    return mobile, endless_mobile, endless, fixed, detecting, kinematic


@device
def empty_box(box, row):
    """Write a box that overlaps nothing."""
    box[row, of_piece.MIN_X], box[row, of_piece.MIN_Y] = inf, inf
    box[row, of_piece.MAX_X], box[row, of_piece.MAX_Y] = -inf, -inf


@stage
def take_leave(rows: Ints, pieces: Pieces):
    """Let pieces have no box any more; return whether any hangs in the static tree. Writes piece_box, piece_moved."""
    hangs = False
    for row in rows:
        empty_box(pieces.box, row)
        pieces.moved[row] = True
        hangs = hangs or pieces.leaf[row] >= 0
    return hangs
