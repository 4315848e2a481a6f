"""A balanced tree of boxes over the static pieces: what does not move costs nothing in a step.

Insertion walks down by least growth of perimeter and rotates on the way back (the AVL scheme). A query visits the nodes
that a box overlaps. Leaves hold a piece row; `piece_leaf` knows its node.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data.growth import grown, next_capacity
from ecs_collide.data.pieces import BOX, PIECE, Pieces
from ecs_collide.geometry.aabb import boxes_touch
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.step.broadphase.lookup.box_overlap import is_new_pair

# node_link; HEIGHT is 0 in a leaf, whose LEFT is the piece row
PARENT, LEFT, RIGHT, HEIGHT = 0, 1, 2, 3

# root
ROOT, FREE_HEAD, FREE_COUNT, SIZE, VERSION = 0, 1, 2, 3, 4

NONE = -1
STATIC = int(BodyKind.STATIC)
STACK = 128  # an AVL tree of 2**64 leaves is less than 93 high


class Tree(Bundle):
    """The tree as kernels take it."""

    box: FloatTable
    """Box of a node [m] (k, 4)."""
    link: IntTable
    """Parent, children and height (k, 4) int64; free nodes are chained through PARENT."""
    root: Ints
    """Root node, head of the free chain, its length, how many pieces there are, and a new number for each change (5,)
    int64."""
    stack: Ints
    """Scratch space of a query (128,) int64 ..."""
    hits: Ints
    """... and room for what it finds (k,) int64."""


class StaticTree:
    """Owns the tree's arrays and their growth."""

    def __init__(self, capacity: int = 64) -> None:
        self.arrays = Tree(
            np.zeros((capacity, 4)),
            np.zeros((capacity, 4), np.int64),
            np.array([NONE, NONE, 0, 0, 0], np.int64),
            np.zeros(STACK, np.int64),
            np.zeros(capacity, np.int64),
        )
        self._chain(0, capacity)

    @property
    def size(self) -> int:
        """How many pieces hang in the tree."""
        return int(self.arrays.root[SIZE])

    def reserve(self, leaves: int) -> None:
        """Make room for `leaves` further pieces."""
        needed = 2 * leaves - int(self.arrays.root[FREE_COUNT])
        if needed > 0:
            old = len(self.arrays.box)
            capacity = next_capacity(old, old + needed)
            self.arrays = self.arrays._replace(
                box=grown(self.arrays.box, capacity),
                link=grown(self.arrays.link, capacity),
                hits=np.zeros(capacity, np.int64),
            )
            self._chain(old, capacity)

    def _chain(self, start: int, stop: int) -> None:
        """Put the nodes from start to stop at the head of the free chain."""
        link, root = self.arrays.link, self.arrays.root
        link[start:stop, PARENT] = np.arange(start + 1, stop + 1)
        link[stop - 1, PARENT] = root[FREE_HEAD]
        root[FREE_HEAD] = start
        root[FREE_COUNT] += stop - start


@device
def half_perimeter(box, a):
    return (box[a, BOX.MAX_X] - box[a, BOX.MIN_X]) + (box[a, BOX.MAX_Y] - box[a, BOX.MIN_Y])


@device
def union_half_perimeter(box, a, b):
    return (max(box[a, BOX.MAX_X], box[b, BOX.MAX_X]) - min(box[a, BOX.MIN_X], box[b, BOX.MIN_X])) + (
        max(box[a, BOX.MAX_Y], box[b, BOX.MAX_Y]) - min(box[a, BOX.MIN_Y], box[b, BOX.MIN_Y])
    )


@device
def refit(tree, node):
    """Recompute an inner node's box and height from its children."""
    box, link = tree.box, tree.link
    left, right = link[node, LEFT], link[node, RIGHT]
    box[node, BOX.MIN_X] = min(box[left, BOX.MIN_X], box[right, BOX.MIN_X])
    box[node, BOX.MIN_Y] = min(box[left, BOX.MIN_Y], box[right, BOX.MIN_Y])
    box[node, BOX.MAX_X] = max(box[left, BOX.MAX_X], box[right, BOX.MAX_X])
    box[node, BOX.MAX_Y] = max(box[left, BOX.MAX_Y], box[right, BOX.MAX_Y])
    link[node, HEIGHT] = 1 + max(link[left, HEIGHT], link[right, HEIGHT])


@device
def take_node(tree):
    node = tree.root[FREE_HEAD]
    tree.root[FREE_HEAD] = tree.link[node, PARENT]
    tree.root[FREE_COUNT] -= 1
    return node


@device
def give_node(tree, node):
    tree.link[node, PARENT] = tree.root[FREE_HEAD]
    tree.root[FREE_HEAD] = node
    tree.root[FREE_COUNT] += 1


@device
def replace_child(tree, parent, old, new):
    """Let `new` stand where `old` stood below `parent` (NONE: at the root)."""
    tree.link[new, PARENT] = parent
    if parent == NONE:
        tree.root[ROOT] = new
    elif tree.link[parent, LEFT] == old:
        tree.link[parent, LEFT] = new
    else:
        tree.link[parent, RIGHT] = new


@device
def balance(tree, node):
    """Rotate where one side is two higher than the other; return the node that now stands here."""
    link = tree.link
    if link[node, HEIGHT] < 2:
        return node
    left, right = link[node, LEFT], link[node, RIGHT]
    lean = link[right, HEIGHT] - link[left, HEIGHT]
    if -1 <= lean <= 1:
        return node
    side = RIGHT if lean > 1 else LEFT
    up = link[node, side]  # the higher child comes up, its higher child stays with it, the other changes over
    replace_child(tree, link[node, PARENT], node, up)
    first, second = link[up, LEFT], link[up, RIGHT]
    if link[first, HEIGHT] > link[second, HEIGHT]:
        stays, goes = first, second
    else:
        stays, goes = second, first
    link[up, LEFT] = node
    link[up, RIGHT] = stays
    link[node, PARENT] = up
    link[node, side] = goes
    link[goes, PARENT] = node
    refit(tree, node)
    refit(tree, up)
    return up


@device
def refit_upwards(tree, node):
    """Balance and refit from a node to the root."""
    while node != NONE:
        node = balance(tree, node)
        refit(tree, node)
        node = tree.link[node, PARENT]


@device
def insert_leaf(tree, leaf):
    """Hang a leaf, whose box is set, into the tree, beside another leaf: only then do rotations keep it balanced."""
    box, link = tree.box, tree.link
    node = tree.root[ROOT]
    if node == NONE:
        tree.root[ROOT] = leaf
        link[leaf, PARENT] = NONE
        return
    while link[node, HEIGHT] > 0:
        left, right = link[node, LEFT], link[node, RIGHT]
        left_cost = union_half_perimeter(box, left, leaf)
        if link[left, HEIGHT] > 0:
            left_cost -= half_perimeter(box, left)
        right_cost = union_half_perimeter(box, right, leaf)
        if link[right, HEIGHT] > 0:
            right_cost -= half_perimeter(box, right)
        node = left if left_cost < right_cost else right
    parent = take_node(tree)
    replace_child(tree, link[node, PARENT], node, parent)
    link[parent, LEFT] = node
    link[parent, RIGHT] = leaf
    link[node, PARENT] = parent
    link[leaf, PARENT] = parent
    refit_upwards(tree, parent)


@device
def remove_leaf(tree, leaf):
    """Take a leaf out of the tree; its node is free afterwards."""
    link = tree.link
    parent = link[leaf, PARENT]
    if parent == NONE:
        tree.root[ROOT] = NONE
    else:
        sibling = link[parent, LEFT] if link[parent, RIGHT] == leaf else link[parent, RIGHT]
        above = link[parent, PARENT]
        replace_child(tree, above, parent, sibling)
        give_node(tree, parent)
        refit_upwards(tree, above)
    give_node(tree, leaf)


@device
def take_from_tree(rows, pieces, tree):
    """Take pieces out of the tree that hang in it. Writes the tree and piece_leaf (p,)."""
    for piece in rows:
        if pieces.leaf[piece] != NONE:
            remove_leaf(tree, pieces.leaf[piece])
            pieces.leaf[piece] = NONE
            tree.root[SIZE] -= 1
            tree.root[VERSION] += 1


@device
def hang_into_tree(piece, pieces, tree):
    """Hang a piece that is not in it into the tree, with its present box. Writes the tree and piece_leaf (p,)."""
    leaf = take_node(tree)
    for side in range(4):
        tree.box[leaf, side] = pieces.box[piece, side]
    tree.link[leaf, LEFT] = piece
    tree.link[leaf, RIGHT] = NONE
    tree.link[leaf, HEIGHT] = 0
    insert_leaf(tree, leaf)
    pieces.leaf[piece] = leaf
    tree.root[SIZE] += 1


@stage
def update_tree(insert: Ints, remove: Ints, pieces: Pieces, tree: Tree):
    """Take the pieces in `remove` out of the tree and hang those in `insert` into it, with their present boxes.

    Reads piece_box [m] (p, 4). Writes the tree and piece_leaf (p,).
    """
    tree.root[VERSION] += 1
    take_from_tree(remove, pieces, tree)
    for piece in insert:
        hang_into_tree(piece, pieces, tree)


@device
def leaves_in_box(tree, low_x, low_y, high_x, high_y, rows):
    """Write the pieces whose boxes meet a box [m] to `rows`, which has room for all; return their number."""
    box, stack = tree.box, tree.stack
    count, depth = 0, 0
    if tree.root[ROOT] != NONE:
        stack[0] = tree.root[ROOT]
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
        if tree.link[node, HEIGHT] > 0:
            stack[depth] = tree.link[node, LEFT]
            stack[depth + 1] = tree.link[node, RIGHT]
            depth += 2
        else:
            rows[count] = tree.link[node, LEFT]
            count += 1
    return count


@device
def find_around(a, unbounded, pieces, tree):
    """Write the static pieces whose boxes meet that of piece a to tree_hits; return (how many, unbounded to ask)."""
    box = pieces.box[a]
    hit_count = leaves_in_box(tree, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], tree.hits)
    return hit_count, len(unbounded) if is_piece_bounded(a, pieces) else 0


@device
def add_found(a, b, bodies, pieces, found, found_count):
    """Add two pieces to `found` if they are a new pair and there is room; return the count."""
    if not is_new_pair(a, b, bodies, pieces):
        return found_count
    if found_count < len(found):
        found[found_count, 0], found[found_count, 1] = a, b
    return found_count + 1


@device
def query_statics(asking_rows, asking_count, unbounded, bodies, pieces, tree, found, found_count):
    """Add the new pairs of moving pieces with static and with unbounded ones to `found`; return the count so far.

    Two unbounded pieces never meet; one that moves meets static sensors. Where `found` is too short the count tells
    the length needed. Reads piece_box, piece_old_box [m] (p, 4), the tree. Writes found (f, 2).
    """
    hits = tree.hits
    for i in range(asking_count):
        a = asking_rows[i]
        hit_count, endless_count = find_around(a, unbounded, pieces, tree)
        for k in range(hit_count + endless_count):
            b = hits[k] if k < hit_count else unbounded[k - hit_count]
            found_count = add_found(a, b, bodies, pieces, found, found_count)
    return found_count


@device
def query_among_statics(statics, unbounded, bodies, pieces, tree, found, found_count):
    """The same for static pieces that have moved, with other static ones."""
    hits = tree.hits
    for a in statics:
        if not pieces.moved[a]:
            continue
        hit_count, endless_count = find_around(a, unbounded, pieces, tree)
        for k in range(hit_count + endless_count):
            b = hits[k] if k < hit_count else unbounded[k - hit_count]
            is_told_twice = pieces.moved[b] and b < a
            if bodies.kind[pieces.index[b, PIECE.BODY]] == STATIC and not is_told_twice:
                found_count = add_found(a, b, bodies, pieces, found, found_count)
    return found_count
