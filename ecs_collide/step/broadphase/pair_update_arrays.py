"""What the kernels of a pair update take, kept from step to step."""

from __future__ import annotations

from ecs_collide.data.pairs import Pairs
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.step.broadphase.lookup.static_tree import Tree
from ecs_collide.step.broadphase.lookup.strips import Strips


class Search(Bundle):
    """Where new pairs are looked for, and room for them."""

    tree: Tree
    """The static pieces by place."""
    strips: Strips
    """The pieces that can move, by place."""
    unbounded: Ints
    """The pieces without end, moving or not (u,) int64."""
    found: IntTable
    """The pieces of the pairs that were found (f, 2) int64."""
    connected: Ints
    """The bodies that joints keep from colliding, as sorted keys, see `connected.py` (c,) int64."""


class Exchange(Bundle):
    """The pairs, and what it takes to drop some and to add others."""

    pairs: Pairs
    free_slots: Ints
    """A stack of free slots; the first `capacity - count` entries count (s,) int64."""
    kind_row: IntTable
    """The row of the pair table for two kinds, the last for two lines (kinds + 1, kinds + 1) int64."""
    lost: IntTable
    """Touching pairs that were dropped: entities, way of touching, `BODY_GONE` or whether one has several pieces; there
    is room for all pairs (l, 4) int64."""
