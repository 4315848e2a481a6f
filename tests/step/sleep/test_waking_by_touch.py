"""A body that touches a sleeping one wakes its island in time; nothing else wakes it."""

from __future__ import annotations

from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.step.sleep.scenes import BOX, GRAVITY, fall_asleep, stack
from tests.support.worlds import DT, dynamic, game, ground, static

KINEMATIC = ec.BodyKind.KINEMATIC


def test_a_thrown_ball_wakes_only_the_island_that_it_hits() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        near, far = stack(0.0, 2), stack(3.0, 2)
        fall_asleep(play, *near, *far)
        ball = dynamic(ec.Circle(0.2), (-3.0, 1.5), (8.0, 1.0))
        for _ in range(60):
            play.step()
            if play.physics.touching(ball, near[1]):
                break
            if play.pose(ball)[0] < -0.75:
                assert not any(map(play.physics.is_awake, near))
        else:
            raise AssertionError("missed")
        assert all(map(play.physics.is_awake, near))
        play.step(10)
        assert not any(map(play.physics.is_awake, far))


def test_a_sleeping_billiard_ball_takes_the_whole_momentum() -> None:
    with game() as play:
        material: dict[str, Any] = {"restitution": 1.0, "friction": 0.0}
        target = dynamic(ec.Circle(0.5), (4.5, 0.0), **material)
        cue = dynamic(ec.Circle(0.5), (0.0, 0.0), (4.0, 0.0), **material)
        fall_asleep(play, target, steps=40)
        play.step(30)
        assert play.velocity(target)[0] == pytest.approx(4.0, rel=1e-9)
        assert play.velocity(cue)[0] == pytest.approx(0.0, abs=1e-9)


def test_a_ball_of_a_row_wakes_the_whole_row_in_the_step_of_the_hit() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        row = [dynamic(BOX, (float(k), 0.5)) for k in range(8)]
        fall_asleep(play, *row)
        dynamic(ec.Circle(0.2), (-1.0, 0.5), (10.0, 0.0))
        play.step(4)
        assert all(map(play.physics.is_awake, row))


@pytest.mark.parametrize("how", ["velocity", "view", "teleport"])
def test_a_platform_that_starts_to_move_wakes_its_passengers(how: str) -> None:
    with game(gravity=GRAVITY) as play:
        lift = dynamic(ec.Box(6.0, 1.0), (0.0, -0.5), (0.0, 0.0), ec.RigidBody(KINEMATIC))
        boxes = [*stack(-2.0, 2), *stack(2.0, 1)]
        fall_asleep(play, lift, *boxes)
        play.step(10)
        assert play.physics.statistics.pairs == 0
        if how == "velocity":
            esper.component_for_entity(lift, ec.Velocity).y = 1.0
        elif how == "view":
            play.physics.velocities[play.physics.row_of(lift)] = (0.0, 1.0)
        for _ in range(60):
            if how == "teleport":
                esper.component_for_entity(lift, ec.Transform).y += DT
            play.step()
        sunk = 0.15 if how == "teleport" else 0.03  # a teleport has no velocity: it is inside the boxes each time
        assert [play.pose(box)[1] for box in boxes] == pytest.approx([1.5, 2.5, 1.5], abs=sunk)


def test_a_kinematic_body_wakes_bodies_that_it_hits() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        box, other = dynamic(BOX, (0.0, 0.5)), dynamic(BOX, (0.0, 9.5))
        static(ec.Box(1.0, 1.0), (0.0, 8.5))
        fall_asleep(play, box, other)
        dynamic(ec.Box(1.0, 0.5), (-3.0, 0.5), (2.0, 0.0), ec.RigidBody(KINEMATIC))
        play.step(90)
        assert play.pose(box)[0] == pytest.approx(1.0, abs=0.03)
        assert not play.physics.is_awake(other)


def test_a_rising_kinematic_half_plane_wakes_bodies_that_it_hits() -> None:
    with game(gravity=GRAVITY) as play:
        floor = dynamic(ec.HalfPlane(), (0.0, -3.0), (0.0, 0.0), ec.RigidBody(KINEMATIC))
        shelf = static(ec.Box(3.0, 0.2), (0.0, -0.1))
        box = dynamic(BOX, (0.0, 0.5))
        fall_asleep(play, box, floor)
        esper.component_for_entity(floor, ec.Velocity).y = 2.0
        play.step(120)
        assert play.pose(floor)[1] == pytest.approx(1.0)
        assert play.pose(box)[1] == pytest.approx(1.5, abs=0.03)
        assert not play.physics.touching(shelf, box)


@pytest.mark.parametrize("speed", [30.0, 300.0])
def test_a_bullet_does_not_pass_through_a_sleeper(speed: float) -> None:
    with game() as play:
        plate = dynamic(ec.Box(0.05, 4.0), (5.0, 0.0))
        aside = dynamic(ec.Box(0.05, 4.0), (5.0, 9.0))
        fall_asleep(play, plate, aside)
        bullet = dynamic(ec.Circle(0.05), (0.0, 0.0), (speed, 0.0), ec.RigidBody(bullet=True))
        play.step(30)
        assert play.pose(bullet)[0] < play.pose(plate)[0]
        assert play.velocity(plate)[0] > 0.0
        assert not play.physics.is_awake(aside)
        assert play.pose(aside) == (5.0, 9.0, 0.0)


def test_a_fast_kinematic_body_takes_a_sleeper_along() -> None:
    def place(**settings: bool) -> float:
        with game(**settings) as play:
            box = dynamic(ec.Box(0.2, 0.2), (5.0, 0.0))
            play.step(60)
            dynamic(ec.Box(0.1, 4.0), (0.0, 0.0), (100.0, 0.0), ec.RigidBody(KINEMATIC))
            play.step(6)
            return play.pose(box)[0]

    assert place() > 9.9
    assert place() == pytest.approx(place(sleeping=False), abs=0.2)


def test_sensors_notice_sleepers_and_do_not_wake_them() -> None:
    with game(gravity=GRAVITY) as play:
        ground()
        box = dynamic(BOX, (0.0, 0.5))
        fall_asleep(play, box)
        zone = dynamic(ec.Circle(0.3), (-3.0, 0.5), (3.0, 0.0), ec.RigidBody(KINEMATIC), sensor=True)
        play.events.clear()
        play.step(120)
        assert [(name, arguments) for _, name, arguments in play.events] == [
            ("sensor_enter", (zone, box)),
            ("sensor_exit", (zone, box)),
        ]
        assert not play.physics.is_awake(box)
