"""Dynamic bodies that run into a character: heavy ones shove it away, light ones do not."""

from __future__ import annotations

from math import inf, pi
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.characters import Walker
from tests.support.worlds import DT, Game, dynamic, game, ground, static, transform, velocity

G = 10.0
MASS = 80.0


def person(x: float = 0.0, y: float = 0.85, *more: object, mass: float = MASS) -> int:
    """Create a character of a mass, 0.6 by 1.7 m."""
    body = ec.RigidBody(ec.BodyKind.KINEMATIC, mass=mass)
    return esper.create_entity(ec.Transform(x, y), ec.Velocity(), body, ec.Collider(ec.Box(0.6, 1.7)), *more)


def slab(mass: float, x: float, speed: float, *, size: float = 1.0, friction: float = 0.0) -> int:
    """Create a box on the ground, which slides towards a character at the origin."""
    box = ec.Box(size, size)
    body = ec.RigidBody(lock_rotation=True)
    return dynamic(box, (x, 0.5 * size), (speed, 0.0), body, density=mass / size**2, friction=friction)


def boulder(mass: float, speed: float, x: float = -3.0) -> int:
    """Create a ball of 2 m that rolls towards a character at the origin."""
    return dynamic(ec.Circle(1.0), (x, 1.0), (speed, 0.0), density=mass / pi, angular=-speed)


@pytest.mark.parametrize("rate", [30, 60, 120])
def test_a_boulder_drives_a_character_before_it_until_that_has_braked_it(rate: int) -> None:
    with game(gravity=(0.0, -G)) as play:
        ground()
        ball, walker = boulder(1000.0, 3.0), Walker(play, person())
        for _ in range(7 * rate):
            walker.move(0.0, dt=1.0 / rate)
            play.step(dt=1.0 / rate)
            assert transform(walker.entity).x - transform(ball).x > 1.3 - 0.08
        assert walker.in_air == 0
        common = 3.0 * 1000.0 / (1000.0 + MASS)
        way = 0.5 * common**2 * 1500.0 / (MASS * G)  # a rolling ball has an inertia of half its mass more
        assert 0.4 * way < transform(walker.entity).x < 1.1 * way
        assert velocity(ball).x == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize(("mass", "speed"), [(0.5, 20.0), (5.0, 3.0), (0.01, 300.0)])
def test_what_is_light_does_not_move_a_character(mass: float, speed: float) -> None:
    with game(gravity=(0.0, -G)) as play:
        ground()
        walker = Walker(play, person())
        slab(mass, -3.0, speed, size=0.3)
        walker.walk(0.0, 120)
        assert abs(transform(walker.entity).x) < 0.01


def test_both_go_on_at_the_speed_of_an_impact_without_a_bounce() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        mass = 200.0
        crate, walker = slab(mass, -3.0, 4.0), Walker(play, person(), up=None)
        for _ in range(60):
            play.physics.move_and_slide(walker.entity, (0.0, 0.0), DT, up=None, brace_force=0.0)
            play.step()
        assert velocity(crate).x == pytest.approx(4.0 * mass / (mass + MASS), rel=0.02)
        before = transform(walker.entity).x
        play.physics.move_and_slide(walker.entity, (0.0, 0.0), DT, up=None, brace_force=0.0)
        assert (transform(walker.entity).x - before) / DT == pytest.approx(4.0 * mass / (mass + MASS), rel=0.02)


@pytest.mark.parametrize("rules", [{"brace_force": inf}, {"mass": 0.0}, {"mass": 1e6}])
def test_a_character_that_withstands_everything_stops_a_boulder(rules: dict[str, float]) -> None:
    with game(gravity=(0.0, -G)) as play:
        ground()
        ball, walker = boulder(1000.0, 3.0), Walker(play, person(), **rules)
        walker.walk(0.0, 150)
        assert abs(transform(walker.entity).x) < 0.01 and abs(velocity(ball).x) < 0.1


def test_a_character_before_a_wall_stops_what_runs_into_it() -> None:
    with game(gravity=(0.0, -G)) as play:
        ground()
        static(ec.Box(1.0, 6.0), (0.5 + 0.3 + 0.2, 3.0))
        crate, walker = slab(1000.0, -3.0, 3.0), Walker(play, person())
        for _ in range(150):
            slide = walker.walk(0.0)
            assert transform(walker.entity).x <= 0.2 + 1e-6
            assert transform(walker.entity).x - transform(crate).x > 0.8 - 0.02
        assert slide.on_floor and abs(velocity(crate).x) < 1e-3
        assert transform(walker.entity).x == pytest.approx(0.2, abs=5e-3)


def test_a_door_with_a_strong_motor_pushes_a_character_aside_and_a_weak_one_does_not() -> None:
    for torque, opens in ((4000.0, True), (200.0, False)):
        with game(gravity=(0.0, -G)) as play:
            ground()
            frame = static(ec.Box(0.1, 0.1), (-0.9, 4.0))
            door = dynamic(ec.Box(0.2, 3.0), (-0.9, 2.4), density=40.0)
            esper.create_entity(
                ec.RevoluteJoint(frame, door, point=(-0.9, 3.9), motor_speed=1.0, max_motor_torque=torque)
            )
            walker = Walker(play, person())
            walker.walk(0.0, 60)
            assert (transform(walker.entity).x > 0.2) == opens


def test_a_crate_that_falls_on_its_head_rests_there() -> None:
    with game(gravity=(0.0, -G)) as play:
        ground()
        crate = dynamic(ec.Box(0.6, 0.6), (0.0, 3.0), density=1000.0)
        walker = Walker(play, person())
        walker.walk(0.0, 180)
        assert transform(walker.entity).position == pytest.approx((0.0, 0.85), abs=5e-3)
        assert transform(crate).y == pytest.approx(2.0, abs=0.01)


def test_a_character_walks_against_a_boulder_and_is_shoved_all_the_same() -> None:
    with game(gravity=(0.0, -G)) as play:
        ground()
        walker = Walker(play, person(2.0))
        boulder(2000.0, 3.0)
        slides = [walker.walk(-1.0) for _ in range(120)]
        assert transform(walker.entity).x > 1.5
        assert all(abs(slide.velocity[0]) <= 1.0 + 1e-9 for slide in slides)


def test_the_velocity_that_the_game_gets_back_is_its_own() -> None:
    with game(gravity=(0.0, -G)) as play:
        ground()
        walker = Walker(play, person())
        slab(1000.0, -2.0, 3.0)
        speeds = [walker.walk(0.0).velocity[0] for _ in range(90)]
        assert transform(walker.entity).x > 0.5
        assert max(map(abs, speeds)) < 1e-9


def test_a_character_that_is_hit_in_the_air_flies_on() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        walker = Walker(play, person(), up=(0.0, 1.0))
        ball = slab(80.0, -2.0, 6.0)
        for _ in range(60):
            play.physics.move_and_slide(walker.entity, (0.0, 0.0), DT, up=(0.0, 1.0))
            play.step()
        assert transform(walker.entity).x > 1.0
        assert velocity(ball).x == pytest.approx(3.0, abs=0.1)


def test_a_character_on_another_one_goes_with_it() -> None:
    with game(gravity=(0.0, -G)) as play:
        ground()
        below, above = Walker(play, person()), Walker(play, person(0.0, 0.85 + 1.7))
        slab(1000.0, -3.0, 3.0)
        for _ in range(120):
            above.move(0.0)
            below.move(0.0)
            play.step()
        assert above.slide.floor == below.entity and above.in_air <= 1
        assert transform(below.entity).x > 1.0
        assert transform(above.entity).x == pytest.approx(transform(below.entity).x, abs=1e-5)


def moved_alone(play: Game, man: int) -> None:
    play.physics.move_and_slide(man, (0.0, -0.2), DT)


def moved_twice(play: Game, man: int) -> None:
    play.physics.move_and_slide(man, (0.0, -0.2), 0.5 * DT)
    play.physics.move_and_slide(man, (0.0, -0.2), 0.5 * DT)


def moved_in_arrays(play: Game, man: int) -> None:
    play.physics.move_and_slide_all([man], np.array([(0.0, -0.2)]), DT)


def with_a_filter(play: Game, man: int) -> None:
    play.physics.move_and_slide(man, (0.0, -0.2), DT, where=lambda entity: True)


@pytest.mark.parametrize("move", [moved_twice, moved_in_arrays, with_a_filter])
def test_every_way_of_moving_shoves_alike(move: Any) -> None:
    ends = []
    for way in (moved_alone, move):
        with game(gravity=(0.0, -G)) as play:
            ground()
            man = person()
            slab(500.0, -3.0, 3.0)
            for _ in range(150):
                way(play, man)
                play.step()
            ends.append(transform(man).x)
    assert ends[0] > 1.0
    assert ends[1] == pytest.approx(ends[0], rel=0.05)


def test_the_system_shoves_at_any_frame_rate() -> None:
    ends = []
    for rate in (30, 60, 144):
        with game(gravity=(0.0, -G), fixed_dt=DT) as play:
            esper.add_processor(ec.systems.MoveCharacters(play.physics), priority=100)
            ground()
            control = ec.CharacterController(velocity=(0.0, -0.2))
            man = person(0.0, 0.85, control)
            slab(500.0, -3.0, 3.0)
            for _ in range(3 * rate):
                control.velocity = (0.0, -0.2)
                esper.process(1.0 / rate)
            ends.append(transform(man).x)
    assert ends[1] > 1.0
    assert ends[0] == pytest.approx(ends[1], abs=0.01) and ends[2] == pytest.approx(ends[1], abs=0.01)


def test_an_entity_that_is_gone_leaves_no_shove_behind() -> None:
    with game(gravity=(0.0, 0.0)) as play:
        man = person()
        slab(200.0, -1.0, 4.0)
        for _ in range(20):
            play.physics.move_and_slide(man, (0.0, 0.0), DT, up=None, brace_force=0.0)
            play.step()
        assert transform(man).x > 0.1
        esper.delete_entity(man, immediate=True)
        play.step()
        esper.create_entity()
        other = person(20.0)
        play.physics.move_and_slide(other, (0.0, 0.0), DT, up=None)
        assert transform(other).position == (20.0, 0.85)


@pytest.mark.parametrize("value", [-1.0, float("nan")])
def test_a_bad_brace_force_is_refused(value: float) -> None:
    with game() as play:
        man = person()
        with pytest.raises(ValueError, match="brace_force must be"):
            play.physics.move_and_slide(man, (0.0, 0.0), DT, brace_force=value)
