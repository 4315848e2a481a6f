"""What the pieces of new bodies have in their columns."""

from __future__ import annotations

from ecs_collide.columns import pieces as of_piece
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled.arrays import FloatTable, Ints
from ecs_collide.compiled.kernels import stage
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.engine.basis import tuning

STATIC = int(BodyKind.STATIC)

# given: a `StoredPiece`
KIND, START, COUNT, RADIUS = 0, 1, 2, 3
SIZE_WIDTH = 5


@stage
def fill_pieces(rows: Ints, owners: Ints, shares: Ints, given: FloatTable, most: float, bodies: Bodies, pieces: Pieces):
    """Fill rows of pieces of the bodies `owners`, which have so many in all, from `StoredPiece`s (p, 8).

    The margin is a fraction of the size, at most `most` [m], and none where nothing moves. Reads body_kind. Writes
    piece_index, piece_size.
    """
    for k in range(len(rows)):
        row, body = rows[k], owners[k]
        pieces.index[row, of_piece.BODY] = body
        pieces.index[row, of_piece.KIND] = int(given[k, KIND])
        pieces.index[row, of_piece.VERTEX_START] = int(given[k, START])
        pieces.index[row, of_piece.VERTEX_COUNT] = int(given[k, COUNT])
        pieces.index[row, of_piece.SEVERAL] = int(shares[k] > 1)
        for field in range(SIZE_WIDTH):
            pieces.size[row, of_piece.RADIUS + field] = given[k, RADIUS + field]
        margin = 0.0
        if bodies.kind[body] != STATIC:
            half = max(pieces.size[row, of_piece.HALF_X], pieces.size[row, of_piece.HALF_Y])
            margin = min(most, tuning.BOX_MARGIN_FRACTION * (half + pieces.size[row, of_piece.RADIUS]))
        pieces.size[row, of_piece.MARGIN] = margin
