"""Sizes of single pieces, by the kernel that measures them."""

from __future__ import annotations

import numpy as np

from ecs_collide.shapes import Piece, measure


def core_of_piece(piece: Piece) -> float:
    """Return the radius [m] of the core of a piece, infinite if the piece is unbounded."""
    *_, core, _ = _measure(piece)
    return core


def extent_of_piece(piece: Piece) -> float:
    """Return the greatest distance of a piece from the origin [m], infinite if it is unbounded."""
    *_, extent = _measure(piece)
    return extent


def _measure(piece: Piece) -> tuple[float, ...]:
    scratch = np.empty((len(piece.vertices), measure.SIDE.WIDTH))
    found: tuple[float, ...] = measure.measure_piece(float(piece.radius), piece.vertices, piece.outline, scratch)
    return found
