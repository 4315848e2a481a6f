"""The trees of joints that come and go are those of the joints that are left."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.components.body_kind import DYNAMIC, STATIC
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.step.joints.trees.joint_graph import JointGraph
from ecs_collide.step.joints.trees.structure import NO_BODY, Link
from ecs_collide.step.joints.trees.tree_blocks import lay_out_trees
from ecs_collide.step.joints.trees.tree_rows import NO_TREES, TreeBlocks

BODIES, JOINTS = 60, 70


def bodies_some_static(random: np.random.Generator) -> BodyColumns:
    columns = BodyColumns()
    columns.allocate_rows(BODIES)
    columns.arrays.kind[:BODIES] = np.where(random.random(BODIES) < 0.2, STATIC, DYNAMIC)
    return columns


def any_link(entity: int, random: np.random.Generator) -> Link:
    """A joint between two bodies, or of one with the world; now and then one that nothing dynamic has part in."""
    a, b = random.choice(BODIES, 2, replace=False).tolist()
    return Link(entity, entity + 1, int(random.integers(2)), NO_BODY if random.random() < 0.2 else a, b)


def tree_columns(trees: TreeBlocks) -> list[np.ndarray]:
    *columns, loops = trees
    return [*columns, *loops]


@pytest.mark.parametrize("seed", range(10))
def test_a_forest_that_was_changed_is_one_that_was_grown_at_once(seed: int) -> None:
    random = np.random.default_rng(seed)
    bodies = bodies_some_static(random).arrays
    kept, links = JointGraph(), dict[int, Link]()
    for _ in range(30):
        entities = random.choice(JOINTS, int(random.integers(1, 8)), replace=False).tolist()
        change = {entity: None if random.random() < 0.4 else any_link(entity, random) for entity in entities}
        there = [links[entity] for entity in entities if entity in links]
        assert sorted(kept.relink(change, bodies)) == sorted(there)
        links = {entity: link for entity, link in {**links, **change}.items() if link is not None}
        grown = JointGraph()
        grown.relink(dict(links), bodies)
        assert kept.count == grown.count == len(links)
        assert kept.awake(bodies) == grown.awake(bodies)
        laid, anew = (
            lay_out_trees(graph.trees(graph.awake(bodies)), len(bodies.kind), NO_TREES) for graph in (kept, grown)
        )
        for column, expected in zip(tree_columns(laid), tree_columns(anew), strict=True):
            np.testing.assert_array_equal(column, expected)
