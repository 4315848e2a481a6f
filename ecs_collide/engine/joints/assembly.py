"""The joints of a world as the solver takes them: their columns, and the trees that they make."""

from __future__ import annotations

import numpy as np

from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.growth import next_capacity
from ecs_collide.columns.joints import JointColumns
from ecs_collide.components.body_kind import DYNAMIC
from ecs_collide.engine.joints.extra_rows import Extras, count_rows, extras_for
from ecs_collide.engine.joints.forest.blocks import lay_blocks
from ecs_collide.engine.joints.forest.layout import Trees, empty_trees
from ecs_collide.engine.joints.forest.structure import Forest, Link, grow_trees
from ecs_collide.engine.joints.linkage import Linkage


class Assembly:
    """Keeps the trees up to date with the joints that work, and with who is awake."""

    def __init__(self) -> None:
        self.columns = JointColumns()
        self.count = 0
        """How many joints work."""
        self.trees: Trees = empty_trees(0)
        """Those of them that are awake, since the last `bring_up_to_date`."""
        self.extras: Extras = extras_for(0, 0)
        """Room for what those joints ask for beyond their trees."""
        self._forest = Forest([], {}, [])
        self._laid_for: np.ndarray | None = None
        """The awake bodies that `trees` belongs to."""
        self._linkage: Linkage | None = None

    def set_links(self, links: list[Link], bodies: Bodies) -> None:
        """These joints work from now on, given in the order of their entities."""
        self.count = len(links)
        rows = sorted({row for link in links for row in (link.a, link.b) if row >= 0})
        dynamic = set(np.array(rows, np.int64)[bodies.kind[rows] == DYNAMIC].tolist())
        self._forest = grow_trees(links, dynamic)
        self._laid_for = None

    def bring_up_to_date(self, awake: np.ndarray, bodies: Bodies) -> None:
        """Lay the blocks of the joints between bodies that are awake, where these are others than before."""
        if awake is self._laid_for and len(bodies.kind) == len(self.trees.tree):
            return
        self._laid_for = awake
        branches, trees, web = self._forest
        sleeping = {tree for body, tree in trees.items() if bodies.island[body] != 0}
        forest = Forest(
            [branch for branch in branches if branch.tree not in sleeping],
            {body: tree for body, tree in trees.items() if tree not in sleeping},
            [body for body in web if trees[body] not in sleeping],
        )
        self.trees = lay_blocks(forest, self.columns.arrays.lane, len(bodies.kind))

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
