"""A piece of the columns in the form in which `contours/first_contact.py` moves it."""

from __future__ import annotations

from math import inf, sqrt

from ecs_collide.columns import pieces as of_piece
from ecs_collide.compiled.jit import subroutine
from ecs_collide.contours import contour as form
from ecs_collide.contours.first_contact import Moving
from ecs_collide.shapes import PieceKind, outline

CIRCLE, OUTLINE = int(PieceKind.CIRCLE), int(PieceKind.OUTLINE)
HALF_PLANE, RING = int(PieceKind.HALF_PLANE), int(PieceKind.RING)
JOINT, CORNER_RADIUS = outline.JOINT, outline.CORNER_RADIUS
OUTLINE_EDGE, OUTLINE_ARC_X, OUTLINE_ARC_RADIUS = outline.EDGE, outline.ARC_X, outline.ARC_RADIUS


@subroutine
def load_piece(piece, pieces, start, end, rows):
    """Write a piece's contour to the first rows of `rows` (k, 15) and return it as `Moving` from pose to pose."""
    kind = pieces.index[piece, of_piece.KIND]
    first, count = pieces.index[piece, of_piece.VERTEX_START], pieces.index[piece, of_piece.VERTEX_COUNT]
    vertices, normals = pieces.vertices, pieces.normals
    if kind == RING:
        count = 1
    is_hollow = False
    for k in range(count):
        before = first + (k - 1 if k > 0 else count - 1)
        row = rows[k]
        row[form.X], row[form.Y] = vertices[first + k, 0], vertices[first + k, 1]
        row[form.NORMAL_X], row[form.NORMAL_Y] = normals[first + k, 0], normals[first + k, 1]
        row[form.FROM_X], row[form.FROM_Y] = normals[before, 0], normals[before, 1]
        row[form.TO_X], row[form.TO_Y] = normals[first + k, 0], normals[first + k, 1]
        row[form.EDGE] = form.NONE if kind == CIRCLE else form.STRAIGHT
        row[form.REACH], row[form.ARC_RADIUS] = 0.0, 0.0
        if kind == OUTLINE:
            source = pieces.outlines[pieces.index[piece, of_piece.OUTLINE_START] + k]
            row[form.REACH] = source[CORNER_RADIUS]
            row[form.ARC_X], row[form.ARC_Y] = source[OUTLINE_ARC_X], source[OUTLINE_ARC_X + 1]
            row[form.ARC_RADIUS] = source[OUTLINE_ARC_RADIUS]
            if source[OUTLINE_EDGE] == JOINT:
                row[form.EDGE] = form.NONE
            elif source[OUTLINE_ARC_RADIUS] > 0.0:
                row[form.EDGE] = form.HOLLOW
                is_hollow = True
    radius = pieces.size[piece, of_piece.RADIUS]
    bound = sqrt(pieces.size[piece, of_piece.HALF_X] ** 2 + pieces.size[piece, of_piece.HALF_Y] ** 2) + radius
    arm = bound + sqrt(pieces.size[piece, of_piece.LOCAL_X] ** 2 + pieces.size[piece, of_piece.LOCAL_Y] ** 2)
    if kind == RING:
        rows[0, form.ARC_X], rows[0, form.ARC_Y] = vertices[first, 0], vertices[first, 1]
        rows[0, form.ARC_RADIUS], rows[0, form.EDGE] = radius, form.HOLLOW
    if kind in (RING, HALF_PLANE):
        radius, bound, arm = 0.0, 0.0, inf
    return Moving(rows, 0, count, kind, is_hollow, radius, bound, arm, start, end)
