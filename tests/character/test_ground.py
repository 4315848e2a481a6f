"""`ground_of` and `fits`: what an entity stands on, and whether it has room to stand up."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.characters import BELOW, BODIES, Walker, character
from tests.support.worlds import dynamic, game, kinematic, static, transform

STANDING = ec.Box(0.6, 1.8)
CROUCHING = ec.Box(0.6, 0.9, (0.0, -0.45))


def test_a_dynamic_player_stands_on_the_flattest_surface_that_it_touches() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        ground = static(ec.HalfPlane())
        static(ec.Box(1.0, 9.0), (1.0, 4.5))
        player = dynamic(ec.Circle(0.5), (0.0, 0.5), (1.0, 0.0))
        play.step(30)
        found = play.physics.ground_of(player)
        assert found is not None and found.entity == ground
        assert found.normal == pytest.approx((0.0, 1.0)) and found.velocity == (0.0, 0.0)
        assert found.point[1] == pytest.approx(0.0, abs=0.01)
        transform(player).y = 5.0
        play.step(2)
        assert play.physics.ground_of(player) is None


def test_the_ground_of_a_dynamic_player_has_the_velocity_of_its_surface() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        belt = kinematic(ec.Box(20.0, 1.0), (0.0, -0.5), (0.0, 0.5), surface_speed=2.0)
        player = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
        play.step(60)
        found = play.physics.ground_of(player)
        assert found is not None and found.entity == belt
        assert found.velocity == pytest.approx((2.0, 0.5), abs=1e-6)


def test_a_slope_is_ground_up_to_max_slope() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        slope = static(ec.HalfPlane((-math.sin(0.6), math.cos(0.6))), friction=2.0)
        player = dynamic(ec.Box(1.0, 1.0), (-0.5 * math.sin(0.6), 0.5 * math.cos(0.6)), angle=0.6, friction=2.0)
        play.step(10)
        found = play.physics.ground_of(player)
        assert found is not None and found.entity == slope
        assert play.physics.ground_of(player, max_slope=0.5) is None


def test_ground_is_what_up_points_away_from() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        static(ec.HalfPlane())
        wall = static(ec.Box(1.0, 9.0), (1.0, 4.5))
        player = dynamic(ec.Circle(0.5), (0.0, 0.5), (1.0, 0.0))
        play.step(30)
        found = play.physics.ground_of(player, up=(-1.0, 0.0))
        assert found is not None and found.entity == wall
        assert play.physics.ground_of(player, up=(1.0, 0.0)) is None


def test_the_ground_of_a_character_is_the_floor_of_its_last_motion() -> None:
    with game() as play:
        lift = kinematic(ec.Box(4.0, 0.4), (0.0, -0.2), (1.0, 2.0))
        walker = Walker(play, character(STANDING, 0.0, 0.9))
        walker.walk(0.0, 5)
        found = play.physics.ground_of(walker.entity)
        assert found is not None and found.entity == lift
        assert found.velocity == pytest.approx((1.0, 2.0)) and found.normal == pytest.approx((0.0, 1.0))
        walker.move(0.0, jump=5.0)
        assert play.physics.ground_of(walker.entity) is None


BELT = ec.Box(9.0, 0.2)


def belt_of_its_own() -> None:
    static(BELT, (0.0, -0.1), surface_speed=2.0)


def belt_of_a_part() -> None:
    belt = ec.Material(surface_speed=2.0)
    static(ec.Compound([(BELT, (0.0, -0.1, 0.0)), (ec.Box(1.0, 1.0), (20.0, 0.0, 0.0))], materials=[belt, None]))


def attached_belt() -> None:
    rock = static(ec.Box(1.0, 1.0), (0.0, -3.0))
    esper.create_entity(ec.AttachedTo(rock, 0.0, 2.9), ec.Collider(BELT, surface_speed=2.0))


def belt_on_a_lift() -> None:
    kinematic(BELT, (0.0, -0.1), (2.5, 1.0), surface_speed=-0.5)


@pytest.mark.parametrize("build", [belt_of_its_own, belt_of_a_part, attached_belt, belt_on_a_lift])
def test_the_ground_of_a_character_and_of_a_body_has_the_velocity_of_the_belt(build: Callable[[], None]) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        build()
        walker = Walker(play, character(STANDING, 0.0, 0.9))
        player = dynamic(ec.Box(1.0, 1.0), (2.0, 0.5), friction=2.0)
        slide = walker.walk(0.0, 30)
        found = play.physics.ground_of(walker.entity)
        assert found is not None and found.velocity == slide.floor_velocity
        assert found.velocity[0] == pytest.approx(2.0) and transform(walker.entity).x == pytest.approx(1.0, abs=1e-6)
        under_player = play.physics.ground_of(player)
        assert under_player is not None and under_player.velocity == pytest.approx(found.velocity, abs=1e-6)
        assert play.velocity(player)[0] == pytest.approx(2.0, abs=0.01)


def test_the_ground_of_a_rider_has_the_velocity_of_the_character_below() -> None:
    with game() as play:
        static(ec.HalfPlane())
        below, rider = (Walker(play, character(CROUCHING, 0.0, y)) for y in (0.9, 1.8))
        for _ in range(10):
            below.move(1.5)
            rider.move(0.0)
            play.step()
        found = play.physics.ground_of(rider.entity)
        assert found is not None and found.entity == below.entity
        assert found.velocity == pytest.approx((1.5, 0.0))


@pytest.mark.parametrize("kind", [ec.BodyKind.STATIC, ec.BodyKind.KINEMATIC, ec.BodyKind.DYNAMIC])
@pytest.mark.parametrize("name", BODIES)
def test_the_point_of_a_characters_ground_is_below_it_on_the_surface(name: str, kind: ec.BodyKind) -> None:
    with game(gravity=(0.0, -10.0)) as play:
        esper.create_entity(ec.Transform(0.0, -0.5), ec.RigidBody(kind, mass=1e6), ec.Collider(ec.Box(30.0, 1.0)))
        static(ec.HalfPlane(), (0.0, -1.0))
        walker = Walker(play, character(BODIES[name], 0.0, BELOW[name]))
        walker.walk(1.0, 10)
        found = play.physics.ground_of(walker.entity)
        assert found is not None and found.point == pytest.approx((transform(walker.entity).x, 0.0), abs=1e-3)


@pytest.mark.parametrize("gap", [0.0, 0.05, -0.05])
def test_who_crouches_may_stand_up_where_there_is_room(gap: float) -> None:
    with game() as play:
        static(ec.HalfPlane())
        static(ec.Box(4.0, 1.0), (3.0, 1.8 + gap + 0.5))
        walker = Walker(play, character(CROUCHING, 0.0, 0.9))
        assert play.physics.fits(walker.entity, STANDING)
        walker.walk(2.0, 90)
        assert transform(walker.entity).x == pytest.approx(3.0, abs=1e-6)
        assert play.physics.fits(walker.entity, STANDING) is (gap >= 0.0)
        assert play.physics.fits(walker.entity, STANDING, (0.0, 0.9))


def test_what_its_filters_let_pass_does_not_keep_it_from_standing_up() -> None:
    with game() as play:
        static(ec.Box(1.0, 1.0), (0.0, 1.5), sensor=True)
        static(ec.Box(1.0, 1.0), (0.0, 1.5), one_way=(0.0, 1.0))
        static(ec.Box(1.0, 1.0), (0.0, 1.5), group=-2)
        friend = static(ec.Box(1.0, 1.0), (0.0, 1.5))
        man = kinematic(CROUCHING, (0.0, 0.9), group=-2)
        assert not play.physics.fits(man, STANDING)
        assert play.physics.fits(man, STANDING, ignore=[friend])
        assert play.physics.fits(man, STANDING, mask=~1) and not play.physics.fits(man, STANDING, mask=1)


def test_without_a_collider_a_shape_has_to_be_given() -> None:
    with game() as play:
        ghost = esper.create_entity(ec.Transform(), ec.Velocity())
        with pytest.raises(ValueError, match=f"entity {ghost} has no Collider"):
            play.physics.fits(ghost)
        with pytest.raises(ec.PhysicsError, match="entity 99 has no body"):
            play.physics.ground_of(99)
