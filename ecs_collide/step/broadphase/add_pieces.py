"""Lists of pieces, and the kernels that add pieces to them and remove pieces from them."""

from __future__ import annotations

from math import inf

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data.bodies import FILTER, Bodies
from ecs_collide.data.pieces import BOX, PIECE, Pieces
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.broadphase.lookup.static_tree import NONE, remove_from_tree
from ecs_collide.step.broadphase.sorted_rows import is_among

STATIC, KINEMATIC = int(BodyKind.STATIC), int(BodyKind.KINEMATIC)

SORT = layout(
    "sorts of new pieces",
    UNBOUNDED_MOBILE="unbounded pieces that can move",
    UNBOUNDED="unbounded pieces",
    FIXED="static pieces",
)
"""Rows of `sorts`."""


class ListedPieces(Bundle):
    """A list of pieces with the bodies that they belong to, padded for kernels that read eight at a time."""

    in_use: Ints
    """Number of pieces in the list (1,) int64."""
    rows: Ints
    """Rows of the pieces. The last one repeats up to a multiple of eight; spare room follows (n,) int64."""
    bodies: Ints
    """Body row of each entry of `rows` (n,) int64."""


@kernel
def append_pieces(rows: Ints, pieces: Pieces, listed: ListedPieces):
    """Append pieces to a list that has room for them."""
    for row in rows:
        append_piece(row, pieces, listed)
    pad(listed.in_use[0], listed.rows, listed.bodies)


@device
def append_piece(row, pieces, listed):
    """Append one piece to a list that has room for it, without padding the list."""
    count = listed.in_use[0]
    listed.rows[count], listed.bodies[count] = row, pieces.index[row, PIECE.BODY]
    listed.in_use[0] = count + 1


@kernel
def remove_from_list(rows: Ints, listed: ListedPieces):
    """Remove some pieces, given as sorted rows, from a list."""
    nothing = listed.rows[:0]
    drop_from_list(rows, nothing, listed, nothing)


@device
def drop_from_list(rows, marks, listed, left):
    """Remove some pieces, given as sorted rows, from a list; return how many were removed.

    Unless `marks` are empty, they are true for these pieces and for few others, which is faster. The removed pieces are
    written to `left` as far as it has room.
    """
    pieces, owners, count, kept = listed.rows, listed.bodies, listed.in_use[0], 0
    for k in range(count):
        if (len(marks) == 0 or marks[pieces[k]]) and is_among(rows, pieces[k]):
            if k - kept < len(left):
                left[k - kept] = pieces[k]
        else:
            pieces[kept], owners[kept] = pieces[k], owners[k]
            kept += 1
    pad(kept, pieces, owners)
    listed.in_use[0] = kept
    return count - kept


@device
def pad(count, rows, owners):
    """Repeat the last piece of a list up to a multiple of eight."""
    if count > 0:
        for k in range(count, (count + LANES - 1) // LANES * LANES):
            rows[k], owners[k] = rows[count - 1], owners[count - 1]


@kernel
def list_new_pieces(
    rows: Ints, bodies: Bodies, pieces: Pieces, mobile: ListedPieces, movers: ListedPieces, sorts: IntTable
):
    """Add new pieces, which have no box yet, to the lists of the broadphase.

    Bounded pieces that can move go into both lists. Returns the numbers of unbounded pieces that can move, of unbounded
    pieces, of static pieces, of static pieces that detect sensors, and of kinematic pieces. Reads piece_index,
    body_kind. Writes piece_box, piece_old_box, piece_leaf, the lists, and the rows of the first three kinds to `sorts`.
    """
    unbounded_mobile, unbounded, fixed, detecting, kinematic = 0, 0, 0, 0, 0
    for row in rows:
        empty_box(pieces.box, row)
        empty_box(pieces.old_box, row)
        pieces.leaf[row] = NONE
        body = pieces.index[row, PIECE.BODY]
        kind = bodies.kind[body]
        kinematic += int(kind == KINEMATIC)
        if not is_piece_bounded(row, pieces):
            sorts[SORT.UNBOUNDED, unbounded] = row
            unbounded += 1
            if kind != STATIC:
                sorts[SORT.UNBOUNDED_MOBILE, unbounded_mobile] = row
                unbounded_mobile += 1
        elif kind != STATIC:
            append_piece(row, pieces, mobile)
            append_piece(row, pieces, movers)
        if kind == STATIC:
            sorts[SORT.FIXED, fixed] = row
            fixed += 1
            detecting += int(bodies.filter[pieces.index[row, PIECE.COLLIDER], FILTER.DETECT] != 0)
    pad(mobile.in_use[0], mobile.rows, mobile.bodies)
    pad(movers.in_use[0], movers.rows, movers.bodies)
    return unbounded_mobile, unbounded, fixed, detecting, kinematic


@device
def empty_box(box, row):
    """Write a box that overlaps nothing."""
    box[row, BOX.MIN_X], box[row, BOX.MIN_Y] = inf, inf
    box[row, BOX.MAX_X], box[row, BOX.MAX_Y] = -inf, -inf


@device
def unlist_pieces(rows, bodies, pieces, tree, mobile, movers, left):
    """Empty the boxes of pieces, given as sorted rows, and remove them from the lists and the static tree.

    Returns the numbers of bounded pieces among them that could move, of static and of kinematic ones. The first are
    written to `left`, padded as the lists are. Writes piece_box, piece_moved, piece_leaf, the lists, the tree.
    """
    fixed, kinematic = 0, 0
    for row in rows:
        empty_box(pieces.box, row)
        pieces.moved[row] = True
        kind = bodies.kind[pieces.index[row, PIECE.BODY]]
        fixed += int(kind == STATIC)
        kinematic += int(kind == KINEMATIC)
    remove_from_tree(rows, pieces, tree)
    count = drop_from_list(rows, pieces.moved, mobile, left)
    if count > 0:
        drop_from_list(rows, pieces.moved, movers, left[:0])
        pad(count, left, left)
    return count, fixed, kinematic
