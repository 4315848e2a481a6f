"""The joints of awake bodies as the solver takes them: their trees in blocks of eight, and room for bounded rows."""

from __future__ import annotations

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.joints import JointColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.step.joints.rows.bounded_rows import BoundedRows, bounded_rows_for, count_rows
from ecs_collide.step.joints.solver_joints import SolverJoints
from ecs_collide.step.joints.trees.joint_graph import JointGraph
from ecs_collide.step.joints.trees.tree_blocks import lay_out_trees
from ecs_collide.step.joints.trees.tree_rows import NO_TREES, TreeBlocks


class JointLayout:
    """Lays out the awake trees of a joint graph for the solver."""

    state_list = list_state(left_out="trees bounded _laid_out _solver_joints")

    def __init__(self, columns: JointColumns, graph: JointGraph) -> None:
        self._columns = columns
        self._graph = graph
        self.trees: TreeBlocks = NO_TREES
        """Trees of the awake joints, since the last `lay_out_awake`."""
        self.bounded: BoundedRows = bounded_rows_for(0, 0)
        """Room for the bounded rows of those joints."""
        self._laid_out: list[int] | None = None
        """The first joint of each tree in `trees`; None if these are of another graph than the present one."""
        self._solver_joints: SolverJoints | None = None

    def forget(self) -> None:
        """Have the trees laid out anew: the graph is another one."""
        self._laid_out = None

    def lay_out_awake(self, bodies: Bodies) -> None:
        """Lay out the trees that are awake, if these are others than before."""
        awake = self._graph.awake(bodies)
        if awake != self._laid_out or len(bodies.kind) != len(self.trees.tree_of_body):
            self._laid_out = awake
            self.trees = lay_out_trees(self._graph.trees(awake), len(bodies.kind), self.trees)

    def reserve(self) -> None:
        """Make room for the bounded rows of all joints in `trees`."""
        needed = count_rows(self._columns.arrays, self.trees)
        trees = len(self.trees.is_touched)
        if needed > len(self.bounded.row) or trees + 1 != len(self.bounded.start):
            self.bounded = bounded_rows_for(next_capacity(len(self.bounded.row), needed) if needed else 0, trees)

    @property
    def solver_joints(self) -> SolverJoints:
        """Return the joints as kernels take them; the same bundle until one of its arrays is replaced."""
        arrays = self._columns.arrays, self.trees, self.bounded
        if self._solver_joints is None or any(new is not old for new, old in zip(arrays, self._solver_joints)):
            self._solver_joints = SolverJoints(joints=arrays[0], trees=arrays[1], bounded=arrays[2])
        return self._solver_joints

    def forget_overload(self) -> None:
        """Forget that a joint was overloaded: a step without length, which solves nothing, does not report it again."""
        self.trees.any_overloaded[0] = 0

    @property
    def has_overloaded(self) -> bool:
        """True if a joint bore more than a threshold, or than it can bear, in the last step."""
        return self._graph.count > 0 and self.trees.any_overloaded.item() > 0
