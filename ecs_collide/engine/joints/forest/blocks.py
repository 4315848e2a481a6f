"""Put the branches of the trees into blocks of eight, and the bodies into seats."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

import numpy as np

from ecs_collide.compiled.simd import LANES, lane_array
from ecs_collide.engine.joints.forest import layout
from ecs_collide.engine.joints.forest.layout import Trees
from ecs_collide.engine.joints.forest.structure import NOBODY, Branch, Forest
from ecs_collide.engine.joints.forest.web import lay_web

Lot = tuple[bool, int, int, int]
"""What the branches of a block have in common: whether they are in a web, level, kind, which child of its parent."""


class Block(NamedTuple):
    """Some branches side by side."""

    lot: Lot
    members: dict[int, Branch]
    """By their lanes."""


class Seat(NamedTuple):
    """Where a body sits: in which seat block, and in which lane."""

    block: int
    lane: int


def lay_blocks(forest: Forest, lane: np.ndarray, bodies: int) -> Trees:
    """The blocks of a forest, and where each joint is, in `lane` (n,). `bodies` is the number of body rows."""
    branches, body_tree, web = forest
    children = {branch.child for branch in branches if not branch.in_web}
    roots = [body for body in body_tree if body not in children]
    blocks = _blocks(branches, roots)
    in_trees = sum(not block.lot[0] for block in blocks)
    seats = _seats(blocks[:in_trees], roots)
    seat_count = in_trees + -(-len(roots) // LANES) + 1  # nobody sits in the last one
    nobody = Seat(seat_count - 1, 0)
    numbers = lane_array((seat_count * layout.SEAT_WIDTH * LANES,))
    tree = np.full(bodies, layout.NONE, np.int64)
    for body, number in body_tree.items():
        tree[body] = number
    seat_index = _seat_index(blocks[:in_trees], seats, seat_count, body_tree)
    index, field = _filled(blocks, seats, nobody, lane)
    named = sorted({body for branch in branches for body in (branch.child, branch.parent)} - {NOBODY})
    listed = [branch.link.joint for branch in sorted(branches, key=lambda branch: branch.tree)]
    tree_count = 1 + max(body_tree.values(), default=-1)
    offsets = {body: _offset(seats[body]) for body in web}
    return Trees(
        index,
        field,
        numbers.reshape(seat_count, layout.SEAT_WIDTH, LANES),
        numbers,
        seat_index,
        _straight(blocks, in_trees, seats, seat_index),
        lane_array((3, LANES)),
        np.array([block.lot[2] for block in blocks], np.int64),
        np.zeros(len(blocks), np.bool_),
        np.array(named, np.int64),
        np.zeros(len(named), np.int64),
        tree,
        np.zeros(tree_count, np.bool_),
        np.ones((tree_count, 3)),
        np.array(listed, np.int64),
        np.array([in_trees, len(blocks), 0], np.int64),
        lay_web(web, offsets, branches, lane),
    )


def _offset(seat: Seat) -> int:
    """Where in `numbers` a seat is."""
    return LANES * layout.SEAT_WIDTH * seat.block + seat.lane


def _blocks(branches: Iterable[Branch], roots: list[int]) -> list[Block]:
    """The branches in blocks, deepest first, those in a web behind them.

    From the roots on, children get the lanes of their parents, where more than half of a block can be filled so.
    """
    found: list[Block] = []
    above = {
        body: Seat(-1 - number // LANES, number % LANES) for number, body in enumerate(roots)
    }  # not a block of these
    for lot, members in reversed(_lots(branches)):
        if lot[0]:
            found.extend(Block(lot, eight) for eight in _by_eight(members))
            continue
        under: dict[int, list[Branch]] = {}
        for branch in members:
            under.setdefault(above[branch.parent].block, []).append(branch)
        straight, others = [], []
        for group in under.values():
            if len(group) > LANES // 2 or len(under) == 1:
                straight.append({above[branch.parent].lane: branch for branch in group})
            else:
                others.extend(group)
        for eight in (*straight, *_by_eight(others)):
            above.update((branch.child, Seat(len(found), lane)) for lane, branch in eight.items())
            found.append(Block(lot, eight))
    return sorted(found, key=lambda block: block.lot)


def _by_eight(branches: list[Branch]) -> list[dict[int, Branch]]:
    """Some branches, eight to a block."""
    return [dict(enumerate(branches[start : start + LANES])) for start in range(0, len(branches), LANES)]


def _lots(branches: Iterable[Branch]) -> list[tuple[Lot, list[Branch]]]:
    """The branches by what a block's have in common, deepest first, those in a web behind them."""
    seen: dict[tuple[int, int], int] = {}
    keyed = []
    for branch in branches:
        sibling = 0
        if not branch.in_web:
            sibling = seen.setdefault((branch.parent, branch.link.kind), 0)
            seen[branch.parent, branch.link.kind] += 1
        keyed.append(((branch.in_web, -branch.level, branch.link.kind, sibling), branch))
    keyed.sort(key=lambda pair: pair[0])
    return [(lot, [branch for _, branch in members]) for lot, members in groupby(keyed, key=lambda pair: pair[0])]


def _seats(blocks: list[Block], roots: list[int]) -> dict[int, Seat]:
    """Where the bodies of the trees sit that move: in the blocks in which they are children, and the roots behind."""
    seats = {body: Seat(len(blocks) + number // LANES, number % LANES) for number, body in enumerate(roots)}
    for number, block in enumerate(blocks):
        seats.update((branch.child, Seat(number, lane)) for lane, branch in block.members.items())
    return seats


def _seat_index(blocks: list[Block], seats: dict[int, Seat], count: int, body_tree: dict[int, int]) -> np.ndarray:
    """Who sits where."""
    index = lane_array((count, 3, LANES), np.int64)
    index[:, layout.SEAT_BODY] = index[:, layout.SEAT_TREE] = layout.NONE
    for number, block in enumerate(blocks):
        for lane, branch in block.members.items():
            index[number, layout.SEAT_BODY, lane] = branch.child
    for body, tree in body_tree.items():
        index[seats[body].block, layout.SEAT_BODY, seats[body].lane] = body
        index[seats[body].block, layout.SEAT_TREE, seats[body].lane] = tree
    return index


def _filled(
    blocks: list[Block], seats: dict[int, Seat], nobody: Seat, lane: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The index and the fields of the blocks. Writes where each joint is to `lane`."""
    index = lane_array((len(blocks), layout.INDEX_WIDTH, LANES), np.int64)
    index[:, layout.TREE] = layout.NONE
    index[:, [layout.CHILD, layout.PARENT]] = _offset(nobody)
    field = lane_array((len(blocks), layout.WIDTH, LANES))
    field[:, layout.SIGN] = 1.0
    lane.fill(layout.NONE)
    for number, block in enumerate(blocks):
        for k, branch in block.members.items():
            child = seats[branch.child] if branch.in_web else Seat(number, k)
            index[number, layout.CHILD, k], index[number, layout.PARENT, k] = map(
                _offset, (child, seats[branch.parent])
            )
            index[number, layout.CHILD_BODY, k] = max(branch.child, 0)
            index[number, layout.PARENT_BODY, k] = max(branch.parent, 0)
            index[number, layout.JOINT, k], index[number, layout.TREE, k] = branch.link.joint, branch.tree
            field[number, layout.HAS_CHILD, k] = float(branch.child != NOBODY)
            field[number, layout.HAS_PARENT, k] = float(branch.parent != NOBODY)
            field[number, layout.SIGN, k] = 1.0 if branch.child == branch.link.b else -1.0
            lane[branch.link.joint] = LANES * number + k
    return index, field


def _straight(blocks: list[Block], in_trees: int, seats: dict[int, Seat], seat_index: np.ndarray) -> np.ndarray:
    """Where the children, and the parents, of a block sit in its own lanes; above its empty ones nobody does."""
    found = np.full((len(blocks), 2), layout.NONE, np.int64)
    for number, block in enumerate(blocks[:in_trees]):
        found[number, layout.CHILD] = number
        parents = {seats[branch.parent].block for branch in block.members.values()}
        if len(parents) == 1 and all(seats[branch.parent].lane == k for k, branch in block.members.items()):
            (above,) = parents
            taken = seat_index[above, layout.SEAT_BODY] != layout.NONE
            if taken.sum() == taken[list(block.members)].sum():
                found[number, layout.PARENT] = above
    return found
