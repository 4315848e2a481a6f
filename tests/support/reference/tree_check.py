"""A check of the structure of a static tree."""

from __future__ import annotations

import sys

import numpy as np

from ecs_collide.data.pieces import Pieces
from ecs_collide.step.broadphase.lookup.static_tree import NODE, NONE, ROOT, STACK, Tree


def check_tree(tree: Tree, pieces: Pieces, expected: set[int]) -> int:
    """Assert that a tree holds exactly the expected piece rows and is consistent; return its height.

    Links lead both ways, and heights follow from the children. The box of a node is the union of its children's boxes,
    and that of a leaf is the box of its piece. Every other node stands once in the free list.
    """
    seen: dict[int, int] = {}
    nodes = set()

    def walk(node: int, parent: int) -> int:
        assert node not in nodes, "a node hangs in two places"
        nodes.add(node)
        assert tree.link[node, NODE.PARENT] == parent
        if tree.link[node, NODE.HEIGHT] == 0:
            piece = int(tree.link[node, NODE.LEFT])
            assert piece not in seen
            seen[piece] = node
            assert (tree.box[node] == pieces.box[piece]).all()
            return 0
        left, right = int(tree.link[node, NODE.LEFT]), int(tree.link[node, NODE.RIGHT])
        low, high = walk(left, node), walk(right, node)
        assert tree.link[node, NODE.HEIGHT] == 1 + max(low, high)
        assert (tree.box[node, :2] == np.minimum(tree.box[left, :2], tree.box[right, :2])).all()
        assert (tree.box[node, 2:] == np.maximum(tree.box[left, 2:], tree.box[right, 2:])).all()
        return 1 + max(low, high)

    sys.setrecursionlimit(20_000)
    root = int(tree.root[ROOT.NODE])
    height = walk(root, NONE) if root != NONE else -1
    assert set(seen) == expected
    for piece, node in seen.items():
        assert pieces.leaf[piece] == node

    free = []
    node = int(tree.root[ROOT.FREE_HEAD])
    for _ in range(int(tree.root[ROOT.FREE_COUNT])):
        free.append(node)
        node = int(tree.link[node, NODE.PARENT])
    assert len(set(free)) == len(free)
    assert set(free) | nodes == set(range(len(tree.box)))
    assert not set(free) & nodes
    assert height < STACK - 1, "the tree is too high for the stack of a query"
    return height
