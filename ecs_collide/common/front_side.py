"""One-sided lines: the side from which another piece meets them.

A one-sided line is solid in front, to the right of its direction. Another piece is in front if its middle is. Where the
two only touch, the normal from the line must also be that of its front, or one of a corner at its ends. A piece beside
an end may have its middle in front, and touch the line from behind. A piece that comes from behind may meet the next
link from the side, at the joint of the two.
"""

from __future__ import annotations

from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.cone import in_cone
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import PieceKind, outline as of_outline
from ecs_collide.shapes.outline import OUTLINE

OUTLINE_KIND = int(PieceKind.OUTLINE)

SAME_DIRECTION = 1e-9
"""Sine of the angle by which a direction may miss a corner's directions."""

LEADS_BACK = -0.1
"""Cosine between a direction and the front below which the direction leads to the back."""
AHEAD = 0.99
"""Cosine between a normal and the front above which both are the same."""


@device
def is_one_sided(piece, pieces):
    """Return True if a piece is a one-sided line: its last edge is its back."""
    last = pieces.index[piece, PIECE.VERTEX_START] + pieces.index[piece, PIECE.VERTEX_COUNT] - 1
    return pieces.index[piece, PIECE.KIND] == OUTLINE_KIND and pieces.outlines[last, OUTLINE.EDGE] == of_outline.BACK


@device
def middle_of_piece(piece, pieces):
    """Return a point well inside a piece, in its body's axes [m].

    It is half way from the centre of its box to the mean of its vertices. The centre of a triangle's box may lie on its
    edge, and so may the mean of two vertices with an arc.
    """
    start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    sum_x, sum_y = 0.0, 0.0
    for k in range(start, start + count):
        sum_x, sum_y = sum_x + pieces.vertices[k, X], sum_y + pieces.vertices[k, Y]
    return (
        0.5 * (pieces.size[piece, PIECE_SIZE.LOCAL_X] + sum_x / count),
        0.5 * (pieces.size[piece, PIECE_SIZE.LOCAL_Y] + sum_y / count),
    )


@device
def height_in_front(line, x, y, pieces):
    """Return the height [m] of a point in front of a one-sided line; both are in the axes of its body."""
    k = pieces.index[line, PIECE.VERTEX_START]
    normals, vertices = pieces.normals, pieces.vertices
    return (x - vertices[k, X]) * normals[k, X] + (y - vertices[k, Y]) * normals[k, Y]


@device
def meets_back(line, pose, x, y, normal_x, normal_y, overlaps, margin, pieces):
    """Return True if a piece with its middle at (x, y) [m] meets the back of a one-sided line at a pose.

    (`normal_x`, `normal_y`) leads from the line to the piece. With `overlaps` it does not count. A middle up to
    `margin` [m] behind is in front.
    """
    c, s = cos_sin(pose[2])
    dx, dy = x - pose[0], y - pose[1]
    if height_in_front(line, c * dx + s * dy, c * dy - s * dx, pieces) <= -margin:
        return True
    return not overlaps and not is_front_normal(line, c * normal_x + s * normal_y, c * normal_y - s * normal_x, pieces)


@device
def is_front_normal(line, x, y, pieces):
    """Return True if a normal, in the axes of its body, is that of a one-sided line's front or of an open corner."""
    start = pieces.index[line, PIECE.VERTEX_START]
    if x * pieces.normals[start, X] + y * pieces.normals[start, Y] > AHEAD:
        return True
    for k in range(start, start + pieces.index[line, PIECE.VERTEX_COUNT]):
        row = pieces.outlines[k]
        if row[OUTLINE.CORNER] != 0.0 and in_cone(
            row[OUTLINE.FROM_X], row[OUTLINE.FROM_Y], row[OUTLINE.TO_X], row[OUTLINE.TO_Y], SAME_DIRECTION, x, y
        ):
            return True
    return False


@device
def leads_back(line, x, y, pieces):
    """Return True if a direction, in the axes of its body, leads to the back of a one-sided line."""
    k = pieces.index[line, PIECE.VERTEX_START]
    return x * pieces.normals[k, X] + y * pieces.normals[k, Y] < LEADS_BACK
