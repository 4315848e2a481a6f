"""The joints of a world, as the solver takes them."""

from __future__ import annotations

from ecs_collide.data.joints import JointColumns, Joints
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.step.joints.rows.bounded_rows import BoundedRows, bounded_rows_for
from ecs_collide.step.joints.trees.tree_rows import NO_TREES, TreeBlocks


class SolverJoints(Bundle):
    """The joint columns and the arrays of the joint solver."""

    joints: Joints
    """Columns of all joints."""
    trees: TreeBlocks
    """Trees of the joints whose bodies are awake."""
    bounded: BoundedRows
    """Room for the limits, motors, friction and targets of these joints."""


NO_JOINTS = SolverJoints(joints=JointColumns(1).arrays, trees=NO_TREES, bounded=bounded_rows_for(0, 0))
"""The joints of a world that has none."""
