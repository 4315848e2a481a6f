"""Ramps whose toe lies exactly on the floor, and characters that a constant fall presses down in front of them."""

from __future__ import annotations

import math

import pytest

import ecs_collide as ec
from tests.support.characters import BELOW, BODIES, Walker, character
from tests.support.worlds import DT, game, static

RAMP = [(0.0, 0.0), (3.0, 0.0), (1.5, 0.75)]


@pytest.mark.parametrize("fall", [0.3, 1.0, 2.0, 4.0, 10.0])
@pytest.mark.parametrize("start", [0.0, 0.01, 0.025])
@pytest.mark.parametrize("step_height", [0.0, 0.3])
@pytest.mark.parametrize("body", BODIES)
def test_it_climbs_the_ramp(body: str, step_height: float, start: float, fall: float) -> None:
    with game() as play:
        static(ec.Box(60.0, 2.0), (0.0, -1.0))
        static(ec.Polygon(RAMP), (2.0, 0.0))
        man = character(BODIES[body], start, BELOW[body])
        for _ in range(120):  # 1.5 m/s are exactly 0.025 m a frame
            slide = play.physics.move_and_slide(man, (1.5, -fall), DT, step_height=step_height)
            play.step()
            assert slide.on_floor
        assert slide.position[0] > start + 2.6


@pytest.mark.parametrize("speed", [0.001, 0.1, 1.5])
@pytest.mark.parametrize("degrees", [50.0, 70.0, 90.0])
@pytest.mark.parametrize("body", BODIES)
def test_it_creeps_up_no_wall_with_its_toe_on_the_floor(body: str, degrees: float, speed: float) -> None:
    angle = math.radians(degrees)
    with game() as play:
        static(ec.Box(60.0, 2.0), (0.0, -1.0))
        static(ec.Polygon([(1.5, 0.0), (1.5 + 9.0 * math.cos(angle), 9.0 * math.sin(angle)), (30.0, 0.0)]))
        walker = Walker(play, character(BODIES[body], 0.0, BELOW[body]))
        walker.walk(5.0, 60)
        height = walker.walk(speed).position[1]
        assert walker.walk(speed, 240).position[1] == pytest.approx(height, abs=1e-6)
