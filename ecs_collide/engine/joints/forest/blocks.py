"""Put the branches of the trees into blocks of eight."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import numpy as np

from ecs_collide.columns.row_lists import rows_where
from ecs_collide.compiled.simd import LANES, lane_array
from ecs_collide.components.joints.kinds import DISTANCE
from ecs_collide.engine.joints.forest import layout
from ecs_collide.engine.joints.forest.layout import Trees
from ecs_collide.engine.joints.forest.structure import NOBODY, Branch, Forest
from ecs_collide.engine.joints.forest.web import lay_web

Lot = tuple[bool, int, int, int]
"""What the branches of a block have in common: whether they are in a web, level, kind, which child of its parent."""


def lay_blocks(forest: Forest, lane: np.ndarray, bodies: int) -> Trees:
    """The blocks of a forest, and where each joint is, in `lane` (n,). `bodies` is the number of body rows."""
    branches, body_tree, web = forest
    lots = _lots(branches)
    chunks: list[tuple[Lot, list[Branch]]] = [
        (lot, members[start : start + LANES]) for lot, members in lots for start in range(0, len(members), LANES)
    ]
    index = lane_array((len(chunks), layout.INDEX_WIDTH, LANES), np.int64)
    index[:, layout.TREE] = layout.NONE
    field = lane_array((len(chunks), layout.WIDTH, LANES))
    field[:, layout.SIGN] = 1.0
    lane.fill(layout.NONE)
    for block, (_, members) in enumerate(chunks):
        for k, branch in enumerate(members):
            index[block, layout.JOINT, k] = branch.link.joint
            for side, has_body, body in (
                (layout.CHILD_BODY, layout.HAS_CHILD, branch.child),
                (layout.PARENT_BODY, layout.HAS_PARENT, branch.parent),
            ):
                index[block, side, k] = max(body, 0)
                field[block, has_body, k] = float(body != NOBODY)
            index[block, layout.TREE, k] = branch.tree
            field[block, layout.SIGN, k] = 1.0 if branch.child == branch.link.b else -1.0
            lane[branch.link.joint] = LANES * block + k
    tree = np.full(bodies, layout.NONE, np.int64)
    for body, number in body_tree.items():
        tree[body] = number
    named = sorted({body for branch in branches for body in (branch.child, branch.parent)} - {NOBODY})
    is_alone, begun = _begun(chunks)
    listed = [branch.link.joint for branch in sorted(branches, key=lambda branch: branch.tree)]
    tree_count = 1 + max(body_tree.values(), default=-1)
    in_trees = sum(not lot[0] for lot, _ in chunks)
    return Trees(
        index,
        field,
        np.array([lot[2] for lot, _ in chunks], np.int64),
        np.zeros(len(chunks), np.bool_),
        np.array(is_alone, np.bool_).reshape(-1, 2),
        rows_where(np.array([body in begun for body in named], np.bool_)),
        np.array(named, np.int64),
        np.zeros(len(named), np.int64),
        tree,
        np.zeros(tree_count, np.bool_),
        np.ones((tree_count, 3)),
        np.array(listed, np.int64),
        np.array([in_trees, len(chunks), 0], np.int64),
        lay_web(web, branches, lane),
    )


def _begun(chunks: Iterable[tuple[Lot, list[Branch]]]) -> tuple[list[tuple[bool, bool]], set[int]]:
    """For each block whether its children, and its parents, are by themselves; and which bodies have to be begun."""
    chunks = list(chunks)
    branches = [branch for _, members in chunks for branch in members]
    stiffened = {body for branch in branches if branch.link.kind == DISTANCE for body in (branch.child, branch.parent)}
    loaded: set[int] = set()
    begun: set[int] = set()
    found = []
    for _, members in chunks:
        sides = ({branch.child for branch in members} - {NOBODY}, {branch.parent for branch in members} - {NOBODY})
        alone = [not (bodies & loaded or bodies & stiffened) and not members[0].in_web for bodies in sides]
        for bodies, is_alone in zip(sides, alone):
            begun |= set() if is_alone else bodies - loaded
        loaded |= sides[1]
        found.append((alone[0], alone[1]))
    return found, begun


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
