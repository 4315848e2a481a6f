"""Tree of boxes over features: a complete binary tree without links, in which node k has the children 2 k and 2 k + 1.

Features that move get a new tree in each step. Static features are first sorted along a Z-order curve, which keeps
neighbours near each other. Their tree stays until a static body changes.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.common.tolerances import NO_END
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import Pieces
from ecs_collide.exact.feature_rows import FEATURE, FEATURE_INDEX
from ecs_collide.exact.features import feature_box
from ecs_collide.geometry.aabb import BOX, rows_touch
from ecs_collide.kernels.arrays import FloatTable, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel

LEVELS = 16
"""Levels of the Z-order curve, which orders 65,536 by 65,536 places."""


class FeatureTree(Bundle):
    """Tree over the features from `start` on: feature start + k is leaf `leaves` + k."""

    box: FloatTable = rows_of(BOX)
    """Box of each node, see BOX; empty if there is no feature below it [m] (2 leaves, 4)."""
    leaves: int
    """Number of leaves, a power of two."""
    start: int
    """First feature."""


def new_tree(start: int, count: int) -> FeatureTree:
    """Return a tree for `count` features from row `start` on. All its boxes are empty until it is built."""
    leaves = 1 << max(0, (count - 1).bit_length())
    box = np.tile((NO_END, NO_END, -NO_END, -NO_END), (2 * leaves, 1))
    return FeatureTree(box, leaves, start)


@kernel
def build_tree(
    tree: FeatureTree,
    count: int,
    pieces: Pieces,
    bodies: Bodies,
    features: FloatTable,
    index: IntTable,
    dt: float,
    margin: float,
):
    """Compute the boxes of all nodes. The box of a leaf is swept over dt [s] and grown by a margin [m].

    Reads the features. Writes the boxes of the tree.
    """
    box, leaves = tree.box, tree.leaves
    for k in range(leaves):
        node = leaves + k
        if k >= count:
            box[node, BOX.MIN_X], box[node, BOX.MIN_Y] = NO_END, NO_END
            box[node, BOX.MAX_X], box[node, BOX.MAX_Y] = -NO_END, -NO_END
            continue
        f = tree.start + k
        low_x, low_y, high_x, high_y = feature_box(
            features[f], index[f, FEATURE_INDEX.KIND], index[f, FEATURE_INDEX.PIECE], pieces, bodies
        )
        move_x, move_y = dt * features[f, FEATURE.SPEED_X], dt * features[f, FEATURE.SPEED_Y]
        box[node, BOX.MIN_X] = low_x + min(move_x, 0.0) - margin
        box[node, BOX.MIN_Y] = low_y + min(move_y, 0.0) - margin
        box[node, BOX.MAX_X] = high_x + max(move_x, 0.0) + margin
        box[node, BOX.MAX_Y] = high_y + max(move_y, 0.0) + margin
    # Boxes of the nodes above, from their children.
    for node in range(leaves - 1, 0, -1):
        for low in (BOX.MIN_X, BOX.MIN_Y):
            box[node, low] = min(box[2 * node, low], box[2 * node + 1, low])
        for high in (BOX.MAX_X, BOX.MAX_Y):
            box[node, high] = max(box[2 * node, high], box[2 * node + 1, high])


@device
def next_leaf(tree, node, bounds, row):
    """Return the leaf after `node` (0: the first leaf) whose box meets row `row` of `bounds` (k, 4); 0 if none does."""
    box, leaves = tree.box, tree.leaves
    node = 1 if node == 0 else _next_branch(node)
    while node > 0:
        if rows_touch(box, node, bounds, row):
            if node >= leaves:
                return node
            node = 2 * node
        else:
            node = _next_branch(node)
    return 0


@device
def _next_branch(node):
    """Return the next node that is not below `node`; 0 after the last one."""
    while node & 1:
        node >>= 1
    return node + 1 if node > 0 else 0


def z_order(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the order of boxes along a Z-order curve through their centres; unbounded boxes come first (k,) int64."""
    middle = np.clip(low, -1e300, 1e300) / 2 + np.clip(high, -1e300, 1e300) / 2
    unbounded = (np.abs(low) > 1e300).any(axis=1) | (np.abs(high) > 1e300).any(axis=1)
    keys = np.zeros(len(middle), np.uint64)
    if not unbounded.all():
        inner = middle[~unbounded]
        lowest = inner.min(axis=0)
        size = max(float((inner.max(axis=0) - lowest).max()), 1e-300)
        bits = ((inner - lowest) / size * ((1 << LEVELS) - 1)).astype(np.uint64)
        inner_keys = np.ones(len(inner), np.uint64)
        for level in range(LEVELS):
            for axis in range(2):
                inner_keys += ((bits[:, axis] >> np.uint64(level)) & np.uint64(1)) << np.uint64(2 * level + axis)
        keys[~unbounded] = inner_keys
    order: np.ndarray = np.argsort(keys, kind="stable")
    return order
