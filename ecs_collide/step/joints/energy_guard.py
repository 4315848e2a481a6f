"""Energy guard: rigid joints do no work.

The work of a rigid row on its two bodies in a solve is, with its impulse and its relative velocity e,

    1/2 lambda (e before + e after)                   e after = -(b + Gamma lambda)

in every frame of reference. The chord correction makes up for what a projection loses. If light links whip round under
a load, it adds far more energy than that. So if the rigid rows of a tree do work W > 0 with it, and W_0 < 0 without
it, the tree gets the motion that is W_0 / (W_0 - W) of the way from the latter to the former. Energy is a convex
function of that way, so the work there is not above 0.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, any_lane, load, select, splat, store
from ecs_collide.step.joints.rows.block_algebra import load_triple, store_triple
from ecs_collide.step.joints.solve_trees import select_blocks, solve_trees
from ecs_collide.step.joints.tree_motors import push_slipping
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, INDEX, LANE, LANE_INDEX, NONE, TREE, TREE_COUNT
from ecs_collide.step.joints.velocity_bias import store_parting


@subroutine
def measure_work(trees, column, of_selected):
    """Compute the work of the rigid rows of untouched trees; return True if any tree gains energy.

    Touched trees have no chord correction. Writes a column of TREE [J], for all trees or for selected ones.
    """
    tree_table = trees.tree
    index = trees.block_index
    first = trees.span[BATCH.FIRST_BLOCK]
    stop = trees.span[BATCH.STOP_BLOCK]
    for block in range(first, stop):
        if trees.has_new_trees[block]:
            for lane in range(LANES):
                if index[block, INDEX.TREE, lane] != NONE:
                    tree_table[index[block, INDEX.TREE, lane], column] = 0.0
    work = splat(0.0)
    for block in range(first, stop):
        if not of_selected or trees.is_block_selected[block]:
            untouched = load(trees.blocks[block], BLOCK.CHORD) > 0.0
            if any_lane(untouched):
                work = work + select(untouched, block_work(trees, block), 0.0)
        if block + 1 == stop or trees.has_new_trees[block + 1]:
            store(trees.scratch, 0, work)
            work = splat(0.0)
            for lane in range(LANES):
                if index[block, INDEX.TREE, lane] != NONE:
                    tree_table[index[block, INDEX.TREE, lane], column] += trees.scratch[0, lane]
    found = False
    for block in range(first, stop):
        if trees.has_new_trees[block]:
            for lane in range(LANES):
                tree = index[block, INDEX.TREE, lane]
                found = found or (tree != NONE and tree_table[tree, column] > 0.0)
    return found


@device
def block_work(trees, block):
    """Return the work of the rigid rows of eight joints [J]. Reads PARTING, GAMMA, IMPULSE."""
    field = trees.blocks[block]
    work = row_work(field, 0) + row_work(field, 1)
    if trees.is_pin[block]:
        return work
    is_other = (load(field, BLOCK.OMEGA) > 0.0) | (load(field, BLOCK.MOTOR_MAX) > 0.0)
    return work + select(is_other, 0.0, row_work(field, 2))


@device
def row_work(field, k):
    """Return the work of row k of eight joints [J]."""
    impulse = load(field, BLOCK.IMPULSE + k)
    return 0.5 * impulse * (load(field, BLOCK.PARTING + k) - load(field, BLOCK.GAMMA + k) * impulse)


@subroutine
def remove_work(trees):
    """Lead trees whose rigid rows did work back to motions without work; other trees keep theirs to the bit.

    Reads TREE.WORK, SHIFT of body lanes, PLAIN_BIAS. Writes velocity and ADDED of body lanes, BIAS, PARTING, IMPULSE,
    CHORD_IMPULSE, is_selected.
    """
    nothing = splat(0.0)
    for tree in range(trees.counts[TREE_COUNT.TREES]):
        trees.is_selected[tree] = trees.tree[tree, TREE.WORK] > 0.0
    select_blocks(trees)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        if trees.is_block_selected[block]:
            field = trees.blocks[block]
            for k in range(2 if trees.is_pin[block] and not trees.has_hinge_motors[block] else 3):
                store(field, BLOCK.BIAS + k, load(field, BLOCK.PLAIN_BIAS + k))
                store(field, BLOCK.CHORD_IMPULSE + k, load(field, BLOCK.IMPULSE + k))
                store(field, BLOCK.IMPULSE + k, nothing)
            store_parting(trees, block, LANE.SHIFT)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        store_triple(lanes, LANE.ADDED, load_triple(lanes, LANE.VX))
        store_triple(lanes, LANE.VX, load_triple(lanes, LANE.SHIFT))
    push_slipping(trees, False)
    solve_trees(trees, LANE.VX, BLOCK.BIAS, BLOCK.IMPULSE, True)
    measure_work(trees, TREE.PLAIN_WORK, True)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        interpolate(trees.lanes[s], LANE.VX, LANE.ADDED, chord_shares(trees, trees.lane_index, s, LANE_INDEX.TREE))
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        if trees.is_block_selected[block]:
            shares = chord_shares(trees, trees.block_index, block, INDEX.TREE)
            interpolate(trees.blocks[block], BLOCK.IMPULSE, BLOCK.CHORD_IMPULSE, shares)


@device
def chord_shares(trees, index, place, column):
    """Return the share of the chord correction that each of eight trees keeps, 0 to 1."""
    for lane in range(LANES):
        tree, share = index[place, column, lane], 1.0
        if tree != NONE and trees.is_selected[tree]:
            # A blow may leave more than 0, which says nothing about the next solve.
            least = min(trees.tree[tree, TREE.PLAIN_WORK], 0.0)
            share = least / (least - trees.tree[tree, TREE.WORK])
        trees.scratch[0, lane] = share
    return load(trees.scratch, 0)


@device
def interpolate(numbers, column, wanted, share):
    """Move three numbers in each lane by a share of the way to three others."""
    for k in range(3):
        now, there = load(numbers, column + k), load(numbers, wanted + k)
        store(numbers, column + k, select(share < 1.0, now + share * (there - now), there))
