"""Conditions under which bodies fall asleep, and what sleep means."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec
from ecs_collide.common.tolerances import SLEEP_SPEED, SLEEP_TIME
from tests.step.sleep.scenes import BOX, GRAVITY, fall_asleep, stack
from tests.support.worlds import DT, dynamic, game, ground, static


def test_a_stack_at_rest_falls_asleep_after_its_time_and_is_counted() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        boxes = stack(0.0, 3)
        play.step(int(SLEEP_TIME / DT) - 1)
        assert all(map(play.physics.is_awake, boxes))
        fall_asleep(play, *boxes, steps=36)
        statistics = play.physics.statistics
        assert (statistics.bodies, statistics.moving_bodies) == (4, 3)
        assert (statistics.awake_bodies, statistics.sleeping_bodies) == (0, 3)
        poses = [play.pose(box) for box in boxes]
        play.step(100)
        assert [play.pose(box) for box in boxes] == poses
        assert [play.velocity(box) for box in boxes] == [(0.0, 0.0, 0.0)] * 3
        assert play.physics.statistics.contacts == play.physics.statistics.pairs == 0


def test_without_sleeping_nothing_falls_asleep() -> None:
    with game(gravity=GRAVITY, sleeping=False) as play:
        ground()
        box = dynamic(BOX, (0.0, 0.5))
        play.step(120)
        assert play.physics.is_awake(box)
        assert play.physics.statistics.contacts == 1


def test_the_exact_response_puts_nothing_to_sleep() -> None:
    with game(gravity=GRAVITY, response="exact") as play:
        ground()
        ball = dynamic(ec.Circle(0.5), (0.0, 0.5))
        play.step(120)
        assert play.physics.is_awake(ball)
        assert play.physics.touching(1, ball)


def test_sleeping_must_be_a_flag() -> None:
    with pytest.raises(TypeError, match="sleeping"), game(sleeping=0.5):
        pass


def test_one_that_may_not_sleep_keeps_its_island_awake_and_no_other() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        left, right = stack(0.0, 2), stack(5.0, 2)
        guard = dynamic(BOX, (0.0, 2.5), (0.0, 0.0), ec.RigidBody(can_sleep=False))
        fall_asleep(play, *right)
        play.step(60)
        assert all(map(play.physics.is_awake, [*left, guard]))
        esper.component_for_entity(guard, ec.RigidBody).can_sleep = True
        fall_asleep(play, *left, guard)


def test_can_sleep_is_kept_in_the_component_and_checked() -> None:
    body = ec.RigidBody(can_sleep=False)
    assert body.can_sleep is False
    assert "can_sleep=False" in repr(body)
    with pytest.raises(TypeError, match="can_sleep"):
        body.can_sleep = 2  # type: ignore[assignment]


@pytest.mark.parametrize("gravity_scale", [1e-3, 1.0])
def test_a_body_that_begins_to_fall_does_not_fall_asleep(gravity_scale: float) -> None:
    """After `SLEEP_TIME` it is still slower than a body at rest may be."""
    with game(gravity=GRAVITY) as play:
        pair = [dynamic(BOX, (k, 5.0), (0.0, 0.0), ec.RigidBody(gravity_scale=gravity_scale)) for k in (0.0, 1.0)]
        play.step(90)
        assert all(map(play.physics.is_awake, pair))
        assert play.velocity(pair[0])[1] == pytest.approx(-9.81 * gravity_scale * 1.5)


def test_a_body_at_rest_in_mid_air_falls_asleep_and_a_force_keeps_it_awake() -> None:
    with game() as play:
        idle, pushed = dynamic(BOX, (0.0, 0.0)), dynamic(BOX, (5.0, 0.0), (0.0, 0.0), ec.Force(0.001))
        fall_asleep(play, idle)
        play.step(60)
        assert play.physics.is_awake(pushed)
        assert play.velocity(pushed)[0] > 0.0


@pytest.mark.parametrize("unit", [1.0, 100.0])
@pytest.mark.parametrize(("factor", "sleeps"), [(0.9, True), (1.1, False)])
@pytest.mark.parametrize("speed", [SLEEP_SPEED, 0.2])
def test_rest_is_a_speed_in_length_units(unit: float, factor: float, sleeps: bool, speed: float) -> None:
    """A body slides along a wall, or turns on it, without friction."""
    with game(length_unit=unit, sleep_speed=None if speed == SLEEP_SPEED else speed * unit) as play:
        static(ec.Box(30.0 * unit, 1.0 * unit), (0.0, -1.5 * unit))
        fast = factor * speed
        sliding = dynamic(ec.Circle(unit), (0.0, 0.0), (fast * unit, 0.0), friction=0.0)
        turning = dynamic(ec.Circle(unit), (5.0 * unit, 0.0), angular=fast, friction=0.0)
        play.step(60)
        assert play.physics.is_awake(sliding) is not sleeps
        assert play.physics.is_awake(turning) is not sleeps


@pytest.mark.parametrize("motion", [(4.0, 0.0, 0.0), (0.0, 0.0, 0.04), (1e-9, 0.0, 0.0)])
def test_a_body_that_drifts_in_free_space_never_falls_asleep(motion: tuple[float, float, float]) -> None:
    with game(length_unit=100.0) as play:
        body = dynamic(ec.Box(50.0, 50.0), (0.0, 0.0), motion[:2], angular=motion[2])
        play.step(300)
        assert play.physics.is_awake(body)
        assert play.velocity(body) == motion
        assert play.pose(body) == pytest.approx((5.0 * motion[0], 0.0, 5.0 * motion[2]))


def test_a_body_that_drifts_past_a_wall_does_not_fall_asleep() -> None:
    """Within the distance at which there is a contact already."""
    with game() as play:
        static(ec.Box(4.0, 1.0), (0.0, -1.01))
        body = dynamic(BOX, (0.0, 0.0), (0.04, 0.0))
        play.step(120)
        assert play.physics.is_awake(body)
        assert play.pose(body)[0] == pytest.approx(0.08)


def test_two_that_part_slowly_after_an_impact_in_free_space_keep_their_momentum() -> None:
    """The lighter one is left with less than the speed at which a body is at rest."""
    with game() as play:
        left = dynamic(ec.Circle(0.4), (0.0, 0.0), (0.0, 0.0))
        right = dynamic(ec.Circle(0.4), (1.0, 0.0), (-1.0, 0.0), density=0.4375, restitution=0.5)
        masses = [play.physics.mass_of(body) for body in (left, right)]
        play.step(300)
        momentum = sum(mass * play.velocity(body)[0] for mass, body in zip(masses, (left, right), strict=True))
        assert abs(play.velocity(right)[0]) < SLEEP_SPEED
        assert momentum == pytest.approx(-masses[1])


def test_a_damped_body_in_free_space_falls_asleep_when_it_has_stopped() -> None:
    """Damping alone would let it move on for `speed / damping`."""
    with game() as play:
        body = dynamic(BOX, (0.0, 0.0), (1.0, 0.0), ec.RigidBody(linear_damping=2.0))
        fall_asleep(play, body, steps=400)
        assert play.pose(body)[0] == pytest.approx(0.5, abs=2e-3)
        assert 3.0 < play.steps * DT < 5.0


def test_a_pause_is_no_rest() -> None:
    with game() as play:
        box = dynamic(BOX)
        for _ in range(100):
            play.step(dt=0.0)
        assert play.physics.is_awake(box)


def test_contacts_of_a_sleeping_body_are_those_it_fell_asleep_with() -> None:
    with game(gravity=GRAVITY) as play:
        floor = ground()
        low, high = stack(0.0, 2)
        other = dynamic(BOX, (9.0, 0.5), (0.0, 0.0), ec.RigidBody(can_sleep=False))
        while play.physics.is_awake(low):
            play.step()
            before = play.physics.contacts_of(low)
        assert len(before) == 2
        play.step(10)
        assert {*play.physics.contacts_of(low)} == {*before}
        assert [{contact.entity_a, contact.entity_b} for contact in play.physics.contacts_of(high)] == [{low, high}]
        assert {contact.entity_b for contact in play.physics.contacts_of(floor)} == {low, other}
        assert play.physics.touching(low, high)
        assert play.physics.touching(floor, low)
        assert sum(contact.normal_impulse for contact in before if contact.entity_a == floor) == pytest.approx(
            2.0 * 9.81 * DT, rel=1e-3
        )
        play.physics.wake(low)
        play.step()
        assert len(play.physics.contacts_of(low)) == 2


def test_no_events_on_falling_asleep_and_on_waking() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        boxes = stack(0.0, 3)
        zone = static(ec.Box(4.0, 4.0), (0.0, 1.0), sensor=True)
        play.step(5)
        assert len(play.events) == 6
        for _ in range(3):
            fall_asleep(play, *boxes)
            assert play.physics.touching(zone, boxes[0])
            play.physics.wake(boxes[0])
            play.step(3)
            assert all(map(play.physics.is_awake, boxes))
        assert len(play.events) == 6


def test_a_kinematic_body_that_stands_rests_and_one_that_creeps_does_not() -> None:
    with game(gravity=GRAVITY) as play:
        kinematic = ec.BodyKind.KINEMATIC
        standing = dynamic(ec.Box(4.0, 1.0), (0.0, -0.5), (0.0, 0.0), ec.RigidBody(kinematic))
        creeping = dynamic(ec.Box(4.0, 1.0), (9.0, -0.5), (0.0, 0.001), ec.RigidBody(kinematic))
        at_rest, carried = dynamic(BOX, (0.0, 0.5)), dynamic(BOX, (9.0, 0.5))
        fall_asleep(play, at_rest, standing)
        play.step(100)
        assert play.physics.is_awake(carried)
        assert play.physics.is_awake(creeping)
        assert play.velocity(creeping) == (0.0, 0.001, 0.0)
        assert play.physics.statistics.sleeping_bodies == 2


def test_a_body_without_a_collider_falls_asleep_and_wakes() -> None:
    with game() as play:
        ghost = esper.create_entity(ec.Transform(), ec.Velocity())
        fall_asleep(play, ghost)
        esper.component_for_entity(ghost, ec.Velocity).x = 6.0
        play.step(10)
        assert play.pose(ghost)[0] == pytest.approx(1.0)
