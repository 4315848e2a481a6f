"""Characters between what moves and what does not, where there is too little room for them."""

from __future__ import annotations

import itertools

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, game, static, transform

HEIGHT, HALF_WIDTH = 1.8, 0.3
SHAPES = {"box": ec.Box(0.6, HEIGHT), "capsule": ec.Capsule((0.0, -0.6), (0.0, 0.6), HALF_WIDTH)}
shapes = pytest.mark.parametrize("name", SHAPES)


def mover(shape: ec.Shape, place: tuple[float, float], velocity: tuple[float, float]) -> int:
    return esper.create_entity(
        ec.Transform(*place), ec.Velocity(*velocity), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(shape)
    )


def fall(play: Game, man: int, frames: int) -> list[ec.Slide]:
    """Return the result of a character that only falls, after some frames."""
    slides, speed = [], 0.0
    for _ in range(frames):
        slides.append(play.physics.move_and_slide(man, (0.0, speed - 20.0 * DT), DT))
        speed = slides[-1].velocity[1]
        play.step()
    return slides


@shapes
@pytest.mark.parametrize("deep", [0.05, 0.2, 1.0])
@pytest.mark.parametrize("height", [0.2, 1.0])
def test_a_lift_that_presses_it_against_a_ceiling_bears_it_all_the_time(name: str, deep: float, height: float) -> None:
    with game() as play:
        static(ec.Box(10.0, 1.0), (0.0, 2.5 + 0.5))
        lift = mover(ec.Box(4.0, height), (0.0, -0.5 * height), (0.0, 1.0))
        man = mover(SHAPES[name], (0.0, 0.5 * HEIGHT), (0.0, 0.0))
        rising = round((2.5 - HEIGHT + deep) / DT)
        slides = fall(play, man, rising)
        assert all(slide.floor == lift for slide in slides)
        assert slides[-1].on_ceiling
        assert slides[-1].position == pytest.approx((0.0, 2.5 - 0.5 * HEIGHT), abs=1e-6)
        lift_velocity = esper.component_for_entity(lift, ec.Velocity)
        lift_velocity.y = 0.0
        for slide in fall(play, man, 20):
            assert slide.floor == lift and slide.on_ceiling and not slide.on_wall
            assert slide.position == pytest.approx((0.0, 2.5 - 0.5 * HEIGHT), abs=1e-6)
        lift_velocity.y = -1.0
        slides = fall(play, man, 90)
        assert all(slide.floor == lift for slide in slides) and not slides[-1].on_ceiling
        assert transform(man).y - transform(lift).y == pytest.approx(0.5 * (HEIGHT + height), abs=1e-6)


@shapes
@pytest.mark.parametrize("deep", [0.1, 0.4])
def test_a_door_that_presses_it_against_a_wall_leaves_it_between_them_on_the_floor(name: str, deep: float) -> None:
    with game() as play:
        ground = static(ec.Box(40.0, 2.0), (0.0, -1.0))
        static(ec.Box(2.0, 4.0), (3.0, 2.0))
        door = mover(ec.Box(1.0, 3.9), (-1.0, 2.0), (1.0, 0.0))
        man = mover(SHAPES[name], (0.0, 0.5 * HEIGHT), (0.0, 0.0))
        slides = fall(play, man, round((2.5 - 2.0 * HALF_WIDTH + deep) / DT))
        esper.component_for_entity(door, ec.Velocity).x = 0.0
        slides += fall(play, man, 20)
        assert all(slide.floor == ground and not slide.on_ceiling for slide in slides)
        for slide in slides[-20:]:
            assert slide.on_wall
            assert slide.position == pytest.approx((2.0 - HALF_WIDTH, 0.5 * HEIGHT), abs=1e-6)


@shapes
def test_a_press_leaves_it_on_the_floor_below(name: str) -> None:
    with game() as play:
        ground = static(ec.HalfPlane())
        mover(ec.Box(4.0, 1.0), (0.0, HEIGHT + 0.6), (0.0, -1.0))
        man = mover(SHAPES[name], (0.0, 0.5 * HEIGHT), (0.0, 0.0))
        slides = fall(play, man, 30)
        assert all(slide.floor == ground for slide in slides) and slides[-1].on_ceiling
        assert slides[-1].position == pytest.approx((0.0, 0.5 * HEIGHT), abs=1e-6)


@shapes
def test_a_door_pushes_a_row_of_characters(name: str) -> None:
    with game() as play:
        static(ec.HalfPlane())
        door = mover(ec.Box(0.4, 3.0), (-1.0, 1.6), (1.0, 0.0))
        row = [mover(SHAPES[name], (x, 0.5 * HEIGHT), (0.0, 0.0)) for x in (0.0, 1.0, 2.0)]
        for _ in range(180):
            for man in row:
                play.physics.move_and_slide(man, (0.0, -0.3), DT)
            play.step()
        places = [transform(entity).x for entity in (door, *row)]
        assert places[0] == pytest.approx(2.0, abs=1e-9)
        for left, right in itertools.pairwise(places):
            assert right - left > 0.5 - 0.02


def test_a_static_body_that_is_moved_as_a_character_is_found_at_its_new_place() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        static(ec.Circle(2.0))
        block = static(ec.Box(1.0, 1.0), (0.5, 0.0))
        play.step()
        place = play.physics.move_and_slide(block, (0.0, 0.0), 0.0).position
        play.step()
        assert place != (0.5, 0.0)
        assert block in play.physics.point_query(place)
