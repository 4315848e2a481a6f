"""The joints of a world: their columns, and the trees that they make."""

from __future__ import annotations

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.joints import JointColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.step.joints.rows.bounded_rows import BoundedRows, bounded_rows_for, count_rows
from ecs_collide.step.joints.solver_joints import SolverJoints
from ecs_collide.step.joints.trees.joint_trees import JointTrees
from ecs_collide.step.joints.trees.structure import Link
from ecs_collide.step.joints.trees.tree_blocks import lay_out_trees
from ecs_collide.step.joints.trees.tree_rows import NO_TREES, Trees


class JointGraph:
    """The joints of a world with their trees: which work, and which of them are awake."""

    state_list = list_state(
        values="laid_out", objects="columns _joint_trees", left_out="trees bounded _must_lay_out _solver_joints"
    )

    def __init__(self) -> None:
        self.columns = JointColumns()
        self.trees: Trees = NO_TREES
        """Trees of the awake joints, since the last `lay_out_awake`."""
        self.bounded: BoundedRows = bounded_rows_for(0, 0)
        """Room for the bounded rows of those joints."""
        self._joint_trees = JointTrees()
        """All trees, asleep or awake, as lists of joints and bodies."""
        self.laid_out: list[int] | None = None
        """The first joint of each tree in `trees`; None if they must be laid out anew."""
        self._must_lay_out = False
        """True after a restore with other joints, until the trees are laid out again."""
        self._solver_joints: SolverJoints | None = None

    def renew_layout(self, before: list[int] | None) -> None:
        """Lay out the trees anew after a restore, unless the same trees are laid out before and after.

        `before` is the value of `laid_out` before the restore, or None if the joints may be others.
        """
        self._must_lay_out |= before is None or before != self.laid_out

    @property
    def count(self) -> int:
        """Return the number of joints that work."""
        return self._joint_trees.count

    def relink(self, change: dict[int, Link | None], bodies: Bodies) -> list[Link]:
        """Replace the links of some joints, or remove them (None); return the links that these joints had before."""
        self.laid_out = None
        return self._joint_trees.relink(change, bodies)

    def lay_out_awake(self, bodies: Bodies) -> None:
        """Lay out the trees that are awake, if these are others than before."""
        awake = self._joint_trees.awake(bodies)
        if self._must_lay_out or awake != self.laid_out or len(bodies.kind) != len(self.trees.tree_of_body):
            self.laid_out, self._must_lay_out = awake, False
            trees, lanes = self._joint_trees.trees(awake), self.columns.arrays.lane
            self.trees = lay_out_trees(trees, lanes, len(bodies.kind), self.trees)

    def reserve(self) -> None:
        """Make room for the bounded rows of all joints."""
        needed = count_rows(self.columns.arrays, self.columns.rows.high)
        trees = len(self.trees.is_touched)
        if needed > len(self.bounded.row) or trees + 1 != len(self.bounded.start):
            self.bounded = bounded_rows_for(next_capacity(len(self.bounded.row), needed) if needed else 0, trees)

    @property
    def solver_joints(self) -> SolverJoints:
        """Return the joints as kernels take them; the same bundle until a part of it changes."""
        parts = self.columns.arrays, self.trees, self.bounded
        if self._solver_joints is None or any(new is not old for new, old in zip(parts, self._solver_joints)):
            self._solver_joints = SolverJoints(joints=parts[0], trees=parts[1], bounded=parts[2])
        return self._solver_joints

    def forget_overload(self) -> None:
        """Forget that a joint was overloaded: a step without length, which solves nothing, does not report it again."""
        self.trees.any_overloaded[0] = 0

    @property
    def has_overloaded(self) -> bool:
        """True if a joint bore more than a threshold, or than it can bear, in the last step."""
        return self.count > 0 and self.trees.any_overloaded.item() > 0
