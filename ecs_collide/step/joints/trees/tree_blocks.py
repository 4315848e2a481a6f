"""Put the joints of trees into blocks of eight, and their bodies into lanes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ecs_collide.data.row_lists import each_once
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.joints.trees.lane_assignment import BRANCH, PLACE, place_branches
from ecs_collide.step.joints.trees.loop_layout import NO_LOOPS, lay_out_loops
from ecs_collide.step.joints.trees.structure import NO_BODY, JointTree
from ecs_collide.step.joints.trees.tree_rows import (
    ALL,
    BATCH,
    BLOCK,
    ENDS,
    INDEX,
    LANE,
    LANE_INDEX,
    NONE,
    Trees,
    trees_for,
)

BATCH_SIZE = 256
"""Number of joints from which a tree batch is complete: their data fits into a core's cache."""


class Placed(NamedTuple):
    """Branches with their places, and bodies with their lanes."""

    branch: np.ndarray
    """Columns BRANCH, lot by lot, batch by batch (j, 9)."""
    block: np.ndarray
    """Joint block of each branch (j,)."""
    lane: np.ndarray
    """Lane of each branch (j,)."""
    body_lane: np.ndarray
    """8 times the lane block of each body row, plus the lane; valid for bodies of trees only (n,)."""
    batches: np.ndarray
    """Columns BATCH, all trees together first (batches + 1, 5)."""


def lay_out_trees(trees: list[JointTree], lane_of_joint: np.ndarray, bodies: int) -> Trees:
    """Return the arrays of some trees.

    Args:
        trees: the trees.
        lane_of_joint: written with 8 times the block of each joint row, plus the lane (n,).
        bodies: number of body rows.
    """
    members = np.array([body for tree in trees for body in tree.bodies], np.int64)
    tree_of_body = np.full(bodies, NONE, np.int64)
    tree_of_body[members] = np.repeat(np.arange(len(trees)), [len(tree.bodies) for tree in trees])
    placed = _place_branches(trees, bodies)
    branch, block = placed.branch, placed.block
    child_lane, direct = _child_lanes(placed)
    lane_index = _lane_index(placed, child_lane, members, tree_of_body)
    lane_of_joint.fill(NONE)
    lane_of_joint[branch[:, BRANCH.JOINT]] = LANES * block + placed.lane
    kind = np.zeros(placed.batches[ALL, BATCH.STOP_BLOCK], np.int64)
    kind[block] = branch[:, BRANCH.KIND]
    ends = each_once(branch[:, BRANCH.CHILD], branch[:, BRANCH.PARENT])
    looped = [body for tree in trees for body in tree.looped]
    in_loops = branch[branch[:, BRANCH.IN_LOOP] != 0]
    return trees_for(
        block_index=_block_index(placed, child_lane, tree_of_body),
        blocks=_blocks(placed),
        block_kind=kind,
        lane_index=lane_index,
        direct=direct if len(block) == 0 else _add_parents(direct, placed, lane_index),
        batches=placed.batches,
        bodies=ends[ends != NO_BODY],
        tree_of_body=tree_of_body,
        joint_rows=np.concatenate([np.zeros(0, np.int64), *(tree.branches[:, BRANCH.JOINT] for tree in trees)]),
        loops=lay_out_loops(looped, _in_numbers(placed.body_lane[looped]), in_loops, lane_of_joint)
        if looped
        else NO_LOOPS,
    )


def _batches(trees: list[JointTree]) -> Iterator[list[JointTree]]:
    """Yield the trees in batches; in a single one if any of them has loops."""
    if any(tree.looped for tree in trees):
        yield trees
        return
    start, joints = 0, 0
    for number, tree in enumerate(trees, 1):
        joints += len(tree.branches)
        if number == len(trees) or (joints >= BATCH_SIZE and (number - start) % LANES == 0):
            yield trees[start:number]
            start, joints = number, 0


def _place_branches(trees: list[JointTree], bodies: int) -> Placed:
    """Return the places of all branches and the lanes of all bodies.

    A body has the lane in which it is a child. The roots stand behind the other bodies of their batch.
    """
    branches, places = [np.zeros((0, BRANCH.WIDTH), np.int64)], [np.zeros((0, PLACE.WIDTH), np.int64)]
    body_lane, above = np.zeros(bodies, np.int64), np.zeros(bodies, np.int64)
    rows: list[list[int]] = []
    first, first_lanes, in_trees = 0, 0, 0
    for batch in _batches(trees):
        branch = _sort_by_lot(np.concatenate([tree.branches for tree in batch]))
        roots = np.array([root for tree in batch for root in tree.looped or tree.bodies[:1]], np.int64)
        place = np.empty((len(branch), PLACE.WIDTH), np.int64)
        count = place_branches(branch, roots, above, np.zeros((3, len(branch) + len(roots)), np.int64), place)
        in_tree = branch[:, BRANCH.IN_LOOP] == 0
        in_trees = int(np.max(place[in_tree, PLACE.BLOCK], initial=-1)) + 1
        has_lane = in_tree & (branch[:, BRANCH.CHILD] != NO_BODY)
        lane_block = first_lanes + place[has_lane, PLACE.BLOCK]
        body_lane[branch[has_lane, BRANCH.CHILD]] = LANES * lane_block + place[has_lane, PLACE.LANE]
        body_lane[roots] = LANES * (first_lanes + in_trees) + np.arange(len(roots))
        place[:, PLACE.BLOCK] += first
        stop_lanes = first_lanes + in_trees - (-len(roots) // LANES)
        rows.append([first, first + in_trees, first + count, first_lanes, stop_lanes])
        branches.append(branch)
        places.append(place)
        first, first_lanes = first + count, stop_lanes
    in_trees = rows[-1][BATCH.STOP_TREES] if rows else 0
    place = np.concatenate(places)
    batches = np.array([[0, in_trees, first, 0, first_lanes + 1], *rows], np.int64)  # the last lane block stays empty
    return Placed(
        branch=np.concatenate(branches),
        block=place[:, PLACE.BLOCK],
        lane=place[:, PLACE.LANE],
        body_lane=body_lane,
        batches=batches,
    )


def _sort_by_lot(branch: np.ndarray) -> np.ndarray:
    """Return branches in the order of `place_branches`, those of loops by their entities."""
    in_loop = branch[:, BRANCH.IN_LOOP] != 0
    keys = in_loop, -branch[:, BRANCH.LEVEL], branch[:, BRANCH.KIND], branch[:, BRANCH.SIBLING]
    order = np.lexsort((in_loop * branch[:, BRANCH.ENTITY], *reversed(keys)))
    return branch[order]


def _child_lanes(placed: Placed) -> tuple[np.ndarray, np.ndarray]:
    """Return the lane of each branch's child (j,), and `direct` without the parents (blocks, 2)."""
    direct = np.full((placed.batches[ALL, BATCH.STOP_BLOCK], ENDS.WIDTH), NONE, np.int64)
    for batch in placed.batches[1:].tolist():
        first, stop, lanes = batch[BATCH.FIRST_BLOCK], batch[BATCH.STOP_TREES], batch[BATCH.FIRST_LANES]
        direct[first:stop, ENDS.CHILD] = np.arange(lanes, lanes + stop - first)
    own = direct[placed.block, ENDS.CHILD]
    elsewhere = placed.body_lane[placed.branch[:, BRANCH.CHILD]]
    return np.where(own == NONE, elsewhere, LANES * own + placed.lane), direct


def _add_parents(direct: np.ndarray, placed: Placed, lane_index: np.ndarray) -> np.ndarray:
    """Return `direct` with the parents' lane blocks.

    The parents must occupy the block's own lanes, and no body may be in a lane that is empty in the block.
    """
    in_use = (lane_index[:, LANE_INDEX.BODY] != NONE).sum(axis=1)
    above = np.full((len(direct), LANES), NONE, np.int64)
    parents = placed.body_lane[placed.branch[:, BRANCH.PARENT]]
    above[placed.block, placed.lane] = np.where(parents % LANES == placed.lane, parents // LANES, len(in_use))
    which = above.max(axis=1)
    is_one = ((above == which[:, np.newaxis]) | (above == NONE)).all(axis=1) & (which < len(in_use))
    is_one &= direct[:, ENDS.CHILD] != NONE  # blocks of loops have none of their own
    is_one[is_one] = in_use[which[is_one]] == (above[is_one] != NONE).sum(axis=1)
    direct[is_one, ENDS.PARENT] = which[is_one]
    return direct


def _in_numbers(lanes: np.ndarray) -> np.ndarray:
    """Return the places in `lane_numbers` of some lanes."""
    places: np.ndarray = LANES * LANE.WIDTH * (lanes // LANES) + lanes % LANES
    return places


def _lane_index(placed: Placed, child_lane: np.ndarray, members: np.ndarray, tree_of_body: np.ndarray) -> np.ndarray:
    """Return the index of the body lanes, without the solver's rows."""
    index = lane_array((int(placed.batches[ALL, BATCH.STOP_LANES]), LANE_INDEX.WIDTH, LANES), np.int64)
    index[:, LANE_INDEX.BODY] = index[:, LANE_INDEX.TREE] = NONE
    index[child_lane // LANES, LANE_INDEX.BODY, child_lane % LANES] = placed.branch[:, BRANCH.CHILD]
    lane = placed.body_lane[members]
    index[lane // LANES, LANE_INDEX.BODY, lane % LANES] = members
    index[lane // LANES, LANE_INDEX.TREE, lane % LANES] = tree_of_body[members]
    index[:, LANE_INDEX.GATHERED_BODY] = np.maximum(index[:, LANE_INDEX.BODY], 0)
    return index


def _block_index(placed: Placed, child_lane: np.ndarray, tree_of_body: np.ndarray) -> np.ndarray:
    """Return the index of the joint blocks."""
    child, parent = placed.branch[:, BRANCH.CHILD], placed.branch[:, BRANCH.PARENT]
    index = lane_array((int(placed.batches[ALL, BATCH.STOP_BLOCK]), INDEX.WIDTH, LANES), np.int64)
    index[:, INDEX.TREE] = NONE
    empty = np.array([LANES * (placed.batches[ALL, BATCH.STOP_LANES] - 1)])
    index[:, [INDEX.CHILD, INDEX.PARENT]] = _in_numbers(empty)
    for column, values in (
        (INDEX.CHILD, _in_numbers(child_lane)),
        (INDEX.PARENT, _in_numbers(placed.body_lane[parent])),
        (INDEX.JOINT, placed.branch[:, BRANCH.JOINT]),
        (INDEX.CHILD_BODY, np.maximum(child, 0)),
        (INDEX.PARENT_BODY, np.maximum(parent, 0)),
        (INDEX.TREE, tree_of_body[parent]),
        (INDEX.HAS_CHILD, child != NO_BODY),
        (INDEX.HAS_PARENT, parent != NO_BODY),
    ):
        index[placed.block, column, placed.lane] = values
    return index


def _blocks(placed: Placed) -> np.ndarray:
    """Return the joint blocks, with the signs of their joints."""
    blocks = lane_array((int(placed.batches[ALL, BATCH.STOP_BLOCK]), BLOCK.WIDTH, LANES))
    blocks[:, BLOCK.SIGN] = 1.0
    blocks[placed.block, BLOCK.SIGN, placed.lane] = 2 * placed.branch[:, BRANCH.B_IS_CHILD] - 1
    return blocks
