"""How trees are laid out: blocks of joints, and the seats of bodies."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.components.joints.kinds import DISTANCE, REVOLUTE
from ecs_collide.step.joints.trees import lane_assignment as places, tree_rows as layout
from ecs_collide.step.joints.trees.structure import NOBODY, JointTree, Link, grow_trees
from ecs_collide.step.joints.trees.tree_blocks import lay_blocks
from ecs_collide.step.joints.trees.tree_rows import Trees

WIDTH = 8 * layout.SEAT_WIDTH


def laid(pairs: list[tuple[int, int]], kinds: list[int] | None = None) -> tuple[list[JointTree], Trees]:
    """The layout of joints between some bodies, all of them dynamic but nobody."""
    kinds = kinds or [REVOLUTE] * len(pairs)
    links = [Link(k + 1, k + 1, kind, a, b) for k, ((a, b), kind) in enumerate(zip(pairs, kinds, strict=True))]
    bodies = {body for pair in pairs for body in pair} - {NOBODY}
    forest = grow_trees(links, bodies)
    return forest, lay_blocks(forest, np.zeros(len(links) + 1, np.int64), max(bodies) + 1)


def chains(count: int, length: int) -> list[tuple[int, int]]:
    """Chains whose first links hang on the world."""
    return [
        (NOBODY if k == 0 else length * chain + k - 1, length * chain + k)
        for chain in range(count)
        for k in range(length)
    ]


def random_forest(random: np.random.Generator, count: int) -> list[tuple[int, int]]:
    """Trees of any shapes; some bodies hang on the world besides."""
    pairs = [(int(random.integers(max(k - 6, 0), k)), k) for k in range(1, count) if random.random() < 0.9]
    return pairs + [(NOBODY, int(body)) for body in random.choice(count, count // 6, replace=False)]


def check_layout(forest: list[JointTree], trees: Trees) -> None:
    index, in_trees = trees.index, trees.grove[layout.ALL, layout.IN_TREES]
    found = index[:, layout.JOINT][index[:, layout.TREE] != layout.NONE]
    assert sorted(found) == sorted(joint for tree in forest for joint in tree.branches[:, places.JOINT])
    assert (trees.seat_index[:, layout.SEAT_PLACE] >= 0).all(), "numbers would be looked up in front of their columns"
    sitting = trees.seat_index[:, layout.SEAT_BODY][trees.seat_index[:, layout.SEAT_TREE] != layout.NONE]
    assert sorted(sitting) == sorted(body for tree in forest for body in tree.bodies)
    complete: set[int] = set()
    for block in range(in_trees):
        lanes = np.flatnonzero(index[block, layout.TREE] != layout.NONE)
        parents = index[block, layout.PARENT_BODY, lanes].tolist()
        children = index[block, layout.CHILD_BODY, lanes][trees.field[block, layout.HAS_CHILD, lanes] > 0.0].tolist()
        assert len(set(parents)) == len(parents), "no two of a block may have one parent"
        assert not complete.intersection(parents), "a parent is complete once it was a child"
        complete.update(children)
        for side, body_side in ((layout.CHILD, layout.CHILD_BODY), (layout.PARENT, layout.PARENT_BODY)):
            for lane in lanes:
                seat, at = divmod(int(index[block, side, lane]), WIDTH)
                body = trees.seat_index[seat, layout.SEAT_BODY, at]
                assert body in (index[block, body_side, lane], NOBODY)
                if trees.straight[block, side] != layout.NONE:
                    assert seat == trees.straight[block, side]
                    assert at == lane
            if trees.straight[block, side] != layout.NONE:
                above = trees.seat_index[trees.straight[block, side], layout.SEAT_BODY]
                assert set(np.flatnonzero(above != layout.NONE)) <= set(lanes), "an empty lane would push somebody"


@pytest.mark.parametrize("seed", range(20))
def test_every_joint_and_body_has_its_place(seed: int) -> None:
    random = np.random.default_rng(seed)
    pairs = random_forest(random, int(random.integers(2, 120)))
    check_layout(*laid(pairs, random.choice([REVOLUTE, DISTANCE], len(pairs)).tolist()))


def test_nothing_is_gathered_in_trees_of_equal_shape() -> None:
    forest, trees = laid(chains(16, 12))
    check_layout(forest, trees)
    assert (trees.straight != layout.NONE).all()
    assert len(trees.index) == 16 * 12 / 8


def test_small_groups_share_blocks() -> None:
    forest, trees = laid(chains(1, 40))
    check_layout(forest, trees)
    assert len(trees.index) == 22  # both halves side by side, but for the joints at the root, and one half is longer
    assert (trees.straight[:, 1] == layout.NONE).sum() == 2


def test_many_trees_are_parted_into_groves_of_whole_blocks() -> None:
    forest, trees = laid(chains(50, 40))
    check_layout(forest, trees)
    whole, *groves = trees.grove.tolist()
    assert len(groves) == 7
    assert [grove[layout.FIRST] for grove in groves] == [0, *(grove[layout.STOP] for grove in groves[:-1])]
    assert [grove[layout.FIRST_SEAT] for grove in groves] == [0, *(grove[layout.STOP_SEAT] for grove in groves[:-1])]
    assert groves[-1][layout.STOP] == whole[layout.STOP]
    for first, in_trees, stop, first_seat, stop_seat in groves:
        assert in_trees == stop
        index = trees.index[first:stop]
        named = index[:, [layout.CHILD, layout.PARENT]].transpose(0, 2, 1)[index[:, layout.TREE] != layout.NONE]
        assert named.min() // WIDTH >= first_seat
        assert named.max() // WIDTH < stop_seat


def test_webs_stand_behind_the_trees() -> None:
    ring = [(k, (k + 1) % 9) for k in range(9)]
    forest, trees = laid([*ring, (3, 9), (9, 10)])
    check_layout(forest, trees)
    assert trees.grove[layout.ALL, layout.IN_TREES] == 2
    assert (trees.straight[2:] == layout.NONE).all()
    places = {int(trees.seat_index[seat // WIDTH, layout.SEAT_BODY, seat % WIDTH]) for seat in trees.web.seat}
    assert places == set(range(9))
