"""Which joints make trees, and which loops."""

from __future__ import annotations

import numpy as np

from ecs_collide.step.joints.trees.lane_assignment import BRANCH
from ecs_collide.step.joints.trees.loop_layout import lay_out_loops
from ecs_collide.step.joints.trees.structure import NO_BODY, JointTree, Link, grow_trees


def links_between(*pairs: tuple[int, int]) -> list[Link]:
    return [Link(k + 1, k + 1, 0, a, b) for k, (a, b) in enumerate(pairs)]


def grown(joints: list[Link], dynamic: set[int]) -> JointTree:
    """The only tree of some joints."""
    (tree,) = grow_trees(joints, dynamic)
    assert sorted(tree.branches[:, BRANCH.ENTITY]) == [link.entity for link in joints]
    return tree


def test_a_tree_has_no_loop() -> None:
    tree = grown(links_between((0, 1), (1, 2), (1, 3), (3, NO_BODY)), {0, 1, 2, 3})
    assert not tree.looped
    assert not tree.branches[:, BRANCH.IN_LOOP].any()
    assert sorted(tree.bodies) == [0, 1, 2, 3]


def test_joints_that_hang_on_a_ring_form_a_tree_with_its_root_in_the_ring() -> None:
    tree = grown(links_between((0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (0, NO_BODY)), {0, 1, 2, 3, 4})
    assert sorted(tree.looped) == [0, 1, 2]
    hanging = tree.branches[tree.branches[:, BRANCH.IN_LOOP] == 0]
    named = hanging[:, [BRANCH.PARENT, BRANCH.CHILD, BRANCH.LEVEL]].tolist()
    assert sorted(named) == [[0, NO_BODY, 0], [2, 3, 0], [3, 4, 1]]


def test_joints_between_two_rings_are_in_their_loop() -> None:
    tree = grown(links_between((0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 4)), set(range(7)))
    assert sorted(tree.looped) == list(range(7))


def test_two_joints_between_the_same_bodies_are_a_loop() -> None:
    assert sorted(grown(links_between((0, 1), (1, 0), (1, 2)), {0, 1, 2}).looped) == [0, 1]


def test_static_bodies_close_no_loop() -> None:
    assert not any(tree.looped for tree in grow_trees(links_between((7, 0), (0, 1), (1, 7)), {0, 1}))


def test_static_bodies_make_no_tree_of_two() -> None:
    assert [tree.bodies.tolist() for tree in grow_trees(links_between((7, 0), (1, 7)), {0, 1})] == [[0], [1]]


def test_the_band_of_a_net_is_as_wide_as_the_net() -> None:
    size = 12
    across = [(k, k + 1) for k in range(size * size) if (k + 1) % size]
    down = [(k, k + size) for k in range(size * (size - 1))]
    tree = grown(links_between(*across, *down), set(range(size * size)))
    loops = lay_out_loops(tree.looped, np.zeros(size * size, np.int64), tree.branches, tree.branches[:, BRANCH.JOINT])
    assert len(loops.body) == size * size
    assert loops.width.max() <= 3 * (size + 1) + 8


def test_a_hub_is_taken_out_last() -> None:
    count = 30
    spokes = [(0, k) for k in range(1, count + 1)]
    rim = [(k, k % count + 1) for k in range(1, count + 1)]
    tree = grown(links_between(*spokes, *rim), set(range(count + 1)))
    assert tree.looped[-1] == 0
    at = {body: k for k, body in enumerate(tree.looped)}
    assert max(abs(at[a] - at[b]) for a, b in rim) <= 2
