"""Arrays of the kernels that update the pairs, kept from step to step."""

from __future__ import annotations

from ecs_collide.data.pairs import Pairs
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.step.broadphase.lookup.static_tree import Tree
from ecs_collide.step.broadphase.lookup.strips import Strips


class Search(Bundle):
    """The structures in which new pairs are found, and room for the found pairs."""

    tree: Tree
    """Tree of the static pieces."""
    strips: Strips
    """Strips of the bounded pieces that can move."""
    unbounded: Ints
    """Rows of the unbounded pieces, moving or not (u,) int64."""
    found: IntTable
    """Found pairs, columns of `FOUND` (f, 2) int64."""
    joined_bodies: Ints
    """Sorted keys of the pairs of bodies that joints keep from colliding, see `joined_bodies.py` (c,) int64."""


class Exchange(Bundle):
    """The pairs, and the arrays that are needed to drop and to add pairs."""

    pairs: Pairs
    """Pair columns."""
    free_slots: Ints
    """Stack of free slots; its first `capacity - count` entries are valid (s,) int64."""
    kind_row: IntTable
    """Row of the pair table for two kinds; the last row and column are for two lines (kinds + 1, kinds + 1) int64."""
    lost: IntTable
    """Touching pairs that were dropped, columns of `LOST`, with room for all pairs (l, 4) int64."""
