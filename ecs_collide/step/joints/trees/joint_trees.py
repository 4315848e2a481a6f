"""The trees that a world's joints make: a change costs what its trees cost, not what the others do."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ecs_collide.components.body_kind import DYNAMIC
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.row_lists import each_once
from ecs_collide.step.joints.trees import lane_assignment as of_branch
from ecs_collide.step.joints.trees.structure import NOBODY, JointTree, Link, grow_trees

NO_TREE = -1


class Forest:
    """Keeps the trees, each under the entity of its first joint."""

    def __init__(self) -> None:
        self._trees: dict[int, JointTree] = {}
        self._links: dict[int, Link] = {}
        """By the entities of their joints."""
        self._tree_of = np.zeros(0, np.int64)
        """Under what each body row's tree stands."""

    @property
    def count(self) -> int:
        """How many joints there are."""
        return len(self._links)

    def relink(self, change: dict[int, Link | None], bodies: Bodies) -> list[Link]:
        """Some joints link this now, or nothing any more; returns what of them there was before."""
        gone = [self._links.pop(entity) for entity in change if entity in self._links]
        come = [link for link in change.values() if link is not None]
        if len(self._tree_of) < len(bodies.kind):
            larger = np.full(next_capacity(len(self._tree_of), len(bodies.kind)), NO_TREE, np.int64)
            larger[: len(self._tree_of)] = self._tree_of
            self._tree_of = larger
        loose: dict[int, Link] = {}
        for link in (*gone, *come):
            for body in (link.a, link.b):
                if body != NOBODY and self._tree_of.item(body) != NO_TREE:
                    loose.update(self._felled(self._tree_of.item(body)))
        for link in come:
            self._links[link.entity] = loose[link.entity] = link
        ends = {body for link in loose.values() for body in (link.a, link.b)} - {NOBODY}
        dynamic = {body for body in ends if bodies.kind.item(body) == DYNAMIC}
        for tree in grow_trees((loose[entity] for entity in sorted(loose)), dynamic):
            first = int(tree.branches[:, of_branch.ENTITY].min())
            self._trees[first] = tree
            self._tree_of[tree.bodies] = first
        return gone

    def _felled(self, first: int) -> dict[int, Link]:
        """Take out a tree; those of the links that it was made of that are there still."""
        tree = self._trees.pop(first)
        self._tree_of[tree.bodies] = NO_TREE
        entities: list[int] = tree.branches[:, of_branch.ENTITY].tolist()
        return {entity: self._links[entity] for entity in entities if entity in self._links}

    def awake(self, bodies: Bodies) -> list[int]:
        """The first joints of the trees that are awake, ascending: a tree sleeps and wakes as a whole."""
        tree_of = self._tree_of[: len(bodies.island)]
        firsts: list[int] = each_once(tree_of[(tree_of != NO_TREE) & (bodies.island[: len(tree_of)] == 0)]).tolist()
        return firsts

    def trees(self, firsts: Iterable[int]) -> list[JointTree]:
        """The trees that stand under some joints."""
        return [self._trees[first] for first in firsts]
