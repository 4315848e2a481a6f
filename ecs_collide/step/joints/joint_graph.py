"""The joints of a world as the solver takes them: their columns, and the trees that they make."""

from __future__ import annotations

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.joints import JointColumns
from ecs_collide.step.joints.limit_rows import Extras, count_rows, extras_for
from ecs_collide.step.joints.solver_joints import Linkage
from ecs_collide.step.joints.trees.joint_trees import Forest
from ecs_collide.step.joints.trees.structure import Link
from ecs_collide.step.joints.trees.tree_blocks import lay_blocks
from ecs_collide.step.joints.trees.tree_rows import Trees, empty_trees


class Assembly:
    """Keeps the trees up to date with the joints that work, and with who is awake."""

    def __init__(self) -> None:
        self.columns = JointColumns()
        self.trees: Trees = empty_trees(0)
        """Those of them that are awake, since the last `bring_up_to_date`."""
        self.extras: Extras = extras_for(0, 0)
        """Room for what those joints ask for beyond their trees."""
        self._forest = Forest()
        self._laid_for: list[int] | None = None
        """The first joints of the trees that are laid, None where any may be another now."""
        self._linkage: Linkage | None = None

    @property
    def count(self) -> int:
        """How many joints work."""
        return self._forest.count

    def relink(self, change: dict[int, Link | None], bodies: Bodies) -> list[Link]:
        """Some joints link this now, or nothing any more; returns what of them there was before."""
        self._laid_for = None
        return self._forest.relink(change, bodies)

    def bring_up_to_date(self, bodies: Bodies) -> None:
        """Lay the blocks of the trees that are awake, where these are others than before."""
        awake = self._forest.awake(bodies)
        if awake != self._laid_for or len(bodies.kind) != len(self.trees.tree):
            self._laid_for = awake
            self.trees = lay_blocks(self._forest.trees(awake), self.columns.arrays.lane, len(bodies.kind))

    def reserve(self) -> None:
        """Make room for all that the joints may ask for."""
        needed, trees = count_rows(self.columns.arrays, self.columns.rows.high), len(self.trees.is_touched)
        if needed > len(self.extras.row) or trees + 1 != len(self.extras.start):
            self.extras = extras_for(next_capacity(len(self.extras.row), needed) if needed else 0, trees)

    @property
    def linkage(self) -> Linkage:
        """All of this as kernels take it; the same one until any part is another."""
        parts = self.columns.arrays, self.trees, self.extras
        if self._linkage is None or any(new is not old for new, old in zip(parts, self._linkage)):
            self._linkage = Linkage(*parts)
        return self._linkage

    @property
    def has_broken(self) -> bool:
        """Whether a joint bore more than it can in the last step."""
        return self.count > 0 and self.trees.broken.item() > 0
