"""Box2D v3, test_world and test_restitution: a falling box, sensors, chains, and bounces of a given coefficient."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, disk, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

SPEED = 5.0
COEFFICIENTS = [0.0, 0.25, 0.5, 0.75, 1.0]


def test_a_box_falls_to_the_ground_and_rests() -> None:
    """Box2D v3, test_world: HelloWorld; planck.js, World: simulates gravity."""
    ec.install(gravity=(0, -10))
    esper.create_entity(ec.Transform(0, -10), ec.Collider(ec.Box(100, 20)))
    box = esper.create_entity(ec.Transform(0, 4), ec.Velocity(), ec.Collider(ec.Box(2, 2), friction=0.3))
    run(90)
    x, y, angle = transform(box).pose
    assert x == pytest.approx(0.0, abs=1e-12)
    assert angle == pytest.approx(0.0, abs=1e-12)
    assert y == pytest.approx(1.0, abs=0.005)


def test_a_world_without_bodies() -> None:
    """Box2D v3, test_world: EmptyWorld."""
    physics = ec.install(substeps=1)
    run(60)
    assert physics.statistics.steps == 60
    assert physics.entities.tolist() == []


def test_bodies_that_come_one_by_one_and_go_in_reverse() -> None:
    """Box2D v3, test_world: DestroyAllBodiesWorld."""
    physics = ec.install()
    bodies: list[int] = []
    for k in range(30):
        if k < 10:
            bodies.append(esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Box(1, 1))))
        elif bodies:
            esper.delete_entity(bodies.pop(), immediate=True)
        run()
        assert sorted(physics.entities[physics.entities > 0].tolist()) == sorted(bodies)
    assert bodies == []


def test_worlds_are_made_and_removed_again_and_again(fresh_world: str) -> None:
    """Box2D v3, test_world: TestWorldRecycle."""
    for _ in range(5):
        names = [f"{fresh_world}, {k}" for k in range(8)]
        for name in names:
            esper.switch_world(name)
            ec.install(substeps=1)
            disk()
        for name in names:
            esper.switch_world(name)
            run(3)
            assert ec.physics().statistics.steps == 3
        esper.switch_world(fresh_world)
        for name in reversed(names):
            esper.delete_world(name)
    assert not any(name in esper.list_worlds() for name in names)


def test_settings_of_a_world() -> None:
    """Box2D v3, test_world: TestWorldCoverage."""
    physics = ec.install(sleeping=False, continuous=True, bounce_speed=2, hit_speed=100)
    settings = physics.settings
    assert (settings.sleeping, settings.continuous, settings.bounce_speed, settings.hit_speed) == (False, True, 2, 100)
    physics.gravity = (1, 2)
    assert physics.gravity == (1.0, 2.0)
    run(1, 1.0)
    assert physics.statistics.steps == 1


def test_a_sensor_that_flies_through_a_wall_enters_and_leaves_it_once() -> None:
    """Box2D v3, test_world: TestSensor."""
    ec.install()
    esper.create_entity(ec.Transform(1.5, 11), ec.Collider(ec.Box(1, 20)))
    events: list[str] = []
    ec.on("sensor_enter", lambda sensor, entity: events.append("enter"))
    ec.on("sensor_exit", lambda sensor, entity: events.append("exit"))
    bullet = esper.create_entity(
        ec.Transform(7.39814, 4),
        ec.Velocity(-20, 0),
        ec.Collider(ec.Circle(0.1), sensor=True, detect=True),
        ec.RigidBody(bullet=True),
    )
    while transform(bullet).x >= -1.0:
        run()
    assert events == ["enter", "exit"]


def test_a_ball_rests_on_one_link_of_a_chain() -> None:
    """Box2D v3, test_world: ChainSegmentShapeTest."""
    ec.install(gravity=(0, -10))
    esper.create_entity(ec.Transform(), ec.Collider(ec.Chain([(2, 0), (1, 0), (-1, 0), (-2, 0)])))
    ball = esper.create_entity(ec.Transform(0, 2), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
    run(120)
    assert transform(ball).y == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize("density", [1, 10, 100])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_two_balls_meet_head_on(coefficient: float, density: float) -> None:
    """Box2D v3, test_restitution: HeadOnTest, within 0.02 there."""
    physics = ec.install(sleeping=False)
    balls = [
        esper.create_entity(
            ec.Transform(side, 0),
            ec.Velocity(-side * SPEED / 2),
            ec.Collider(ec.Circle(0.5), density=weight, friction=0, restitution=coefficient),
        )
        for side, weight in ((-1, 1), (1, density))
    ]
    masses = [physics.mass_of(ball) for ball in balls]
    momentum = sum(mass * velocity(ball).x for mass, ball in zip(masses, balls, strict=True))
    run(30)
    a, b = (velocity(ball).x for ball in balls)
    assert (b - a) / SPEED == pytest.approx(coefficient, abs=1e-9)
    assert masses[0] * a + masses[1] * b == pytest.approx(momentum, rel=1e-12, abs=1e-12)


def bounce_of(shape: ec.Shape, height: float, coefficient: float, spin: float = 0.0) -> tuple[float, float]:
    """Return speed, in impact speeds, and spin after a shape has hit the ground at `SPEED`, without gravity."""
    ec.install(sleeping=False)
    esper.create_entity(ec.Transform(0, -1), ec.Collider(ec.Box(80, 2), friction=0))
    body = esper.create_entity(
        ec.Transform(0, height),
        ec.Velocity(0, -SPEED, spin),
        ec.Collider(shape, friction=0, restitution=coefficient),
    )
    run(20)
    return velocity(body).y / SPEED, velocity(body).angular


@pytest.mark.parametrize("coefficient", [0.25, 0.5, 0.9])
@pytest.mark.parametrize("phase", range(16))
def test_a_bounce_does_not_depend_on_when_within_a_step_it_happens(phase: int, coefficient: float) -> None:
    """Box2D v3, test_restitution: PhaseTest, within 0.05 there."""
    speed, _ = bounce_of(ec.Circle(0.5), 0.5 + phase / 16 * SPEED * DT, coefficient)
    assert speed == pytest.approx(coefficient, abs=1e-9)


@pytest.mark.parametrize("coefficient", [0.5, 0.9])
def test_a_box_that_lands_flat_does_not_begin_to_turn(coefficient: float) -> None:
    """Box2D v3, test_restitution: TwoPointTest, within 0.01 and 0.03 rad/s there."""
    speed, spin = bounce_of(ec.Box(2, 0.5), 0.25 + 0.5 * SPEED * DT, coefficient)
    assert speed == pytest.approx(coefficient, abs=0.001)
    assert spin == pytest.approx(0.0, abs=0.001)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("coefficient", [0.5, 0.9])
def test_a_ball_on_a_column_of_dead_balls_bounces_no_higher_than_on_the_ground(coefficient: float, count: int) -> None:
    """Box2D v3, test_restitution: SupportedTest, the upper bound; sequential impacts leave less here."""
    ec.install(sleeping=False)
    esper.create_entity(ec.Transform(0, -1), ec.Collider(ec.Box(80, 2), friction=0))
    for k in range(count):
        disk(0, 0.5 + k, friction=0)
    ball = disk(0, 0.5 + count + 0.5 * SPEED * DT, friction=0, restitution=coefficient)
    velocity(ball).y = -SPEED
    run(30)
    assert 0.0 < velocity(ball).y / SPEED <= coefficient + 1e-9
    assert velocity(ball).y / SPEED >= coefficient - 1e-9 or count > 0
