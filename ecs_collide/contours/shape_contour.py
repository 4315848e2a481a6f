"""The contour of a shape."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR, CONTOUR_SIZE, Contour, FloatArray
from ecs_collide.contours.piece_rows import write_piece_contour
from ecs_collide.shapes import Piece, Shape
from ecs_collide.shapes.piece import bounds


@lru_cache(maxsize=512)
def contour(shape: Shape) -> Contour:
    """Return the contour of a shape; equal shapes have one contour."""
    return build_contour(shape.pieces())


class _ContourPiece(NamedTuple):
    """A piece in the form of a `Contour`."""

    rows: FloatArray
    """Contour rows (k, 15)."""
    is_hollow: bool
    """True if an edge bends inwards."""
    size: tuple[float, ...]
    """Row of `Contour.sizes` [m]."""


def build_contour(pieces: Iterable[Piece]) -> Contour:
    """Return the contour of a union of pieces.

    The wedges of a ring all have the contour of the ring, which counts once.
    """
    built = [_build_piece(piece) for piece in pieces]
    built = list({(each.rows.tobytes(), each.size): each for each in built}.values())
    first = np.cumsum([0, *(len(each.rows) for each in built[:-1])])
    places = [(start, len(each.rows), each.is_hollow) for start, each in zip(first.tolist(), built, strict=True)]
    sizes = np.array([each.size for each in built])
    return Contour(
        pieces=np.array(places, np.int64),
        sizes=sizes,
        rows=np.concatenate([each.rows for each in built]),
        whole=_bound_all(sizes),
    )


def _build_piece(piece: Piece) -> _ContourPiece:
    """Return one piece in the form of a `Contour`."""
    rows = np.empty((len(piece.vertices), CONTOUR.WIDTH))
    is_hollow = write_piece_contour(piece.vertices, piece.normals, piece.outline, rows)
    if rows[0, CONTOUR.EDGE] >= form.UNBOUNDED:
        return _ContourPiece(rows, is_hollow, (0.0, 0.0, 0.0, np.inf, np.inf))
    low, high = bounds(piece)
    center = (low + high) / 2.0
    radius = math.hypot(*(high - center)) + piece.radius
    return _ContourPiece(rows, is_hollow, (piece.radius, *center, radius, math.hypot(*center) + radius))


def _bound_all(sizes: FloatArray) -> FloatArray:
    """Return the sizes of all pieces together."""
    if not np.isfinite(sizes[:, CONTOUR_SIZE.BOUND_RADIUS]).all():
        return np.array((0.0, 0.0, 0.0, np.inf, np.inf))
    low = (sizes[:, CONTOUR_SIZE.BOUND_X : CONTOUR_SIZE.BOUND_Y + 1] - sizes[:, [CONTOUR_SIZE.BOUND_RADIUS]]).min(
        axis=0
    )
    high = (sizes[:, CONTOUR_SIZE.BOUND_X : CONTOUR_SIZE.BOUND_Y + 1] + sizes[:, [CONTOUR_SIZE.BOUND_RADIUS]]).max(
        axis=0
    )
    center = (low + high) / 2.0
    middles = (sizes[:, CONTOUR_SIZE.BOUND_X : CONTOUR_SIZE.BOUND_Y + 1] - center).tolist()
    radius = (np.array([math.hypot(x, y) for x, y in middles]) + sizes[:, CONTOUR_SIZE.BOUND_RADIUS]).max()
    return np.array((0.0, *center, radius, sizes[:, CONTOUR_SIZE.ARM].max()))
