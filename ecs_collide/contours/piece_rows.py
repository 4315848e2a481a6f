"""Conversion of pieces to contour rows.

This is the only place where contour rows are derived from the corners of a piece: vertices, edge normals and outline
rows (`shapes/outline.py`). Columns and `Piece` number their corners alike.
"""

from __future__ import annotations

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, FloatTableIn
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.outline import OUTLINE


@device
def is_piece_bounded(piece, pieces):
    """Return True if a piece is bounded: the one corner of an unbounded piece has an edge."""
    start = pieces.index[piece, PIECE.VERTEX_START]
    return pieces.index[piece, PIECE.VERTEX_COUNT] > 1 or pieces.outlines[start, OUTLINE.EDGE] == of_outline.ZERO_LENGTH


@device
def classify_edge(outline, count):
    """Return `EDGE` of the contour row for an outline row of a piece with `count` corners."""
    if outline[OUTLINE.EDGE] == of_outline.ZERO_LENGTH:
        return form.NONE
    if count == 1:
        return form.ROUND if outline[OUTLINE.ARC_RADIUS] > 0.0 else form.UNBOUNDED
    return form.HOLLOW if outline[OUTLINE.ARC_RADIUS] > 0.0 else form.STRAIGHT


@subroutine
def write_contour_rows(vertices, normals, outlines, start, count, rows):
    """Write the contour rows of a piece with `count` corners from `start` on; return True if an edge is `HOLLOW`."""
    is_hollow = False
    before = start + count - 1
    for k in range(count):
        source = start + k
        row, outline = rows[k], outlines[source]
        row[CONTOUR.X], row[CONTOUR.Y] = vertices[source, X], vertices[source, Y]
        row[CONTOUR.NORMAL_X], row[CONTOUR.NORMAL_Y] = normals[source, X], normals[source, Y]
        row[CONTOUR.FROM_X], row[CONTOUR.FROM_Y] = normals[before, X], normals[before, Y]
        row[CONTOUR.TO_X], row[CONTOUR.TO_Y] = normals[source, X], normals[source, Y]
        row[CONTOUR.REACH] = outline[OUTLINE.CORNER_RADIUS]
        row[CONTOUR.EDGE] = classify_edge(outline, count)
        row[CONTOUR.ARC_X], row[CONTOUR.ARC_Y] = outline[OUTLINE.ARC_X], outline[OUTLINE.ARC_Y]
        row[CONTOUR.ARC_RADIUS] = outline[OUTLINE.ARC_RADIUS]
        row[CONTOUR.OPEN_EDGE] = 1.0 if outline[OUTLINE.EDGE] == of_outline.EXPOSED else 0.0
        row[CONTOUR.OPEN_CORNER] = outline[OUTLINE.CORNER]
        is_hollow = is_hollow or row[CONTOUR.EDGE] == form.HOLLOW
        before = source
    return is_hollow


@kernel
def write_piece_contour(vertices: FloatTableIn, normals: FloatTableIn, outlines: FloatTableIn, rows: FloatTable):
    """Write the contour rows of one `Piece`; return True if an edge is `HOLLOW`."""
    return write_contour_rows(vertices, normals, outlines, 0, len(rows), rows)
