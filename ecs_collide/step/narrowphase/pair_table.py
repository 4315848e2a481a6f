"""The pair table: the kernel for each two kinds of pieces.

The kind named first is body A of the pair.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from ecs_collide.shapes import PieceKind
from ecs_collide.step.narrowphase.capsule_circle import capsule_circle_pairs
from ecs_collide.step.narrowphase.circle_circle import circle_circle_pairs
from ecs_collide.step.narrowphase.convex_convex import convex_convex_pairs
from ecs_collide.step.narrowphase.half_plane_convex import half_plane_convex_pairs
from ecs_collide.step.narrowphase.outline_convex import outline_convex_pairs
from ecs_collide.step.narrowphase.polygon_circle import polygon_circle_pairs
from ecs_collide.step.narrowphase.ring_convex import ring_convex_pairs

CIRCLE, CAPSULE, POLYGON, OUTLINE, HALF_PLANE, RING = PieceKind


class PairRow(NamedTuple):
    """The treatment of the pairs of two kinds; the order of rows has no meaning."""

    kind_a: PieceKind
    kind_b: PieceKind
    kernel: Callable[..., None]
    """Kernel that makes the manifolds of a batch of pairs."""
    is_culled: bool = False
    """True if `cull_pairs` runs first."""
    recycles: bool = False
    """True if resting pairs keep their manifold, with `welds` only those of two dynamic bodies."""
    welds: bool = False
    """True if lines keep to their side, and contacts go through `weld_contacts.py`."""
    thin: bool = False
    """True if the row is for capsules without radius."""


def sort_rows(rows: Iterable[PairRow]) -> tuple[PairRow, ...]:
    """Return rows in the order of the table: those with welded contacts come last."""
    return tuple(sorted(rows, key=lambda row: row.welds))


PAIR_TABLE = sort_rows(
    (
        PairRow(CIRCLE, CIRCLE, circle_circle_pairs),
        PairRow(CAPSULE, CIRCLE, capsule_circle_pairs),
        PairRow(POLYGON, CIRCLE, polygon_circle_pairs),
        PairRow(HALF_PLANE, CIRCLE, half_plane_convex_pairs),
        PairRow(CAPSULE, CAPSULE, convex_convex_pairs, is_culled=True, recycles=True),
        PairRow(POLYGON, CAPSULE, convex_convex_pairs, is_culled=True, recycles=True),
        PairRow(POLYGON, POLYGON, convex_convex_pairs, is_culled=True, recycles=True),
        PairRow(HALF_PLANE, CAPSULE, half_plane_convex_pairs),
        PairRow(HALF_PLANE, POLYGON, half_plane_convex_pairs),
        PairRow(HALF_PLANE, OUTLINE, half_plane_convex_pairs),
        PairRow(RING, CIRCLE, ring_convex_pairs),
        PairRow(RING, CAPSULE, ring_convex_pairs),
        PairRow(RING, POLYGON, ring_convex_pairs),
        PairRow(RING, OUTLINE, ring_convex_pairs),
        PairRow(OUTLINE, CIRCLE, outline_convex_pairs, welds=True),
        PairRow(OUTLINE, CAPSULE, outline_convex_pairs, is_culled=True, recycles=True, welds=True),
        PairRow(OUTLINE, POLYGON, outline_convex_pairs, is_culled=True, recycles=True, welds=True),
        PairRow(OUTLINE, OUTLINE, outline_convex_pairs, is_culled=True, recycles=True, welds=True),
        PairRow(CAPSULE, CAPSULE, outline_convex_pairs, is_culled=True, welds=True, thin=True),
    )
)

THIN = len(PieceKind)
"""Index of both kinds in `kind_rows` for capsules without radius."""

IMPOSSIBLE = {
    (HALF_PLANE, HALF_PLANE): "a half-plane has no finite mass, so neither of two can be dynamic",
    (RING, HALF_PLANE): "neither a ring nor a half-plane has a finite mass, so neither can be dynamic",
    (RING, RING): "a ring has no finite mass, so neither of two can be dynamic",
}
"""Pairs that cannot occur, and the reasons."""


@cache
def kind_rows(table: tuple[PairRow, ...] = PAIR_TABLE) -> np.ndarray:
    """Return the row of a table for two kinds, the greater first; -1 if none (kinds + 1, kinds + 1) int64.

    Nothing may be written to the array, which all worlds share.
    """
    rows = np.full((THIN + 1, THIN + 1), -1, np.int64)
    for number, row in enumerate(table):
        kinds = (THIN, THIN) if row.thin else (row.kind_a, row.kind_b)
        rows[kinds] = number
    return rows
