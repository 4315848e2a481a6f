"""Arrays of the kernels that update the pairs, kept from step to step."""

from __future__ import annotations

from ecs_collide.data.pairs import ENDED, FOUND, Pairs
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.broadphase.add_pieces import ListedPieces
from ecs_collide.step.broadphase.lookup.static_tree import Tree
from ecs_collide.step.broadphase.lookup.strips import Strips

RELOCATED = layout(
    "counts of relocated pieces",
    OUTSIDE="number of pieces in `Relocated.outside`",
    SHIFTED="number of pieces in `Relocated.shifted`",
    DETECTS="1 if any static body has ever detected sensors",
    ZERO="0, the start of the lists",
)


class Relocated(Bundle):
    """The pieces of static bodies that the game moves, see `relocated_pieces.py`."""

    listed: ListedPieces
    """All these pieces."""
    outside: Ints
    """Pieces of `listed` that have left their fat boxes in this update (n,) int64."""
    shifted: Ints
    """Pieces of `listed` whose bodies were moved since the last update (n,) int64."""
    counts: Ints
    """Columns of `RELOCATED` (4,) int64."""
    hits: Ints
    """Scratch space: pieces that can move and overlap a box, with room for all (m,) int64."""


class Search(Bundle):
    """The structures in which new pairs are found, and room for the found pairs."""

    tree: Tree
    """Tree of the static pieces."""
    strips: Strips
    """Strips of the bounded pieces that can move."""
    reached: FloatTable = rows_of(LANES)
    """Scratch space: strips that eight pieces reached and reach, rows of `REACHED` (4, 8)."""
    unbounded: Ints
    """Rows of the unbounded pieces, moving or not (u,) int64."""
    found: IntTable = rows_of(FOUND)
    """Found pairs, columns of `FOUND` (f, 2) int64."""
    relocated: Relocated
    """Pieces of static bodies that the game moves."""
    excluded_pairs: Ints
    """Sorted keys of the pairs of bodies that do not collide, see `excluded_pairs.py` (c,) int64."""


class Exchange(Bundle):
    """The pairs, and the arrays that are needed to drop and to add pairs."""

    pairs: Pairs
    """Pair columns."""
    free_slots: Ints
    """Stack of free slots; its first `capacity - count` entries are valid (s,) int64."""
    kind_row: IntTable
    """Row of the pair table for two kinds; the last row and column are for two lines (kinds + 1, kinds + 1) int64."""
    lost: IntTable = rows_of(ENDED)
    """Touching pairs that were dropped, columns of `ENDED`, with room for all pairs (l, 4) int64."""
    lost_count: Ints
    """Number of rows of `lost` in use, 0 once Notify has read them (1,) int64."""
