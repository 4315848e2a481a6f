"""Put the joints of trees into blocks of eight, and their bodies into lanes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES
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
    TREE_COUNT,
    TreeBlocks,
    tree_room,
)

BATCH_SIZE = 256
"""Number of joints from which a tree batch is complete: their data fits into a core's cache."""
LANE_BLOCK = LANES * LANE.WIDTH
"""Length of a lane block in `lane_numbers`."""
SHARE = layout("share of a tree", JOINTS="number of joints", BODIES="number of bodies", ROOTS="number of roots")

NO_BRANCHES, NO_ROWS = np.zeros((0, BRANCH.WIDTH), np.int64), np.zeros(0, np.int64)


def lay_out_trees(trees: Sequence[JointTree], bodies: int, room: TreeBlocks) -> TreeBlocks:
    """Return the arrays of some trees: those of `room` if they are large enough, else larger ones.

    Args:
        trees: the trees.
        bodies: number of body rows.
        room: arrays of an earlier layout, which are written to.
    """
    joined = np.concatenate([NO_BRANCHES, *[tree.branches for tree in trees]])
    members = np.concatenate([NO_ROWS, *[tree.bodies for tree in trees]])
    looped = list(chain.from_iterable([tree.looped for tree in trees]))
    shares = np.array([tree.share for tree in trees], np.int64).reshape(-1, SHARE.WIDTH)
    roots = np.empty_like(members)
    stops = np.empty((len(trees), 2), np.int64)
    keys = np.empty(len(joined), np.int64)
    stops = stops[: split_batches(shares, members, len(looped) > 0, roots, stops)]
    number_lots(joined, stops, keys)
    order = np.argsort(keys, kind="stable")
    branch = joined.take(order, axis=0)
    place = np.empty((len(branch), PLACE.WIDTH), np.int64)
    batches = np.empty((len(stops) + 1, BATCH.WIDTH), np.int64)
    body_lane, above = np.zeros((2, bodies), np.int64)
    scratch = np.zeros((3, len(branch) + len(roots)), np.int64)
    place_trees(branch, roots, stops, above, scratch, place, body_lane, batches)
    laid = tree_room(
        room,
        blocks=batches.item(ALL, BATCH.STOP_BLOCK),
        lane_blocks=batches.item(ALL, BATCH.STOP_LANES),
        trees=len(trees),
        joints=len(branch),
        batches=len(batches),
        bodies=bodies,
    )
    laid.counts[TREE_COUNT.TREES], laid.counts[TREE_COUNT.JOINTS] = len(trees), len(branch)
    laid.counts[TREE_COUNT.BATCHES] = len(batches)
    laid.batches[: len(batches)], laid.joint_rows[: len(branch)] = batches, joined[:, BRANCH.JOINT]
    lane_of_branch = LANES * place[:, PLACE.BLOCK] + place[:, PLACE.LANE]
    laid.joint_lane[: len(branch)][order] = lane_of_branch
    fill_trees(branch, place, body_lane, above, members, shares, laid)
    if looped:
        is_in_loop = branch[:, BRANCH.IN_LOOP] != 0
        lanes = body_lane[looped]
        places = LANE_BLOCK * (lanes // LANES) + lanes % LANES
        return laid._replace(loops=lay_out_loops(looped, places, branch[is_in_loop], lane_of_branch[is_in_loop]))
    return laid if laid.loops is NO_LOOPS else laid._replace(loops=NO_LOOPS)


@kernel
def split_batches(shares: IntTable, members: Ints, is_single: int, roots: Ints, stops: IntTable):
    """Split trees into batches, all in one if `is_single`; return the number of batches.

    Args:
        shares: columns SHARE of each tree (t, 3).
        members: body rows of all trees, tree by tree, the roots of each first.
        is_single: 1 if all trees belong to one batch.
        roots: written with the body rows of the roots, tree by tree.
        stops: written: where the branches and the roots of each batch end (t, 2).
    """
    count, first, joints, joints_before, body, root = 0, 0, 0, 0, 0, 0
    for tree in range(len(shares)):
        for k in range(shares[tree, SHARE.ROOTS]):
            roots[root] = members[body + k]
            root += 1
        body, joints = body + shares[tree, SHARE.BODIES], joints + shares[tree, SHARE.JOINTS]
        is_full = joints - joints_before >= BATCH_SIZE and (tree + 1 - first) % LANES == 0
        if tree == len(shares) - 1 or (is_full and is_single == 0):
            stops[count, 0], stops[count, 1] = joints, root
            count, first, joints_before = count + 1, tree + 1, joints
    return count


@kernel
def number_lots(branch: IntTable, stops: IntTable, keys: Ints):
    """Write the keys by which branches are sorted: batch by batch in the order of `place_branches`.

    Branches of equal keys keep their order, those of loops get the order of their entities.

    Args:
        branch: columns BRANCH, batch by batch (j, 9).
        stops: where the branches and the roots of each batch end (batches, 2).
        keys: written (j,).
    """
    deepest, last_kind, last_number, batch = 0, 0, 0, 0
    for k in range(len(branch)):
        deepest, last_kind = max(deepest, branch[k, BRANCH.LEVEL]), max(last_kind, branch[k, BRANCH.KIND])
        last_number = max(last_number, number_in_lots(branch[k]))
    for k in range(len(branch)):
        batch += int(k == stops[batch, 0])
        key = (2 * batch + branch[k, BRANCH.IN_LOOP]) * (deepest + 1) + deepest - branch[k, BRANCH.LEVEL]
        key = key * (last_kind + 1) + branch[k, BRANCH.KIND]
        keys[k] = key * (last_number + 1) + number_in_lots(branch[k])


@device
def number_in_lots(branch):
    """Return the number by which branches of one level and kind are sorted."""
    return branch[BRANCH.SIBLING] if branch[BRANCH.IN_LOOP] == 0 else branch[BRANCH.ENTITY]


@kernel
def place_trees(
    branch: IntTable,
    roots: Ints,
    stops: IntTable,
    above: Ints,
    scratch: IntTable,
    place: IntTable,
    body_lane: Ints,
    batches: IntTable,
):
    """Assign blocks and lanes to the branches of all batches, and lanes to the bodies.

    A body has the lane in which it is a child. The roots stand behind the other bodies of their batch.

    Args:
        branch: columns BRANCH, batch by batch in the order of `place_branches` (j, 9).
        roots: body rows of the roots, batch by batch.
        stops: where the branches and the roots of each batch end (batches, 2).
        above: zeros, one for each body row; used up.
        scratch: zeros, at least as many columns as branches and roots; used up (3, n).
        place: columns PLACE, written (j, 2).
        body_lane: written with 8 times the lane block of each body, plus the lane (n,).
        batches: columns BATCH, written: all trees together first (batches + 1, 5).
    """
    start, first_root, first, first_lanes, in_trees = 0, 0, 0, 0, 0
    for number in range(len(stops)):
        stop, stop_root = stops[number, 0], stops[number, 1]
        count = place_branches(branch[start:stop], roots[first_root:stop_root], above, scratch, place[start:stop])
        in_trees = 0
        for k in range(start, stop):
            if branch[k, BRANCH.IN_LOOP] == 0:
                in_trees = max(in_trees, place[k, PLACE.BLOCK] + 1)
                if branch[k, BRANCH.CHILD] != NO_BODY:
                    lane_block = first_lanes + place[k, PLACE.BLOCK]
                    body_lane[branch[k, BRANCH.CHILD]] = LANES * lane_block + place[k, PLACE.LANE]
            place[k, PLACE.BLOCK] += first
        for k in range(first_root, stop_root):
            body_lane[roots[k]] = LANES * (first_lanes + in_trees) + k - first_root
        batch = batches[1 + number]
        batch[BATCH.FIRST_BLOCK], batch[BATCH.FIRST_LANES] = first, first_lanes
        batch[BATCH.STOP_TREES], batch[BATCH.STOP_BLOCK] = first + in_trees, first + count
        in_trees, first = first + in_trees, first + count
        first_lanes += in_trees - batch[BATCH.FIRST_BLOCK] + (stop_root - first_root + LANES - 1) // LANES
        batch[BATCH.STOP_LANES] = first_lanes
        start, first_root = stop, stop_root
    batches[ALL, BATCH.FIRST_BLOCK], batches[ALL, BATCH.FIRST_LANES] = 0, 0
    batches[ALL, BATCH.STOP_TREES], batches[ALL, BATCH.STOP_BLOCK] = in_trees, first
    batches[ALL, BATCH.STOP_LANES] = first_lanes + 1  # the last lane block stays empty


@kernel
def fill_trees(
    branch: IntTable,
    place: IntTable,
    body_lane: Ints,
    marks: Ints,
    members: Ints,
    shares: IntTable,
    trees: TreeBlocks,
):
    """Write the arrays of trees whose joints and bodies have places; what a step computes becomes 0.

    Args:
        branch: columns BRANCH (j, 9).
        place: columns PLACE of these (j, 2).
        body_lane: 8 times the lane block of each body, plus the lane (n,).
        marks: scratch space, a number for each body row.
        members: body rows of all trees, tree by tree.
        shares: columns SHARE of each tree (t, 3).
        trees: with counts, batches and joint rows; written.
    """
    clear_trees(trees)
    first = 0
    for tree in range(len(shares)):
        for body in members[first : first + shares[tree, SHARE.BODIES]]:
            trees.tree_of_body[body] = tree
        first += shares[tree, SHARE.BODIES]
    for batch in trees.batches[ALL + 1 : trees.counts[TREE_COUNT.BATCHES]]:
        for block in range(batch[BATCH.FIRST_BLOCK], batch[BATCH.STOP_TREES]):
            trees.direct[block, ENDS.CHILD] = batch[BATCH.FIRST_LANES] + block - batch[BATCH.FIRST_BLOCK]
    for k in range(len(branch)):
        fill_joint(branch[k], place[k, PLACE.BLOCK], place[k, PLACE.LANE], body_lane, trees)
    for body in members:
        lane_block, lane = body_lane[body] // LANES, body_lane[body] % LANES
        trees.lane_index[lane_block, LANE_INDEX.BODY, lane] = body
        trees.lane_index[lane_block, LANE_INDEX.TREE, lane] = trees.tree_of_body[body]
    for lane_block in range(trees.batches[ALL, BATCH.STOP_LANES]):
        for lane in range(LANES):
            body = trees.lane_index[lane_block, LANE_INDEX.BODY, lane]
            trees.lane_index[lane_block, LANE_INDEX.GATHERED_BODY, lane] = max(body, 0)
    for block in range(trees.batches[ALL, BATCH.STOP_BLOCK]):
        trees.direct[block, ENDS.PARENT] = direct_parents(block, trees)
        trees.has_new_trees[block] = has_new_trees(block, trees)
    list_bodies(branch, marks, trees)


@device
def clear_trees(trees):
    """Write zeros to the arrays of trees as far as they are in use, and empty lanes to the indices."""
    blocks, lane_blocks = trees.batches[ALL, BATCH.STOP_BLOCK], trees.batches[ALL, BATCH.STOP_LANES]
    count = trees.counts[TREE_COUNT.TREES]
    trees.blocks[:blocks] = 0.0
    trees.lanes[:lane_blocks] = 0.0
    trees.block_index[:blocks] = 0
    trees.lane_index[:lane_blocks] = 0
    trees.direct[:blocks] = NONE
    trees.block_kind[:blocks] = 0
    trees.is_pin[:blocks] = False
    trees.has_hinge_motors[:blocks] = False
    trees.has_released[:blocks] = False
    trees.is_block_selected[:blocks] = False
    trees.is_touched[:count] = False
    trees.is_bounded[:count] = False
    trees.is_selected[:count] = False
    trees.tree[:count] = 0.0
    trees.tree_of_body[:] = NONE
    trees.any_overloaded[0] = 0
    for k in range(BATCH.WIDTH):
        trees.span[k] = trees.batches[ALL, k]
    empty = LANE_BLOCK * (lane_blocks - 1)
    for block in range(blocks):
        index = trees.block_index[block]
        for lane in range(LANES):
            index[INDEX.CHILD, lane], index[INDEX.PARENT, lane], index[INDEX.TREE, lane] = empty, empty, NONE
            trees.blocks[block, BLOCK.SIGN, lane] = 1.0
    for lane_block in range(lane_blocks):
        for lane in range(LANES):
            trees.lane_index[lane_block, LANE_INDEX.BODY, lane] = NONE
            trees.lane_index[lane_block, LANE_INDEX.TREE, lane] = NONE


@device
def fill_joint(branch, block, lane, body_lane, trees):
    """Write a branch to its lane of a joint block, and its child to the child's lane."""
    index, child, parent = trees.block_index[block], branch[BRANCH.CHILD], branch[BRANCH.PARENT]
    own = trees.direct[block, ENDS.CHILD]
    child_lane = body_lane[child] if own == NONE else LANES * own + lane
    trees.lane_index[child_lane // LANES, LANE_INDEX.BODY, child_lane % LANES] = child
    index[INDEX.CHILD, lane] = in_numbers(child_lane)
    index[INDEX.PARENT, lane] = in_numbers(body_lane[parent])
    index[INDEX.JOINT, lane] = branch[BRANCH.JOINT]
    index[INDEX.CHILD_BODY, lane], index[INDEX.PARENT_BODY, lane] = max(child, 0), max(parent, 0)
    index[INDEX.TREE, lane] = trees.tree_of_body[parent]
    index[INDEX.HAS_CHILD, lane], index[INDEX.HAS_PARENT, lane] = int(child != NO_BODY), int(parent != NO_BODY)
    trees.block_kind[block] = branch[BRANCH.KIND]
    trees.blocks[block, BLOCK.SIGN, lane] = 2.0 * branch[BRANCH.B_IS_CHILD] - 1.0


@device
def in_numbers(lane):
    """Return the place in `lane_numbers` of a lane, given as 8 times the lane block, plus the lane."""
    return LANE_BLOCK * (lane // LANES) + lane % LANES


@device
def direct_parents(block, trees):
    """Return the lane block that the parents of a block occupy lane by lane, NONE if there is none.

    No body may be in a lane of it that is empty in the block. Blocks of loops have none.
    """
    if trees.direct[block, ENDS.CHILD] == NONE:
        return NONE
    found, joints, bodies = NONE, 0, 0
    for lane in range(LANES):
        if trees.block_index[block, INDEX.TREE, lane] == NONE:
            continue
        parent = trees.block_index[block, INDEX.PARENT, lane]
        lane_block = parent // LANE_BLOCK
        if parent % LANE_BLOCK != lane or (found != NONE and lane_block != found):
            return NONE
        found = lane_block
        joints += 1
    for lane in range(LANES):
        bodies += int(trees.lane_index[found, LANE_INDEX.BODY, lane] != NONE)
    return found if bodies == joints else NONE


@device
def has_new_trees(block, trees):
    """Return True if some lane belongs to another tree than the same lane of the block before."""
    for lane in range(LANES):
        tree = trees.block_index[block, INDEX.TREE, lane]
        if block == 0 or tree != trees.block_index[block - 1, INDEX.TREE, lane]:
            return True
    return False


@device
def list_bodies(branch, marks, trees):
    """List the bodies of all joints but static ones, in ascending order."""
    marks[:] = 0
    for k in range(len(branch)):
        for body in (branch[k, BRANCH.CHILD], branch[k, BRANCH.PARENT]):
            if body != NO_BODY:
                marks[body] = 1
    count = 0
    for body in range(len(marks)):
        if marks[body] != 0:
            trees.bodies[count], trees.solver_row[count] = body, 0
            count += 1
    trees.counts[TREE_COUNT.BODIES] = count
