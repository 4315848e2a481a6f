"""The direction up of characters: against gravity unless the game says it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ecs_collide as ec
from tests.support.characters import STAIRS, Walker, character
from tests.support.worlds import DT, game, static, transform


@pytest.mark.parametrize("gravity", [(0.0, 900.0), (0.0, -900.0), (900.0, 0.0), (-540.0, 720.0)])
def test_it_stands_on_what_is_below_it_in_any_gravity(gravity: tuple[float, float]) -> None:
    down_x, down_y = gravity[0] / 900.0, gravity[1] / 900.0
    with game(gravity=gravity, length_unit=50) as play:
        ground = static(ec.HalfPlane((-down_x, -down_y)))
        man = character(ec.Circle(20.0), -25.0 * down_x, -25.0 * down_y)
        vx, vy = 0.0, 0.0
        for _ in range(60):
            slide = play.physics.move_and_slide(man, (vx + gravity[0] * DT, vy + gravity[1] * DT), DT)
            vx, vy = slide.velocity
            play.step()
        assert slide.floor == ground and slide.floor_normal == pytest.approx((-down_x, -down_y))
        assert slide.position == pytest.approx((-20.0 * down_x, -20.0 * down_y), abs=1e-4)


def test_without_gravity_y_points_up() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        static(ec.HalfPlane())
        man = character(ec.Circle(0.5), 0.0, 0.5)
        assert play.physics.move_and_slide(man, (0.0, -1.0), DT).on_floor


def test_a_gravity_that_is_changed_turns_it_over() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.HalfPlane())
        man = character(ec.Circle(0.5), 0.0, 0.5)
        assert play.physics.move_and_slide(man, (0.0, -1.0), DT).on_floor
        play.physics.gravity = (0.0, 10.0)
        slide = play.physics.move_and_slide(man, (0.0, -1.0), DT)
        assert slide.on_ceiling and not slide.on_floor


def test_pixels_with_y_down_have_stairs_and_lifts_too() -> None:
    with game(gravity=(0.0, 900.0), length_unit=50) as play:
        static(ec.Box(4000.0, 100.0), (0.0, 50.0))
        for k in range(4):
            static(ec.Box(2000.0, 8.5 * (k + 1)), (1100.0 + 14.0 * k, -4.25 * (k + 1)))
        man, fall, in_air = character(ec.Box(30.0, 85.0), 0.0, -42.5), 0.0, 0
        for _ in range(120):
            slide = play.physics.move_and_slide(man, (150.0, fall + 900.0 * DT), DT, step_height=10.0)
            fall, in_air = slide.velocity[1], in_air + (not slide.on_floor)
            play.step()
        assert in_air == 0
        assert transform(man).position == pytest.approx((300.0, -42.5 - 34.0), abs=1e-3)


def test_an_up_along_gravity_is_warned_of(new_warnings: Callable[[], list[str]], fresh_world: Any) -> None:
    physics = ec.install(gravity=(0.0, 900.0))
    man = character(ec.Circle(0.5), 0.0, 5.0)
    for _ in range(3):
        physics.move_and_slide(man, (0.0, 1.0), DT, up=(0.0, 1.0))
    texts = [text for text in new_warnings() if "character" in text]
    assert len(texts) == 1
    assert texts[0].startswith("a character's up is (0, 1), but gravity is (0, 900), which points the same way")


def test_the_system_takes_it_from_gravity_as_well() -> None:
    with game(gravity=(0.0, 10.0)) as play:
        static(ec.HalfPlane((0.0, -1.0)))
        control = ec.CharacterController(velocity=(0.0, 1.0))
        man = character(ec.Circle(0.5), 0.0, -0.5, control)
        play.physics.move_characters([(man, control)], DT)
        assert control.on_floor


def test_words_other_than_gravity_are_refused() -> None:
    with game() as play:
        man = character(ec.Circle(0.5), 0.0, 5.0)
        with pytest.raises(TypeError, match="up must be"):
            play.physics.move_and_slide(man, (0.0, 0.0), DT, up="north")  # type: ignore[arg-type]


def test_stairs_that_turn_with_gravity_are_climbed_alike() -> None:
    with game() as play:
        STAIRS["polygon"](2.0, 0.28, 0.17, 5)
        walker = Walker(play, character(ec.Box(0.6, 1.7), 0.0, 0.85), up=(0.0, 2.0), step_height=0.2)
        assert walker.walk(3.0, 120).position[1] == pytest.approx(0.85 + 0.85, abs=1e-6)
