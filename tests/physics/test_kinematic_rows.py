"""A platform of several kinematic tiles that move as one carries what slides over it like a platform of one piece."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.long_floor import BODIES, GAP, G, apart
from tests.support.worlds import DT, Game, dynamic, game, kinematic, static

COUNT = 20
CENTER = (12.0, -0.5)
"""Point about which a platform turns [m]."""

Motion = Callable[[int, float, float], tuple[float, float, float]]
"""Velocity at a step of a tile whose centre is at (x, y)."""


def at_rest(step: int, x: float, y: float) -> tuple[float, float, float]:
    return 0.0, 0.0, 0.0


def along(step: int, x: float, y: float) -> tuple[float, float, float]:
    return -1.5, 0.0, 0.0


def rising(step: int, x: float, y: float) -> tuple[float, float, float]:
    return 0.0, 1.0, 0.0


def sinking(step: int, x: float, y: float) -> tuple[float, float, float]:
    return 0.0, -1.0, 0.0


def by_fits_and_starts(step: int, x: float, y: float) -> tuple[float, float, float]:
    return 1.3 * (step // 20 % 2), 0.5 * (step // 30 % 2), 0.0


def turning(step: int, x: float, y: float) -> tuple[float, float, float]:
    return -0.1 * (y - CENTER[1]), 0.1 * (x - CENTER[0]), 0.1


MOTIONS = (at_rest, along, rising, sinking, by_fits_and_starts, turning)


def create_kinematic_tiles(friction: float = 0.0) -> list[int]:
    order = np.random.default_rng(0).permutation(COUNT).tolist()
    made = {k: kinematic(ec.Box(1.0, 1.0), (k + 0.5, -0.5), friction=friction) for k in order}
    return [made[k] for k in range(COUNT)]


def create_one_kinematic_box(friction: float = 0.0) -> list[int]:
    return [kinematic(ec.Box(COUNT, 1.0), (0.5 * COUNT, -0.5), friction=friction)]


def set_off(platform: list[int], motion: Motion, step: int) -> None:
    for tile in platform:
        place, velocity = esper.component_for_entity(tile, ec.Transform), esper.component_for_entity(tile, ec.Velocity)
        velocity.x, velocity.y, velocity.angular = motion(step, place.x, place.y)


def ride(floor: Callable[[float], list[int]], name: str, speed: float, motion: Motion, friction: float) -> np.ndarray:
    """The slider's pose and velocity after each step (n, 6)."""
    shape, _, high = BODIES[name]
    result = []
    with game(gravity=(0.0, G), sleeping=False) as play:
        platform = floor(friction)
        slider = dynamic(shape, (5.0, high + GAP), (speed, 0.0), friction=friction)
        for step in range(60):
            set_off(platform, motion, step)
            play.step()
            result.append((*play.pose(slider), *play.velocity(slider)))
    return np.array(result)


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("name", BODIES)
def test_sliding_over_kinematic_tiles_is_sliding_over_one(name: str, motion: Motion) -> None:
    rows, whole = (ride(floor, name, 7.0, motion, 0.3) for floor in (create_kinematic_tiles, create_one_kinematic_box))
    # the tiles of a turning row follow their tangents and go apart a little; one box keeps its manifolds for longer
    assert apart(rows, whole) < (2e-3 if motion is turning else 1e-4)
    if motion is not turning:
        rows, whole = (
            ride(floor, name, 12.0, motion, 0.0) for floor in (create_kinematic_tiles, create_one_kinematic_box)
        )
        assert apart(rows, whole) < 1e-9


def test_a_tile_that_rises_out_of_its_row_is_a_step() -> None:
    """A box that slides along is stopped by what has risen in front of it, and passes when that is level again."""
    with game(gravity=(0.0, G), sleeping=False) as play:
        row = create_kinematic_tiles()
        box = dynamic(ec.Box(1.0, 1.0), (5.0, 0.5 + GAP), (2.0, 0.0), ec.RigidBody(lock_rotation=True), friction=0.0)
        riser = esper.component_for_entity(row[9], ec.Velocity)
        riser.y = 1.0
        play.step(12)
        riser.y = 0.0
        play.step(168)
        assert play.pose(box)[0] == pytest.approx(8.5, abs=0.01)
        assert play.velocity(box)[0] == pytest.approx(0.0, abs=1e-6)
        riser.y = -1.0
        play.step(12)
        riser.y = 0.0
        esper.component_for_entity(box, ec.Velocity).x = 2.0
        play.step(120)
        assert play.velocity(box)[0] == 2.0
        assert play.pose(box)[0] == pytest.approx(12.5, abs=0.05)


def test_a_tile_that_goes_leaves_a_hole_in_a_moving_row_and_one_put_back_closes_it() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        row = create_kinematic_tiles()
        set_off(row, along, 0)
        ball = dynamic(ec.Circle(0.3), (8.5, 0.3 + GAP), (-1.5, 0.0), friction=0.0)
        play.step(20)
        assert play.pose(ball)[1] == pytest.approx(0.3, abs=1e-3)
        place = esper.component_for_entity(row[8], ec.Transform).pose
        esper.delete_entity(row.pop(8))
        play.step(30)
        assert play.pose(ball)[1] < 0.0, "it falls through the hole"
        tile = kinematic(ec.Box(1.0, 1.0), (place[0] - 1.5 * 30 * DT, place[1]))
        esper.delete_entity(ball)
        row.append(tile)
        set_off(row, along, 0)
        slider = dynamic(ec.Box(1.0, 1.0), (4.0, 0.5 + GAP), (2.0, 0.0), friction=0.0)
        for _ in range(120):
            play.step()
            assert play.velocity(slider)[0] == pytest.approx(2.0, abs=1e-9)


@pytest.mark.parametrize("name", BODIES)
def test_a_lift_at_the_level_of_the_floor_is_part_of_it(name: str) -> None:
    shape, _, high = BODIES[name]
    with game(gravity=(0.0, G), sleeping=False) as play:
        for k in (0, 1, 2, 4, 5, 6):
            static(ec.Box(2.0, 1.0), (2.0 * k + 1.0, -0.5), friction=0.0)
        lift = kinematic(ec.Box(2.0, 1.0), (7.0, -1.5))
        moves = esper.component_for_entity(lift, ec.Velocity)
        moves.y = 1.0
        play.step(60)
        moves.y = 0.0
        body = dynamic(shape, (2.0, high + GAP), (5.0, 0.0), friction=0.0)
        for _ in range(100):
            play.step()
            assert play.velocity(body)[0] == pytest.approx(5.0, abs=1e-9)
        assert play.pose(body)[0] > 10.0


def rods_on(play: Game, motion: Motion) -> list[float]:
    """Return the heights of rods over a row of kinematic segments after two seconds [m]."""
    row = [kinematic(ec.Segment((0.0, 0.0), (0.7, 0.0)), (0.7 * k, 0.0), friction=0.3) for k in range(24)]
    rods = [
        dynamic(ec.Segment((-0.4, 0.0), (0.4, 0.0)), (3.0 + 3.0 * k, 0.5), (0.3, 0.0), angle=0.3 * k, friction=0.3)
        for k in range(4)
    ]
    for step in range(120):
        set_off(row, motion, step)
        play.step()
    level = esper.component_for_entity(row[0], ec.Transform).y
    return [play.pose(rod)[1] - level for rod in rods]


@pytest.mark.parametrize("motion", [at_rest, along, rising])
def test_rods_lie_on_a_row_of_kinematic_segments(motion: Motion) -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        assert rods_on(play, motion) == pytest.approx([0.0] * 4, abs=0.006)


def test_a_body_on_a_row_comes_to_rest_and_wakes_when_the_row_starts() -> None:
    with game(gravity=(0.0, G)) as play:
        row = create_kinematic_tiles(0.5)
        boxes = [dynamic(ec.Box(0.8, 0.8), (5.0 + k, 0.4 + GAP), friction=0.5) for k in range(5)]
        play.step(120)
        assert not any(play.physics.is_awake(box) for box in boxes)
        set_off(row, rising, 0)
        play.step(30)
        for box in boxes:
            assert play.velocity(box)[1] == pytest.approx(1.0, abs=1e-6)
            assert play.pose(box)[1] == pytest.approx(0.4 + 30 * DT, abs=0.005)
            assert not math.isnan(play.pose(box)[2])
