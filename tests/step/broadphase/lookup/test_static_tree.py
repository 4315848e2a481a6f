"""The static tree stays in order under any insertions and removals, and low."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from ecs_collide.data.pieces import PieceColumns
from ecs_collide.step.broadphase.lookup import static_tree
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree, update_tree
from tests.support.reference.tree_check import check_tree

PLACES = 3000
HIGHEST = 2.0
"""Height over the logarithm of the number of leaves; a tree of the AVL kind stays below 1.44 + a little."""


def random_bounding_boxes(random: Generator, arrangement: str) -> NDArray[np.float64]:
    """Boxes (PLACES, 4) [m]."""
    low = random.uniform(-100.0, 100.0, (PLACES, 2))
    size = random.exponential(1.0, (PLACES, 2))
    if arrangement == "row":
        low = np.stack((np.arange(PLACES), np.zeros(PLACES)), axis=1).astype(float)
    elif arrangement == "one place":
        low[:], size[:] = 1.0, 2.0
    elif arrangement == "outliers":
        low[::10] *= 1e9
        low[5] = 1e300
        low[6] = -1e300
        size[::7] *= 1e5
    return np.hstack((low, low + size))


@pytest.mark.parametrize("arrangement", ["scattered", "row", "one place", "outliers"])
def test_the_tree_stays_valid_under_thousands_of_changes(arrangement: str) -> None:
    random = np.random.default_rng(5)
    columns = PieceColumns(PLACES)
    pieces = columns.arrays
    pieces.box[:] = random_bounding_boxes(random, arrangement)
    pieces.leaf[:] = -1
    tree = StaticTree()
    inside: set[int] = set()
    nothing = np.zeros(0, np.int64)

    def change(insert: NDArray[np.int64], remove: NDArray[np.int64]) -> int:
        tree.reserve(len(insert))
        update_tree(insert, remove, pieces, tree.arrays)
        inside.difference_update(remove.tolist())
        inside.update(insert.tolist())
        return check_tree(tree.arrays, pieces, inside)

    everything = np.arange(PLACES)
    height = change(everything, nothing)
    assert height <= HIGHEST * log2(PLACES)
    for _ in range(40):
        chosen = random.choice(PLACES, 150, replace=False)
        mine = np.isin(chosen, np.array(sorted(inside)))
        stay = chosen[mine][:20]
        pieces.box[stay] += 3.0  # moved: out and in again
        change(np.concatenate((chosen[~mine], stay)), chosen[mine])
    height = change(nothing, np.array(sorted(inside)[200:]))
    assert height <= HIGHEST * log2(200)
    assert change(nothing, np.array(sorted(inside))) == -1


@pytest.mark.parametrize("arrangement", ["nested", "spreading"])
def test_boxes_that_grow_without_end_do_not_make_a_list_of_the_tree(arrangement: str) -> None:
    """Each box is best hung beside all that came before; a query's stack has room for 128 nodes."""
    count = 500
    growth = 1.7 ** np.arange(count)
    pieces = PieceColumns(count).arrays
    if arrangement == "nested":
        pieces.box[:count] = np.stack((-growth, -growth, growth, growth), axis=1)
    else:
        x = growth * (-1.0) ** np.arange(count)
        pieces.box[:count] = np.stack((x, 0.0 * x, x, 0.0 * x), axis=1)
    pieces.leaf[:] = -1
    tree = StaticTree()
    tree.reserve(count)
    update_tree(np.arange(count), np.zeros(0, np.int64), pieces, tree.arrays)
    assert check_tree(tree.arrays, pieces, set(range(count))) <= HIGHEST * log2(count)


def test_single_changes_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_tree, "LEAST_NODES", 2)
    random = np.random.default_rng(1)
    columns = PieceColumns(64)
    pieces = columns.arrays
    pieces.leaf[:] = -1
    tree = StaticTree()
    inside: set[int] = set()
    for _ in range(1500):
        piece = int(random.integers(64))
        row = np.array([piece])
        none = np.zeros(0, np.int64)
        if piece in inside:
            update_tree(none, row, pieces, tree.arrays)
            inside.remove(piece)
        else:
            low = random.uniform(-5.0, 5.0, 2)
            pieces.box[piece] = (*low, *(low + random.random(2)))
            tree.reserve(1)
            update_tree(row, none, pieces, tree.arrays)
            inside.add(piece)
        check_tree(tree.arrays, pieces, inside)


def test_a_piece_that_is_not_in_the_tree_may_be_removed() -> None:
    pieces = PieceColumns(4).arrays
    pieces.leaf[:] = -1
    tree = StaticTree()
    update_tree(np.zeros(0, np.int64), np.arange(4), pieces, tree.arrays)
    assert check_tree(tree.arrays, pieces, set()) == -1
