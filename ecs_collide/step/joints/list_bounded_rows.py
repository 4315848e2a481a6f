"""List the bounded rows of all joints: limits, motors, friction and targets."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints.kinds.table import append_bounded_rows
from ecs_collide.step.joints.trees.tree_rows import INDEX, TREE_COUNT


@device
def list_bounded_rows(trees, bounded, joints, substep):
    """List the bounded rows that count now, tree by tree; return how many there are.

    Reads the rows of the blocks, joint_numbers, the body lanes. Writes bounded_row, bounded_index, bounded_start.
    """
    count, tree = 0, 0
    for k in range(trees.counts[TREE_COUNT.JOINTS]):
        block, lane = trees.joint_lane[k] // LANES, trees.joint_lane[k] % LANES
        while tree <= trees.block_index[block, INDEX.TREE, lane]:
            bounded.start[tree] = count
            tree += 1
        kind, numbers = trees.block_kind[block], joints.numbers[trees.joint_rows[k]]
        count = append_bounded_rows(kind, trees, bounded, (block, lane), count, numbers, substep)
    while tree < len(bounded.start):
        bounded.start[tree] = count
        tree += 1
    return count
