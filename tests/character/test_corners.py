"""Inner corners: a character that pushes into one stands still."""

from __future__ import annotations

import math

import pytest

import ecs_collide as ec
from tests.support.characters import BELOW, BODIES, Walker, character, groove
from tests.support.worlds import DT, game, static


@pytest.mark.parametrize("degrees", [91.0, 100.0, 120.0, 150.0, 175.0])
@pytest.mark.parametrize("body", ["circle", "box", "capsule"])
def test_seen_from_above_it_stands_still_in_a_corner(degrees: float, body: str) -> None:
    cone = 0.5 * (180.0 - degrees)  # directions that both walls stop
    for push in (0.0, 0.4 * cone, -0.4 * cone):
        with game() as play:
            groove(degrees)
            man, turn = character(BODIES[body], 0.2, 1.0 + BELOW[body]), math.radians(push - 90.0)
            velocity, places = (3.0 * math.cos(turn), 3.0 * math.sin(turn)), []
            for _ in range(300):
                places.append(play.physics.move_and_slide(man, velocity, DT, up=None).position)
                play.step()
            assert max(math.dist(one, places[-1]) for one in places[-20:]) < 5e-6


@pytest.mark.parametrize("degrees", [46.0, 48.0, 50.0, 60.0])
@pytest.mark.parametrize("body", BODIES)
def test_on_a_floor_before_a_steep_wall_it_stands_still(degrees: float, body: str) -> None:
    angle = math.radians(degrees)
    with game() as play:
        static(ec.Box(40.0, 2.0), (0.0, -1.0))
        static(ec.Polygon([(1.5, 0.0), (1.5 + 9.0 * math.cos(angle), 9.0 * math.sin(angle)), (30.0, 0.0)]))
        walker = Walker(play, character(BODIES[body], 0.0, BELOW[body]))
        walker.walk(5.0, 60)
        places = [walker.walk(5.0).position for _ in range(30)]
        assert walker.in_air == 0
        assert max(math.dist(one, places[-1]) for one in places) < 1e-6
        assert places[-1][1] == pytest.approx(BELOW[body], abs=1e-6)


def test_along_the_walls_of_a_corner_it_still_goes_on() -> None:
    with game() as play:
        groove(120.0)
        man = character(ec.Circle(0.5), -3.0, 3.0)
        for _ in range(240):
            slide = play.physics.move_and_slide(man, (3.0, 0.0), DT, up=None)
            play.step()
        assert slide.position[0] > 3.0 and slide.position[1] > 1.5
