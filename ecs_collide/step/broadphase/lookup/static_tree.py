"""A balanced tree of boxes over the static pieces: a piece that does not move costs nothing in a step.

Insertion descends by the least growth of perimeter and rotates on the way back (AVL tree). A query visits the nodes
that overlap a box. A leaf holds a piece row, and `piece_leaf` holds the leaf of each piece.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data.growth import grown, next_capacity
from ecs_collide.data.pairs import FOUND
from ecs_collide.data.pieces import BOX, PIECE, Pieces
from ecs_collide.data.state_list import list_state
from ecs_collide.geometry.aabb import boxes_touch
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.step.broadphase.lookup.box_overlap import is_new_pair

NODE = layout(
    "tree node",
    PARENT="parent node, or the next free node in the chain of free nodes",
    LEFT="left child node, or the row of a leaf's piece",
    RIGHT="right child node",
    HEIGHT="height of the subtree, 0 for a leaf",
)

ROOT = layout(
    "tree root",
    NODE="root node, or `NONE`",
    FREE_HEAD="first node of the chain of free nodes",
    FREE_COUNT="number of free nodes",
    SIZE="number of pieces in the tree",
    VERSION="number that every change of the tree raises",
)

NONE = -1
STATIC = int(BodyKind.STATIC)
STACK = 128  # an AVL tree of 2**64 leaves is at most 92 high
LEAST_NODES = 64
"""Least number of nodes for which a tree with any pieces has room."""
NO_BOXES, NO_LINKS, NO_HITS = np.zeros((0, BOX.WIDTH)), np.zeros((0, NODE.WIDTH), np.int64), np.zeros(0, np.int64)


class Tree(Bundle):
    """The arrays of the tree."""

    box: FloatTable = rows_of(BOX)
    """Box of each node [m] (k, 4)."""
    link: IntTable = rows_of(NODE)
    """Columns of `NODE`; free nodes are chained through PARENT (k, 4) int64."""
    root: Ints
    """Columns of `ROOT` (5,) int64."""
    stack: Ints
    """Scratch space of a query (128,) int64."""
    hits: Ints
    """Room for the pieces that a query finds (k,) int64."""


class StaticTree:
    """Owns the tree's arrays and their growth."""

    state_list = list_state(arrays="arrays")

    def __init__(self) -> None:
        root = np.zeros(ROOT.WIDTH, np.int64)
        root[ROOT.NODE] = root[ROOT.FREE_HEAD] = NONE
        self.arrays = Tree(box=NO_BOXES, link=NO_LINKS, root=root, stack=np.zeros(STACK, np.int64), hits=NO_HITS)

    @property
    def size(self) -> int:
        """Number of pieces in the tree."""
        return int(self.arrays.root[ROOT.SIZE])

    def reserve(self, leaves: int) -> None:
        """Make room for `leaves` further pieces."""
        needed = 2 * leaves - int(self.arrays.root[ROOT.FREE_COUNT])
        if needed > 0:
            old = len(self.arrays.box)
            capacity = max(LEAST_NODES, next_capacity(old, old + needed))
            self.arrays = self.arrays._replace(
                box=grown(self.arrays.box, capacity),
                link=grown(self.arrays.link, capacity),
                hits=np.zeros(capacity, np.int64),
            )
            self._chain(old, capacity)

    def _chain(self, start: int, stop: int) -> None:
        """Put the nodes from `start` to `stop` at the head of the chain of free nodes."""
        link, root = self.arrays.link, self.arrays.root
        link[start:stop, NODE.PARENT] = np.arange(start + 1, stop + 1)
        link[stop - 1, NODE.PARENT] = root[ROOT.FREE_HEAD]
        root[ROOT.FREE_HEAD] = start
        root[ROOT.FREE_COUNT] += stop - start


@device
def half_perimeter(box, a):
    """Return half the perimeter of a node's box [m]."""
    return (box[a, BOX.MAX_X] - box[a, BOX.MIN_X]) + (box[a, BOX.MAX_Y] - box[a, BOX.MIN_Y])


@device
def union_half_perimeter(box, a, b):
    """Return half the perimeter of the box around two nodes [m]."""
    return (max(box[a, BOX.MAX_X], box[b, BOX.MAX_X]) - min(box[a, BOX.MIN_X], box[b, BOX.MIN_X])) + (
        max(box[a, BOX.MAX_Y], box[b, BOX.MAX_Y]) - min(box[a, BOX.MIN_Y], box[b, BOX.MIN_Y])
    )


@device
def refit(tree, node):
    """Update an inner node's box and height from its children."""
    box, link = tree.box, tree.link
    left, right = link[node, NODE.LEFT], link[node, NODE.RIGHT]
    box[node, BOX.MIN_X] = min(box[left, BOX.MIN_X], box[right, BOX.MIN_X])
    box[node, BOX.MIN_Y] = min(box[left, BOX.MIN_Y], box[right, BOX.MIN_Y])
    box[node, BOX.MAX_X] = max(box[left, BOX.MAX_X], box[right, BOX.MAX_X])
    box[node, BOX.MAX_Y] = max(box[left, BOX.MAX_Y], box[right, BOX.MAX_Y])
    link[node, NODE.HEIGHT] = 1 + max(link[left, NODE.HEIGHT], link[right, NODE.HEIGHT])


@device
def allocate_node(tree):
    """Remove a node from the chain of free nodes and return it."""
    node = tree.root[ROOT.FREE_HEAD]
    tree.root[ROOT.FREE_HEAD] = tree.link[node, NODE.PARENT]
    tree.root[ROOT.FREE_COUNT] -= 1
    return node


@device
def release_node(tree, node):
    """Add a node to the chain of free nodes."""
    tree.link[node, NODE.PARENT] = tree.root[ROOT.FREE_HEAD]
    tree.root[ROOT.FREE_HEAD] = node
    tree.root[ROOT.FREE_COUNT] += 1


@device
def replace_child(tree, parent, old, new):
    """Replace node `old` below `parent` by `new`; a parent NONE means the root."""
    tree.link[new, NODE.PARENT] = parent
    if parent == NONE:
        tree.root[ROOT.NODE] = new
    elif tree.link[parent, NODE.LEFT] == old:
        tree.link[parent, NODE.LEFT] = new
    else:
        tree.link[parent, NODE.RIGHT] = new


@device
def balance(tree, node):
    """Rotate a node if one side is higher than the other by two; return the node that takes its place."""
    link = tree.link
    if link[node, NODE.HEIGHT] < 2:
        return node
    left, right = link[node, NODE.LEFT], link[node, NODE.RIGHT]
    lean = link[right, NODE.HEIGHT] - link[left, NODE.HEIGHT]
    if -1 <= lean <= 1:
        return node
    side = NODE.RIGHT if lean > 1 else NODE.LEFT
    up = link[node, side]  # the higher child moves up and keeps its higher child; the other child moves over
    replace_child(tree, link[node, NODE.PARENT], node, up)
    first, second = link[up, NODE.LEFT], link[up, NODE.RIGHT]
    if link[first, NODE.HEIGHT] > link[second, NODE.HEIGHT]:
        stays, goes = first, second
    else:
        stays, goes = second, first
    link[up, NODE.LEFT] = node
    link[up, NODE.RIGHT] = stays
    link[node, NODE.PARENT] = up
    link[node, side] = goes
    link[goes, NODE.PARENT] = node
    refit(tree, node)
    refit(tree, up)
    return up


@device
def refit_upwards(tree, node):
    """Balance and refit all nodes from `node` to the root."""
    while node != NONE:
        node = balance(tree, node)
        refit(tree, node)
        node = tree.link[node, NODE.PARENT]


@device
def insert_leaf(tree, leaf):
    """Insert a leaf, whose box is set, beside another leaf. Only this place keeps the tree balanced by rotations."""
    box, link = tree.box, tree.link
    node = tree.root[ROOT.NODE]
    if node == NONE:
        tree.root[ROOT.NODE] = leaf
        link[leaf, NODE.PARENT] = NONE
        return
    while link[node, NODE.HEIGHT] > 0:
        left, right = link[node, NODE.LEFT], link[node, NODE.RIGHT]
        left_cost = union_half_perimeter(box, left, leaf)
        if link[left, NODE.HEIGHT] > 0:
            left_cost -= half_perimeter(box, left)
        right_cost = union_half_perimeter(box, right, leaf)
        if link[right, NODE.HEIGHT] > 0:
            right_cost -= half_perimeter(box, right)
        node = left if left_cost < right_cost else right
    parent = allocate_node(tree)
    replace_child(tree, link[node, NODE.PARENT], node, parent)
    link[parent, NODE.LEFT] = node
    link[parent, NODE.RIGHT] = leaf
    link[node, NODE.PARENT] = parent
    link[leaf, NODE.PARENT] = parent
    refit_upwards(tree, parent)


@device
def remove_leaf(tree, leaf):
    """Remove a leaf from the tree and free its node."""
    link = tree.link
    parent = link[leaf, NODE.PARENT]
    if parent == NONE:
        tree.root[ROOT.NODE] = NONE
    else:
        sibling = link[parent, NODE.LEFT] if link[parent, NODE.RIGHT] == leaf else link[parent, NODE.RIGHT]
        above = link[parent, NODE.PARENT]
        replace_child(tree, above, parent, sibling)
        release_node(tree, parent)
        refit_upwards(tree, above)
    release_node(tree, leaf)


@device
def remove_from_tree(rows, pieces, tree):
    """Remove pieces from the tree, if they are in it. Writes the tree and piece_leaf (p,)."""
    for piece in rows:
        if pieces.leaf[piece] != NONE:
            remove_leaf(tree, pieces.leaf[piece])
            pieces.leaf[piece] = NONE
            tree.root[ROOT.SIZE] -= 1
            tree.root[ROOT.VERSION] += 1


@device
def insert_into_tree(piece, pieces, tree):
    """Insert a piece that is not in the tree, with its present box. Writes the tree and piece_leaf (p,)."""
    leaf = allocate_node(tree)
    for side in range(4):
        tree.box[leaf, side] = pieces.box[piece, side]
    tree.link[leaf, NODE.LEFT] = piece
    tree.link[leaf, NODE.RIGHT] = NONE
    tree.link[leaf, NODE.HEIGHT] = 0
    insert_leaf(tree, leaf)
    pieces.leaf[piece] = leaf
    tree.root[ROOT.SIZE] += 1


@kernel
def update_tree(insert: Ints, remove: Ints, pieces: Pieces, tree: Tree):
    """Remove the pieces in `remove` from the tree and insert those in `insert` with their present boxes.

    Reads piece_box [m] (p, 4). Writes the tree and piece_leaf (p,).
    """
    tree.root[ROOT.VERSION] += 1
    remove_from_tree(remove, pieces, tree)
    for piece in insert:
        insert_into_tree(piece, pieces, tree)


@device
def leaves_in_box(tree, low_x, low_y, high_x, high_y, rows):
    """Write the pieces whose boxes overlap a box [m] to `rows`, which has room for all; return their number."""
    box, stack = tree.box, tree.stack
    count, depth = 0, 0
    if tree.root[ROOT.NODE] != NONE:
        stack[0] = tree.root[ROOT.NODE]
        depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if not boxes_touch(
            box[node, BOX.MIN_X],
            box[node, BOX.MIN_Y],
            box[node, BOX.MAX_X],
            box[node, BOX.MAX_Y],
            low_x,
            low_y,
            high_x,
            high_y,
        ):
            continue
        if tree.link[node, NODE.HEIGHT] > 0:
            stack[depth] = tree.link[node, NODE.LEFT]
            stack[depth + 1] = tree.link[node, NODE.RIGHT]
            depth += 2
        else:
            rows[count] = tree.link[node, NODE.LEFT]
            count += 1
    return count


@device
def find_around(a, unbounded, pieces, tree):
    """Write the static pieces whose boxes overlap that of piece a to tree_hits.

    Returns their number, and the number of unbounded pieces that have to be tested against a.
    """
    box = pieces.box[a]
    hit_count = leaves_in_box(tree, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], tree.hits)
    return hit_count, len(unbounded) if is_piece_bounded(a, pieces) else 0


@device
def add_found(a, b, bodies, pieces, found, found_count):
    """Add two pieces to `found` if they are a new pair; return the count, also where there is no room."""
    if not is_new_pair(a, b, bodies, pieces):
        return found_count
    if found_count < len(found):
        found[found_count, FOUND.FIRST], found[found_count, FOUND.SECOND] = a, b
    return found_count + 1


@device
def query_statics(query_rows, query_count, unbounded, bodies, pieces, tree, found, found_count):
    """Add the new pairs of moving pieces with static and unbounded ones to `found`; return the count so far.

    Two unbounded pieces never meet; a moving one meets static sensors. If `found` is too short, the count is the needed
    length. Reads piece_box, piece_old_box [m] (p, 4), the tree. Writes found (f, 2).
    """
    hits = tree.hits
    for i in range(query_count):
        a = query_rows[i]
        hit_count, unbounded_count = find_around(a, unbounded, pieces, tree)
        for k in range(hit_count + unbounded_count):
            b = hits[k] if k < hit_count else unbounded[k - hit_count]
            found_count = add_found(a, b, bodies, pieces, found, found_count)
    return found_count


@device
def query_among_statics(statics, unbounded, bodies, pieces, tree, found, found_count):
    """Add the new pairs of static pieces that moved with other static pieces; return the count so far.

    `found` is filled as by `query_statics`.
    """
    hits = tree.hits
    for a in statics:
        if not pieces.moved[a]:
            continue
        hit_count, unbounded_count = find_around(a, unbounded, pieces, tree)
        for k in range(hit_count + unbounded_count):
            b = hits[k] if k < hit_count else unbounded[k - hit_count]
            is_found_twice = pieces.moved[b] and b < a
            if bodies.kind[pieces.index[b, PIECE.BODY]] == STATIC and not is_found_twice:
                found_count = add_found(a, b, bodies, pieces, found, found_count)
    return found_count
