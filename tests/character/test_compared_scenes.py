"""The scenes of the page that compares characters with those of other engines: each test states our behaviour."""

from __future__ import annotations

import inspect
import math
import re
from pathlib import Path

import esper
import pytest

import ecs_collide as ec
from tests.support.characters import BELOW, BODIES, STAIRS, Walker, character
from tests.support.worlds import DT, dynamic, game, kinematic, static, transform, velocity

PAGE = Path(__file__).parents[2] / "docs" / "characters_compared.md"
MAN = BODIES["capsule"]
FEET = BELOW["capsule"]
FLAT = ec.Box(100.0, 1.0)


def flat_ground() -> int:
    return static(FLAT, (0.0, -0.5))


def hillside(degrees: float) -> int:
    """Create a slope through the origin that rises to the right."""
    return static(ec.HalfPlane((-math.sin(math.radians(degrees)), math.cos(math.radians(degrees)))))


def height_on_slope(degrees: float) -> float:
    """Return the height of the man's centre on a slope at x = 0 [m]."""
    return FEET - 0.3 + 0.3 / math.cos(math.radians(degrees))


def test_the_page_lists_exactly_these_scenes() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    names = [name for name, value in globals().items() if name.startswith("test_") and inspect.isfunction(value)]
    scenes = [name.removeprefix("test_") for name in names if name != "test_the_page_lists_exactly_these_scenes"]
    assert sorted(listed) == sorted(scenes) and len(scenes) == 30


@pytest.mark.parametrize("kind", STAIRS)
def test_stairs_up(kind: str) -> None:
    with game() as play:
        STAIRS[kind](1.0, 0.3, 0.2, 10)
        walker = Walker(play, character(MAN, 0.0, FEET), step_height=0.2)
        walker.walk(3.0, 120)
        assert walker.in_air == 0
        assert transform(walker.entity).position == pytest.approx((6.0, 2.0 + FEET), abs=1e-4)


def test_stairs_down() -> None:
    with game() as play:
        STAIRS["polygon"](1.0, 0.3, 0.2, 10)
        walker = Walker(play, character(MAN, 3.9, 2.0 + FEET), step_height=0.2)
        walker.walk(-4.0, 60)
        assert walker.in_air == 0
        assert transform(walker.entity).position == pytest.approx((-0.1, FEET), abs=1e-4)


def test_narrow_treads() -> None:
    with game() as play:
        STAIRS["polygon"](1.0, 0.15, 0.15, 10)
        walker = Walker(play, character(BODIES["box"], 0.0, BELOW["box"]), step_height=0.15)
        walker.walk(3.0, 120)
        assert transform(walker.entity).y == pytest.approx(1.5 + BELOW["box"], abs=1e-5) and walker.in_air == 0


def test_a_step_too_high() -> None:
    with game() as play:
        flat_ground()
        static(ec.Box(2.0, 0.31), (2.0, 0.155))
        walker = Walker(play, character(BODIES["box"], 0.0, BELOW["box"]), step_height=0.3)
        assert walker.walk(3.0, 60).on_wall
        assert transform(walker.entity).x == pytest.approx(0.7, abs=1e-5)


def test_a_step_met_in_the_air() -> None:
    with game() as play:
        static(ec.Box(2.0, 40.0), (2.0, -20.0))
        walker = Walker(play, character(BODIES["box"], 0.0, -0.1 + BELOW["box"]), step_height=0.3)
        walker.velocity = (0.0, 0.0)
        slide = walker.walk(3.0, 60)
        assert slide.on_wall and not slide.on_floor and slide.position[1] < 0.0


def test_a_step_that_is_a_dynamic_body() -> None:
    with game(gravity=(0.0, -20.0)) as play:
        flat_ground()
        crate = dynamic(ec.Box(1.0, 0.2), (1.5, 0.1), density=50.0)
        walker = Walker(play, character(MAN, 0.0, FEET), step_height=0.3, mass=5.0)
        floors = {walker.walk(3.0).floor for _ in range(40)}
        assert crate in floors


def test_speed_on_a_slope() -> None:
    for degrees, side in ((30.0, 3.0), (30.0, -3.0)):
        with game() as play:
            hillside(degrees)
            walker = Walker(play, character(MAN, 0.0, height_on_slope(degrees)))
            walker.walk(side, 60)
            assert transform(walker.entity).x == pytest.approx(side, abs=1e-5)


def test_standing_on_a_slope() -> None:
    with game() as play:
        hillside(40.0)
        walker = Walker(play, character(MAN, 0.0, height_on_slope(40.0)))
        walker.walk(0.0, 120)
        assert walker.in_air == 0 and abs(transform(walker.entity).x) < 1e-6


def test_a_slope_too_steep() -> None:
    with game() as play:
        flat_ground()
        static(ec.Polygon([(1.0, 0.0), (3.0, 0.0), (3.0, 2.0 * math.tan(math.radians(50.0)))]))
        walker = Walker(play, character(MAN, 0.0, FEET))
        assert walker.walk(3.0, 60).on_wall
        assert transform(walker.entity).y == pytest.approx(FEET, abs=1e-5)


def test_sliding_down_what_is_too_steep() -> None:
    with game() as play:
        hillside(50.0)
        walker = Walker(play, character(MAN, 0.0, height_on_slope(50.0)))
        for _ in range(60):
            slide = walker.walk(walker.velocity[0])
        assert slide.on_wall and not slide.on_floor and slide.position[0] < -2.0


def test_a_slope_of_exactly_the_greatest_angle() -> None:
    with game() as play:
        hillside(45.0)
        walker = Walker(play, character(MAN, 0.0, height_on_slope(45.0)))
        assert walker.walk(1.0, 30).on_floor and walker.in_air == 0


def test_a_jump_from_a_slope() -> None:
    with game() as play:
        hillside(30.0)
        walker = Walker(play, character(MAN, 0.0, height_on_slope(30.0)))
        walker.walk(0.0, 2)
        assert not walker.move(-3.0, jump=6.0).on_floor
        assert not walker.walk(-3.0, 10).on_floor


def test_downhill_at_speed() -> None:
    with game() as play:
        hillside(40.0)
        walker = Walker(play, character(MAN, 0.0, height_on_slope(40.0)), snap=0.2)
        walker.walk(-8.0, 60)
        assert walker.in_air == 0


def test_the_gap_to_a_wall() -> None:
    with game() as play:
        flat_ground()
        static(ec.Box(1.0, 5.0), (2.5, 2.5))
        walker = Walker(play, character(BODIES["box"], 0.0, BELOW["box"]))
        walker.walk(3.0, 60)
        assert transform(walker.entity).position == pytest.approx((1.7, BELOW["box"]), abs=1e-6)


def test_a_corner() -> None:
    with game() as play:
        for degrees in (60.0, 120.0):
            turn = math.radians(degrees)
            static(ec.HalfPlane((math.cos(turn), math.sin(turn))))
        man = character(ec.Circle(0.4), 0.0, 0.8)
        places = []
        for _ in range(60):
            places.append(play.physics.move_and_slide(man, (1.0, -5.0), DT, up=None).position)
            play.step()
        assert math.dist(places[-1], places[-20]) < 1e-6


def test_many_surfaces_in_one_motion() -> None:
    with game() as play:
        turns = [math.tau * k / 24 for k in range(25)]
        static(ec.Chain([(5.0 * math.cos(turn), -5.0 * math.sin(turn)) for turn in turns]))
        man = character(ec.Circle(0.4), 4.5, 0.0)
        slide = play.physics.move_and_slide(man, (0.0, 600.0), DT, up=None)
        assert len(slide.hits) > 4


def test_a_ceiling_that_leans() -> None:
    with game() as play:
        flat_ground()
        static(ec.Polygon([(-5.0, 2.0), (5.0, 4.0), (5.0, 6.0), (-5.0, 6.0)]))
        walker = Walker(play, character(MAN, 0.0, FEET))
        walker.walk(0.0, 2)
        assert walker.move(0.0, jump=30.0).position[0] == 0.0
        slide = walker.walk(0.0, 2)
        assert slide.on_ceiling and slide.position[0] > 0.01


@pytest.mark.parametrize("speed", [2.0, -2.0])
def test_a_lift(speed: float) -> None:
    with game() as play:
        lift = kinematic(ec.Box(3.0, 0.4), (0.0, -0.2), (0.0, speed))
        walker = Walker(play, character(MAN, 0.0, FEET))
        walker.walk(0.0, 120)
        assert walker.in_air == 0
        assert transform(walker.entity).y - transform(lift).y == pytest.approx(0.2 + FEET, abs=1e-6)


def test_a_platform_that_turns() -> None:
    with game() as play:
        platform = kinematic(ec.Box(8.0, 0.4), (0.0, -0.2), angular=0.3)
        walker = Walker(play, character(BODIES["circle"], 2.0, BELOW["circle"]))
        walker.walk(0.0, 90)
        place = play.physics.to_local(platform, transform(walker.entity).position)
        assert walker.in_air == 0 and place == pytest.approx((2.0, 0.2 + BELOW["circle"]), abs=1e-3)


def test_leaving_a_platform() -> None:
    with game() as play:
        kinematic(ec.Box(3.0, 0.4), (0.0, -0.2), (3.0, -1.0))
        walker = Walker(play, character(MAN, 0.0, FEET))
        walker.walk(0.0, 5)
        assert walker.move(0.0, jump=6.0).velocity == pytest.approx((3.0, 5.0))


def test_a_platform_that_should_not_carry() -> None:
    with game() as play:
        kinematic(ec.Box(30.0, 0.4), (0.0, -0.2), (2.0, 0.0))
        walker = Walker(play, character(MAN, 0.0, FEET))
        walker.walk(0.0, 30)
        assert transform(walker.entity).x == pytest.approx(1.0, abs=1e-6)
        slide = walker.walk(-walker.slide.floor_velocity[0], 30)  # the game takes the platform's velocity off
        assert slide.position[0] == pytest.approx(1.0, abs=1e-6)


def test_a_wall_that_goes_away() -> None:
    with game() as play:
        flat_ground()
        kinematic(ec.Box(1.0, 4.0), (0.8, 2.0), (2.0, 0.0))
        walker = Walker(play, character(MAN, 0.0, FEET))
        walker.walk(0.0, 30)
        assert transform(walker.entity).x == 0.0


def test_a_conveyor_belt() -> None:
    with game() as play:
        static(FLAT, (0.0, -0.5), surface_speed=1.5)
        walker = Walker(play, character(MAN, 0.0, FEET))
        slide = walker.walk(0.0, 60)
        assert slide.position[0] == pytest.approx(1.5, abs=1e-6) and slide.floor_velocity == pytest.approx((1.5, 0.0))


def test_one_character_on_another() -> None:
    with game() as play:
        flat_ground()
        below = Walker(play, character(BODIES["box"], 0.0, BELOW["box"]))
        above = Walker(play, character(BODIES["wide box"], 0.0, 2.0 * BELOW["box"] + BELOW["wide box"]))
        for _ in range(60):
            above.move(0.0)
            below.move(2.0)
            play.step()
        assert above.in_air == 0 and transform(above.entity).x == pytest.approx(2.0, abs=1e-5)


def test_a_crate_to_push() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        flat_ground()
        crate = dynamic(ec.Box(1.0, 1.0), (1.5, 0.5), density=50.0)
        walker = Walker(play, character(BODIES["box"], 0.0, BELOW["box"]), mass=80.0)
        pushes = [hit.push for _ in range(120) for hit in walker.walk(2.0).hits if hit.entity == crate]
        assert transform(crate).x > 2.5 and 0.0 < max(pushes) <= 800.0


def test_weight_on_a_plank() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        plank = dynamic(ec.Box(4.0, 0.2), (0.0, -0.1), density=25.0)
        esper.create_entity(ec.RevoluteJoint(plank, lower=-0.2, upper=0.2))
        walker = Walker(play, character(MAN, 1.0, FEET), mass=80.0)
        walker.walk(0.0, 60)
        assert transform(plank).angle == pytest.approx(-0.2, abs=0.01) and walker.slide.floor == plank


def test_a_boulder() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        flat_ground()
        boulder = dynamic(ec.Circle(1.0), (-3.0, 1.0), (4.0, 0.0), density=300.0, angular=-4.0)
        walker = Walker(play, character(MAN, 0.0, FEET), mass=80.0)
        walker.walk(0.0, 90)
        assert transform(walker.entity).x > 1.0 and 0.5 < velocity(boulder).x < 4.0


def test_a_one_way_platform() -> None:
    with game() as play:
        flat_ground()
        shelf = static(ec.Box(4.0, 0.2), (0.0, 2.0), one_way=(0.0, 1.0))
        walker = Walker(play, character(MAN, 0.0, FEET))
        walker.walk(0.0, 2)
        walker.move(0.0, jump=11.0)
        assert walker.walk(0.0, 80).floor == shelf
        play.physics.move_and_slide(walker.entity, (0.0, -1.0), DT, drop_through=True)
        assert walker.walk(0.0, 60).floor != shelf


def test_a_start_inside_a_wall() -> None:
    with game() as play:
        flat_ground()
        static(ec.Box(1.0, 5.0), (0.7, 2.5))
        walker = Walker(play, character(BODIES["box"], 0.0, BELOW["box"]))
        walker.walk(0.0, 2)
        assert transform(walker.entity).position == pytest.approx((-0.1, BELOW["box"]), abs=1e-6)


def test_seen_from_above() -> None:
    with game() as play:
        static(ec.HalfPlane((-math.sin(0.5), math.cos(0.5))))
        man = character(ec.Circle(0.4), 0.0, 0.4 / math.cos(0.5))
        slide = play.physics.move_and_slide(man, (4.0, 0.0), DT, up=None)
        assert slide.on_wall and not slide.on_floor
        assert math.hypot(*slide.velocity) == pytest.approx(4.0 * math.cos(0.5))
