"""Which two kinds of pieces meet in which kernel. This is the one place that says so.

The kind that stands first is body A of the pair. A row's kernel is compiled when the first such pair appears.
"""

from collections.abc import Callable, Iterable, Sequence
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
    """How the pairs of two kinds are treated. The order of rows says nothing."""

    kind_a: PieceKind
    kind_b: PieceKind
    kernel: Callable[..., None]
    """Makes the manifolds of a batch of pairs."""
    screened: bool = False
    """Whether `screen_pairs` comes first."""
    recycles: bool = False
    """Whether resting pairs keep their manifold."""
    welds: bool = False
    """Whether lines keep to their side, and contacts go through `weld.py`."""
    thin: bool = False
    """Whether this row is for capsules of which neither has a radius."""


def in_order(rows: Iterable[PairRow]) -> tuple[PairRow, ...]:
    """Rows as the table has them: those whose contacts are welded come last."""
    return tuple(sorted(rows, key=lambda row: row.welds))


PAIR_TABLE = in_order(
    (
        PairRow(CIRCLE, CIRCLE, circle_circle_pairs),
        PairRow(CAPSULE, CIRCLE, capsule_circle_pairs),
        PairRow(POLYGON, CIRCLE, polygon_circle_pairs),
        PairRow(HALF_PLANE, CIRCLE, half_plane_convex_pairs),
        PairRow(CAPSULE, CAPSULE, convex_convex_pairs, screened=True, recycles=True),
        PairRow(POLYGON, CAPSULE, convex_convex_pairs, screened=True, recycles=True),
        PairRow(POLYGON, POLYGON, convex_convex_pairs, screened=True, recycles=True),
        PairRow(HALF_PLANE, CAPSULE, half_plane_convex_pairs),
        PairRow(HALF_PLANE, POLYGON, half_plane_convex_pairs),
        PairRow(HALF_PLANE, OUTLINE, half_plane_convex_pairs),
        PairRow(RING, CIRCLE, ring_convex_pairs),
        PairRow(RING, CAPSULE, ring_convex_pairs),
        PairRow(RING, POLYGON, ring_convex_pairs),
        PairRow(RING, OUTLINE, ring_convex_pairs),
        PairRow(OUTLINE, CIRCLE, outline_convex_pairs, welds=True),
        PairRow(OUTLINE, CAPSULE, outline_convex_pairs, screened=True, welds=True),
        PairRow(OUTLINE, POLYGON, outline_convex_pairs, screened=True, welds=True),
        PairRow(OUTLINE, OUTLINE, outline_convex_pairs, screened=True, welds=True),
        PairRow(CAPSULE, CAPSULE, outline_convex_pairs, screened=True, welds=True, thin=True),
    )
)

THIN = len(PieceKind)
"""Stands for the kind of both capsules, in `kind_rows`, where neither has a radius."""

IMPOSSIBLE = {
    (HALF_PLANE, HALF_PLANE): "a half-plane has no finite mass, so neither of two can be dynamic",
    (RING, HALF_PLANE): "neither a ring nor a half-plane has a finite mass, so neither can be dynamic",
    (RING, RING): "a ring has no finite mass, so neither of two can be dynamic",
}
"""Pairs that never come up, and why."""


def kind_rows(table: Sequence[PairRow] = PAIR_TABLE) -> np.ndarray:
    """The row of a table for two kinds, the greater first; -1 where there is none (kinds + 1, kinds + 1) int64."""
    rows = np.full((THIN + 1, THIN + 1), -1, np.int64)
    for number, row in enumerate(table):
        kinds = (THIN, THIN) if row.thin else (row.kind_a, row.kind_b)
        rows[kinds] = number
    return rows
