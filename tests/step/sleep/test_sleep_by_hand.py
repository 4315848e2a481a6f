"""Bodies that the game puts to sleep, events of sleep, and switching sleep and sweeps at run time."""

from __future__ import annotations

from itertools import pairwise

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import disk, floor, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def crate(x: float, y: float, speed: float = 0.0) -> int:
    """Create a box of 1 m."""
    return esper.create_entity(ec.Transform(x, y), ec.Velocity(speed), ec.Collider(ec.Box(1, 1)))


def sleep_log() -> list[tuple[str, int]]:
    """Return a list that gets the events of sleep."""
    log: list[tuple[str, int]] = []
    ec.on("body_sleep", lambda entity: log.append(("sleep", entity)))
    ec.on("body_wake", lambda entity: log.append(("wake", entity)))
    return log


def test_a_body_put_to_sleep_in_mid_air_stays_there_until_it_is_woken() -> None:
    physics = ec.install(gravity=(0, -10))
    entity = crate(0, 5, 3)
    run(10)
    place = transform(entity).pose
    physics.sleep(entity)
    assert not physics.is_awake(entity)
    run(60)
    assert transform(entity).pose == place
    assert velocity(entity).linear == (0, 0)
    physics.wake(entity)
    run(10)
    assert transform(entity).y < place[1]


def test_a_body_may_be_made_asleep() -> None:
    physics = ec.install(gravity=(0, -10))
    floor()
    entity = crate(0, 5)
    physics.sleep(entity)
    run(60)
    assert transform(entity).y == 5
    ball = esper.create_entity(ec.Transform(0, 8), ec.Velocity(), ec.Collider(ec.Circle(0.3)))
    run(120)
    assert physics.is_awake(entity) or transform(entity).y < 1
    assert transform(entity).y == pytest.approx(0.5, abs=0.02) and ball


def test_a_body_sleeps_with_all_that_touch_it_and_wakes_with_them() -> None:
    physics = ec.install(gravity=(0, -10))
    floor()
    pile = [crate(0.05 * k, 0.5 + k) for k in range(5)]
    apart = crate(20, 5)
    run(5)
    physics.sleep(pile[2])
    run(1)
    assert [physics.is_awake(each) for each in pile] == [False] * 5
    assert physics.is_awake(apart)
    assert physics.statistics.sleeping_bodies == 5
    physics.apply_impulse(pile[4], (3, 0))
    run(1)
    assert [physics.is_awake(each) for each in pile] == [True] * 5
    assert velocity(pile[4]).x > 1


def test_a_body_sleeps_with_what_is_joined_to_it() -> None:
    physics = ec.install(gravity=(0, -10))
    balls = [disk(k, 0, moving=True) for k in range(0, 8, 2)]
    for a, b in pairwise(balls):
        esper.create_entity(ec.DistanceJoint(a, b))
    run(3)
    heights = [transform(each).y for each in balls]
    physics.sleep(balls[0])
    run(30)
    assert [transform(each).y for each in balls] == heights
    physics.wake(balls[3])
    run(10)
    assert all(transform(each).y < height for each, height in zip(balls, heights))


def test_a_crate_sleeps_on_a_lift_at_rest_and_wakes_when_the_lift_moves() -> None:
    physics = ec.install(gravity=(0, -10))
    lift = esper.create_entity(
        ec.Transform(0, 0), ec.Velocity(), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(4, 1))
    )
    entity = crate(0, 1)
    run(5)
    physics.sleep(entity)
    run(20)
    assert not physics.is_awake(entity)
    velocity(lift).y = 1
    run(30)
    assert transform(entity).y == pytest.approx(1.5, abs=0.02)


def test_a_crate_on_a_moving_lift_is_woken_at_once() -> None:
    physics = ec.install(gravity=(0, -10))
    esper.create_entity(
        ec.Transform(0, 0), ec.Velocity(0, 1), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(4, 1))
    )
    entity = crate(0, 1)
    run(5)
    physics.sleep(entity)
    run(30)
    assert transform(entity).y == pytest.approx(1 + 35 / 60, abs=0.03)


def test_contacts_of_a_body_put_to_sleep_stay() -> None:
    physics = ec.install(gravity=(0, -10))
    ground = floor()
    entity = crate(0, 0.5)
    run(5)
    before = [contact.other(entity) for contact in physics.contacts_of(entity)]
    physics.sleep(entity)
    run(5)
    assert [contact.other(entity) for contact in physics.contacts_of(entity)] == before == [ground]
    assert physics.touching(entity, ground)


def test_a_request_can_be_taken_back_and_ends_with_its_body() -> None:
    physics = ec.install(gravity=(0, -10))
    entity = crate(0, 5)
    physics.sleep(entity)
    physics.wake(entity)
    assert physics.is_awake(entity)
    run(5)
    assert transform(entity).y < 5
    physics.sleep(entity)
    esper.delete_entity(entity, immediate=True)
    other = crate(0, 5)
    run(5)
    assert physics.is_awake(other) and transform(other).y < 5


def test_a_request_ends_when_sleep_is_switched_off() -> None:
    physics = ec.install()
    entity = crate(0, 5)
    physics.sleep(entity)
    physics.sleeping = False
    physics.sleeping = True
    run()
    assert physics.is_awake(entity)


def test_what_cannot_sleep_is_an_error_that_names_it() -> None:
    physics = ec.install()
    ground = floor()
    with pytest.raises(ec.PhysicsError, match=f"entity {ground} is static: only dynamic bodies fall asleep"):
        physics.sleep(ground)
    ec.uninstall()
    for options in ({"sleeping": False}, {"response": "exact"}):
        esper.clear_database()
        physics = ec.install(**options)
        entity = disk()
        with pytest.raises(ec.PhysicsError, match=f"entity {entity} cannot sleep"):
            physics.sleep(entity)
        ec.uninstall()


def test_a_pile_that_falls_asleep_and_is_hit_is_reported() -> None:
    ec.install(gravity=(0, -10))
    log = sleep_log()
    floor()
    pile = [crate(0, 0.5), crate(0, 1.5)]
    run(120)
    assert log == [("sleep", pile[0]), ("sleep", pile[1])]
    log.clear()
    ball = esper.create_entity(ec.Transform(-3, 1.5), ec.Velocity(20), ec.Collider(ec.Circle(0.2)))
    run(20)
    assert log == [("wake", pile[0]), ("wake", pile[1])]
    esper.delete_entity(ball, immediate=True)
    esper.delete_entity(pile[0], immediate=True)
    log.clear()
    run(300)
    assert log[-1] == ("sleep", pile[1])


def test_a_body_put_to_sleep_and_woken_by_hand_is_reported() -> None:
    physics = ec.install(gravity=(0, -10))
    log = sleep_log()
    entity = crate(0, 5)
    physics.sleep(entity)
    run(1)
    assert log == [("sleep", entity)]
    physics.wake(entity)
    run(1)
    assert log == [("sleep", entity), ("wake", entity)]
    physics.sleep(entity)
    run(1)
    esper.delete_entity(entity)
    run(2)
    assert log[2:] == [("sleep", entity)], "a deleted body does not wake"


def test_sleep_is_switched_at_run_time() -> None:
    physics = ec.install(gravity=(0, -10))
    floor()
    entity = crate(0, 0.5)
    run(120)
    assert not physics.is_awake(entity)
    physics.sleeping = False
    assert physics.is_awake(entity)
    run(120)
    assert physics.is_awake(entity) and not physics.sleeping
    physics.sleeping = True
    run(120)
    assert not physics.is_awake(entity)
    with pytest.raises(TypeError, match="sleeping must be True or False"):
        physics.sleeping = 1  # type: ignore[assignment]


def test_sweeps_are_switched_at_run_time() -> None:
    physics = ec.install()
    esper.create_entity(ec.Transform(5, 0), ec.Collider(ec.Box(0.1, 4)))
    places = []
    for continuous in (True, False, True):
        physics.continuous = continuous
        ball = esper.create_entity(ec.Transform(0, 0), ec.Velocity(600), ec.Collider(ec.Circle(0.1)))
        run(2)
        places.append(transform(ball).x < 5)
        esper.delete_entity(ball, immediate=True)
    assert places == [True, False, True]
    assert physics.continuous


def test_a_request_in_a_hook_or_a_pause_takes_effect_in_the_next_narrowphase() -> None:
    physics = ec.install(gravity=(0, -10))
    entity = crate(0, 5)

    @ec.on("body_wake")
    def sleep_again(woken: int) -> None:
        physics.sleep(woken)

    physics.sleep(entity)
    physics.time_scale = 0
    run(2)
    assert not physics.is_awake(entity)
    physics.time_scale = 1
    run(2)
    physics.wake(entity)
    run(5)
    assert not physics.is_awake(entity)
    assert transform(entity).y == pytest.approx(5, abs=0.02)
