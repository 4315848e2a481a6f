"""Put the branches of the trees into blocks of eight, and the bodies into seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ecs_collide.data.row_lists import each_once
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.joints.trees import lane_assignment as of_branch, tree_rows as layout
from ecs_collide.step.joints.trees.lane_assignment import place_branches
from ecs_collide.step.joints.trees.loop_layout import NO_WEB, lay_web
from ecs_collide.step.joints.trees.structure import NOBODY, JointTree
from ecs_collide.step.joints.trees.tree_rows import Trees

GROVE = 256
"""So many joints, or a few more, are a grove: what is known of them stays in a core's cache. Where there are two
thousand that is a tenth of the solver's time."""


class Placed(NamedTuple):
    """Branches with their places."""

    branch: np.ndarray
    """Lot by lot, grove by grove (j, 9)."""
    block: np.ndarray
    """The block of each (j,)."""
    lane: np.ndarray
    """And the lane (j,)."""
    seat: np.ndarray
    """8 times the seat block, and the lane, of each body row; only those of bodies of trees mean anything (n,)."""
    grove: np.ndarray
    """The rows of `grove`, the whole forest first (groves + 1, 5)."""


def lay_blocks(trees: list[JointTree], lane: np.ndarray, bodies: int) -> Trees:
    """The blocks of some trees, and where each joint is, in `lane` (n,). `bodies` is the number of body rows."""
    members = np.array([body for tree in trees for body in tree.bodies], np.int64)
    tree_of = np.full(bodies, layout.NONE, np.int64)
    tree_of[members] = np.repeat(np.arange(len(trees)), [len(tree.bodies) for tree in trees])
    placed = _placed(trees, bodies)
    branch, block, in_lane, seat, grove = placed
    blocks, seats = int(grove[layout.ALL, layout.STOP]), int(grove[layout.ALL, layout.STOP_SEAT])
    numbers = lane_array((seats * layout.SEAT_WIDTH * LANES,))
    child_seat, straight = _child_seats(placed)
    seat_index = _seat_index(placed, child_seat, members, tree_of)
    lane.fill(layout.NONE)
    lane[branch[:, of_branch.JOINT]] = LANES * block + in_lane
    index = _index(placed, child_seat, tree_of)
    kind = np.zeros(blocks, np.int64)
    kind[block] = branch[:, of_branch.KIND]
    named = each_once(branch[:, of_branch.CHILD], branch[:, of_branch.PARENT])
    named = named[named != NOBODY]
    web = [body for tree in trees for body in tree.web]
    listed = [tree.branches[:, of_branch.JOINT] for tree in trees]
    return Trees(
        index,
        _field(placed),
        numbers.reshape(-1, layout.SEAT_WIDTH, LANES),
        numbers,
        seat_index,
        straight if len(block) == 0 else _with_parents(straight, placed, seat_index),
        _has_others(index),
        grove,
        grove[layout.ALL].copy(),
        lane_array((6, LANES)),
        kind,
        np.zeros(blocks, np.bool_),
        named,
        np.zeros(len(named), np.int64),
        tree_of,
        np.zeros(len(trees), np.bool_),
        np.zeros(len(trees), np.bool_),
        np.zeros(blocks, np.bool_),
        np.zeros((len(trees), layout.PACE_WIDTH)),
        np.concatenate([np.zeros(0, np.int64), *listed]),
        np.zeros(1, np.int64),
        lay_web(web, _offset(seat[web]), branch[branch[:, of_branch.IN_WEB] != 0], lane) if web else NO_WEB,
    )


def _groves(trees: list[JointTree]) -> Iterator[list[JointTree]]:
    """Some trees, parted where there are many; not where any hang on webs."""
    if any(tree.web for tree in trees):
        yield trees
        return
    start, joints = 0, 0
    for number, tree in enumerate(trees, 1):
        joints += len(tree.branches)
        if number == len(trees) or (joints >= GROVE and (number - start) % LANES == 0):
            yield trees[start:number]
            start, joints = number, 0


def _placed(trees: list[JointTree], bodies: int) -> Placed:
    """The places of all branches, and the seats of all bodies.

    Bodies sit where they are children, and the roots behind all of their grove.
    """
    branches, places = [np.zeros((0, of_branch.WIDTH), np.int64)], [np.zeros((0, 2), np.int64)]
    seat, above = np.zeros(bodies, np.int64), np.zeros(bodies, np.int64)
    rows: list[list[int]] = []
    first, first_seat, in_trees = 0, 0, 0
    for grove in _groves(trees):
        branch = _by_lot(np.concatenate([tree.branches for tree in grove]))
        roots = np.array([root for tree in grove for root in tree.web or tree.bodies[:1]], np.int64)
        place = np.empty((len(branch), 2), np.int64)
        count = place_branches(branch, roots, above, np.zeros((3, len(branch) + len(roots)), np.int64), place)
        stands = branch[:, of_branch.IN_WEB] == 0
        in_trees = int(np.max(place[stands, of_branch.BLOCK], initial=-1)) + 1
        sits = stands & (branch[:, of_branch.CHILD] != NOBODY)
        seat[branch[sits, of_branch.CHILD]] = (
            LANES * (first_seat + place[sits, of_branch.BLOCK]) + place[sits, of_branch.LANE]
        )
        seat[roots] = LANES * (first_seat + in_trees) + np.arange(len(roots))
        place[:, of_branch.BLOCK] += first
        stop_seat = first_seat + in_trees - (-len(roots) // LANES)
        rows.append([first, first + in_trees, first + count, first_seat, stop_seat])
        branches.append(branch)
        places.append(place)
        first, first_seat = first + count, stop_seat
    in_trees = rows[-1][layout.IN_TREES] if rows else 0
    place = np.concatenate(places)
    grove_rows = np.array([[0, in_trees, first, 0, first_seat + 1], *rows], np.int64)  # nobody sits in the last one
    return Placed(np.concatenate(branches), place[:, of_branch.BLOCK], place[:, of_branch.LANE], seat, grove_rows)


def _by_lot(branch: np.ndarray) -> np.ndarray:
    """Branches as `place_branches` takes them; those in webs by their entities, so in one order for all of these."""
    is_web = branch[:, of_branch.IN_WEB] != 0
    keys = is_web, -branch[:, of_branch.LEVEL], branch[:, of_branch.KIND], branch[:, of_branch.SIBLING]
    order = np.lexsort((is_web * branch[:, of_branch.ENTITY], *reversed(keys)))
    return branch[order]


def _child_seats(placed: Placed) -> tuple[np.ndarray, np.ndarray]:
    """Where the child of each branch sits (j,); and `straight`, as yet without the parents (blocks, 2)."""
    branch, block, lane, seat, grove = placed
    straight = np.full((grove[layout.ALL, layout.STOP], 2), layout.NONE, np.int64)
    for first, in_trees, _, first_seat, _ in grove[1:].tolist():
        straight[first:in_trees, layout.CHILD] = np.arange(first_seat, first_seat + in_trees - first)
    own = straight[block, layout.CHILD]
    return np.where(own == layout.NONE, seat[branch[:, of_branch.CHILD]], LANES * own + lane), straight


def _with_parents(straight: np.ndarray, placed: Placed, seat_index: np.ndarray) -> np.ndarray:
    """The same, with the seat blocks of parents that sit in a block's own lanes, and nobody above its empty ones."""
    branch, block, lane, seat, _ = placed
    taken = (seat_index[:, layout.SEAT_BODY] != layout.NONE).sum(axis=1)
    above = np.full((len(straight), LANES), layout.NONE, np.int64)
    parents = seat[branch[:, of_branch.PARENT]]
    above[block, lane] = np.where(parents % LANES == lane, parents // LANES, len(taken))
    which = above.max(axis=1)
    is_one = ((above == which[:, np.newaxis]) | (above == layout.NONE)).all(axis=1) & (which < len(taken))
    is_one &= straight[:, layout.CHILD] != layout.NONE  # webs have none of their own
    is_one[is_one] = taken[which[is_one]] == (above[is_one] != layout.NONE).sum(axis=1)
    straight[is_one, layout.PARENT] = which[is_one]
    return straight


def _has_others(index: np.ndarray) -> np.ndarray:
    """Whether a block's lanes belong to other trees than the block's before it."""
    trees = index[:, layout.TREE]
    result: np.ndarray = np.ones(len(trees), np.bool_)
    result[1:] = (trees[1:] != trees[:-1]).any(axis=1)
    return result


def _offset(seats: Any) -> Any:
    """Where in `numbers` each of some seats is."""
    return LANES * layout.SEAT_WIDTH * (seats // LANES) + seats % LANES


def _seat_index(placed: Placed, child_seat: np.ndarray, members: np.ndarray, tree_of: np.ndarray) -> np.ndarray:
    """Who sits where."""
    seats = placed.grove[layout.ALL, layout.STOP_SEAT]
    index = lane_array((int(seats), layout.SEAT_INDEX_WIDTH, LANES), np.int64)
    index[:, layout.SEAT_BODY] = index[:, layout.SEAT_TREE] = layout.NONE
    index[child_seat // LANES, layout.SEAT_BODY, child_seat % LANES] = placed.branch[:, of_branch.CHILD]
    seat = placed.seat[members]
    index[seat // LANES, layout.SEAT_BODY, seat % LANES] = members
    index[seat // LANES, layout.SEAT_TREE, seat % LANES] = tree_of[members]
    index[:, layout.SEAT_PLACE] = np.maximum(index[:, layout.SEAT_BODY], 0)
    return index


def _index(placed: Placed, child_seat: np.ndarray, tree_of: np.ndarray) -> np.ndarray:
    """The index of the blocks."""
    branch, block, lane, seat, grove = placed
    index = lane_array((int(grove[layout.ALL, layout.STOP]), layout.INDEX_WIDTH, LANES), np.int64)
    index[:, layout.TREE] = layout.NONE
    nobody = LANES * (grove[layout.ALL, layout.STOP_SEAT] - 1)
    index[:, [layout.CHILD, layout.PARENT]] = _offset(nobody)
    for column, values in (
        (layout.CHILD, _offset(child_seat)),
        (layout.PARENT, _offset(seat[branch[:, of_branch.PARENT]])),
        (layout.JOINT, branch[:, of_branch.JOINT]),
        (layout.CHILD_BODY, np.maximum(branch[:, of_branch.CHILD], 0)),
        (layout.PARENT_BODY, np.maximum(branch[:, of_branch.PARENT], 0)),
        (layout.TREE, tree_of[branch[:, of_branch.PARENT]]),
    ):
        index[block, column, lane] = values
    return index


def _field(placed: Placed) -> np.ndarray:
    """The fields of the blocks, with what is known of them before any step."""
    branch, block, lane, _, grove = placed
    field = lane_array((int(grove[layout.ALL, layout.STOP]), layout.WIDTH, LANES))
    field[:, layout.SIGN] = 1.0
    field[block, layout.HAS_CHILD, lane] = branch[:, of_branch.CHILD] != NOBODY
    field[block, layout.HAS_PARENT, lane] = branch[:, of_branch.PARENT] != NOBODY
    field[block, layout.SIGN, lane] = 2 * branch[:, of_branch.B_IS_CHILD] - 1
    return field
