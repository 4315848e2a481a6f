"""A piece as contour rows: the one place that knows how the rows of a contour follow from the corners of a piece.

A piece's corners are its vertices, edge normals and outline rows (`shapes/outline.py`), which have one numbering in the
columns as in a `Piece`.
"""

from __future__ import annotations

from ecs_collide.contours import contour as form
from ecs_collide.data import pieces as of_piece
from ecs_collide.kernels.arrays import FloatTable, FloatTableIn
from ecs_collide.kernels.kernel import device, stage, subroutine
from ecs_collide.shapes import outline as of_outline


@device
def has_end(piece, pieces):
    """Whether a piece is bounded: of what is not, the one corner has an edge."""
    start = pieces.index[piece, of_piece.VERTEX_START]
    return pieces.index[piece, of_piece.VERTEX_COUNT] > 1 or pieces.outlines[start, of_outline.EDGE] == of_outline.JOINT


@device
def edge_form(outline, count):
    """`EDGE` of the row for a corner of a piece with so many."""
    if outline[of_outline.EDGE] == of_outline.JOINT:
        return form.NONE
    if count == 1:
        return form.ROUND if outline[of_outline.ARC_RADIUS] > 0.0 else form.ENDLESS
    return form.HOLLOW if outline[of_outline.ARC_RADIUS] > 0.0 else form.STRAIGHT


@subroutine
def write_rows(vertices, normals, outlines, start, count, rows):
    """Write the contour rows of a piece with `count` corners from `start` on; return whether an edge is `HOLLOW`."""
    is_hollow = False
    before = start + count - 1
    for k in range(count):
        source = start + k
        row, outline = rows[k], outlines[source]
        row[form.X], row[form.Y] = vertices[source, 0], vertices[source, 1]
        row[form.NORMAL_X], row[form.NORMAL_Y] = normals[source, 0], normals[source, 1]
        row[form.FROM_X], row[form.FROM_Y] = normals[before, 0], normals[before, 1]
        row[form.TO_X], row[form.TO_Y] = normals[source, 0], normals[source, 1]
        row[form.REACH] = outline[of_outline.CORNER_RADIUS]
        row[form.EDGE] = edge_form(outline, count)
        row[form.ARC_X], row[form.ARC_Y] = outline[of_outline.ARC_X], outline[of_outline.ARC_Y]
        row[form.ARC_RADIUS] = outline[of_outline.ARC_RADIUS]
        row[form.OPEN_EDGE] = 1.0 if outline[of_outline.EDGE] == of_outline.EXPOSED else 0.0
        row[form.OPEN_CORNER] = outline[of_outline.CORNER]
        is_hollow = is_hollow or row[form.EDGE] == form.HOLLOW
        before = source
    return is_hollow


@stage
def piece_rows(vertices: FloatTableIn, normals: FloatTableIn, outlines: FloatTableIn, rows: FloatTable):
    """The same from Python, for all the corners of one `Piece`."""
    return write_rows(vertices, normals, outlines, 0, len(rows), rows)
