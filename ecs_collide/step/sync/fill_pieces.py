"""Filling the columns of the pieces of new bodies."""

from __future__ import annotations

from math import inf

from ecs_collide.common import tolerances as tuning
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import BODY_SPAN, FILTER, Bodies
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, Pieces
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.shapes.material import MATERIAL_VALUE
from ecs_collide.shapes.measure import FORM_PART, FORM_PLACE, FORM_SIZE, PieceForms

STATIC = int(BodyKind.STATIC)

SIZE_WIDTH = 5

SHARE = layout(
    "pieces of a collider",
    BODY="row of the body that they belong to",
    COLLIDER="row of the collider",
    COUNT="number of pieces to fill",
    TOTAL="number of pieces that the collider may have in all",
)


@kernel
def fill_pieces(
    rows: Ints, given: Ints, shares: IntTable, forms: PieceForms, most: float, bodies: Bodies, span: FloatTable,
    pieces: Pieces,
):  # fmt: skip
    """Fill rows of pieces from the rows `given` of `forms`, as the rows of `SHARE` say for each collider in turn.

    The margin is a fraction of the size, at most `most` [m], and none where nothing moves. Reads body_kind,
    body_filter. Writes the pieces, and how solid the bodies are and how far they reach to `span`. Returns the number of
    pieces of other parts than the first one of their shape, and of pieces with a material.
    """
    first, part_count, material_count = 0, 0, 0
    for k in range(shares.shape[1]):
        body, collider, stop = shares[SHARE.BODY, k], shares[SHARE.COLLIDER, k], first + shares[SHARE.COUNT, k]
        is_extra = collider != body and bodies.filter[collider, FILTER.SENSOR] != 0
        for place in range(first, stop):
            row, form = rows[place], given[place]
            size = forms.size[form]
            fill_piece(row, body, forms.place[form], size, pieces)
            number, given_values = forms.part[form, FORM_PART.NUMBER], forms.part[form, FORM_PART.GIVEN]
            if number != 0 or given_values != 0:  # `clear_pieces` has left zeros, see `fill_bodies.py`
                pieces.part[row, FORM_PART.NUMBER], pieces.part[row, FORM_PART.GIVEN] = number, given_values
            part_count += int(number != 0)
            if given_values != 0:
                material_count += 1
                for field in range(MATERIAL_VALUE.WIDTH):
                    pieces.material[row, field] = forms.material[form, field]
            pieces.index[row, PIECE.COLLIDER] = collider
            pieces.index[row, PIECE.SEVERAL] = int(shares[SHARE.TOTAL, k] > 1)
            margin = 0.0
            if bodies.kind[body] != STATIC:
                half = max(size[FORM_SIZE.HALF_X], size[FORM_SIZE.HALF_Y])
                margin = min(most, tuning.BOX_MARGIN_FRACTION * (half + size[FORM_SIZE.RADIUS]))
            pieces.size[row, PIECE_SIZE.MARGIN] = margin
            if not is_extra or span[body, BODY_SPAN.CORE] == inf:  # a sensor has no part in a core of solid pieces
                span[body, BODY_SPAN.CORE] = min(span[body, BODY_SPAN.CORE], size[FORM_SIZE.CORE])
            span[body, BODY_SPAN.EXTENT] = max(span[body, BODY_SPAN.EXTENT], size[FORM_SIZE.EXTENT])
        first = stop
    return part_count, material_count


@device
def fill_piece(row, body, place, size, pieces):
    """Fill the columns of a piece that follow from its shape."""
    pieces.index[row, PIECE.BODY] = body
    pieces.index[row, PIECE.KIND] = place[FORM_PLACE.KIND]
    pieces.index[row, PIECE.VERTEX_START] = place[FORM_PLACE.FIRST]
    pieces.index[row, PIECE.VERTEX_COUNT] = place[FORM_PLACE.CORNERS]
    for field in range(SIZE_WIDTH):
        pieces.size[row, PIECE_SIZE.RADIUS + field] = size[FORM_SIZE.RADIUS + field]
