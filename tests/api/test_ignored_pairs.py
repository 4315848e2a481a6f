"""Two entities that the game lets pass through each other."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import disk, floor, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def two_that_meet(shape: ec.Shape) -> tuple[int, int]:
    """Create two bodies that fly towards each other."""
    makers = ((-2, 3), (2, -3))
    a, b = (
        esper.create_entity(ec.Transform(x, 0), ec.Velocity(speed), ec.Collider(shape, restitution=1))
        for x, speed in makers
    )
    return a, b


@pytest.mark.parametrize("shape", [ec.Circle(0.5), ec.Box(1, 1), ec.Compound([ec.Circle(0.5), ec.Box(1, 0.2)])])
def test_ignored_entities_pass_and_others_do_not(shape: ec.Shape) -> None:
    physics = ec.install()
    a, b = two_that_meet(shape)
    physics.ignore(b, a)
    other = esper.create_entity(ec.Transform(4, 0), ec.Collider(ec.Box(1, 4)))
    starts: list[ec.Contact] = []
    ec.on("collision_start", starts.append)
    run(120)
    assert transform(b).x < -1
    assert [{each.entity_a, each.entity_b} for each in starts] == [{a, other}]


def test_what_touches_ends_and_wakes_when_it_is_ignored_and_starts_again() -> None:
    physics = ec.install(gravity=(0, -10))
    ground = floor()
    entity = disk(0, 0.5, moving=True)
    log: list[str] = []
    ec.on("collision_start", lambda contact: log.append("start"))
    ec.on("collision_end", lambda contact: log.append("end"))
    run(120)
    assert not physics.is_awake(entity)
    physics.ignore(entity, ground)
    run(30)
    assert transform(entity).y < 0
    assert log == ["start", "end"]
    physics.ignore(entity, ground, ignored=False)
    run(1)
    assert log == ["start", "end", "start"]


def test_fast_bodies_and_sensors_are_ignored_too() -> None:
    physics = ec.install()
    bullet = esper.create_entity(
        ec.Transform(), ec.Velocity(500), ec.Collider(ec.Circle(0.1)), ec.RigidBody(bullet=True)
    )
    wall = esper.create_entity(ec.Transform(3, 0), ec.Collider(ec.Box(0.1, 4)))
    sensor = esper.create_entity(ec.Transform(2, 0), ec.Collider(ec.Box(1, 4), sensor=True))
    log: list[int] = []
    ec.on("sensor_enter", lambda entered, entity: log.append(entered))
    for other in (wall, sensor):
        physics.ignore(bullet, other)
    run(3)
    assert velocity(bullet).x == 500 and log == []


def test_a_pair_ends_with_either_body_and_does_not_pass_to_a_later_one() -> None:
    physics = ec.install()
    for k in range(3):
        a, b = two_that_meet(ec.Circle(0.5))
        if k == 0:
            physics.ignore(a, b)
            run(2)
            esper.delete_entity(a, immediate=True)
            esper.delete_entity(b, immediate=True)
            if k % 2:
                run(1)
            continue
        run(60)
        assert velocity(a).x < 0 < velocity(b).x
        esper.delete_entity(a, immediate=True)
        esper.delete_entity(b, immediate=True)


def test_joints_and_the_game_count_beside_each_other() -> None:
    physics = ec.install()
    a, b = disk(0, 0, moving=True), disk(0.5, 0, moving=True)
    joint = esper.create_entity(ec.DistanceJoint(a, b, length=0.5))
    physics.ignore(a, b)
    physics.ignore(a, b)
    run(5)
    assert not physics.touching(a, b)
    esper.delete_entity(joint, immediate=True)
    run(5)
    assert not physics.touching(a, b)
    physics.ignore(a, b, ignored=False)
    run(1)
    assert physics.touching(a, b)


def test_wrong_pairs_are_errors() -> None:
    physics = ec.install()
    entity = disk()
    with pytest.raises(ValueError, match=f"a and b must be two entities, got {entity} twice"):
        physics.ignore(entity, entity)
    with pytest.raises(ec.PhysicsError, match="entity 999 has no body"):
        physics.ignore(entity, 999)
    with pytest.raises(TypeError, match="ignored must be True or False"):
        physics.ignore(entity, disk(5), 0)  # type: ignore[arg-type]
    ec.uninstall()
    exact = ec.install(response="exact")
    with pytest.raises(ec.PhysicsError, match="the exact response has no ignored pairs"):
        exact.ignore(entity, disk(9))
