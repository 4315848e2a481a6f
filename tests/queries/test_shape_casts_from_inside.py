"""Shape casts that begin inside of entities, or that touch them."""

from __future__ import annotations

import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, static

SHAPES: list[ec.Shape] = [ec.Circle(0.3), ec.Box(0.5, 0.4), ec.Capsule((-0.2, 0.0), (0.2, 0.0), 0.1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_cast_skips_all_that_it_touches_at_its_start(shape: ec.Shape) -> None:
    with game() as play:
        near = [static(ec.Box(2.0, 2.0)), dynamic(ec.Circle(1.0), (0.2, 0.0)), static(ec.Ring(3.0), (2.5, 0.0))]
        far = static(ec.Box(0.2, 4.0), (3.0, 0.0))
        path = shape, (0.0, 0.0, 0.0), (6.0, 0.0, 0.0)
        first = play.physics.shape_cast(*path)
        assert first is not None
        assert (first.entity, first.fraction) == (min(near), 0.0)
        skipped = play.physics.shape_cast(*path, inside="skip")
        plain = play.physics.shape_cast(*path, ignore=near[:2])
        assert skipped == plain
        assert skipped is not None
        assert skipped.entity == far
        assert play.physics.shape_cast(*path) == first, "what was skipped is found again"


def test_a_shape_that_rests_on_the_floor_moves_along_it() -> None:
    with game() as play:
        floor = static(ec.HalfPlane())
        wall = static(ec.Box(1.0, 1.0), (3.5, 0.5))
        path = ec.Box(1.0, 1.0), (0.0, 0.5, 0.0), (5.0, 0.5, 0.0)
        first, skipped = play.physics.shape_cast(*path), play.physics.shape_cast(*path, inside="skip")
        assert first is not None
        assert first.entity == floor
        assert skipped is not None
        assert skipped.entity == wall
        assert skipped.fraction == pytest.approx(0.5)


def test_a_cast_that_skips_everything_finds_nothing() -> None:
    with game() as play:
        static(ec.Box(1.0, 1.0))
        assert play.physics.shape_cast(ec.Circle(0.1), (0.0, 0.0, 0.0), (0.2, 0.0, 0.0), inside="skip") is None


def test_where_is_asked_for_what_is_skipped_too() -> None:
    with game() as play:
        a, b, c = (static(ec.Box(1.0, 1.0), (2.0 * k, 0.0)) for k in range(3))
        hit = play.physics.shape_cast(
            ec.Circle(0.1), (0.0, 0.0, 0.0), (4.0, 0.0, 0.0), inside="skip", where=lambda e: e != b
        )
        assert hit is not None
        assert hit.entity == c
        assert a != hit.entity


def test_a_wrong_word_is_named() -> None:
    with game() as play, pytest.raises(ValueError, match="inside must be one of 'start', 'skip', got 'exit'"):
        play.physics.shape_cast(ec.Circle(0.1), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), inside="exit")  # type: ignore[arg-type]
