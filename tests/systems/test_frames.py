"""Frames and steps: a fixed dt with a clock, poses between steps, pause and slow motion."""

from __future__ import annotations

import random
from math import cos, sin
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import SCHEDULE, Narrowphase, Notify, Response, System
from tests.support.hooks import hook, hook_once
from tests.support.worlds import disk, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def steps(*frames: float) -> list[int]:
    """Return the number of steps of each frame."""
    made, physics = [], ec.physics()
    for frame in frames:
        before = physics.statistics.steps
        esper.process(frame)
        made.append(physics.statistics.steps - before)
    return made


def test_a_frame_makes_as_many_steps_as_are_due() -> None:
    ec.install(fixed_dt=0.02)
    assert steps(0.1, 0.02, 0.01, 0.01, 0.05, 0.0, 0.01) == [5, 1, 0, 1, 2, 0, 1]


def test_frames_of_any_length_give_the_same_motion() -> None:
    def positions(frames: list[float]) -> tuple[int, str]:
        esper.switch_world(f"{len(frames)} frames")
        physics = ec.install(gravity=(0, -10), fixed_dt=0.01)
        esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane()))
        ec.spawn(ec.Circle(0.4), [(0.3 * k, 2.0 + k) for k in range(8)], velocities=(1.0, 0.0), restitution=0.5)
        for frame in frames:
            esper.process(frame)
        return physics.statistics.steps, physics.state_hash()

    assert positions([0.07] * 20) == positions([0.003] * 466 + [0.002]) == positions([0.01] * 140)


def test_what_a_step_deletes_is_gone_in_the_next_one_also_within_a_frame() -> None:
    """A shot breaks a pane and flies on through its place."""

    def fly(frame: float) -> str:
        esper.switch_world(f"a pane in frames of {frame}")
        physics = ec.install(fixed_dt=0.01)
        pane = esper.create_entity(ec.Transform(1, 0), ec.Collider(ec.Box(0.1, 1)))
        shot = esper.create_entity(ec.Transform(0, 0), ec.Velocity(20, 0), ec.Collider(ec.Circle(0.1)))

        @ec.on("collision_start")
        def on_start(contact: ec.Contact) -> None:
            esper.delete_entity(pane)
            velocity(shot).x = 20.0

        for _ in range(round(0.2 / frame)):
            esper.process(frame)
        assert transform(shot).x > 3.0
        return physics.state_hash()

    assert fly(0.01) == fly(0.02) == fly(0.05)


def test_steps_beyond_the_limit_are_dropped() -> None:
    ec.install(fixed_dt=0.01, max_steps=4)
    assert steps(0.5, 0.01, 0.005, 0.005) == [4, 1, 0, 1]


@pytest.mark.parametrize("arguments", [(), ("events",), ([1, 2], None), (True,)])
def test_without_a_number_a_frame_is_a_step(arguments: tuple[Any, ...]) -> None:
    physics = ec.install(fixed_dt=0.25)
    ball = disk()
    velocity(ball).x = 1.0
    esper.process(*arguments)
    assert (physics.statistics.steps, physics.dt, transform(ball).x) == (1, 0.25, 0.25)


def test_hooks_run_once_for_each_step_and_the_games_processors_once_a_frame() -> None:
    physics = ec.install(fixed_dt=0.01)
    ran: list[str] = []

    class Before(esper.Processor):
        def process(self, dt: float) -> None:
            ran.append(f"before {dt}")

    class After(esper.Processor):
        def process(self, dt: float) -> None:
            ran.append("after")

    esper.add_processor(Before(), priority=1000)
    esper.add_processor(After(), priority=-1)
    hook(Narrowphase, Response, lambda: ran.append(f"hook {physics.dt}"))
    esper.process(0.03)
    assert ran == ["before 0.03", "hook 0.01", "hook 0.01", "hook 0.01", "after"]
    ran.clear()
    esper.process(0.005)
    assert ran == ["before 0.005", "hook 0.0", "after"]


def test_events_of_every_step_are_sent() -> None:
    ec.install(fixed_dt=0.01)
    a, b = disk(), disk(2.0, sensor=True)
    velocity(a).x = 20.0
    received: list[str] = []
    ec.on("sensor_enter", lambda sensor, entity: received.append("enter"))
    ec.on("sensor_exit", lambda sensor, entity: received.append("exit"))
    esper.add_component(b, ec.RigidBody(ec.BodyKind.STATIC))
    esper.process(0.08)
    assert (received, esper.entity_exists(a)) == (["enter"], True)
    esper.process(0.08)
    assert received == ["enter", "exit"]


@pytest.mark.parametrize("deed", ["uninstall", "switch", "clear", "raise", "reinstall"])
def test_a_handler_in_the_middle_of_a_frame_may_do_anything(deed: str) -> None:
    physics = ec.install(fixed_dt=0.01)
    home = esper.current_world
    disk(0.0), disk(0.9)
    count: list[int] = []

    def act(contact: ec.Contact) -> None:
        count.append(physics.statistics.steps)
        if deed == "uninstall":
            ec.uninstall()
        elif deed == "reinstall":
            ec.uninstall()
            ec.install(fixed_dt=0.01)
        elif deed == "switch":
            esper.switch_world("elsewhere")
        elif deed == "clear":
            esper.clear_database()
        else:
            raise RuntimeError("from the game")

    ec.on("collision_start", act)
    if deed == "raise":
        with pytest.raises(RuntimeError, match="from the game"):
            esper.process(0.05)
    else:
        esper.process(0.05)
    assert count == [1]
    assert physics.statistics.steps == (5 if deed == "clear" else 1)
    esper.switch_world(home)
    if deed in ("raise", "switch"):
        esper.process(0.0)
        assert physics.statistics.steps == 1, "a frame of no length makes no step"
        esper.process(0.02)
        assert physics.statistics.steps == 3


def test_pictures_between_steps() -> None:
    physics = ec.install(fixed_dt=0.1)
    ball, wall = disk(0.0), disk(50.0, moving=False)
    velocity(ball).x, velocity(ball).angular = 10.0, 2.0
    assert physics.fraction == 0.0
    esper.process(0.1)
    assert physics.interpolated_pose(ball) == (0.0, 0.0, 0.0)
    esper.process(0.025)
    assert physics.fraction == pytest.approx(0.25)
    assert physics.interpolated_pose(ball) == pytest.approx((0.25, 0.0, 0.05))
    assert physics.interpolated_poses[physics.row_of(wall)].tolist() == [50.0, 0.0, 0.0]
    assert transform(ball).x == 1.0, "where the physics has it"
    esper.process(0.075)
    assert physics.interpolated_pose(ball) == pytest.approx((1.0, 0.0, 0.2))


@pytest.mark.parametrize("means", ["component", "view", "new entity"])
def test_a_teleport_is_not_interpolated(means: str) -> None:
    physics = ec.install(fixed_dt=0.1)
    ball = disk(0.0)
    velocity(ball).x = 10.0
    esper.process(0.1)
    if means == "component":
        transform(ball).x = 100.0
    elif means == "view":
        physics.positions[physics.row_of(ball), 0] = 100.0
    else:
        esper.delete_entity(ball, immediate=True)
        ball = disk(100.0)
        velocity(ball).x = 10.0
    esper.process(0.05)
    assert physics.interpolated_pose(ball)[0] == 100.0
    esper.process(0.1)
    assert physics.interpolated_pose(ball)[0] == pytest.approx(100.5)


def test_the_pose_of_one_is_a_row_of_all() -> None:
    """Of those that move, were put elsewhere, stand still, are new, or have another's row."""
    physics = ec.install(fixed_dt=0.1)
    rng = random.Random(3)
    balls = [disk(3.0 * k, mask=0) for k in range(9)]
    between = 0
    for frame in range(40):
        if frame % 5 == 0:
            esper.delete_entity(balls.pop(rng.randrange(len(balls))), immediate=True)
            balls.append(disk(3.0 * frame, mask=0))
            velocity(balls[-1]).x = rng.random()
        esper.process(0.03)
        transform(rng.choice(balls)).x += 50.0
        if frame % 7 == 0:
            balls.append(disk(3.0, mask=0))
        for ball in balls:
            shown = physics.interpolated_pose(ball)
            assert shown == tuple(physics.interpolated_poses[physics.row_of(ball)].tolist())
            between += shown[0] != transform(ball).x
    assert between > 20


def test_without_a_fixed_dt_things_are_drawn_where_they_are() -> None:
    physics = ec.install()
    ball = disk()
    velocity(ball).x = 10.0
    esper.process(0.1)
    assert physics.interpolated_pose(ball) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("fixed_dt", [None, 0.01])
def test_slow_motion_and_pause(fixed_dt: float | None) -> None:
    physics = ec.install(fixed_dt=fixed_dt)
    ball = disk()
    velocity(ball).x = 1.0
    physics.time_scale = 0.5
    for _ in range(10):
        esper.process(0.02)
    assert transform(ball).x == pytest.approx(0.1)
    physics.time_scale = 0.0
    for _ in range(10):
        esper.process(0.02)
    assert transform(ball).x == pytest.approx(0.1)
    with pytest.raises(ValueError, match="time_scale must be a non-negative"):
        physics.time_scale = -1.0


def test_a_game_that_counts_frames_behaves_as_one_that_counts_seconds() -> None:
    def fallen(frames: float) -> tuple[Any, ...]:
        """A bounce, a landing and the sleep after it, in pixels a frame, or in metres a second."""
        unit = 1.0 if frames == 1.0 else 50.0
        esper.switch_world(f"{frames}")
        physics = ec.install(gravity=(0, -10 * unit / frames**2), length_unit=unit, time_unit=frames)
        hits: list[float] = []
        ec.on("collision_hit", lambda contact: hits.append(contact.approach_speed * frames / unit))
        esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane(), restitution=0.4))
        boxes = ec.spawn(ec.Box(unit, unit), [(0, 2.0 * unit), (3 * unit, 0.6 * unit)], velocities=(0.0, 0.0))
        drifter = disk(900.0 * unit)
        esper.add_component(drifter, ec.Velocity(2.0 * unit / frames))
        esper.add_component(drifter, ec.RigidBody(gravity_scale=0.0))
        path = []
        for _ in range(240):
            esper.process(frames / 60.0)
            path.append([transform(box).y / unit for box in boxes])
        asleep = [physics.is_awake(box) for box in boxes]
        return np.array(path), hits, asleep, transform(drifter).x / unit

    path, hits, asleep, far = fallen(1.0)
    for frames in (60.0, 1000.0):
        other_path, other_hits, other_asleep, other_far = fallen(frames)
        assert other_path == pytest.approx(path, abs=2e-3)
        assert other_hits == pytest.approx(hits, abs=0.02)
        assert other_asleep == asleep == [False, False]
        assert other_far == pytest.approx(far)


def test_a_slow_game_in_pixels_a_frame_bounces_and_does_not_freeze() -> None:
    ec.install(length_unit=100.0, time_unit=60.0, fixed_dt=1.0)
    wall = esper.create_entity(ec.Transform(200, 0), ec.Collider(ec.Box(10, 100), restitution=1.0))
    ball = esper.create_entity(ec.Transform(0, 0), ec.Velocity(2, 0), ec.Collider(ec.Circle(8), friction=0.0))
    for _ in range(150):
        esper.process()
    assert esper.entity_exists(wall)
    assert velocity(ball).x == pytest.approx(-2.0)
    assert transform(ball).x == pytest.approx(2 * 187.0 - 300.0, abs=3.0)


@pytest.mark.parametrize("system", [Narrowphase, Response, Notify])
def test_a_frame_without_a_step_follows_one_that_was_broken_off(system: type[System]) -> None:
    """The rest of the broken step is not done in it, and nothing is raised."""
    physics = ec.install(gravity=(0.0, -10.0), fixed_dt=0.02)
    ball = disk()

    def fail() -> None:
        raise RuntimeError("from the game")

    hook_once(SCHEDULE[SCHEDULE.index(system) - 1], system, fail)
    with pytest.raises(RuntimeError, match="from the game"):
        esper.process(0.02)
    before = physics.state_hash()
    assert steps(0.005) == [0]
    assert physics.state_hash() == before
    physics.snapshot()  # which is refused within a step
    place = transform(ball).y
    assert steps(0.015) == [1]
    assert transform(ball).y < place


def test_attached_colliders_are_drawn_at_their_places_on_their_bodies() -> None:
    """On one that spins, and on one that was put elsewhere."""
    physics = ec.install(fixed_dt=0.1)
    body = disk(0.0)
    velocity(body).x, velocity(body).angular = 10.0, 8.0
    arm = esper.create_entity(ec.AttachedTo(body, 3.0, 0.0, 0.5), ec.Collider(ec.Circle(0.1)))
    for frame in range(7):
        esper.process(0.035)
        if frame == 4:
            transform(body).position = (100.0, 7.0)
        x, y, angle = physics.interpolated_pose(body)
        shown = physics.interpolated_pose(arm)
        assert shown == pytest.approx((x + 3.0 * cos(angle), y + 3.0 * sin(angle), angle + 0.5))
        assert shown == tuple(physics.interpolated_poses[physics.row_of(arm)].tolist())
        assert (x > 99.0) == (frame >= 4)


@pytest.mark.parametrize("where", ["before a step", "between systems", "handler"])
def test_pushes_and_targets_that_are_given_within_a_frame_are_for_one_step(where: str) -> None:
    """A ball is pushed up and a lift goes up whenever the ball hits the ground."""

    def play(count: int) -> tuple[list[tuple[float, float]], str]:
        esper.switch_world(f"{where}, frames of {count} steps")
        physics = ec.install(gravity=(0, -10), fixed_dt=0.01)
        esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane()))
        ball = disk(0, 1)
        kinematic = ec.RigidBody(ec.BodyKind.KINEMATIC)
        lift = esper.create_entity(ec.Transform(9, 0), kinematic, ec.Collider(ec.Box(2, 1)))
        on_lift = disk(9, 1.1)

        def act(*_: object) -> None:
            if where == "handler" or physics.colliding(ball):
                physics.apply_force(ball, (100, 300))
                physics.apply_acceleration(on_lift, (0, 5))
                physics.move_to(lift, (9, transform(lift).y + 0.03))

        class Act(ec.systems.BeforeStep):
            def before_step(self, dt: float) -> None:
                act()

        if where == "handler":
            ec.on("collision_start", act)
        elif where == "between systems":
            hook(Response, Notify, act)
        else:
            esper.add_processor(Act(physics), priority=100)
        for _ in range(240 // count):
            esper.process(0.01 * count)
        assert transform(lift).y > 0.02
        return [transform(entity).position for entity in (ball, lift, on_lift)], physics.state_hash()

    assert play(1) == play(2) == play(3) == play(8)
