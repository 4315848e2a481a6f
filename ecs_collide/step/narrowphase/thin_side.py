"""The side of thin pieces: a piece without thickness has no inside, so its pose alone does not tell the side.

The shortest way out of a line may lead across it. It does if one end of a rod is less far below the line than the other
end is above. Therefore history decides. A pair with a thin piece keeps to the side of its normal in the last step. Axes
that lead to the other side give no contact and do not count as apart. An axis that agrees may be covered. Corners that
face each other separate even such a pair; otherwise no rod could pass around an end.

A thin piece without contact with a static line takes the side of its own ends in the last step, on whatever they stood.
It does not if it is clear of the line on the other side. An exception is a surface that joins the line's end, on which
the ends may have stood, see `joined_ends.py`. So a rod slides in line from one link of a chain to the next, where a
height of 1e-16 would decide. A fast body is clear, because the sweep stops it before it touches.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pairs import MANIFOLD, PAIR, Pairs
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.edge import over_edge
from ecs_collide.geometry.pose import rotate_vector, rotate_vector_back, transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.narrowphase.piece_corners import is_thin, joins_end
from ecs_collide.step.narrowphase.weld_memory import MEMORY, OWNER, Welds

DYNAMIC = int(BodyKind.DYNAMIC)

OTHER_SIDE = -0.2
"""Cosine between the normals of two steps below which the second leads to the other side."""

SAME_SIDE = 0.7
"""Cosine between the normals of two steps above which both lead to the same side."""


CLEAR = 0.45
"""Height from which a line is clear of another, as a fraction of the slop; sweeps leave a little more."""


@device
def choose_side(slot, body, piece, other, sign, clear, bodies, pieces, pairs, welds):
    """Write the normal of a pair, in A's axes: the side of the ends of `piece` in the last step.

    Nothing is written if they touched nothing, or are more than `clear` [m] on the other side of `other` now and of the
    surfaces that join its ends. `sign` is 1 if the body is B. Reads weld_start, weld_owner, weld_memory. Writes
    pair_manifold.
    """
    x, y = 0.0, 0.0
    first = pieces.index[piece, PIECE.VERTEX_START]
    stop = pieces.index[piece, PIECE.VERTEX_START] + pieces.index[piece, PIECE.VERTEX_COUNT]
    at = welds.start[body] if body < len(welds.start) else -1
    while 0 <= at < len(welds.owner) and welds.owner[at, OWNER.BODY] == body:
        if first <= welds.owner[at, OWNER.CORNER] < stop:
            x, y = x + welds.memory[at, MEMORY.NORMAL_X], y + welds.memory[at, MEMORY.NORMAL_Y]
        at += 1
    if x == 0.0 and y == 0.0:
        return
    if highest_end(piece, other, x, y, bodies, pieces) < -clear and not stood_on_joined(
        piece, other, x, y, clear, bodies, pieces
    ):
        return
    a = pairs.index[slot, PAIR.BODY_A]
    x, y = rotate_vector_back(body_pose(a, bodies), sign * x, sign * y)
    pairs.manifold[slot, MANIFOLD.NORMAL_X], pairs.manifold[slot, MANIFOLD.NORMAL_Y] = x, y


@device
def highest_end(piece, line, x, y, bodies, pieces):
    """Return the height [m] of the higher end of a thin piece over a line; (x, y) points up."""
    base = pieces.index[line, PIECE.VERTEX_START]
    normal_x, normal_y = rotate_vector(
        body_pose(pieces.index[line, PIECE.BODY], bodies), pieces.normals[base, X], pieces.normals[base, Y]
    )
    sign = 1.0 if normal_x * x + normal_y * y >= 0.0 else -1.0
    return highest_over(piece, line, base, sign * normal_x, sign * normal_y, bodies, pieces)


@device
def stood_on_joined(piece, line, x, y, clear, bodies, pieces):
    """Return True if a thin piece may still stand on a surface that joins an end of a line.

    (`x`, `y`) leads up from what it stood on. It must reach up to `clear` [m] below that surface.
    """
    seen = body_pose(pieces.index[line, PIECE.BODY], bodies)
    size = sqrt(x * x + y * y)
    first = pieces.index[line, PIECE.VERTEX_START]
    before = first + pieces.index[line, PIECE.VERTEX_COUNT] - 1
    for k in range(first, first + pieces.index[line, PIECE.VERTEX_COUNT]):
        for field in (OUTLINE.FROM_X, OUTLINE.TO_X):
            if not joins_end(before, k, field, pieces):
                continue
            normal_x, normal_y = rotate_vector(seen, pieces.outlines[k, field], pieces.outlines[k, field + 1])
            if (
                normal_x * x + normal_y * y > SAME_SIDE * size
                and highest_over(piece, line, k, normal_x, normal_y, bodies, pieces) >= -clear
            ):
                return True
        before = k
    return False


@device
def highest_over(piece, line, k, normal_x, normal_y, bodies, pieces):
    """Return the height [m] of the higher end of a thin piece over corner k of a line along a normal."""
    own = body_pose(pieces.index[piece, PIECE.BODY], bodies)
    seen = body_pose(pieces.index[line, PIECE.BODY], bodies)
    base_x, base_y = transform_point(seen, pieces.vertices[k, X], pieces.vertices[k, Y])
    highest = -1e300
    for k in range(
        pieces.index[piece, PIECE.VERTEX_START],
        pieces.index[piece, PIECE.VERTEX_START] + pieces.index[piece, PIECE.VERTEX_COUNT],
    ):
        end_x, end_y = transform_point(own, pieces.vertices[k, X], pieces.vertices[k, Y])
        _, height = over_edge(base_x, base_y, normal_x, normal_y, end_x, end_y)
        highest = max(highest, height)
    return highest


@kernel
def choose_sides(slots: Ints, bodies: Bodies, pieces: Pieces, pairs: Pairs, welds: Welds, slop: float):
    """Write the normals of those of `slots` without contact: the side to keep to, or (0, 0).

    Reads body_kind, body_frame, the pieces, the remembered points. Writes pair_manifold.
    """
    index, clear = pairs.index, CLEAR * slop
    for slot in slots:
        if index[slot, PAIR.POINT_COUNT] != 0:
            continue
        pairs.manifold[slot, MANIFOLD.NORMAL_X], pairs.manifold[slot, MANIFOLD.NORMAL_Y] = 0.0, 0.0
        a, b = index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B]
        body_a, body_b = index[slot, PAIR.BODY_A], index[slot, PAIR.BODY_B]
        if pieces.size[a, PIECE_SIZE.RADIUS] != 0.0 or pieces.size[b, PIECE_SIZE.RADIUS] != 0.0:
            continue
        if not (is_thin(a, pieces) and is_thin(b, pieces)):
            continue
        if bodies.kind[body_a] == DYNAMIC and bodies.kind[body_b] != DYNAMIC:
            choose_side(slot, body_a, a, b, -1.0, clear, bodies, pieces, pairs, welds)
        elif bodies.kind[body_b] == DYNAMIC and bodies.kind[body_a] != DYNAMIC:
            choose_side(slot, body_b, b, a, 1.0, clear, bodies, pieces, pairs, welds)
