"""The graph of bodies and joints, and the trees that it consists of. A change costs what the affected trees cost."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ecs_collide.components.body_kind import DYNAMIC
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.state_list import list_state
from ecs_collide.step.joints.trees.lane_assignment import BRANCH
from ecs_collide.step.joints.trees.structure import NO_BODY, JointTree, Link, grow_trees

NO_TREE = -1


class JointGraph:
    """The links of joints between bodies, and the joint trees, each under the entity of its first joint."""

    state_list = list_state(arrays="_first_joint", contents="_trees _links", renewed={"_listed": None})

    def __init__(self) -> None:
        self._trees: dict[int, JointTree] = {}
        self._links: dict[int, Link] = {}
        """Links by the entities of their joints."""
        self._first_joint = np.zeros(0, np.int64)
        """First joint of the tree of each body row, NO_TREE if it has none (n,)."""
        self._listed: tuple[np.ndarray, np.ndarray] | None = None
        """First joint of each tree, ascending, and a body of it (t,) int64; None if they have to be listed again."""

    @property
    def count(self) -> int:
        """Return the number of joints."""
        return len(self._links)

    def relink(self, change: dict[int, Link | None], bodies: Bodies) -> list[Link]:
        """Replace the links of some joints, or remove them (None); return the links that these joints had before."""
        self._listed = None
        removed = [self._links.pop(entity) for entity in change if entity in self._links]
        added = [link for link in change.values() if link is not None]
        if len(self._first_joint) < len(bodies.kind):
            larger = np.full(next_capacity(len(self._first_joint), len(bodies.kind)), NO_TREE, np.int64)
            larger[: len(self._first_joint)] = self._first_joint
            self._first_joint = larger
        free: dict[int, Link] = {}
        for link in (*removed, *added):
            for body in (link.a, link.b):
                if body != NO_BODY and self._first_joint.item(body) != NO_TREE:
                    free.update(self._cut_down(self._first_joint.item(body)))
        for link in added:
            self._links[link.entity] = free[link.entity] = link
        ends = {body for link in free.values() for body in (link.a, link.b)} - {NO_BODY}
        dynamic = {body for body in ends if bodies.kind.item(body) == DYNAMIC}
        for tree in grow_trees((free[entity] for entity in sorted(free)), dynamic):
            first = int(tree.branches[:, BRANCH.ENTITY].min())
            self._trees[first] = tree
            self._first_joint[tree.bodies] = first
        return removed

    def _cut_down(self, first: int) -> dict[int, Link]:
        """Remove a tree; return those of its links that still exist."""
        tree = self._trees.pop(first)
        self._first_joint[tree.bodies] = NO_TREE
        entities: list[int] = tree.branches[:, BRANCH.ENTITY].tolist()
        return {entity: self._links[entity] for entity in entities if entity in self._links}

    def awake(self, bodies: Bodies) -> list[int]:
        """Return the first joints of the awake trees, ascending. A tree sleeps and wakes as a whole."""
        if self._listed is None:
            firsts = sorted(self._trees)
            roots = [self._trees[first].bodies.item(0) for first in firsts]
            self._listed = np.array(firsts, np.int64), np.array(roots, np.int64)
        listed, bodies_of = self._listed
        awake: list[int] = listed[bodies.island[bodies_of] == 0].tolist()
        return awake

    def trees(self, firsts: Iterable[int]) -> list[JointTree]:
        """Return the trees with the given first joints."""
        return [self._trees[first] for first in firsts]
