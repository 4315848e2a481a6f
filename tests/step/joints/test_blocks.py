"""Layout of trees: blocks of joints, and lanes of bodies."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.components.joints.kinds import DISTANCE, REVOLUTE
from ecs_collide.step.joints.trees.lane_assignment import BRANCH
from ecs_collide.step.joints.trees.structure import NO_BODY, JointTree, Link, grow_trees
from ecs_collide.step.joints.trees.tree_blocks import BATCH_SIZE, SHARE, lay_out_trees, number_lots, split_batches
from ecs_collide.step.joints.trees.tree_rows import ALL, BATCH, INDEX, LANE, LANE_INDEX, NO_TREES, NONE, TreeBlocks

WIDTH = 8 * LANE.WIDTH


def laid(
    pairs: list[tuple[int, int]], kinds: list[int] | None = None, room: TreeBlocks = NO_TREES
) -> tuple[list[JointTree], TreeBlocks]:
    """Return the layout of joints between some bodies, all of them dynamic except the world."""
    kinds = kinds or [REVOLUTE] * len(pairs)
    links = [Link(k + 1, k + 1, kind, a, b) for k, ((a, b), kind) in enumerate(zip(pairs, kinds, strict=True))]
    bodies = {body for pair in pairs for body in pair} - {NO_BODY}
    forest = grow_trees(links, bodies)
    return forest, lay_out_trees(forest, max(bodies) + 1, room)


def chains(count: int, length: int) -> list[tuple[int, int]]:
    """Chains whose first links hang on the world."""
    return [
        (NO_BODY if k == 0 else length * chain + k - 1, length * chain + k)
        for chain in range(count)
        for k in range(length)
    ]


def random_forest(random: np.random.Generator, count: int) -> list[tuple[int, int]]:
    """Trees of any shapes; some bodies hang on the world besides."""
    pairs = [(int(random.integers(max(k - 6, 0), k)), k) for k in range(1, count) if random.random() < 0.9]
    return pairs + [(NO_BODY, int(body)) for body in random.choice(count, count // 6, replace=False)]


def check_layout(forest: list[JointTree], trees: TreeBlocks) -> None:
    index, in_trees = trees.block_index, trees.batches[ALL, BATCH.STOP_TREES]
    found = index[:, INDEX.JOINT][index[:, INDEX.TREE] != NONE]
    assert sorted(found) == sorted(joint for tree in forest for joint in tree.branches[:, BRANCH.JOINT])
    assert (trees.lane_index[:, LANE_INDEX.GATHERED_BODY] >= 0).all(), (
        "numbers would be looked up in front of their columns"
    )
    sitting = trees.lane_index[:, LANE_INDEX.BODY][trees.lane_index[:, LANE_INDEX.TREE] != NONE]
    assert sorted(sitting) == sorted(body for tree in forest for body in tree.bodies)
    complete: set[int] = set()
    for block in range(in_trees):
        lanes = np.flatnonzero(index[block, INDEX.TREE] != NONE)
        parents = index[block, INDEX.PARENT_BODY, lanes].tolist()
        children = index[block, INDEX.CHILD_BODY, lanes][index[block, INDEX.HAS_CHILD, lanes] != 0].tolist()
        assert len(set(parents)) == len(parents), "no two of a block may have one parent"
        assert not complete.intersection(parents), "a parent is complete once it was a child"
        complete.update(children)
        for side, body_side in ((INDEX.CHILD, INDEX.CHILD_BODY), (INDEX.PARENT, INDEX.PARENT_BODY)):
            for lane in lanes:
                place, at = divmod(int(index[block, side, lane]), WIDTH)
                body = trees.lane_index[place, LANE_INDEX.BODY, at]
                assert body in (index[block, body_side, lane], NO_BODY)
                if trees.direct[block, side] != NONE:
                    assert place == trees.direct[block, side]
                    assert at == lane
            if trees.direct[block, side] != NONE:
                above = trees.lane_index[trees.direct[block, side], LANE_INDEX.BODY]
                assert set(np.flatnonzero(above != NONE)) <= set(lanes), "an empty lane would push somebody"


@pytest.mark.parametrize("seed", range(20))
def test_every_joint_and_body_has_its_place(seed: int) -> None:
    random = np.random.default_rng(seed)
    pairs = random_forest(random, int(random.integers(2, 120)))
    check_layout(*laid(pairs, random.choice([REVOLUTE, DISTANCE], len(pairs)).tolist()))


def test_a_layout_in_the_room_of_a_larger_one_is_that_in_new_arrays() -> None:
    _, used = laid(chains(30, 5))
    for column in (used.block_index, used.lane_index, used.direct, used.block_kind, used.blocks, used.tree):
        column[:] = 3
    for flags in (used.is_pin, used.has_new_trees, used.is_touched):
        flags[:] = True
    pairs = [*chains(3, 5), (20, 21), (21, 149)]
    _, again = laid(pairs, room=used)
    _, new = laid(pairs)
    assert again.blocks is used.blocks, "there is room enough"
    _, joints, bodies, batches = new.counts.tolist()
    blocks, lane_blocks = new.batches[ALL, [BATCH.STOP_BLOCK, BATCH.STOP_LANES]].tolist()
    in_use = {
        "counts": 4, "batches": batches, "bodies": bodies, "joint_rows": joints, "tree": 4, "is_touched": 4,
        "joint_lane": joints,
        "block_index": blocks, "blocks": blocks, "direct": blocks, "block_kind": blocks, "is_pin": blocks,
        "has_new_trees": blocks, "lanes": lane_blocks, "lane_index": lane_blocks, "tree_of_body": None,
    }  # fmt: skip
    for name, count in in_use.items():
        np.testing.assert_array_equal(getattr(again, name)[:count], getattr(new, name)[:count], name)


def test_nothing_is_gathered_in_trees_of_equal_shape() -> None:
    forest, trees = laid(chains(16, 12))
    check_layout(forest, trees)
    assert (trees.direct != NONE).all()
    assert len(trees.block_index) == 16 * 12 / 8


def test_small_groups_share_blocks() -> None:
    forest, trees = laid(chains(1, 40))
    check_layout(forest, trees)
    assert (
        len(trees.block_index) == 22
    )  # both halves side by side, but for the joints at the root, and one half is longer
    assert (trees.direct[:, 1] == NONE).sum() == 2


def test_many_trees_are_parted_into_batches_of_whole_blocks() -> None:
    forest, trees = laid(chains(50, 40))
    check_layout(forest, trees)
    whole, *batches = trees.batches.tolist()
    assert len(batches) == 7
    assert [batch[BATCH.FIRST_BLOCK] for batch in batches] == [0, *(batch[BATCH.STOP_BLOCK] for batch in batches[:-1])]
    assert [batch[BATCH.FIRST_LANES] for batch in batches] == [0, *(batch[BATCH.STOP_LANES] for batch in batches[:-1])]
    assert batches[-1][BATCH.STOP_BLOCK] == whole[BATCH.STOP_BLOCK]
    for first, in_trees, stop, first_lanes, stop_lanes in batches:
        assert in_trees == stop
        index = trees.block_index[first:stop]
        named = index[:, [INDEX.CHILD, INDEX.PARENT]].transpose(0, 2, 1)[index[:, INDEX.TREE] != NONE]
        assert named.min() // WIDTH >= first_lanes
        assert named.max() // WIDTH < stop_lanes


def test_loops_stand_behind_the_trees() -> None:
    ring = [(k, (k + 1) % 9) for k in range(9)]
    forest, trees = laid([*ring, (3, 9), (9, 10)])
    check_layout(forest, trees)
    assert trees.batches[ALL, BATCH.STOP_TREES] == 2
    assert (trees.direct[2:] == NONE).all()
    places = {int(trees.lane_index[place // WIDTH, LANE_INDEX.BODY, place % WIDTH]) for place in trees.loops.lane}
    assert places == set(range(9))


def lots_of(forest: list[JointTree], is_single: bool) -> tuple[np.ndarray, list[list[int]], np.ndarray]:
    """Return the branches of trees, the trees of each batch, and the order of the branches, made slowly."""
    batches: list[list[int]] = [[]]
    for number, tree in enumerate(forest):
        joints = sum(len(forest[each].branches) for each in batches[-1])
        if joints >= BATCH_SIZE and len(batches[-1]) % 8 == 0 and not is_single:
            batches.append([])
        batches[-1].append(number)
        assert len(tree.branches) > 0
    branches = np.concatenate([tree.branches for tree in forest])
    sizes = [sum(len(forest[each].branches) for each in batch) for batch in batches]
    batch = np.repeat(np.arange(len(batches)), sizes)
    in_loop = branches[:, BRANCH.IN_LOOP]
    keys = batch, in_loop, -branches[:, BRANCH.LEVEL], branches[:, BRANCH.KIND], branches[:, BRANCH.SIBLING]
    return branches, batches, np.lexsort((in_loop * branches[:, BRANCH.ENTITY], *reversed(keys)))


@pytest.mark.parametrize("has_loop", [False, True])
def test_batches_and_their_lots_are_those_of_a_slow_sort(has_loop: bool) -> None:
    random = np.random.default_rng(3)
    pairs = random_forest(random, 1500) + ([(0, 1), (1, 2), (2, 0)] if has_loop else [])
    forest, _ = laid(pairs, random.choice([REVOLUTE, DISTANCE], len(pairs)).tolist())
    members = np.concatenate([tree.bodies for tree in forest])
    shares = np.array([tree.share for tree in forest]).reshape(-1, SHARE.WIDTH)
    roots, stops = np.empty_like(members), np.empty((len(forest), 2), np.int64)
    stops = stops[: split_batches(shares, members, int(has_loop), roots, stops)]
    branches, batches, order = lots_of(forest, has_loop)
    assert has_loop or len(batches) > 3
    assert stops.tolist() == [
        [sum(shares[: batch[-1] + 1, SHARE.JOINTS]), sum(shares[: batch[-1] + 1, SHARE.ROOTS])] for batch in batches
    ]
    expected_roots = [body for tree in forest for body in tree.looped or tree.bodies[:1].tolist()]
    assert roots[: stops[-1, 1]].tolist() == expected_roots
    keys = np.empty(len(branches), np.int64)
    number_lots(branches, stops, keys)
    np.testing.assert_array_equal(np.argsort(keys, kind="stable"), order)
