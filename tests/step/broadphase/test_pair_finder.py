"""The pairs are those of the doubly nested loop over the fat boxes, at every moment of a wild world."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator

from ecs_collide.components import BodyKind
from ecs_collide.components.collider import ALL_LAYERS
from ecs_collide.data.bodies import POSE
from ecs_collide.data.pairs import FREE, PAIR
from ecs_collide.data.pieces import NO_BODY, PIECE
from ecs_collide.shapes import Box, Capsule, Circle, HalfPlane, PieceKind, Polygon, Shape
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from tests.support.reference.column_world import PLAIN, ColumnWorld, Filter, Pose
from tests.support.reference.tree_check import check_tree

Wanted = tuple[Shape, Pose, BodyKind, Filter]


def check_found_pairs(world: ColumnWorld, before: dict[int, tuple[int, int]] | None = None) -> None:
    """The pairs are complete, single, in their places and in the order of the table."""
    slots = world.slots()
    found = [tuple(sorted(pair)) for pair in slots.values()]
    assert len(found) == len(set(found)), "a pair twice"
    assert set(found) == world.fat_pairs()
    assert world.nested_loop(world.exact_boxes()) <= set(found), "boxes that overlap without a pair"

    pairs, pieces = world.pairs.arrays, world.pieces.arrays
    assert world.pairs.count == len(slots)
    grouped = pairs.order[: world.pairs.count].tolist()
    rows = pairs.index[grouped, PAIR.ROW].tolist()
    assert grouped == sorted(slots, key=lambda slot: (pairs.index[slot, PAIR.ROW], slot))
    assert sorted(world.pairs.live.tolist()) == sorted(slots)
    assert pairs.row_start.tolist() == np.searchsorted(rows, np.arange(len(PAIR_TABLE) + 1)).tolist()
    for a, b in slots.values():
        assert pieces.index[a, PIECE.KIND] > pieces.index[b, PIECE.KIND] or (
            pieces.index[a, PIECE.KIND] == pieces.index[b, PIECE.KIND] and a < b
        )
    for slot, row in zip(grouped, rows, strict=True):
        a, b = slots[slot]
        assert (PAIR_TABLE[row].kind_a, PAIR_TABLE[row].kind_b) == (
            pieces.index[a, PIECE.KIND],
            pieces.index[b, PIECE.KIND],
        )
    free = world.pairs.free_slots[: len(pairs.index) - world.pairs.count]
    assert set(free.tolist()) == set(np.flatnonzero(pairs.index[:, PAIR.ROW] == FREE).tolist())
    if before is not None:
        now = set(slots.values())
        for slot, pair in before.items():
            if pair in now:
                assert slots.get(slot) == pair, "a lasting pair changed its slot"


def random_shape(random: Generator) -> Shape:
    size = float(random.choice([0.01, 0.2, 0.5, 0.5, 1.0, 30.0], p=[0.1, 0.3, 0.3, 0.15, 0.13, 0.02]))
    pick = random.integers(5)
    if pick == 0:
        return Circle(size, (0.3 * size, 0.0))
    if pick == 1:
        return Capsule((-size, 0.0), (size, 0.5 * size), 0.3 * size)
    if pick == 2:
        return Polygon([(0.0, 0.0), (size, 0.0), (0.0, 2.0 * size)], radius=0.1 * size)
    if pick == 3:
        return Box(20.0 * size, 0.1 * size)
    return Box(size, size)


def random_filter(random: Generator) -> Filter:
    if random.random() < 0.5:
        return PLAIN
    return (
        int(1 << random.integers(3)),
        int(random.choice([ALL_LAYERS, 1, 2, 6])),
        int(random.choice([0, 0, 1, -1, 2])),
        int(random.random() < 0.3),
    )


def random_finder_body(random: Generator) -> Wanted:
    kind = BodyKind(int(random.choice([BodyKind.DYNAMIC, BodyKind.KINEMATIC, BodyKind.STATIC], p=[0.6, 0.1, 0.3])))
    pose = (*random.normal(0.0, 6.0, 2).tolist(), float(random.uniform(-4.0, 4.0)))
    if random.random() < 0.04:
        kind = BodyKind.KINEMATIC if kind is BodyKind.DYNAMIC else kind
        turn = float(random.choice([0.0, 0.5 * np.pi, np.pi, 1.0]))
        return HalfPlane((0.0, 1.0), -8.0), (0.0, 0.0, turn), kind, random_filter(random)
    if random.random() < 0.03:
        far = float(random.choice([1e9, -1e9, 1e45, -1e45, 3e15]))
        pose = (far, float(random.choice([0.0, far])), 0.0)
    return random_shape(random), pose, kind, random_filter(random)


@pytest.mark.parametrize("seed", range(4))
def test_random_changes_keep_the_pairs_of_the_nested_loop(seed: int) -> None:
    random = np.random.default_rng(seed)
    world = ColumnWorld()
    world.add_all(random_finder_body(random) for _ in range(120))
    world.update()
    check_found_pairs(world)
    for _ in range(30):
        before = world.slots()
        chance = random.random()
        if chance < 0.2:
            world.remove(random.choice(sorted(world.held), int(random.integers(1, 12)), replace=False).tolist())
            assert world.slots().items() <= before.items()
            before = world.slots()  # freed rows may be used again for other pieces
        if 0.1 < chance < 0.4:
            world.add_all(random_finder_body(random) for _ in range(int(random.integers(1, 15))))
        if 0.4 < chance < 0.6:
            for row in random.choice(sorted(world.held), 5, replace=False).tolist():
                if not isinstance(world.held[row][0], HalfPlane):
                    world.place(row, (*random.normal(0.0, 6.0, 2).tolist(), float(random.uniform(-4.0, 4.0))))
        if chance < 0.9:
            bodies = world.bodies.arrays
            for row in world.held:
                if bodies.kind[row] != BodyKind.STATIC:
                    bodies.pose[row, [POSE.X, POSE.Y]] += random.normal(0.0, 0.1, 2)
                    bodies.pose[row, POSE.ANGLE] += random.normal(0.0, 0.1)
        world.update()
        check_found_pairs(world, before)
        statics = {
            piece
            for row, (_, pieces) in world.held.items()
            if world.bodies.arrays.kind[row] == BodyKind.STATIC
            for piece in pieces
            if world.pieces.arrays.index[piece, PIECE.KIND] != PieceKind.HALF_PLANE
        }
        check_tree(world.finder.tree.arrays, world.pieces.arrays, statics)


def circles(count: int, place: Callable[[int], tuple[float, float]], radius: float = 0.5) -> list[Wanted]:
    return [(Circle(radius), (*place(k), 0.0), BodyKind.DYNAMIC, PLAIN) for k in range(count)]


@pytest.mark.parametrize("kind", [BodyKind.DYNAMIC, BodyKind.STATIC])
def test_many_bodies_at_one_place(kind: BodyKind) -> None:
    world = ColumnWorld()
    world.add_all((Circle(0.5), (1.0, 2.0, 0.0), kind, PLAIN) for _ in range(80))
    world.add(Circle(0.5), (1.0, 2.0, 0.0))
    world.update()
    check_found_pairs(world)
    assert world.pairs.count == (81 * 80 // 2 if kind is BodyKind.DYNAMIC else 80)


@pytest.mark.parametrize("far", [1e9, 1e18, 1e45, -1e45])
def test_outliers_do_not_disturb_the_crowd(far: float) -> None:
    world = ColumnWorld()
    world.add_all(circles(100, lambda k: (k % 10, k // 10)))
    world.add_all(circles(3, lambda k: (far, far)))
    world.add_all([(Box(1.0, 1.0), (-far, far, 0.0), BodyKind.STATIC, PLAIN)])
    world.update()
    check_found_pairs(world)
    world.place(0, (far, far, 0.0))
    world.place(100, (0.0, 0.0, 0.0))
    world.update()
    check_found_pairs(world)


def test_a_huge_body_among_small_ones() -> None:
    world = ColumnWorld()
    world.add_all(circles(200, lambda k: (0.01 * k, 0.02 * k), radius=0.001))
    world.add(Box(1000.0, 1000.0), (0.0, 0.0, 0.3))
    world.add(Box(0.001, 1e7), (1.0, 0.0, 0.0))
    world.update()
    check_found_pairs(world)


def test_equal_left_sides_and_touching_boxes() -> None:
    world = ColumnWorld()
    world.add_all((Box(1.0, 1.0), (0.0, float(k), 0.0), BodyKind.DYNAMIC, PLAIN) for k in range(50))
    world.update()
    check_found_pairs(world)


def test_a_world_of_nothing() -> None:
    world = ColumnWorld()
    assert not world.update()
    row = world.add(Circle(1.0), (0.0, 0.0, 0.0))
    assert not world.update()
    world.remove([row])
    assert not world.update()
    check_found_pairs(world)
    assert world.pieces.arrays.index[0].tolist()[0] == NO_BODY


def test_nothing_static_meets_nothing_static() -> None:
    world = ColumnWorld()
    world.add_all((Box(2.0, 2.0), (k % 5, k // 5, 0.0), BodyKind.STATIC, PLAIN) for k in range(25))
    world.add_all((Box(2.0, 2.0), (k % 5, k // 5, 0.0), BodyKind.KINEMATIC, PLAIN) for k in range(25))
    world.add(HalfPlane(), (0.0, 0.0, 0.0), BodyKind.STATIC)
    world.update()
    assert world.pairs.count == 0


def test_a_static_body_that_is_put_elsewhere_finds_its_new_neighbours() -> None:
    world = ColumnWorld()
    movers = world.add_all(circles(20, lambda k: (3.0 * k, 0.0)))
    wall = world.add(Box(1.0, 1.0), (0.0, 0.0, 0.0), BodyKind.STATIC)
    world.update()
    wall_piece = world.held[wall][1][0]
    for k in (7, 3, 19):
        world.place(wall, (3.0 * k, 0.0, 0.1 * k))
        world.update()
        assert world.pair_list() == [(wall_piece, world.held[movers[k]][1][0])]
        check_found_pairs(world)


def test_a_half_plane_that_turns_finds_its_new_neighbours() -> None:
    world = ColumnWorld()
    world.add_all(circles(21, lambda k: (3.0 * k - 30.0, 0.0)))
    plane = world.add(HalfPlane((0.0, 1.0), -5.0), (0.0, 0.0, 0.0), BodyKind.KINEMATIC)
    world.update()
    assert world.pairs.count == 0
    world.place(plane, (0.0, 0.0, 0.5 * np.pi))
    world.update()
    assert world.pairs.count == 9
    check_found_pairs(world)
    world.place(plane, (0.0, 0.0, 1.0))
    world.update()
    assert world.pairs.count == 21
    check_found_pairs(world)


def test_a_body_that_comes_later_meets_the_tilted_ground_that_was_there_before() -> None:
    world = ColumnWorld()
    world.add(HalfPlane((1.0, 1.0)), (0.0, 0.0, 0.0), BodyKind.STATIC)
    world.update()
    world.add(Circle(0.5), (0.0, 0.2, 0.0))
    world.update()
    assert world.pairs.count == 1


@pytest.mark.parametrize("gone", [0, 1])
def test_a_pair_with_tilted_ground_goes_with_either_of_the_two(gone: int) -> None:
    world = ColumnWorld()
    rows = [
        world.add(HalfPlane((1.0, 1.0)), (0.0, 0.0, 0.0), BodyKind.STATIC),
        world.add(Circle(0.5), (0.0, 0.2, 0.0)),
    ]
    world.update()
    assert world.pairs.count == 1
    world.remove([rows[gone]])
    assert world.pairs.count == 0
    assert world.slots() == {}


def test_dropped_pairs_that_touched_are_listed() -> None:
    world = ColumnWorld()
    a, b = world.add_all(circles(2, lambda k: (0.5 * k, 0.0)))
    world.update()
    world.pairs.arrays.index[world.pairs.live[0], 6] = 1
    world.place(b, (50.0, 0.0, 0.0))
    world.update()
    assert [tuple(sorted(lost[:2])) for lost in world.finder.pair_exchange.lost] == [
        tuple(sorted(world.bodies.arrays.entity[[a, b]].tolist()))
    ]
    assert world.pairs.count == 0


def history(seed: int) -> list[list[tuple[int, int]]]:
    random = np.random.default_rng(seed)
    world = ColumnWorld()
    world.add_all(random_finder_body(random) for _ in range(150))
    result = []
    for step in range(15):
        if step == 7:
            world.remove(sorted(world.held)[::9])
            world.add_all(random_finder_body(random) for _ in range(20))
        moving = [row for row in world.held if world.bodies.arrays.kind[row] != BodyKind.STATIC]
        world.bodies.arrays.pose[moving, :2] += random.normal(0.0, 0.2, (len(moving), 2))
        world.update()
        result.append(world.pair_list())
    return result


def test_the_order_of_the_pairs_is_always_the_same() -> None:
    assert history(3) == history(3)


def test_no_mover_near_the_tiles_no_work() -> None:
    """500 or 50,000 static tiles: after the first step the finder neither changes a tile's box nor looks at it."""
    seen = []
    for count in (500, 50_000):
        world = ColumnWorld()
        world.add_all(
            (Box(1.0, 1.0), (float(k % 250), -1.0 - float(k // 250), 0.0), BodyKind.STATIC, PLAIN) for k in range(count)
        )
        movers = world.add_all(circles(40, lambda k: (2.0 * k, 3.0)))
        world.update()
        boxes = world.pieces.arrays.box.copy()
        tree = world.finder.tree.arrays
        parts = tree.box, tree.link, tree.root
        nodes = [part.copy() for part in parts]
        assert not world.update()
        pair_counts = []
        for _ in range(30):
            world.bodies.arrays.pose[movers, POSE.Y] -= 0.1
            world.update()
            pair_counts.append(world.pairs.count)
        changed = (world.pieces.arrays.box != boxes).any(axis=1).sum()
        assert all((part == copy).all() for part, copy in zip(parts, nodes, strict=True))
        assert len(world.finder.movers.rows) == 40
        seen.append((pair_counts, int(changed)))
    assert seen[0] == seen[1]
    assert seen[0][0][-1] > 0
    assert seen[0][1] == 40


def test_removing_a_piece_takes_its_pairs_at_once() -> None:
    world = ColumnWorld()
    rows = world.add_all(circles(10, lambda k: (0.1 * k, 0.0)))
    world.update()
    gone = set(world.held[rows[4]][1])
    world.remove([rows[4]])
    assert world.pairs.count == 36
    assert not gone & {piece for pair in world.pair_list() for piece in pair}
    again = world.add(Circle(0.5), (0.4, 0.0, 0.0))
    world.update()
    assert set(world.held[again][1]) == gone, "the freed row is used again"
    check_found_pairs(world)
