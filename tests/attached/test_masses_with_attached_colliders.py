"""A body of several colliders moves like one compound shape, and keeps its momentum when colliders leave."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, dynamic, floor, game, static, transform

Placed = tuple[ec.Shape, tuple[float, float, float]]

CAR: list[Placed] = [
    (ec.Box(2, 0.4), (0.0, 0.0, 0.0)),
    (ec.Polygon([(-0.5, 0), (0.5, 0), (0.3, 0.5), (-0.3, 0.5)]), (0.1, 0.35, 0.0)),
    (ec.Box(0.2, 0.6), (-1.25, 0.3, 0.4)),
]
DUMBBELL: list[Placed] = [
    (ec.Capsule((-1, 0), (1, 0), 0.1), (0.0, 0.0, 0.0)),
    (ec.Circle(0.4), (1.6, 0.0, 0.0)),
    (ec.Circle(0.6), (-1.8, 0.0, 1.0)),
]


def with_attached(shapes: list[Placed], x: float, y: float, angle: float, *more: object, **collider: object) -> int:
    """Create a body whose collider is the first shape, with the others attached; return its entity."""
    (shape, place), *others = shapes
    assert place == (0.0, 0.0, 0.0)
    body = dynamic(shape, (x, y), (1, 0), *more, angle=angle, angular=0.7, **collider)
    for other, where in others:
        esper.create_entity(ec.AttachedTo(body, *where), ec.Collider(other, **collider))  # type: ignore[arg-type]
    return body


def one_compound(shapes: list[Placed], x: float, y: float, angle: float, *more: object, **collider: object) -> int:
    return dynamic(ec.Compound(shapes), (x, y), (1, 0), *more, angle=angle, angular=0.7, **collider)


def motion_down_a_slope(make: Callable[..., int], shapes: list[Placed], *more: object) -> list[tuple[float, ...]]:
    """Return poses and velocities of three bodies that fall onto a slope with bumps, step by step."""
    with game(gravity=(0, -10)) as play:
        floor()
        static(ec.Box(9, 1), (4, 0), angle=0.2, friction=0.3)
        for x in range(-4, 5, 2):
            static(ec.Circle(0.3), (x, 0))
        bodies = [make(shapes, 1.1 * k, 2 + 2 * k, 0.3 * k, *more, friction=0.4, restitution=0.2) for k in range(3)]
        path = []
        for _ in range(240):
            play.step()
            path.append(tuple(number for body in bodies for number in (*play.pose(body), *play.velocity(body))))
        return path


@pytest.mark.parametrize("shapes", [CAR, DUMBBELL])
def test_a_body_of_three_colliders_moves_like_the_compound_shape(shapes: list[Placed]) -> None:
    attached, whole = motion_down_a_slope(with_attached, shapes), motion_down_a_slope(one_compound, shapes)
    for step, (ours, theirs) in enumerate(zip(attached, whole, strict=True)):
        assert ours == pytest.approx(theirs, abs=1e-9), f"step {step}"


def test_a_mass_of_the_rigid_body_replaces_that_of_all_parts() -> None:
    def masses(make: Callable[..., int], **settings: float) -> tuple[float, ...]:
        with game() as play:
            body = make(CAR, 0, 0, 0.2, ec.RigidBody(**settings))  # type: ignore[arg-type]
            play.step()
            physics = play.physics
            return physics.mass_of(body), physics.inertia_of(body), *physics.center_of_mass_of(body)

    for settings in ({}, {"mass": 7.0}, {"mass": 7.0, "inertia": 3.0}):
        assert masses(with_attached, **settings) == pytest.approx(masses(one_compound, **settings), abs=1e-12)


def test_parts_of_different_densities_add_up() -> None:
    with game() as play:
        body = dynamic(ec.Box(1, 1), density=2)
        esper.create_entity(ec.AttachedTo(body, 3, 0), ec.Collider(ec.Box(1, 1), density=4))
        esper.create_entity(ec.AttachedTo(body, 0, 5), ec.Collider(ec.Box(1, 1), density=100, sensor=True))
        play.step()
        assert play.physics.mass_of(body) == pytest.approx(6)
        assert play.physics.center_of_mass_of(body) == pytest.approx((2, 0))
        assert play.physics.inertia_of(body) == pytest.approx(6 / 6 + 2 * 4 + 4 * 1)


def test_a_body_without_a_collider_of_its_own_has_the_mass_of_its_parts() -> None:
    with game(gravity=(0, -10)) as play:
        floor()
        frame = esper.create_entity(ec.Transform(0, 1), ec.Velocity())
        for x in (-1, 1):
            esper.create_entity(ec.AttachedTo(frame, x, 0), ec.Collider(ec.Circle(0.5), density=2))
        play.step(60)
        assert play.physics.mass_of(frame) == pytest.approx(math.pi)
        assert play.pose(frame) == pytest.approx((0, 0.5, 0), abs=0.01)


def test_a_center_of_mass_that_the_game_has_set_stays() -> None:
    with game() as play:
        body = dynamic(ec.Box(1, 1), (0, 0), (0, 0), ec.RigidBody(center_of_mass=(0.0, -0.25)))
        play.step()
        esper.create_entity(ec.AttachedTo(body, 3, 0), ec.Collider(ec.Box(1, 1)))
        play.step()
        assert play.physics.center_of_mass_of(body) == pytest.approx((0, -0.25))
        assert play.physics.mass_of(body) == pytest.approx(2)


def point_velocities(play: Game, body: int, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [play.physics.velocity_at(body, play.physics.to_world(body, point)) for point in points]


@pytest.mark.parametrize("seed", range(5))
def test_attaching_and_detaching_in_flight_keeps_the_velocity_of_all_points(seed: int) -> None:
    chance = random.Random(seed)
    points = [(0.0, 0.0), (1.0, 0.5), (-2.0, 1.0)]
    with game() as play:
        body = dynamic(ec.Box(1, 1), (3, 4), (2, -1), angle=1.0, angular=chance.uniform(-3, 3))
        play.step(10)
        before = point_velocities(play, body, points)
        gun = esper.create_entity(
            ec.AttachedTo(body, chance.uniform(-2, 2), 1, 0.3), ec.Collider(ec.Box(2, 0.2), density=3)
        )
        play.physics.mass_of(body)  # brings the change in, and makes no step
        assert point_velocities(play, body, points) == [pytest.approx(each, abs=1e-12) for each in before]
        play.step(10)
        momentum, spin = play.physics.momentum(), play.physics.angular_momentum()
        x, y = play.physics.to_world(gun, (0, 0))
        angle = play.pose(body)[2] + 0.3
        velocity = play.physics.velocity_at(body, (x, y))
        esper.remove_component(gun, ec.AttachedTo)
        esper.add_component(gun, ec.Transform(x, y, angle))
        esper.add_component(gun, ec.Velocity(*velocity, play.velocity(body)[2]))
        assert play.physics.momentum() == pytest.approx(momentum, abs=1e-12)
        assert play.physics.angular_momentum() == pytest.approx(spin, abs=1e-12)
        play.step(60)
        assert play.physics.momentum() == pytest.approx(momentum, abs=1e-9)
        apart = math.dist(transform(gun).position, transform(body).position)
        assert apart > 0.5, "the gun flies on its own"


def test_a_thing_that_is_picked_up_keeps_its_entity_and_filter() -> None:
    with game(gravity=(0, -10)) as play:
        ground = floor()
        hero = dynamic(ec.Box(0.5, 1), (0, 0.5), (0, 0), ec.RigidBody(lock_rotation=True), layer=1)
        crate = dynamic(ec.Box(0.5, 0.5), (2, 0.25), layer=2)
        play.step(10)
        assert play.physics.touching(crate, ground)
        esper.remove_component(crate, ec.Velocity)
        esper.add_component(crate, ec.AttachedTo(hero, 0, 1))
        play.step(5)
        assert not play.physics.touching(crate, ground)
        assert play.pose(crate) == pytest.approx((0, 1.5, 0), abs=0.01)
        assert play.physics.ray_cast((-5, 1.5), (5, 1.5)).entity == crate  # type: ignore[union-attr]
        pairs = [each for each in play.named_pairs() if crate in each and each[0] != "collision_hit"]
        assert pairs == [("collision_start", ground, crate), ("collision_end", ground, crate)]
        esper.remove_component(crate, ec.AttachedTo)
        esper.add_component(crate, ec.Velocity(3, 2))
        play.step(90)
        assert play.physics.touching(crate, ground) and play.pose(crate)[0] > 1


def test_a_kinematic_body_turns_about_the_center_of_all_its_parts() -> None:
    with game() as play:
        rotor = esper.create_entity(
            ec.Transform(), ec.Velocity(angular=1), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(1, 1))
        )
        blade = esper.create_entity(ec.AttachedTo(rotor, 2, 0), ec.Collider(ec.Box(1, 1)))
        play.step(60)
        assert play.physics.to_world(rotor, (1, 0)) == pytest.approx((1, 0), abs=1e-9)
        place = 1 + math.cos(1), math.sin(1)
        assert play.physics.to_world(blade, (0, 0)) == pytest.approx(place, abs=1e-9)
