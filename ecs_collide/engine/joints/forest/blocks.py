"""Put the branches of the trees into blocks of eight, and the bodies into seats."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

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


Seats = dict[int, int]
"""8 times the seat block, and the lane, of each body that moves."""


class Grove(NamedTuple):
    """Trees that are gone through together; the blocks of webs stand behind those of the only one."""

    blocks: list[Block]
    roots: list[int]


GROVE = 256
"""So many joints, or a few more, are a grove: what is known of them stays in a core's cache. Where there are two
thousand that is a tenth of the solver's time."""


def lay_blocks(forest: Forest, lane: np.ndarray, bodies: int) -> Trees:
    """The blocks of a forest, and where each joint is, in `lane` (n,). `bodies` is the number of body rows."""
    branches, body_tree, web = forest
    groves = _groves(forest)
    blocks = [block for grove in groves for block in grove.blocks]
    in_trees = sum(not block.lot[0] for block in blocks)
    rows, seats, seat_of = _seats(groves, in_trees)
    seat_count = rows[0][layout.STOP_SEAT]
    numbers = lane_array((seat_count * layout.SEAT_WIDTH * LANES,))
    tree = np.full(bodies, layout.NONE, np.int64)
    for body, number in body_tree.items():
        tree[body] = number
    seat_index = _seat_index(blocks[:in_trees], seat_of, seats, seat_count, body_tree)
    index, field = _filled(blocks, seat_of, seats, LANES * (seat_count - 1), lane)
    named = sorted({body for branch in branches for body in (branch.child, branch.parent)} - {NOBODY})
    listed = [branch.link.joint for branch in sorted(branches, key=lambda branch: branch.tree)]
    tree_count = 1 + max(body_tree.values(), default=-1)
    offsets = {body: _offset(seats[body]) for body in web}
    return Trees(
        index,
        field,
        numbers.reshape(-1, layout.SEAT_WIDTH, LANES),
        numbers,
        seat_index,
        _straight(blocks, seat_of, seats, seat_index),
        _has_others(index),
        np.array(rows, np.int64),
        np.array(rows[0], np.int64),
        lane_array((6, LANES)),
        np.array([block.lot[2] for block in blocks], np.int64),
        np.zeros(len(blocks), np.bool_),
        np.array(named, np.int64),
        np.zeros(len(named), np.int64),
        tree,
        np.zeros(tree_count, np.bool_),
        np.zeros(tree_count, np.bool_),
        np.zeros(len(blocks), np.bool_),
        np.zeros((tree_count, layout.PACE_WIDTH)),
        np.array(listed, np.int64),
        np.zeros(1, np.int64),
        lay_web(web, offsets, branches, lane),
    )


def _has_others(index: np.ndarray) -> np.ndarray:
    """Whether a block's lanes belong to other trees than the block's before it."""
    trees = index[:, layout.TREE]
    result: np.ndarray = np.ones(len(trees), np.bool_)
    result[1:] = (trees[1:] != trees[:-1]).any(axis=1)
    return result


def _offset(seats: Any) -> Any:
    """Where in `numbers` a seat is, or each of an array of them."""
    return LANES * layout.SEAT_WIDTH * (seats // LANES) + seats % LANES


def _groves(forest: Forest) -> list[Grove]:
    """The trees of a forest, parted where there are many; not where any hang on webs."""
    branches, body_tree, web = forest
    children = {branch.child for branch in branches if not branch.in_web}
    roots = [body for body in body_tree if body not in children]
    if web:
        return [Grove(_blocks(branches, roots), roots)]
    of_tree: dict[int, list[Branch]] = {}
    for branch in branches:
        of_tree.setdefault(branch.tree, []).append(branch)
    found: list[Grove] = []
    start, gathered = 0, list[Branch]()
    for number, root in enumerate(roots, 1):
        gathered.extend(of_tree[body_tree[root]])
        if number == len(roots) or (len(gathered) >= GROVE and (number - start) % LANES == 0):
            found.append(Grove(_blocks(gathered, roots[start:number]), roots[start:number]))
            start, gathered = number, []
    return found


def _blocks(branches: Iterable[Branch], roots: list[int]) -> list[Block]:
    """The branches in blocks, deepest first, those in a web behind them.

    From the roots on, children get the lanes of their parents, where more than half of a block can be filled so.
    """
    found: list[Block] = []
    above = {body: number for number, body in enumerate(roots)}  # seats, of which the roots' come first here
    first = -(-len(roots) // LANES)
    for lot, members in reversed(_lots(branches)):
        if lot[0]:
            found.extend(Block(lot, eight) for eight in _by_eight(members))
            continue
        under: dict[int, list[Branch]] = {}
        for branch in members:
            under.setdefault(above[branch.parent] // LANES, []).append(branch)
        straight, others = [], []
        for group in under.values():
            if len(group) > LANES // 2 or len(under) == 1:
                straight.append({above[branch.parent] % LANES: branch for branch in group})
            else:
                others.extend(group)
        for eight in (*straight, *_by_eight(others)):
            seat = LANES * (first + len(found))
            above.update({branch.child: seat + lane for lane, branch in eight.items()})
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


def _seats(groves: list[Grove], in_trees: int) -> tuple[list[list[int]], Seats, list[int]]:
    """The rows of `grove`; where the bodies of the trees sit that move; and the seat block of each block of the trees.

    Bodies sit where they are children, and the roots behind all of their grove.
    """
    rows: list[list[int]] = []
    seats: Seats = {}
    seat_of: list[int] = []
    count = 0
    for blocks, roots in groves:
        first, first_seat = len(seat_of), count
        for block in blocks[: in_trees - first]:
            seats.update({branch.child: LANES * count + lane for lane, branch in block.members.items()})
            seat_of.append(count)
            count += 1
        seats.update({body: LANES * count + number for number, body in enumerate(roots)})
        count += -(-len(roots) // LANES)
        rows.append([first, len(seat_of), first + len(blocks), first_seat, count])
    stop = rows[-1][layout.STOP] if rows else 0
    return [[0, in_trees, stop, 0, count + 1], *rows], seats, seat_of  # nobody sits in the last one


def _seat_index(
    blocks: list[Block], seat_of: list[int], seats: Seats, count: int, body_tree: dict[int, int]
) -> np.ndarray:
    """Who sits where."""
    index = lane_array((count, layout.SEAT_INDEX_WIDTH, LANES), np.int64)
    index[:, layout.SEAT_BODY] = index[:, layout.SEAT_TREE] = layout.NONE
    sitting = [
        (LANES * seat + lane, branch.child)
        for block, seat in zip(blocks, seat_of, strict=True)
        for lane, branch in block.members.items()
    ]
    sitting += [(seats[body], body) for body in body_tree]
    seat, body = np.array(sitting, np.int64).reshape(-1, 2).T
    index[seat // LANES, layout.SEAT_BODY, seat % LANES] = body
    seat = np.array([seats[body] for body in body_tree], np.int64)
    index[seat // LANES, layout.SEAT_TREE, seat % LANES] = list(body_tree.values())
    index[:, layout.SEAT_PLACE] = np.maximum(index[:, layout.SEAT_BODY], 0)
    return index


def _filled(
    blocks: list[Block], seat_of: list[int], seats: Seats, nobody: int, lane: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The index and the fields of the blocks. Writes where each joint is to `lane`."""
    index = lane_array((len(blocks), layout.INDEX_WIDTH, LANES), np.int64)
    index[:, layout.TREE] = layout.NONE
    index[:, [layout.CHILD, layout.PARENT]] = _offset(nobody)
    field = lane_array((len(blocks), layout.WIDTH, LANES))
    field[:, layout.SIGN] = 1.0
    rows = [
        (
            number,
            k,
            seats[branch.child] if branch.in_web else LANES * seat_of[number] + k,
            seats[branch.parent],
            branch.link.joint,
            branch.child,
            branch.parent,
            branch.tree,
            branch.child == branch.link.b,
        )
        for number, block in enumerate(blocks)
        for k, branch in block.members.items()
    ]
    number, k, of_child, of_parent, joint, child, parent, tree, b_is_child = np.array(rows, np.int64).reshape(-1, 9).T
    for column, values in (
        (layout.CHILD, _offset(of_child)),
        (layout.PARENT, _offset(of_parent)),
        (layout.JOINT, joint),
        (layout.CHILD_BODY, np.maximum(child, 0)),
        (layout.PARENT_BODY, np.maximum(parent, 0)),
        (layout.TREE, tree),
    ):
        index[number, column, k] = values
    field[number, layout.HAS_CHILD, k] = child != NOBODY
    field[number, layout.HAS_PARENT, k] = parent != NOBODY
    field[number, layout.SIGN, k] = 2 * b_is_child - 1
    lane.fill(layout.NONE)
    lane[joint] = LANES * number + k
    return index, field


def _straight(blocks: list[Block], seat_of: list[int], seats: Seats, seat_index: np.ndarray) -> np.ndarray:
    """Where the children, and the parents, of a block sit in its own lanes; above its empty ones nobody does."""
    found = np.full((len(blocks), 2), layout.NONE, np.int64)
    taken = (seat_index[:, layout.SEAT_BODY] != layout.NONE).sum(axis=1).tolist()
    for number, (block, seat) in enumerate(zip(blocks, seat_of, strict=False)):  # webs have none of their own
        found[number, layout.CHILD] = seat
        parents = [seats[branch.parent] for branch in block.members.values()]
        above = parents[0] // LANES
        if taken[above] == len(parents) and parents == [LANES * above + lane for lane in block.members]:
            found[number, layout.PARENT] = above
    return found
