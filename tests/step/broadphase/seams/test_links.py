"""Kinematic pieces that are flush and move as one cover each other, wherever they go; what moves otherwise does not."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from ecs_collide.components import BodyKind
from ecs_collide.shapes import Box, Capsule, Circle, PieceKind, Polygon, Segment, Shape
from tests.step.broadphase.seams.test_seams import OTHER, assert_same_tiles, check_pools, kinds, rebuilt
from tests.support.reference.column_world import PLAIN, ColumnWorld, Filter, Pose
from tests.support.reference.seam_union import check_tiles, tiles_of_world

UNIT = Box(1.0, 1.0)
DT = 1.0 / 60.0


def row_of_tiles(count: int = 5, kind: BodyKind = BodyKind.KINEMATIC) -> tuple[ColumnWorld, list[int]]:
    world = ColumnWorld()
    return world, world.add_all((UNIT, (float(x), 0.0, 0.0), kind, PLAIN) for x in range(count))


def advance(world: ColumnWorld, rows: list[int]) -> None:
    world.bodies.arrays.pose[rows] += DT * world.bodies.arrays.velocity[rows]


def counts_of(world: ColumnWorld) -> list[int]:
    """Return the number of changed pieces in each later update."""
    received: list[int] = []
    update = world.finder._seams.update
    world.finder._seams.update = lambda changed: received.append(len(result := update(changed))) or result  # type: ignore[method-assign, func-returns-value]
    return received


def test_a_row_at_rest_is_as_one_of_static_tiles() -> None:
    world, _ = row_of_tiles()
    world.update()
    assert kinds(world) == [PieceKind.OUTLINE] * 5
    check_tiles(tiles_of_world(world))
    fixed, _ = row_of_tiles(kind=BodyKind.STATIC)
    fixed.update()
    assert_same_tiles(tiles_of_world(world), tiles_of_world(fixed))


def test_nothing_is_made_anew_while_a_row_moves_as_one() -> None:
    world, rows = row_of_tiles()
    world.bodies.arrays.velocity[rows] = (3.0, -1.0, 0.0)
    world.update()
    received = counts_of(world)
    for _ in range(200):
        advance(world, rows)
        world.bodies.arrays.velocity[rows] = (3.0, -1.0, 0.0)
        world.update()
    assert not any(received)
    assert kinds(world) == [PieceKind.OUTLINE] * 5
    check_tiles(tiles_of_world(world))


def turn_by_velocity(center: np.ndarray, pose: np.ndarray, spin: float) -> np.ndarray:
    return np.array((-spin * (pose[1] - center[1]), spin * (pose[0] - center[0]), spin))


def turn_by_chords(center: np.ndarray, pose: np.ndarray, spin: float) -> np.ndarray:
    """The velocity that ends the step exactly on the circle."""
    c, s = math.cos(spin * DT), math.sin(spin * DT)
    x, y = pose[:2] - center
    return np.array(((c * x - s * y - x) / DT, (s * x + c * y - y) / DT, spin))


@pytest.mark.parametrize("velocity", [turn_by_velocity, turn_by_chords])
@pytest.mark.parametrize("spin", [0.1, -2.0])
def test_a_row_that_turns_about_a_common_centre_stays_one(
    velocity: Callable[[np.ndarray, np.ndarray, float], np.ndarray], spin: float
) -> None:
    world, rows = row_of_tiles()
    center, start = np.array((2.0, 3.0)), world.bodies.arrays.pose[rows].copy()
    for step in range(100):
        angle = step * spin * DT
        c, s = math.cos(angle), math.sin(angle)
        away = (start[:, :2] - center) @ np.array(((c, s), (-s, c)))
        for row, place in zip(rows, center + away, strict=True):
            world.bodies.arrays.pose[row] = (*place, angle)
            world.bodies.arrays.velocity[row] = velocity(center, world.bodies.arrays.pose[row], spin)
        world.update()
        assert kinds(world) == [PieceKind.OUTLINE] * 5
    assert_close_to_rebuilt(world)


def assert_close_to_rebuilt(world: ColumnWorld) -> None:
    fresh = rebuilt(world, velocities=True)
    for found, expected in zip(tiles_of_world(world), tiles_of_world(fresh), strict=True):
        assert found.kind == expected.kind
        for one, other in zip(found[1:], expected[1:], strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("change", [(0.0, 0.2, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1e-6)])
def test_a_tile_that_moves_otherwise_has_its_edges_back(change: tuple[float, float, float]) -> None:
    world, rows = row_of_tiles()
    world.bodies.arrays.velocity[rows] = (2.0, 0.0, 0.0)
    world.update()
    before = tiles_of_world(world)
    world.bodies.arrays.velocity[rows[2]] += change
    world.update()
    assert kinds(world)[2] is PieceKind.POLYGON
    assert kinds(world)[:2] == kinds(world)[3:] == [PieceKind.OUTLINE] * 2
    assert_close_to_rebuilt(world)
    world.bodies.arrays.velocity[rows[2]] = (2.0, 0.0, 0.0)
    world.update()
    assert_same_tiles(tiles_of_world(world), before)


def test_static_tiles_that_are_moved_have_seams_at_their_new_places() -> None:
    world, rows = row_of_tiles()
    world.update()
    for rise in (0.001, 0.004, 0.02, 0.5, 3.0):
        world.place(rows[2], (2.0, rise, 0.0))
        world.update()
        assert_close_to_rebuilt(world)
    assert kinds(world)[2] is PieceKind.POLYGON


def test_a_static_surface_continues_in_a_still_kinematic_one() -> None:
    world = ColumnWorld()
    world.add_all((UNIT, (float(x), 0.0, 0.0), BodyKind.STATIC, PLAIN) for x in range(2))
    lift = world.add(UNIT, (2.0, 0.0, 0.0), BodyKind.KINEMATIC)
    world.update()
    at_rest = tiles_of_world(world)
    check_tiles(at_rest)
    received = counts_of(world)
    world.bodies.arrays.velocity[lift] = (0.0, 1.0, 0.0)
    for _ in range(30):
        world.update()
        advance(world, [lift])
    assert received[0] == sum(received) == 2, "the lift and the tile beside it, once"
    assert kinds(world) == [PieceKind.OUTLINE, PieceKind.OUTLINE, PieceKind.POLYGON]
    world.bodies.arrays.velocity[lift] = 0.0
    world.place(lift, (2.0, 0.0, 0.0))
    world.update()
    assert_same_tiles(tiles_of_world(world), at_rest)


def test_a_tile_of_a_moving_row_that_goes_and_one_that_comes() -> None:
    world, rows = row_of_tiles()
    world.bodies.arrays.velocity[rows] = (1.0, 0.0, 0.0)
    world.update()
    before = tiles_of_world(world)
    world.remove([rows[1]])
    world.update()
    assert kinds(world) == [PieceKind.POLYGON, *[PieceKind.OUTLINE] * 3]
    assert_close_to_rebuilt(world)
    row = world.add(UNIT, (1.0, 0.0, 0.0), BodyKind.KINEMATIC)
    world.bodies.arrays.velocity[row] = (1.0, 0.0, 0.0)
    world.update()
    assert_same_tiles(tiles_of_world(world), before)
    check_pools(world)


def test_a_row_of_a_gone_tile_that_a_dynamic_body_takes_is_left_alone() -> None:
    world, rows = row_of_tiles(3)
    world.update()
    world.remove(rows[:2])
    ball = world.add(Circle(0.5), (0.0, 0.0, 0.0))
    box = world.add(UNIT, (1.0, 0.0, 0.0))
    assert {ball, box} == set(rows[:2])
    world.update()
    assert PieceKind.OUTLINE not in kinds(world)
    check_pools(world)


@pytest.mark.parametrize("seed", range(6))
def test_after_any_change_the_tables_equal_a_full_rebuild(seed: int) -> None:
    random = np.random.default_rng(seed)
    shapes: tuple[Shape, ...] = (
        UNIT,
        Box(2.0, 0.5),
        Segment((-0.5, 0.5), (0.5, 0.5)),
        Capsule((0.0, 0.0), (1.0, 0.0), 0.2),
        Polygon([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]),
    )

    def pose() -> Pose:
        turn = float(random.choice([0.0, 0.0, 0.5 * np.pi]))
        return float(random.integers(0, 8)), float(random.integers(0, 4)), turn

    def body() -> tuple[Shape, Pose, BodyKind, Filter]:
        shape = shapes[int(random.choice(len(shapes), p=[0.5, 0.15, 0.1, 0.1, 0.15]))]
        kind = (BodyKind.STATIC, BodyKind.KINEMATIC, BodyKind.DYNAMIC)[int(random.choice(3, p=[0.3, 0.6, 0.1]))]
        return shape, pose(), kind, PLAIN if random.random() < 0.85 else OTHER

    world = ColumnWorld()
    world.add_all(body() for _ in range(20))
    seen = 0
    for _ in range(40):
        if random.random() < 0.6:
            world.add_all(body() for _ in range(int(random.integers(1, 4))))
        if random.random() < 0.6 and len(world.held) > 5:
            world.remove(random.choice(sorted(world.held), int(random.integers(1, 4)), replace=False).tolist())
        for row in random.choice(sorted(world.held), 3).tolist():
            if random.random() < 0.5:
                world.place(row, pose())
            else:
                world.bodies.arrays.velocity[row] = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))[int(random.integers(2))]
        world.update()
        assert_same_tiles(tiles_of_world(world), tiles_of_world(rebuilt(world, velocities=True)))
        check_pools(world)
        seen += kinds(world).count(PieceKind.OUTLINE)
    assert seen > 100
