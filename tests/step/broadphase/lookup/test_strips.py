"""The strips hold every piece where it is, answer what is in a box, and look only where something moved."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.common.tolerances import BOX_LEAD
from ecs_collide.components import BodyKind
from ecs_collide.components.collider import ALL_LAYERS
from ecs_collide.data.bodies import POSE, VELOCITY
from ecs_collide.data.pieces import BOX, EMPTY_BOX, PIECE, PIECE_SIZE
from ecs_collide.kernels.simd import LANES
from ecs_collide.shapes import Box, Circle
from ecs_collide.step.broadphase.boxes import BACK, FRONT
from ecs_collide.step.broadphase.lookup.build_strips import build_strips
from ecs_collide.step.broadphase.lookup.strip_sweep import pieces_in_box
from ecs_collide.step.broadphase.lookup.strips import ENTRY, INERT, SCALE, strip_of
from tests.step.broadphase.test_pair_finder import Wanted, circles
from tests.support.reference.column_world import PLAIN, ColumnWorld


def check_strips(world: ColumnWorld) -> None:
    """Every moving piece is in the slots of all strips that its box reaches, once; each slot is sorted."""
    strips, pieces = world.finder.search.arrays.strips, world.pieces.arrays
    mask = len(strips.filled) - 1
    expected = {
        (strip & mask, piece)
        for piece in world.finder.movers.rows.tolist()
        for strip in range(
            strip_of(pieces.box[piece, BOX.MIN_Y], strips.scale[SCALE.PER_HEIGHT]),
            strip_of(pieces.box[piece, BOX.MAX_Y], strips.scale[SCALE.PER_HEIGHT]) + 1,
        )[: mask + 1]
    }
    held: list[tuple[int, int]] = []
    places: list[int] = []
    for slot, (start, room, filled) in enumerate(zip(strips.start, strips.room, strips.filled, strict=True)):
        assert start % LANES == room % LANES == 0 and filled <= room
        places.extend(range(start, start + room))
        entries = strips.entry[:, start : start + filled]
        rows = entries[ENTRY.PIECE].astype(int).tolist()
        assert (pieces.box[rows] == entries[ENTRY.NOW : ENTRY.BEFORE].T).all()
        keys = list(zip(entries[BOX.MIN_X].tolist(), rows, strict=True))
        assert keys == sorted(keys)
        held.extend((slot, row) for row in rows)
    assert len(held) == len(set(held))
    assert set(held) == expected
    assert len(places) == len(set(places)), "two slots share a place"
    assert max(places) < strips.spare[0] <= strips.entry.shape[1] - LANES


def lively_world(random: np.random.Generator) -> tuple[ColumnWorld, list[int]]:
    world = ColumnWorld()
    sizes = random.choice([0.05, 0.3, 0.5, 4.0], 150, p=[0.2, 0.4, 0.35, 0.05])
    bodies: list[Wanted] = [
        (Box(size, size), (*random.normal(0.0, 12.0, 2).tolist(), 0.0), BodyKind.DYNAMIC, PLAIN)
        for size in sizes.tolist()
    ]
    return world, world.add_all(bodies)


@pytest.mark.parametrize("seed", range(3))
def test_every_piece_stays_where_it_belongs(seed: int) -> None:
    random = np.random.default_rng(seed)
    world, rows = lively_world(random)
    for step in range(30):
        world.bodies.arrays.pose[rows, :2] += random.normal(0.0, 0.3, (len(rows), 2))
        if step % 7 == 3:
            world.remove([rows.pop(k) for k in (40, 20, 0)])
            rows += world.add_all(circles(5, lambda k: (3.0 * k, -2.0)))
            world.bodies.arrays.pose[rows[10], POSE.Y] += 50.0
        world.update()
        check_strips(world)


def test_pieces_in_a_box_are_those_whose_boxes_meet_it() -> None:
    random = np.random.default_rng(2)
    world, rows = lively_world(random)
    world.update()
    found = np.zeros(len(rows), np.int64)
    box = world.pieces.arrays.box
    for _ in range(60):
        low = random.normal(0.0, 12.0, 2)
        high = low + random.exponential(6.0, 2)
        count = pieces_in_box(world.finder.search.arrays.strips, *low, *high, found)
        live = world.finder.movers.rows
        inside = (box[live, BOX.MIN_X] <= high[0]) & (box[live, BOX.MAX_X] >= low[0])
        inside &= (box[live, BOX.MIN_Y] <= high[1]) & (box[live, BOX.MAX_Y] >= low[1])
        assert sorted(found[:count].tolist()) == sorted(live[inside].tolist())


def test_strips_hold_pieces_with_a_box() -> None:
    world, _ = lively_world(np.random.default_rng(4))
    world.update()
    rows = world.finder.movers.rows
    world.pieces.arrays.box[rows[3]] = EMPTY_BOX
    strips = build_strips(rows, world.bodies.arrays, world.pieces.arrays)
    held = [strips.entry[ENTRY.PIECE, start : start + filled] for start, filled in zip(strips.start, strips.filled)]
    assert set(np.concatenate(held).tolist()) == set(rows.tolist()) - {rows[3]}


def test_ten_that_move_among_many_at_rest_cost_as_little_as_among_few() -> None:
    """Counted in entries of the strips that are looked at, out of 50,000 or 1,000."""
    seen = []
    for count in (1000, 50_000):
        world = ColumnWorld()
        rows = world.add_all(circles(count, lambda k: (2.0 * (k % 20), 2.0 * (k // 20))))
        world.update()
        assert not world.update(), "nobody has moved"
        world.bodies.arrays.pose[rows[:200:20], POSE.X] += 0.15
        world.update()
        strips = world.finder.search.arrays.strips
        seen.append((int(strips.filled[strips.changed].sum()), int(strips.changed.sum()), world.pairs.count))
    assert seen[0] == seen[1]
    assert seen[0][0] < 400


@pytest.mark.parametrize("speed", [-20.0, -1.0, 0.0, 1e-3, 4.0, 100.0])
def test_a_fat_box_lies_ahead_of_its_piece(speed: float) -> None:
    world = ColumnWorld()
    row = world.add(Circle(0.5), (3.0, 1.0, 0.0))
    world.bodies.arrays.velocity[row] = (speed, -speed, 0.0)
    world.update()
    pieces = world.pieces.arrays
    margin, reach = pieces.size[0, PIECE_SIZE.MARGIN], 0.5 + 0.5 * world.tolerances.speculative
    ahead = BOX_LEAD * speed
    low = reach + margin - np.clip(ahead, -FRONT * margin, BACK * margin)
    high = reach + margin + np.clip(ahead, -BACK * margin, FRONT * margin)
    assert np.allclose(pieces.box[0], (3.0 - low, 1.0 - high, 3.0 + high, 1.0 + low))


def test_a_body_in_even_flight_seldom_leaves_its_fat_box() -> None:
    world = ColumnWorld()
    rows = world.add_all(circles(60, lambda k: (5.0 * k, 0.0)))
    world.bodies.arrays.velocity[rows, VELOCITY.Y] = 4.0
    world.update()
    renewed = 0
    for _ in range(60):
        world.bodies.arrays.pose[rows, POSE.Y] += 4.0 / 60.0
        before = world.pieces.arrays.box.copy()
        world.update()
        renewed += int((world.pieces.arrays.box != before).any(axis=1).sum())
    assert renewed <= 60 * 60 / 3


def test_a_turning_piece_stays_in_its_fat_box() -> None:
    world = ColumnWorld()
    row = world.add(Box(2.0, 0.2), (0.0, 0.0, 0.0))
    for k in range(40):
        world.bodies.arrays.pose[row, POSE.ANGLE] = 0.07 * k
        world.bodies.arrays.velocity[row] = (9.0, 0.0, 4.0)
        world.update()
        exact, fat = world.exact_boxes()[0], world.pieces.arrays.box[0]
        assert (fat[:2] <= exact[:2]).all() and (fat[2:] >= exact[2:]).all()


def test_a_piece_that_collides_with_nothing_is_not_swept() -> None:
    random = np.random.default_rng(7)
    world, _ = lively_world(random)
    places = random.normal(0.0, 12.0, (100, 2)).tolist()
    aloof = world.add_all([(Circle(0.4), (x, y, 0.0), BodyKind.DYNAMIC, (1, 0, 0, 0)) for x, y in places])
    unlisted = world.add_all([(Circle(0.4), (x, y, 0.0), BodyKind.DYNAMIC, (0, ALL_LAYERS, 0, 0)) for x, y in places])
    world.add_all([(Circle(0.4), (x, y, 0.0), BodyKind.DYNAMIC, (1, 0, 3, 0)) for x, y in places])
    everyone = np.arange(len(world.bodies.arrays.pose))
    for _ in range(10):
        world.bodies.arrays.pose[everyone, :2] += random.normal(0.0, 1.0, (len(everyone), 2))
        world.update()
        strips, owners = world.finder.search.arrays.strips, world.pieces.arrays.index[:, PIECE.BODY]
        entered = np.concatenate(
            [strips.entry[:, start : start + filled] for start, filled in zip(strips.start, strips.filled)], axis=1
        )
        takes_no_part = entered[ENTRY.STATUS] == INERT
        assert (takes_no_part == np.isin(owners[entered[ENTRY.PIECE].astype(int)], aloof + unlisted)).all()
    assert world.pairs.count > 0
