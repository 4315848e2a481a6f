"""Rods that slide over flush tiles: a piece without a core that lies on the line of an edge is not stopped there.

Such a piece is stopped a little before it touches (`first_overlap.py`). The corner of the next tile of a floor would
stop it in each case, although it only slides on.
"""

from __future__ import annotations

from math import inf

from ecs_collide.common.front_side import OUTLINE_KIND
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.continuous.body_motions import pose_in_step

ROUNDING = 0.01
"""Height of a rod that lies on a surface, in slops."""


@device
def least_height(p, q, k, t, scene):
    """Return the least height [m] of piece p above the line of edge k of piece q at time t."""
    pieces, body_p, body_q = scene.pieces, scene.pieces.index[p, PIECE.BODY], scene.pieces.index[q, PIECE.BODY]
    x_q, y_q, angle_q = pose_in_step(body_q, t, scene.bodies, scene.motions)
    x_p, y_p, angle_p = pose_in_step(body_p, t, scene.bodies, scene.motions)
    c, s = cos_sin(angle_q)
    normal_x = c * pieces.normals[k, X] - s * pieces.normals[k, Y]
    normal_y = s * pieces.normals[k, X] + c * pieces.normals[k, Y]
    line = pieces.vertices[k, X] * pieces.normals[k, X] + pieces.vertices[k, Y] * pieces.normals[k, Y]
    middle = (x_p - x_q) * normal_x + (y_p - y_q) * normal_y - line
    c, s = cos_sin(angle_p)
    lowest, first = inf, pieces.index[p, PIECE.VERTEX_START]
    for j in range(first, first + pieces.index[p, PIECE.VERTEX_COUNT]):
        x, y = pieces.vertices[j, X], pieces.vertices[j, Y]
        lowest = min(lowest, (c * x - s * y) * normal_x + (s * x + c * y) * normal_y)
    return middle + lowest - pieces.size[p, PIECE_SIZE.RADIUS] - pieces.size[q, PIECE_SIZE.RADIUS]


@subroutine
def slides_over(p, q, gap, scene):
    """Return True if a piece p without a core slides over an edge of q.

    It lies on the line of the edge at the start of the step, nearer than it would be stopped, and is in front of it at
    the end. So it does not cross q, and a rod slides on from tile to tile. It may be behind the line by a rounding
    error. So a line as q does not count, on whose other side the rod would be then.
    """
    pieces, rounding = scene.pieces, ROUNDING * scene.slop
    first, count = pieces.index[q, PIECE.VERTEX_START], pieces.index[q, PIECE.VERTEX_COUNT]
    if count < 3 or not is_piece_bounded(q, pieces):
        return False
    for k in range(first, first + count):
        if pieces.index[q, PIECE.KIND] == OUTLINE_KIND and pieces.outlines[k, OUTLINE.ARC_RADIUS] > 0.0:
            continue
        start = least_height(p, q, k, 0.0, scene)
        if -rounding < start < gap and least_height(p, q, k, 1.0, scene) > (-rounding if start < rounding else 0.0):
            return True
    return False
