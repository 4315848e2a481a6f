"""A piece as contour rows: the one place that knows how the rows of a contour follow from the corners of a piece.

A piece's corners are its vertices, edge normals and outline rows (`shapes/outline.py`), which have one numbering in the
columns as in a `Piece`.
"""

from __future__ import annotations

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.data.pieces import PIECE
from ecs_collide.kernels.arrays import FloatTable, FloatTableIn
from ecs_collide.kernels.kernel import device, stage, subroutine
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.outline import OUTLINE


@device
def has_end(piece, pieces):
    """Whether a piece is bounded: of what is not, the one corner has an edge."""
    start = pieces.index[piece, PIECE.VERTEX_START]
    return pieces.index[piece, PIECE.VERTEX_COUNT] > 1 or pieces.outlines[start, OUTLINE.EDGE] == of_outline.JOINT


@device
def edge_form(outline, count):
    """`EDGE` of the row for a corner of a piece with so many."""
    if outline[OUTLINE.EDGE] == of_outline.JOINT:
        return form.NONE
    if count == 1:
        return form.ROUND if outline[OUTLINE.ARC_RADIUS] > 0.0 else form.ENDLESS
    return form.HOLLOW if outline[OUTLINE.ARC_RADIUS] > 0.0 else form.STRAIGHT


@subroutine
def write_rows(vertices, normals, outlines, start, count, rows):
    """Write the contour rows of a piece with `count` corners from `start` on; return whether an edge is `HOLLOW`."""
    is_hollow = False
    before = start + count - 1
    for k in range(count):
        source = start + k
        row, outline = rows[k], outlines[source]
        row[CONTOUR.X], row[CONTOUR.Y] = vertices[source, 0], vertices[source, 1]
        row[CONTOUR.NORMAL_X], row[CONTOUR.NORMAL_Y] = normals[source, 0], normals[source, 1]
        row[CONTOUR.FROM_X], row[CONTOUR.FROM_Y] = normals[before, 0], normals[before, 1]
        row[CONTOUR.TO_X], row[CONTOUR.TO_Y] = normals[source, 0], normals[source, 1]
        row[CONTOUR.REACH] = outline[OUTLINE.CORNER_RADIUS]
        row[CONTOUR.EDGE] = edge_form(outline, count)
        row[CONTOUR.ARC_X], row[CONTOUR.ARC_Y] = outline[OUTLINE.ARC_X], outline[OUTLINE.ARC_Y]
        row[CONTOUR.ARC_RADIUS] = outline[OUTLINE.ARC_RADIUS]
        row[CONTOUR.OPEN_EDGE] = 1.0 if outline[OUTLINE.EDGE] == of_outline.EXPOSED else 0.0
        row[CONTOUR.OPEN_CORNER] = outline[OUTLINE.CORNER]
        is_hollow = is_hollow or row[CONTOUR.EDGE] == form.HOLLOW
        before = source
    return is_hollow


@stage
def piece_rows(vertices: FloatTableIn, normals: FloatTableIn, outlines: FloatTableIn, rows: FloatTable):
    """The same from Python, for all the corners of one `Piece`."""
    return write_rows(vertices, normals, outlines, 0, len(rows), rows)
