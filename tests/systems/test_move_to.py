"""`move_to`: a kinematic body reaches its target at the end of the frame, and pushes bodies in its way."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec
from ecs_collide.common.settings import ResponseName
from tests.support.worlds import disk, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

STEP = 1 / 60


def mallet(x: float = 0.0, y: float = 0.0, shape: ec.Shape | None = None) -> int:
    body = ec.RigidBody(ec.BodyKind.KINEMATIC)
    return esper.create_entity(ec.Transform(x, y), ec.Velocity(), body, ec.Collider(shape or ec.Box(1.0, 1.0)))


@pytest.mark.parametrize("response", ["impulse", "exact"])
@pytest.mark.parametrize("fixed_dt", [STEP, None])
@pytest.mark.parametrize("frames", [20, 30, 60, 144])
def test_it_follows_the_mouse_and_pushes_at_any_frame_rate(
    response: ResponseName, fixed_dt: float | None, frames: int
) -> None:
    physics = ec.install(fixed_dt=fixed_dt, response=response)
    follower = mallet()
    puck = esper.create_entity(ec.Transform(1.2), ec.Velocity(), ec.Collider(ec.Circle(0.3), friction=0.0))
    for frame in range(1, frames + 1):
        goal = min(2.0, 4.0 * frame / frames)
        physics.move_to(follower, (goal, 0.0))
        esper.process(1 / frames)
        assert transform(follower).x <= goal + 1e-12
    esper.process(STEP)
    assert transform(follower).x == pytest.approx(2.0)
    assert velocity(follower).linear == (0.0, 0.0)
    assert velocity(puck).x > 3.0, "it goes on as fast as it was pushed, or a little faster"


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_it_arrives_turned_about_its_origin_and_not_its_middle(steps: int) -> None:
    physics = ec.install(fixed_dt=STEP)
    paddle = mallet(1.0, 2.0, ec.Box(2.0, 0.4, center=(1.0, 0.0)))
    physics.move_to(paddle, (3.0, -1.0), 1.25)
    esper.process(steps * STEP)
    assert transform(paddle).position == pytest.approx((3.0, -1.0))
    assert transform(paddle).angle == pytest.approx(1.25)
    physics.move_to(paddle, (3.0, -1.0), 1.25 + 1.75 * math.pi)
    esper.process(STEP)
    assert transform(paddle).angle == pytest.approx(1.25 - 0.25 * math.pi), "by the shorter way"
    physics.move_to(paddle, (0.0, 0.0))
    esper.process(STEP)
    assert transform(paddle).angle == pytest.approx(1.25 - 0.25 * math.pi), "without an angle it is not turned"


def test_it_stands_still_when_it_is_there_unless_the_game_sends_it_on() -> None:
    physics = ec.install()
    lift = mallet()
    physics.move_to(lift, (0.0, 1.0))
    esper.process(STEP)
    assert velocity(lift).y == pytest.approx(60.0), "until the next step it tells how it came"
    esper.process(STEP)
    assert transform(lift).y == pytest.approx(1.0)
    assert velocity(lift).y == 0.0
    physics.move_to(lift, (0.0, 2.0))
    esper.process(STEP)
    velocity(lift).y = 3.0
    esper.process(STEP)
    assert transform(lift).y == pytest.approx(2.0 + 3.0 * STEP)


def test_it_waits_in_a_pause_and_for_a_frame_with_a_step() -> None:
    physics = ec.install(fixed_dt=STEP)
    lift = mallet()
    physics.move_to(lift, (0.0, 1.0))
    physics.time_scale = 0.0
    esper.process(STEP)
    physics.time_scale = 1.0
    esper.process(STEP / 2)
    assert transform(lift).y == 0.0
    physics.move_to(lift, (0.0, 3.0))
    esper.process(STEP / 2)
    assert transform(lift).y == pytest.approx(3.0)


def test_it_waits_in_steps_of_no_length_in_which_characters_move_too() -> None:
    physics = ec.install()
    lift, man = mallet(), mallet(5.0)
    physics.move_to(lift, (0.0, 1.0))
    for _ in range(3):
        physics.move_and_slide(man, (1.0, 0.0), 0.0)
        esper.process(0.0)
        assert transform(lift).y == 0.0 and transform(man).x == 5.0
    esper.process(STEP)
    assert transform(lift).y == pytest.approx(1.0)


@pytest.mark.parametrize("sleeping", [False, True])
def test_a_body_on_a_lift_is_carried(sleeping: bool) -> None:
    physics = ec.install(gravity=(0.0, -10.0), sleeping=sleeping)
    lift = mallet(0.0, 0.0, ec.Box(4.0, 1.0))
    rider = esper.create_entity(ec.Transform(0.0, 1.0), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
    for _ in range(120):
        esper.process(STEP)
    assert physics.is_awake(rider) is not sleeping
    for frame in range(1, 61):
        physics.move_to(lift, (frame / 60, frame / 60))
        esper.process(STEP)
    assert transform(rider).position == pytest.approx((1.0, 2.0), abs=0.05)


@pytest.mark.parametrize("rides", [False, True])
def test_a_target_that_a_system_sets_before_each_step_is_for_that_step(rides: bool) -> None:
    """A crate and a character ride on a lift; the number of steps in a frame makes no difference."""

    def ride(steps: int) -> tuple[list[float], str]:
        esper.switch_world(f"a lift in frames of {steps} steps, {rides}")
        physics = ec.install(gravity=(0.0, -10.0), fixed_dt=STEP)
        lift = mallet(0.0, 0.0, ec.Box(4.0, 1.0))
        esper.create_entity(ec.Transform(0.0, 1.0), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
        heights: list[float] = []

        class Drive(ec.systems.BeforeStep):
            def before_step(self, dt: float) -> None:
                heights.append(transform(lift).y)
                if len(heights) <= 20:
                    physics.move_to(lift, (0.0, 0.02 * len(heights)))

        esper.add_processor(Drive(physics), priority=120)
        if rides:
            man = ec.CharacterController()
            esper.create_entity(
                ec.Transform(1.5, 1.0), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(0.5, 1.0)), man
            )
            man.velocity = 0.0, -1.0
            esper.add_processor(ec.systems.MoveCharacters(physics), priority=100)
        for _ in range(24 // steps):
            esper.process(steps * STEP)
        return heights, physics.state_hash()

    ridden = ride(1)
    assert ridden[0] == pytest.approx([min(0.02 * k, 0.4) for k in range(24)])
    assert ridden == ride(2) == ride(3) == ride(8)


def test_only_kinematic_bodies_are_moved() -> None:
    physics = ec.install()
    ball, wall = disk(), esper.create_entity(ec.Transform(9.0), ec.Collider(ec.Box(1.0, 1.0)))
    for entity, kind in ((ball, "dynamic"), (wall, "static")):
        with pytest.raises(ec.PhysicsError, match=f"entity {entity} is {kind}: move_to moves kinematic bodies"):
            physics.move_to(entity, (0.0, 0.0))
    with pytest.raises(ec.PhysicsError, match="entity 99 has no body"):
        physics.move_to(99, (0.0, 0.0))
    with pytest.raises(ValueError, match="position"):
        physics.move_to(mallet(), (math.nan, 0.0))


def test_a_body_removed_or_changed_on_the_way_loses_its_target() -> None:
    physics = ec.install(fixed_dt=STEP)
    gone, freed = mallet(), mallet(5.0)
    for entity in (gone, freed):
        physics.move_to(entity, (9.0, 9.0))
    esper.delete_entity(gone, immediate=True)
    esper.add_component(freed, ec.RigidBody())
    esper.process(2 * STEP)
    assert transform(freed).position == (5.0, 0.0)
