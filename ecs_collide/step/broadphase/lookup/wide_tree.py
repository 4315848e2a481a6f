"""A second tree over the static pieces with eight children per node, for frequent searches.

The eight boxes of a node lie side by side and are tested at once. The tree is built from the top down. A node's leaves
are split at the median of their centres along the longer side until there are eight groups. All groups but one are full
down to the bottom. Searches then test half as many nodes as in the order of the static tree. The wide tree is rebuilt
after the static tree has changed, once enough searches make it worth while.
"""

from __future__ import annotations

from math import inf

import numpy as np

from ecs_collide.data.pieces import BOX
from ecs_collide.kernels.arrays import Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.broadphase.lookup.static_tree import NODE, ROOT, StaticTree

RANGE = layout("range of leaves", FIRST="first leaf", STOP="leaf after the last")

STATE = layout(
    "wide tree state",
    MADE_FOR="version of the static tree that the nodes were made for",
    MISSED="number of searches since then that found the nodes out of date",
)

PAYS = 8
"""Building the tree for this many pieces takes as long as one search saves."""

OUTSIDE = 1e200
"""Coordinate beyond all boxes [m]; with an infinite one a search would compute NaN."""

STACK = 128
"""Length of a search's stack: seven entries for each level, and 18 levels hold all possible pieces."""


class WideTree(Bundle):
    """The arrays of the wide tree; the first node is the root."""

    box: FloatTable
    """Boxes of each node's eight children, side by side; unused ones are empty [m] (4, 8 n)."""
    child: Ints
    """First place of each child's own children, or -1 - piece (8 n,) int64."""
    leaf_range: IntTable = rows_of(RANGE)
    """Scratch space: range of `leaves` of each node, columns of `RANGE` (n, 2) int64."""
    leaves: Ints
    """Scratch space: leaves of the static tree, node by node (l,) int64."""
    split: IntTable = rows_of(RANGE)
    """Scratch space: ranges of the groups of one node, columns of `RANGE` (8, 2) int64."""
    state: Ints
    """Columns of `STATE` (2,) int64."""
    stack: Ints
    """Scratch space of a search: places still to be visited (128,) int64."""
    nearness: Floats
    """Scratch space of a search: fraction of the path at which each place of `stack` is reached (128,)."""


def new_wide_tree(tree: StaticTree) -> WideTree:
    """Return an empty wide tree with room for the pieces of a static tree and half as many more."""
    leaves = 64 + 3 * tree.size // 2
    nodes = leaves // (LANES - 1) + 24  # one node on each level may be partly full
    state = np.zeros(STATE.WIDTH, np.int64)
    state[STATE.MADE_FOR] = -1
    return WideTree(
        box=lane_array((BOX.WIDTH, LANES * nodes)),
        child=np.zeros(LANES * nodes, np.int64),
        leaf_range=np.zeros((nodes, RANGE.WIDTH), np.int64),
        leaves=np.zeros(leaves, np.int64),
        split=np.zeros((LANES, RANGE.WIDTH), np.int64),
        state=state,
        stack=np.zeros(STACK, np.int64),
        nearness=np.zeros(STACK),
    )


@device
def is_ready(wide_tree, tree):
    """Return True if the wide tree is up to date; rebuild it first where that pays."""
    state, size, version = wide_tree.state, tree.root[ROOT.SIZE], tree.root[ROOT.VERSION]
    if state[STATE.MADE_FOR] == version:
        return True
    state[STATE.MISSED] += 1
    if state[STATE.MISSED] * PAYS < size or size > len(wide_tree.leaves):
        return False
    build_wide_tree(wide_tree, tree)
    state[STATE.MADE_FOR], state[STATE.MISSED] = version, 0
    return True


@subroutine
def build_wide_tree(wide_tree, tree):
    """Build all nodes, from the root down."""
    leaf_range, split, leaves = wide_tree.leaf_range, wide_tree.split, wide_tree.leaves
    leaf_range[0, RANGE.FIRST], leaf_range[0, RANGE.STOP] = 0, list_leaves(tree, leaves)
    node, count = 0, 1
    while node < count:
        size = split_in_eight(leaf_range[node, RANGE.FIRST], leaf_range[node, RANGE.STOP], leaves, tree.box, split)
        for k in range(LANES):
            place = LANES * node + k
            set_empty(wide_tree.box, place)
            if k >= size:
                continue
            first, stop = split[k, RANGE.FIRST], split[k, RANGE.STOP]
            for j in range(first, stop):
                include(wide_tree.box, place, tree.box, leaves[j])
            if stop - first == 1:
                wide_tree.child[place] = -1 - tree.link[leaves[first], NODE.LEFT]
            else:
                wide_tree.child[place], leaf_range[count, RANGE.FIRST], leaf_range[count, RANGE.STOP] = (
                    LANES * count,
                    first,
                    stop,
                )
                count += 1
        node += 1


@device
def list_leaves(tree, leaves):
    """Write all leaves of a tree that is not empty; return their number."""
    link, stack = tree.link, tree.stack
    stack[0] = tree.root[ROOT.NODE]
    count, depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if link[node, NODE.HEIGHT] == 0:
            leaves[count] = node
            count += 1
        else:
            stack[depth], stack[depth + 1] = link[node, NODE.LEFT], link[node, NODE.RIGHT]
            depth += 2
    return count


@device
def set_empty(box, place):
    """Set a box that overlaps nothing."""
    box[BOX.MIN_X, place] = box[BOX.MIN_Y, place] = OUTSIDE
    box[BOX.MAX_X, place] = box[BOX.MAX_Y, place] = -OUTSIDE


@device
def include(box, place, other, row):
    """Extend a box so that it contains another one."""
    for low in (BOX.MIN_X, BOX.MIN_Y):
        box[low, place] = min(box[low, place], other[row, low])
    for high in (BOX.MAX_X, BOX.MAX_Y):
        box[high, place] = max(box[high, place], other[row, high])


@device
def split_in_eight(first, stop, leaves, box, split):
    """Split leaves into at most eight groups of neighbours and write the range of each; return their number.

    All groups but one have as many leaves as full nodes below them hold.
    """
    full = 1
    while LANES * full < stop - first:
        full *= LANES
    split[0, RANGE.FIRST], split[0, RANGE.STOP] = first, stop
    size, k = 1, 0
    while k < size:
        low, high = split[k, RANGE.FIRST], split[k, RANGE.STOP]
        if high - low <= full:
            k += 1
            continue
        middle = low + (high - low + full - 1) // full // 2 * full
        partition_at(middle, low, high, longer_side(leaves, low, high, box), leaves, box)
        split[k, RANGE.STOP] = middle
        split[size, RANGE.FIRST], split[size, RANGE.STOP] = middle, high
        size += 1
    return size


@device
def centre(box, row, side):
    """Return twice the centre of a box along x (side 0) or y (side 1) [m]."""
    return box[row, BOX.MIN_X + side] + box[row, BOX.MAX_X + side]


@device
def longer_side(leaves, low, high, box):
    """Return the side (0 for x, 1 for y) along which the centres of leaves spread further."""
    length = 0.0
    longer = 0
    for side in range(2):
        least, most = inf, -inf
        for k in range(low, high):
            at = centre(box, leaves[k], side)
            least, most = min(least, at), max(most, at)
        if most - least > length:
            length, longer = most - least, side
    return longer


@device
def partition_at(middle, low, high, side, leaves, box):
    """Reorder leaves from `low` to `high` so that no centre before `middle` is greater than one behind it."""
    left, right = low, high - 1
    while left < right:
        pivot = centre(box, leaves[(left + right) // 2], side)
        i, j = left, right
        while i <= j:
            while centre(box, leaves[i], side) < pivot:
                i += 1
            while centre(box, leaves[j], side) > pivot:
                j -= 1
            if i <= j:
                leaves[i], leaves[j] = leaves[j], leaves[i]
                i, j = i + 1, j - 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            break
