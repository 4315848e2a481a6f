"""The boxes of the static tree once more, eight to a node, for those who ask often.

A node's eight lie side by side and are tested at once. It is made from the top down: what a node holds is parted at
the median of its centres along the longer side, until there are eight parts, all but one of them full to the bottom.
That makes half as many tests of nodes as the tree's own order does. It is made anew where the tree is another one, but
not before so many have asked that it pays.
"""

from __future__ import annotations

from math import inf

import numpy as np

from ecs_collide.data.pieces import BOX
from ecs_collide.kernels.arrays import Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.broadphase.lookup import static_tree as of_tree
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree

# eights_state
MADE_FOR, MISSED = 0, 1

PAYS = 8
"""To make it for so many pieces takes as long as it saves one ray."""

OUTSIDE = 1e200
"""Beyond all boxes [m]; with an infinite one a search would compute what is no number."""

STACK = 128
"""Seven for each level, of which 18 hold all pieces that there can be."""


class Eights(Bundle):
    """The nodes as kernels take them; the first one is the root."""

    box: FloatTable
    """The boxes of each node's eight, side by side; empty where there are fewer [m] (4, 8 n)."""
    child: Ints
    """For each of them the place of its node's first, or -1 - piece (8 n,) int64."""
    part: IntTable
    """Scratch space: which part of `leaves` a node holds, the first and the one after the last (n, 2) int64."""
    leaves: Ints
    """Scratch space: the leaves of the tree, node by node (l,) int64."""
    split: IntTable
    """Scratch space: the same for the parts of one node (8, 2) int64."""
    state: Ints
    """The version of the tree that it was made for, and how often it was missed since then (2,) int64."""
    stack: Ints
    """Scratch space of a search: what is still to be looked at (128,) int64 ..."""
    nearness: Floats
    """... and from where on the way (128,)."""


def eights_for(tree: StaticTree) -> Eights:
    """Room for what a tree holds, and for half as much again."""
    leaves = 64 + 3 * tree.size // 2
    nodes = leaves // (LANES - 1) + 24  # one on each level may be less than full
    return Eights(
        lane_array((4, LANES * nodes)),
        np.zeros(LANES * nodes, np.int64),
        np.zeros((nodes, 2), np.int64),
        np.zeros(leaves, np.int64),
        np.zeros((LANES, 2), np.int64),
        np.array([-1, 0], np.int64),
        np.zeros(STACK, np.int64),
        np.zeros(STACK),
    )


@device
def is_ready(eights, tree):
    """Whether it is that of the tree as it is now; it is made where that pays."""
    state, size, version = eights.state, tree.root[of_tree.SIZE], tree.root[of_tree.VERSION]
    if state[MADE_FOR] == version:
        return True
    state[MISSED] += 1
    if state[MISSED] * PAYS < size or size > len(eights.leaves):
        return False
    make_eights(eights, tree)
    state[MADE_FOR], state[MISSED] = version, 0
    return True


@subroutine
def make_eights(eights, tree):
    """Make all nodes anew, from the root down."""
    part, split, leaves = eights.part, eights.split, eights.leaves
    part[0, 0], part[0, 1] = 0, list_leaves(tree, leaves)
    node, count = 0, 1
    while node < count:
        size = part_in_eight(part[node, 0], part[node, 1], leaves, tree.box, split)
        for k in range(LANES):
            place = LANES * node + k
            set_empty(eights.box, place)
            if k >= size:
                continue
            first, stop = split[k, 0], split[k, 1]
            for j in range(first, stop):
                include(eights.box, place, tree.box, leaves[j])
            if stop - first == 1:
                eights.child[place] = -1 - tree.link[leaves[first], of_tree.LEFT]
            else:
                eights.child[place], part[count, 0], part[count, 1] = LANES * count, first, stop
                count += 1
        node += 1


@device
def list_leaves(tree, leaves):
    """Write all leaves of a tree that has any; return how many they are."""
    link, stack = tree.link, tree.stack
    stack[0] = tree.root[of_tree.ROOT]
    count, depth = 0, 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if link[node, of_tree.HEIGHT] == 0:
            leaves[count] = node
            count += 1
        else:
            stack[depth], stack[depth + 1] = link[node, of_tree.LEFT], link[node, of_tree.RIGHT]
            depth += 2
    return count


@device
def set_empty(box, place):
    """Let a box hold nothing."""
    box[BOX.MIN_X, place] = box[BOX.MIN_Y, place] = OUTSIDE
    box[BOX.MAX_X, place] = box[BOX.MAX_Y, place] = -OUTSIDE


@device
def include(box, place, other, row):
    """Let a box hold another one."""
    for low in (BOX.MIN_X, BOX.MIN_Y):
        box[low, place] = min(box[low, place], other[row, low])
    for high in (BOX.MAX_X, BOX.MAX_Y):
        box[high, place] = max(box[high, place], other[row, high])


@device
def part_in_eight(first, stop, leaves, box, split):
    """Part leaves into eight or fewer, neighbours together, and write where each part begins and ends; return how many.

    All but one part have as many leaves as whole nodes below them hold.
    """
    full = 1
    while LANES * full < stop - first:
        full *= LANES
    split[0, 0], split[0, 1] = first, stop
    size, k = 1, 0
    while k < size:
        low, high = split[k, 0], split[k, 1]
        if high - low <= full:
            k += 1
            continue
        middle = low + (high - low + full - 1) // full // 2 * full
        part_at(middle, low, high, longer_side(leaves, low, high, box), leaves, box)
        split[k, 1] = middle
        split[size, 0], split[size, 1] = middle, high
        size += 1
    return size


@device
def centre(box, row, side):
    """Twice the centre of a box along x (side 0) or y (side 1) [m]."""
    return box[row, BOX.MIN_X + side] + box[row, BOX.MAX_X + side]


@device
def longer_side(leaves, low, high, box):
    """Along which side the centres of leaves are further apart."""
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
def part_at(middle, low, high, side, leaves, box):
    """Exchange leaves from `low` to `high` until none before `middle` has a greater centre than one behind."""
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
