"""Bodies whose shapes never meet exchange no impulse and send no event, however near they pass."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, kinematic, static

DISK, BOX = ec.Circle(0.25), ec.Box(0.2, 0.2)
SHAPES: dict[str, tuple[ec.Shape, float]] = {
    "disk": (DISK, 0.25),
    "small disk": (ec.Circle(0.03), 0.03),
    "box": (BOX, 0.1 * math.sqrt(2.0)),
    "capsule": (ec.Capsule((-0.1, 0.0), (0.1, 0.0), 0.1), 0.2),
    "polygon": (ec.Polygon([(-0.2, -0.1), (0.2, -0.1), (0.0, 0.3)]), 0.3),
}
"""Shape, and radius of a circle around its centre that holds it [m]."""


def make_box_with_corner() -> None:
    static(ec.Box(6.0, 6.0), (-3.0, -3.0))


def make_chain_with_corner() -> None:
    static(ec.Chain([(-6.0, 0.0), (0.0, 0.0), (0.0, -6.0)]))


def make_tiles_with_corner() -> None:
    for x in range(6):
        for y in range(6):
            static(ec.Box(1.0, 1.0), (-0.5 - x, -0.5 - y))


def make_disk_with_corner() -> None:
    """The disk reaches the origin at its lower right."""
    static(ec.Circle(2.0), (-math.sqrt(2.0), -math.sqrt(2.0)))


CORNERS: dict[str, Callable[[], None]] = {
    "box": make_box_with_corner,
    "chain": make_chain_with_corner,
    "tiles": make_tiles_with_corner,
    "disk": make_disk_with_corner,
}


def test_a_ball_that_passes_a_corner_at_five_millimetres_goes_straight_on() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        static(ec.Box(6.0, 6.0), (-3.0, 0.0))
        ball = dynamic(DISK, (0.255, 5.0), (0.0, -5.0))
        play.step(60)
        assert play.velocity(ball) == (0.0, -5.0, 0.0)
        assert play.contacts("collision_start") == []


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("corner", CORNERS)
def test_what_passes_a_corner_goes_straight_on(corner: str, shape: str) -> None:
    random = np.random.default_rng(12)
    body, around = SHAPES[shape]
    with game(gravity=(0.0, 0.0)) as play:
        CORNERS[corner]()
        entities, velocities = [], []
        for k in range(40):
            gap, speed, turn = random.uniform(0.001, 0.015), random.uniform(1.0, 12.0), random.uniform(0.02, 1.5)
            along = np.array([math.cos(turn), -math.sin(turn)])
            nearest = (around + gap) * np.array([math.sin(turn), math.cos(turn)])
            if corner == "disk":  # its point nearest to the path is not the origin
                nearest += (-math.sqrt(2.0), -math.sqrt(2.0)) + 2.0 * np.array([math.sin(turn), math.cos(turn)])
            start = nearest - random.uniform(1.0, 2.0) * along
            velocities.append((*(speed * along).tolist(), 0.0))
            entities.append(dynamic(body, tuple(start.tolist()), velocities[k][:2], group=-1))
        play.step(150)
        assert [play.velocity(entity) for entity in entities] == velocities
        assert play.contacts("collision_start") == []


def test_disks_that_pass_each_other_go_straight_on() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        low = [dynamic(DISK, (0.0, 3.0 * k), (4.0, 0.0)) for k in range(20)]
        high = [dynamic(DISK, (2.0 + 0.03 * k, 3.0 * k + 0.501), (-3.0, 0.0)) for k in range(20)]
        play.step(60)
        assert {play.velocity(entity)[:2] for entity in low} == {(4.0, 0.0)}
        assert {play.velocity(entity)[:2] for entity in high} == {(-3.0, 0.0)}
        assert play.contacts("collision_start") == []


def test_a_turning_box_passes_a_moving_platform_that_its_corners_never_reach() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        kinematic(ec.Box(2.0, 2.0), (-2.0 - 0.002, 0.0), (1.0, 0.0))
        box = dynamic(BOX, (math.sqrt(2.0) * 0.1, 4.0), (1.0, -4.0), angular=9.0)
        play.step(140)
        x, y, angular = play.velocity(box)
        assert (x, y) == (1.0, -4.0)
        assert angular == pytest.approx(9.0)
        assert play.contacts("collision_start") == []


@pytest.mark.parametrize("rims", ["boxes", "tiles"])
def test_a_locked_box_falls_into_a_shaft_two_millimetres_wider(rims: str) -> None:
    for height in np.linspace(0.31, 2.0, 20).tolist():
        with game(gravity=(0.0, -10.0)) as play:
            for side in (-1.0, 1.0):
                if rims == "boxes":
                    static(ec.Box(4.0, 3.0), (side * 2.301, -1.5))
                else:
                    for x in range(3):
                        for y in range(3):
                            static(ec.Box(1.0, 1.0), (side * (0.801 + x), -0.5 - y))
            box = dynamic(ec.Box(0.6, 0.6), (0.0005, height), (0.0, 0.0), ec.RigidBody(lock_rotation=True))
            play.step(80)
            assert play.pose(box)[1] < -1.0


def test_what_hits_a_corner_by_a_millimetre_still_hits_it() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        make_box_with_corner()
        ball = dynamic(DISK, (0.249, 3.0), (0.0, -5.0), friction=0.0)
        play.step(60)
        assert len(play.contacts("collision_start")) == 1
        assert play.velocity(ball)[0] > 0.0


def test_what_slides_over_a_seam_keeps_the_floor_that_its_tile_carries_for_the_next() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        for x in range(8):
            static(ec.Box(1.0, 1.0), (x + 0.5, -0.5), friction=0.0)
        ball = dynamic(DISK, (2.0, 0.2501), (7.0, 0.0), friction=0.0)
        play.step(40)
        assert play.pose(ball)[1] == pytest.approx(0.25, abs=1e-9)
        assert play.velocity(ball)[0] == 7.0


@pytest.mark.parametrize("speed", [1.0, 5.0, 20.0])
@pytest.mark.parametrize("kind", ["static", "kinematic"])
def test_a_ball_that_just_touches_a_corner_is_hardly_deflected(kind: str, speed: float) -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        with game(gravity=(0.0, 0.0)) as play:
            (static if kind == "static" else kinematic)(ec.Box(6.0, 6.0), (-3.0, -3.0))
            slope, offset, before = random.uniform(0.02, 0.6), 0.25 - 1e-6, random.uniform(1.0, 2.0)
            away_x, away_y = math.cos(slope), math.sin(slope)
            place = away_x * offset - away_y * before, away_y * offset + away_x * before
            ball = dynamic(DISK, place, (speed * away_y, -speed * away_x))
            play.step(int(180.0 / speed) + 2)
            x, y, _ = play.velocity(ball)
            assert math.hypot(x - speed * away_y, y + speed * away_x) < 0.1 * speed
