"""Which joints make trees, and which webs."""

from __future__ import annotations

import numpy as np

from ecs_collide.engine.joints.forest.structure import NOBODY, Link, grow_trees
from ecs_collide.engine.joints.forest.web import lay_web


def links(*pairs: tuple[int, int]) -> list[Link]:
    return [Link(k + 1, 0, a, b) for k, (a, b) in enumerate(pairs)]


def test_a_tree_has_no_web() -> None:
    forest = grow_trees(links((0, 1), (1, 2), (1, 3), (3, NOBODY)), {0, 1, 2, 3})
    assert not forest.web
    assert not any(branch.in_web for branch in forest.branches)
    assert len(forest.branches) == 4
    assert set(forest.trees.values()) == {0}


def test_what_hangs_on_a_ring_is_a_tree_whose_root_is_in_it() -> None:
    forest = grow_trees(links((0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (0, NOBODY)), {0, 1, 2, 3, 4})
    assert sorted(forest.web) == [0, 1, 2]
    hanging = [(branch.parent, branch.child, branch.level) for branch in forest.branches if not branch.in_web]
    assert sorted(hanging) == [(0, NOBODY, 0), (2, 3, 0), (3, 4, 1)]
    assert set(forest.trees.values()) == {0}


def test_what_stands_between_two_rings_is_in_their_web() -> None:
    forest = grow_trees(links((0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 4)), set(range(7)))
    assert sorted(forest.web) == list(range(7))


def test_two_joints_between_the_same_bodies_are_a_loop() -> None:
    assert sorted(grow_trees(links((0, 1), (1, 0), (1, 2)), {0, 1, 2}).web) == [0, 1]


def test_static_bodies_close_no_loop() -> None:
    assert not grow_trees(links((7, 0), (0, 1), (1, 7)), {0, 1}).web


def test_the_band_of_a_net_is_as_wide_as_the_net() -> None:
    size = 12
    across = [(k, k + 1) for k in range(size * size) if (k + 1) % size]
    down = [(k, k + size) for k in range(size * (size - 1))]
    forest = grow_trees(links(*across, *down), set(range(size * size)))
    web = lay_web(forest.web, dict.fromkeys(forest.web, 0), forest.branches, np.arange(len(across) + len(down) + 1))
    assert len(web.body) == size * size
    assert web.width.max() <= 3 * (size + 1) + 8


def test_a_hub_is_taken_out_last() -> None:
    count = 30
    spokes = [(0, k) for k in range(1, count + 1)]
    rim = [(k, k % count + 1) for k in range(1, count + 1)]
    forest = grow_trees(links(*spokes, *rim), set(range(count + 1)))
    assert forest.web[-1] == 0
    places = {body: k for k, body in enumerate(forest.web)}
    assert max(abs(places[a] - places[b]) for a, b in rim) <= 2
