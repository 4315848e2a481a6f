"""The pieces of sleeping bodies by place, for what moves among them.

They have a tree of their own: in that of the static pieces seams and sweeps would take them for static.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.broadphase.static_tree import StaticTree, Tree, leaves_in_box, update_tree
from ecs_collide.columns.growth import grown
from ecs_collide.columns.pieces import MAX_X, MAX_Y, MIN_X, MIN_Y, PieceColumns
from ecs_collide.jit import stage

NO_ROWS = np.zeros(0, np.int64)


class SleepingPieces:
    """Owns the tree, and the node of each piece in it."""

    def __init__(self, pieces: PieceColumns) -> None:
        self.count = 0
        self._pieces = pieces
        self._tree = StaticTree()
        self._leaf = NO_ROWS
        self._marks = NO_ROWS

    @property
    def tree(self) -> Tree:
        """The tree as kernels take it."""
        return self._tree.arrays

    def add(self, rows: np.ndarray) -> None:
        """Take up pieces of bodies that fell asleep."""
        capacity = len(self._pieces.arrays.moved)
        if capacity > len(self._leaf):
            self._leaf, self._marks = grown(self._leaf, capacity), np.zeros(capacity, np.int64)
        self._tree.reserve(len(rows))
        update_tree(rows, NO_ROWS, self._pieces.arrays._replace(leaf=self._leaf), self.tree)
        self.count += len(rows)

    def remove(self, rows: np.ndarray) -> None:
        """Let go of pieces of bodies that woke."""
        update_tree(NO_ROWS, rows, self._pieces.arrays._replace(leaf=self._leaf), self.tree)
        self.count -= len(rows)

    def near(self, boxes: np.ndarray) -> np.ndarray:
        """The pieces whose fat boxes meet any of some boxes [m] (k, 4), sorted."""
        if self.count == 0:
            return NO_ROWS
        leaves, rows = np.zeros((2, self.count), np.int64)
        count = find_near(boxes, self.tree, self._tree.stack, self._marks, leaves, rows)
        near: np.ndarray = np.sort(rows[:count])
        return near


@stage
def find_near(boxes, tree, stack, marks, leaves, rows):
    """Write the pieces whose boxes meet any of `boxes` (k, 4) to `rows`; return how many they are.

    `leaves`, as long as `rows`, and `marks`, which are all 0, are scratch space.
    """
    count = 0
    for k in range(len(boxes)):
        low_x, low_y, high_x, high_y = boxes[k, MIN_X], boxes[k, MIN_Y], boxes[k, MAX_X], boxes[k, MAX_Y]
        for i in range(leaves_in_box(tree, low_x, low_y, high_x, high_y, stack, leaves)):
            if marks[leaves[i]] == 0:
                marks[leaves[i]] = 1
                rows[count] = leaves[i]
                count += 1
    for i in range(count):
        marks[rows[i]] = 0
    return count
