"""Which two kinds of pieces meet in which kernel. This is the one place that says so.

The kind that stands first is body A of the pair. A row's kernel is compiled when the first such pair appears.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ecs_collide.narrowphase.capsule_circle import capsule_circle_pairs
from ecs_collide.narrowphase.circle_circle import circle_circle_pairs
from ecs_collide.narrowphase.convex_convex import convex_convex_pairs
from ecs_collide.narrowphase.half_plane_convex import half_plane_convex_pairs
from ecs_collide.narrowphase.half_plane_outline import half_plane_outline_pairs
from ecs_collide.narrowphase.outline_convex import outline_convex_pairs
from ecs_collide.narrowphase.polygon_circle import polygon_circle_pairs
from ecs_collide.narrowphase.ring_convex import ring_convex_pairs
from ecs_collide.shapes import PieceKind

CIRCLE, CAPSULE, POLYGON, OUTLINE, HALF_PLANE, RING = PieceKind


class PairRow(NamedTuple):
    """Two kinds, the batch kernel of their pairs, whether `screen_pairs` comes first, and whether resting pairs keep
    their manifold."""

    kind_a: PieceKind
    kind_b: PieceKind
    kernel: Callable[..., None]
    screened: bool
    recycles: bool


PAIR_TABLE = (
    PairRow(CIRCLE, CIRCLE, circle_circle_pairs, False, False),
    PairRow(CAPSULE, CIRCLE, capsule_circle_pairs, False, False),
    PairRow(POLYGON, CIRCLE, polygon_circle_pairs, False, False),
    PairRow(HALF_PLANE, CIRCLE, half_plane_convex_pairs, False, False),
    PairRow(CAPSULE, CAPSULE, convex_convex_pairs, True, True),
    PairRow(POLYGON, CAPSULE, convex_convex_pairs, True, True),
    PairRow(POLYGON, POLYGON, convex_convex_pairs, True, True),
    PairRow(HALF_PLANE, CAPSULE, half_plane_convex_pairs, False, False),
    PairRow(HALF_PLANE, POLYGON, half_plane_convex_pairs, False, False),
    PairRow(HALF_PLANE, OUTLINE, half_plane_outline_pairs, False, False),
    PairRow(RING, CIRCLE, ring_convex_pairs, False, False),
    PairRow(RING, CAPSULE, ring_convex_pairs, False, False),
    PairRow(RING, POLYGON, ring_convex_pairs, False, False),
    PairRow(RING, OUTLINE, ring_convex_pairs, False, False),
    PairRow(OUTLINE, CIRCLE, outline_convex_pairs, False, False),
    PairRow(OUTLINE, CAPSULE, outline_convex_pairs, True, False),
    PairRow(OUTLINE, POLYGON, outline_convex_pairs, True, False),
    PairRow(OUTLINE, OUTLINE, outline_convex_pairs, True, False),
    PairRow(CAPSULE, CAPSULE, outline_convex_pairs, True, False),
)

WELDED_FROM = next(number for number, row in enumerate(PAIR_TABLE) if row.kind_a is OUTLINE)
"""From this row on pairs go through `weld.py`: outlines come last in the table, and lines after them."""

THIN = len(PieceKind)
"""Stands for the kind of both capsules, in `kind_rows`, where neither has a radius: the last row of the table."""

IMPOSSIBLE = {
    (HALF_PLANE, HALF_PLANE): "a half-plane has no finite mass, so neither of two can be dynamic",
    (RING, HALF_PLANE): "neither a ring nor a half-plane has a finite mass, so neither can be dynamic",
    (RING, RING): "a ring has no finite mass, so neither of two can be dynamic",
}
"""Pairs that never come up, and why."""


def kind_rows() -> np.ndarray:
    """The row of the table for two kinds, the greater first; -1 where there is none (kinds + 1, kinds + 1) int64."""
    rows = np.full((THIN + 1, THIN + 1), -1, np.int64)
    *usual, _ = PAIR_TABLE
    for number, row in enumerate(usual):
        rows[row.kind_a, row.kind_b] = number
    rows[THIN, THIN] = len(usual)
    return rows
