"""Rods and chains that move have no inside: they stay on the side of a floor on which they were."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.floors import FLOORS, HALF
from tests.support.worlds import Game, dynamic, game, static

ROD = ec.Segment((-0.5, 0.0), (0.5, 0.0))
VEE = ec.Chain([(-0.4, 0.3), (0.0, -0.2), (0.4, 0.3)])
ALONE = -1
"""A group whose members never meet."""
over_floors = pytest.mark.parametrize("floor", FLOORS)


@over_floors
@pytest.mark.parametrize("body", ["rod", "vee"])
def test_nothing_thin_falls_through_at_any_speed(body: str, floor: str) -> None:
    make, height = FLOORS[floor]
    random = np.random.default_rng(21)
    with game(gravity=(0.0, -9.81)) as play:
        make()
        bodies = []
        for k in range(40):
            x = random.uniform(-4.0, 4.0)
            fall = (0.0, random.uniform(-6.0, 0.0), random.uniform(-60.0, -6.0), -300.0)[k % 4]
            bodies.append(
                dynamic(
                    ROD if body == "rod" else VEE,
                    (x, height(x) + random.uniform(0.9, 2.0)),
                    (random.uniform(-3.0, 3.0), fall),
                    angle=random.uniform(-3.2, 3.2) if k % 3 else 0.0,
                    angular=random.uniform(-6.0, 6.0) if k % 3 == 1 else 0.0,
                    group=ALONE,
                )
            )
        play.step(200)
        for entity in bodies:
            x, y, _ = play.pose(entity)
            assert y > height(x) - 0.55 or abs(x) > HALF - 1.0


@pytest.mark.parametrize("slope", [0.0, 0.5])
def test_a_fast_rod_that_lands_on_one_end_does_not_swing_through(slope: float) -> None:
    """The end that touched lay in the line by a tenth of a millimetre, and the other one went around it."""
    random = np.random.default_rng(31)
    with game(gravity=(0.0, -9.81)) as play:
        static(
            ec.Chain([(-30.0, 30.0 * slope), (0.0, 0.0), (30.0, 30.0 * slope)])
            if slope
            else ec.Segment((-30, 0), (30, 0))
        )
        rods = []
        for _ in range(60):
            speed, aside = random.uniform(60.0, 300.0), random.uniform(-0.8, 0.8)
            velocity = speed * math.sin(aside), -speed * math.cos(aside)
            angle, spin = random.uniform(-3.0, 3.0), random.uniform(-10.0, 10.0)
            rods.append(dynamic(ROD, (0.0, 5.0), velocity, angle=angle, angular=spin, group=ALONE))
        for _ in range(60):
            play.step(1)
            for rod in rods:
                x, y, _ = play.pose(rod)
                assert y > slope * abs(x) - 0.55 or abs(x) > 28.0


@pytest.mark.parametrize("floor", ["segment", "flat chain", "segments", "tiles"])
@pytest.mark.parametrize("angle", [0.0, 0.05, -0.05, math.pi])
def test_a_rod_laid_down_stays_for_ten_seconds(floor: str, angle: float) -> None:
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        FLOORS[floor][0]()
        rod = dynamic(ROD, (0.2, 0.05), angle=angle)
        play.step(600)
        assert abs(play.pose(rod)[1]) < 0.01
        assert abs(play.velocity(rod)[2]) < 0.01


@pytest.mark.parametrize("floor", ["segment", "flat chain", "segments", "tiles"])
@pytest.mark.parametrize("speed", [0.1, 1.0, 10.0])
def test_a_rod_slides_in_line_over_joints(floor: str, speed: float) -> None:
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        FLOORS[floor][0]()
        rod = dynamic(ROD, (-8.0, 1e-3), (speed, 0.0), friction=0.0)
        play.step(min(600, int(16.0 / speed * 60.0)))
        assert abs(play.pose(rod)[1]) < 0.02
        assert play.velocity(rod)[0] == pytest.approx(speed, rel=1e-3)


def test_a_rod_pushed_off_the_end_of_a_segment_falls_past_it() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        static(ec.Segment((-4.0, 0.0), (0.0, 0.0)))
        rod = dynamic(ROD, (-0.8, 0.01), (3.0, 0.0), friction=0.0)
        play.step(120)
        assert play.pose(rod)[1] < -2.0


def test_a_rod_that_went_around_the_end_is_held_from_below_too() -> None:
    """Its side was above; without gravity it goes past the end and comes back from below, and is stopped there."""
    with game(gravity=(0.0, 0.0), sleeping=False) as play:
        static(ec.Segment((-4.0, 0.0), (0.0, 0.0)))
        rod = dynamic(ROD, (-0.6, 0.005), (2.0, 0.0), friction=0.0)
        play.step(45)
        assert play.pose(rod)[0] > 0.7
        push(play, rod, (0.0, -1.0))
        play.step(20)
        push(play, rod, (-3.0, 0.5))
        for _ in range(120):
            play.step(1)
            x, y, angle = play.pose(rod)
            if x < -0.6:
                assert y + 0.5 * abs(math.sin(angle)) < 0.01


def push(play: Game, entity: int, velocity: tuple[float, float]) -> None:
    """Give a body without spin another velocity [m/s]."""
    old = play.velocity(entity)
    mass = play.physics.mass_of(entity)
    play.physics.apply_impulse(entity, (mass * (velocity[0] - old[0]), mass * (velocity[1] - old[1])))


def test_a_rod_between_two_parallel_segments_keeps_between_them() -> None:
    with game(gravity=(0.0, -9.81), sleeping=False) as play:
        static(ec.Segment((-4.0, 0.0), (4.0, 0.0)), restitution=0.8)
        static(ec.Segment((-4.0, 0.2), (4.0, 0.2)), restitution=0.8)
        rod = dynamic(ROD, (0.0, 0.1), (0.5, 20.0), angular=5.0, friction=0.0)
        for _ in range(300):
            play.step(1)
            assert -0.02 < play.pose(rod)[1] < 0.22


def test_the_side_of_an_earlier_pair_is_not_the_next_one_s() -> None:
    """The slot of a rod that lay on the floor is taken by one that hangs under a ceiling of the same kind."""
    with game(gravity=(0.0, -9.81)) as play:
        static(ec.Segment((-4.0, 0.0), (4.0, 0.0)))
        rod = dynamic(ROD, (0.0, 0.01))
        play.step(10)
        esper.delete_entity(rod)
        play.step(1)
        below = dynamic(ROD, (0.0, -0.3), (0.0, 2.6))
        for _ in range(60):
            play.step(1)
            assert play.pose(below)[1] < 0.01


def test_a_box_around_the_end_of_a_link_is_let_go() -> None:
    """The side is a thin floor's, not a trap: what slid off it and swings back from below meets it from below."""
    with game(gravity=(0.0, 0.0), sleeping=False) as play:
        static(ec.Chain([(-4.0, 0.0), (-2.0, 0.0), (0.0, 0.0)]))
        box = dynamic(ec.Polygon([(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)]), (-0.5, 0.301), (2.0, 0.0))
        play.step(40)
        push(play, box, (0.0, -3.0))
        play.step(20)
        push(play, box, (-4.0, 1.0))
        for _ in range(100):
            play.step(1)
            x, y, _ = play.pose(box)
            if x < -0.5:
                assert y < -0.25
