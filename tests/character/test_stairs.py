"""Staircases of every kind, up and down, against closed forms: the height of each end, and never off the floor."""

from __future__ import annotations

import pytest

import ecs_collide as ec
from tests.support.characters import BELOW, BODIES, STAIRS, WIDTH, Walker, character
from tests.support.worlds import DT, game, static

STEPS = 5
TREADS = [(0.28, 0.17), (0.25, 0.2), (0.5, 0.3), (1.0, 0.4)]
"""Tread and riser [m]."""

stairs = pytest.mark.parametrize("stairs", STAIRS)
bodies = pytest.mark.parametrize("body", BODIES)


def climb(kind: str, body: str, tread: float, riser: float, speed: float, down: bool = False) -> None:
    """Walk up or down a staircase whose risers are just as high as allowed."""
    with game() as play:
        STAIRS[kind](2.0, tread, riser, STEPS)
        below, top = BELOW[body], STEPS * riser
        x, y = (2.0 + STEPS * tread + 2.0, top + below) if down else (0.0, below)
        walker = Walker(play, character(BODIES[body], x, y), step_height=riser)
        slide = walker.walk(-speed if down else speed, int((6.0 + STEPS * tread) / speed / DT))
        assert walker.in_air == 0
        assert slide.position[1] == pytest.approx(below if down else top + below, abs=1e-6)


@stairs
@bodies
@pytest.mark.parametrize("down", [False, True])
def test_every_body_goes_up_and_down_without_leaving_the_floor(stairs: str, body: str, down: bool) -> None:
    sizes = [(0.3, 0.2), (0.5, 0.3)] if stairs == "bitmap" else TREADS
    for number, (tread, riser) in enumerate(sizes):
        if tread >= 0.25 * WIDTH[body]:
            climb(stairs, body, tread, riser, (1.0, 3.0, 8.0, 3.0)[number], down)


@bodies
@pytest.mark.parametrize("speed", [1.0, 8.0])
def test_treads_of_a_quarter_of_its_width(body: str, speed: float) -> None:
    for down in (False, True):
        climb("polygon", body, 0.2501 * WIDTH[body], 0.15, speed, down)


def test_stairs_of_28_by_17_cm_do_not_slow_a_walk() -> None:
    with game() as play:
        STAIRS["boxes"](2.0, 0.28, 0.17, STEPS)
        walker = Walker(play, character(ec.Box(0.6, 1.7), 0.0, 0.85), step_height=0.2)
        slide = walker.walk(3.0, 120)
        assert slide.position == pytest.approx((6.0, 0.85 + STEPS * 0.17), abs=1e-5)
        assert not slide.on_wall and slide.velocity == pytest.approx((3.0, 0.0))


@bodies
def test_a_wall_behind_the_first_tread_stops_it_on_the_tread(body: str) -> None:
    with game() as play:
        static(ec.HalfPlane())
        static(ec.Box(20.0, 0.2), (12.0, 0.1))
        static(ec.Box(20.0, 9.0), (12.4, 4.5))
        walker = Walker(play, character(BODIES[body], 0.0, BELOW[body]), step_height=0.3)
        slide = walker.walk(3.0, 120)
        assert walker.in_air == 0 and slide.on_wall
        assert slide.position[0] == pytest.approx(2.4 - 0.5 * WIDTH[body], abs=1e-6)


def test_under_a_low_ceiling_it_stops_before_the_step() -> None:
    with game() as play:
        static(ec.HalfPlane())
        static(ec.Box(20.0, 0.2), (12.0, 0.1))
        static(ec.Box(40.0, 1.0), (0.0, 1.8 + 0.5))
        walker = Walker(play, character(ec.Box(0.6, 1.7), 0.0, 0.85), step_height=0.3)
        slide = walker.walk(3.0, 120)
        assert slide.on_wall and slide.position == pytest.approx((1.7, 0.85), abs=1e-6)


@pytest.mark.parametrize("snap", [0.25, None])
def test_it_follows_a_step_down_of_exactly_snap_or_of_a_step_that_it_climbs(snap: float | None) -> None:
    with game() as play:
        static(ec.Box(40.0, 1.0), (0.0, -0.5))
        static(ec.Box(10.0, 0.25), (-5.0, 0.125))
        rules = {"snap": snap} if snap else {"step_height": 0.25}
        walker = Walker(play, character(ec.Box(0.6, 1.7), -1.0, 1.1), **rules)
        assert walker.walk(3.0, 60).position == pytest.approx((2.0, 0.85), abs=1e-6)
        assert walker.in_air == 0


def test_a_ledge_that_is_higher_than_snap_is_fallen_off() -> None:
    with game() as play:
        static(ec.Box(40.0, 1.0), (0.0, -0.5))
        static(ec.Box(10.0, 0.25), (-5.0, 0.125))
        walker = Walker(play, character(ec.Box(0.6, 1.7), -1.0, 1.1), snap=0.24)
        walker.walk(3.0, 60)
        assert walker.in_air > 3
