"""The seams stay right while static bodies come, go, move and change, and the pairs follow."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.components import BodyKind
from ecs_collide.data.pairs import A_SENSES, B_SENSES, PAIR
from ecs_collide.data.pieces import PIECE
from ecs_collide.shapes import Box, Capsule, Circle, HalfPlane, PieceKind, Polygon, Segment, Shape
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from tests.support.reference.column_world import PLAIN, ColumnWorld, Filter, Pose
from tests.support.reference.seam_union import Tile, check_tiles, tile, tiles_of_world

UNIT = Box(1.0, 1.0)
OTHER: Filter = (2, 2, 0, 0)
SENSOR: Filter = (1, PLAIN[1], 0, 1)
SHAPES: tuple[Shape, ...] = (
    UNIT,
    Box(2.0, 0.5),
    Polygon([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]),
    Segment((-0.5, 0.5), (0.5, 0.5)),
    Circle(0.5),
    Capsule((0.0, 0.0), (1.0, 0.0), 0.2),
    Polygon([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], radius=0.1),
)


def kinds(world: ColumnWorld) -> list[PieceKind]:
    return [PieceKind(world.pieces.arrays.index[piece, PIECE.KIND]) for piece in world.live_pieces().tolist()]


def rebuilt(world: ColumnWorld, *, velocities: bool = False) -> ColumnWorld:
    """Return a new world with equal bodies in the order of their rows, optionally with their velocities."""
    fresh = ColumnWorld()
    bodies = world.bodies.arrays
    for row in sorted(world.held, key=lambda row: world.held[row][1]):
        pose: Pose = tuple(bodies.pose[row].tolist())
        copy = fresh.add(
            world.held[row][0], pose, BodyKind(int(bodies.kind[row])), tuple(bodies.filter[row, :4].tolist())
        )
        if velocities:
            fresh.bodies.arrays.velocity[copy] = bodies.velocity[row]
    fresh.update()
    return fresh


def assert_same_tiles(found: list[Tile], expected: list[Tile]) -> None:
    for a, b in zip(found, expected, strict=True):
        assert a.kind == b.kind
        for one, other in zip(a[1:], b[1:], strict=True):
            assert np.array_equal(one, other)


def check_pools(world: ColumnWorld) -> None:
    """No two outlines share rows of the pools, and no shape's vertices were overwritten."""
    used: set[int] = set()
    for piece in world.live_pieces().tolist():
        kind, start, count = world.pieces.arrays.index[piece, PIECE.KIND : PIECE.KIND + 3].tolist()
        if kind == PieceKind.OUTLINE:
            rows = set(range(start, start + count))
            assert not rows & used
            used |= rows
    for shape, pieces in world.held.values():
        for piece, part, shared in zip(pieces, shape.pieces(), world.runs(shape), strict=True):
            assert not set(shared) & used
            moved = part.vertices - np.asarray(shape.mass_properties().centroid)
            np.testing.assert_array_equal(world.pieces.arrays.vertices[list(shared)], moved)
            assert world.pieces.arrays.index[piece, PIECE.KIND] in (part.kind, PieceKind.OUTLINE)


@pytest.mark.parametrize("seed", range(6))
def test_after_any_change_the_tables_equal_a_full_rebuild(seed: int) -> None:
    random = np.random.default_rng(seed)

    def pose() -> Pose:
        turn = float(random.choice([0.0, 0.0, 0.0, 0.5 * np.pi, 0.3]))
        return float(random.integers(0, 8)), float(random.integers(0, 4)), turn

    def body() -> tuple[Shape, Pose, BodyKind, Filter]:
        shape = SHAPES[int(random.choice(len(SHAPES), p=[0.5, 0.12, 0.12, 0.11, 0.05, 0.05, 0.05]))]
        filter = (PLAIN, OTHER, SENSOR)[int(random.choice(3, p=[0.8, 0.15, 0.05]))]
        return shape, pose(), BodyKind.STATIC, filter

    world = ColumnWorld()
    world.add_all(body() for _ in range(20))
    world.update()
    seen = 0
    for _ in range(40):
        held = sorted(world.held)
        if random.random() < 0.6:
            world.add_all(body() for _ in range(int(random.integers(1, 4))))
        if random.random() < 0.6 and len(held) > 5:
            world.remove(random.choice(held, int(random.integers(1, 4)), replace=False).tolist())
        if random.random() < 0.5:
            for row in random.choice(sorted(world.held), 2).tolist():
                world.place(row, pose())
        world.update()
        assert_same_tiles(tiles_of_world(world), tiles_of_world(rebuilt(world)))
        check_pools(world)
        seen += kinds(world).count(PieceKind.OUTLINE)
    assert seen > 100


def test_only_changed_entities_are_reported() -> None:
    world = ColumnWorld()
    rows = world.add_all((UNIT, (float(x), float(y), 0.0), BodyKind.STATIC, PLAIN) for x in range(9) for y in range(9))
    received: list[int] = []
    update = world.finder._seams.update
    world.finder._seams.update = lambda changed: received.append(len(result := update(changed))) or result  # type: ignore[method-assign, func-returns-value]
    world.update()
    world.remove([rows[40]])
    world.update()
    world.update()
    world.add(UNIT, (4.0, 4.0, 0.0), BodyKind.STATIC)
    world.update()
    world.place(rows[0], (0.0, 0.0, 0.0))
    world.update()
    assert received == [81, 4, 5, 0], (
        "the tile and those beside it; a hollow corner is as none, and no change is not looked at"
    )


def test_a_tile_moved_away_and_back() -> None:
    world = ColumnWorld()
    rows = world.add_all((UNIT, (float(x), 0.0, 0.0), BodyKind.STATIC, PLAIN) for x in range(5))
    world.update()
    before = tiles_of_world(world)
    world.place(rows[2], (2.0, 0.02, 0.0))
    world.update()
    check_tiles(tiles_of_world(world), radius=0.005)
    world.place(rows[2], (2.0, 50.0, 0.0))
    world.update()
    assert kinds(world)[2] is PieceKind.POLYGON
    check_tiles(tiles_of_world(world))
    world.place(rows[2], (2.0, 0.0, 0.0))
    world.update()
    assert_same_tiles(tiles_of_world(world), before)


@pytest.mark.parametrize(
    ("filter", "kind"),
    [
        (OTHER, BodyKind.STATIC),
        (SENSOR, BodyKind.STATIC),
        ((1, PLAIN[1], -3, 0), BodyKind.STATIC),
        (OTHER, BodyKind.KINEMATIC),
        (PLAIN, BodyKind.DYNAMIC),
    ],
)
def test_only_pieces_with_an_equal_filter_cover(filter: Filter, kind: BodyKind) -> None:
    world = ColumnWorld()
    world.add(UNIT, (0.0, 0.0, 0.0), BodyKind.STATIC)
    row = world.add(UNIT, (1.0, 0.0, 0.0), kind, filter)
    world.add(UNIT, (0.0, 1.0, 0.0), BodyKind.STATIC)
    world.update()
    assert kinds(world) == [PieceKind.OUTLINE, PieceKind.POLYGON, PieceKind.OUTLINE]
    world.remove([row])
    world.add(UNIT, (1.0, 0.0, 0.0), BodyKind.STATIC)
    world.update()
    assert kinds(world) == [PieceKind.OUTLINE] * 3
    check_tiles(tiles_of_world(world))


def test_nothing_is_kept_or_compiled_without_neighbours() -> None:
    world = ColumnWorld()
    world.add_all((UNIT, (3.0 * x, 0.0, 0.0), BodyKind.STATIC, PLAIN) for x in range(200))
    world.add(HalfPlane(), (0.0, 0.0, 0.0), BodyKind.STATIC)
    world.add_all((UNIT, (3.0 * x, 5.0, 0.0), BodyKind.KINEMATIC, PLAIN) for x in range(3))
    world.add_all((UNIT, (float(x), 7.0, 0.0), BodyKind.KINEMATIC, SENSOR) for x in range(3))
    world.add_all((Circle(1.0), (float(x), 9.0, 0.0), BodyKind.STATIC, PLAIN) for x in range(3))
    world.add_all((UNIT, (float(x), 13.0, 0.0), BodyKind.STATIC, SENSOR) for x in range(3))
    world.update()
    world.remove([5])
    world.update()
    assert not world.finder._seams._is_awake
    assert len(world.finder._seams._columns.state) == 0
    world.add(UNIT, (1.0, 0.0, 0.0), BodyKind.STATIC)
    world.update()
    assert world.finder._seams._is_awake
    assert kinds(world).count(PieceKind.OUTLINE) == 2


@pytest.mark.parametrize("mover", [Circle(0.5), UNIT])
def test_lasting_pairs_follow_the_kind_of_their_pieces(mover: Shape) -> None:
    world = ColumnWorld()
    low = world.add(Segment((-1.0, 0.0), (1.0, 0.0)), (0.0, 0.0, 0.0), BodyKind.STATIC)
    ball = world.add(mover, (0.0, 0.5, 0.0))
    world.update()
    pairs = world.pairs.arrays.index
    (slot,) = world.slots()
    segment, other = world.held[low][1][0], world.held[ball][1][0]

    def sides() -> list[int]:
        return list(map(int, pairs[slot, [PAIR.PIECE_A, PAIR.PIECE_B, PAIR.ENTITY_A, PAIR.ENTITY_B, PAIR.TOUCHING]]))

    def row() -> tuple[PieceKind, PieceKind]:
        entry = PAIR_TABLE[pairs[slot, PAIR.ROW]]
        return entry.kind_a, entry.kind_b

    kind = mover.pieces()[0].kind
    entities = world.bodies.arrays.entity[[low, ball]].tolist()
    swaps = kind > PieceKind.CAPSULE
    pairs[slot, PAIR.TOUCHING], pairs[slot, PAIR.POINT_COUNT] = (B_SENSES if not swaps else A_SENSES), 2
    before = sides()
    neighbour = world.add(Segment((1.0, 0.0), (3.0, 1.0)), (0.0, 0.0, 0.0), BodyKind.STATIC)
    world.update()
    assert sides() == [segment, other, *entities, B_SENSES]
    assert row() == (PieceKind.OUTLINE, kind)
    assert pairs[slot, PAIR.POINT_COUNT] == 0
    assert world.pairs.live.tolist() == sorted(world.slots(), key=lambda slot: (pairs[slot, PAIR.ROW], slot))

    world.remove([neighbour])
    assert world.update()
    assert sides() == before
    assert row() == tuple(sorted((kind, PieceKind.CAPSULE), reverse=True))


def test_a_row_used_again_forgets_its_outline() -> None:
    world = ColumnWorld()
    rows = world.add_all((UNIT, (float(x), 0.0, 0.0), BodyKind.STATIC, PLAIN) for x in range(3))
    world.update()
    piece = world.held[rows[1]][1][0]
    world.remove([rows[1]])
    again = world.add(Box(0.5, 0.5), (7.0, 0.0, 0.0), BodyKind.STATIC)
    assert world.held[again][1] == [piece]
    world.update()
    assert tile(world, piece).kind == PieceKind.POLYGON
    assert kinds(world) == [PieceKind.POLYGON] * 3
    check_tiles(tiles_of_world(world))


def test_stored_outlines_are_given_back() -> None:
    world = ColumnWorld()
    world.add_all((UNIT, (float(x), 0.0, 0.0), BodyKind.STATIC, PLAIN) for x in range(5))
    highs = []
    for _ in range(4):
        row = world.add(Box(0.4, 0.4), (2.1, 0.7, 0.0), BodyKind.STATIC)
        world.update()
        world.remove([row])
        world.update()
        highs.append(world.pieces._corners.high)
    assert highs[0] == highs[-1]
