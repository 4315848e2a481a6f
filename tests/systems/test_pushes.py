"""A push by `apply_force` acts for a frame: one in each frame is a force that acts all the time, at any frame rate."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec
from ecs_collide.common.settings import ResponseName
from ecs_collide.systems import Narrowphase, Notify, Response
from tests.support.hooks import hook_once
from tests.support.worlds import velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

STEP = 1 / 60


def kilogram(x: float = 0.0) -> int:
    body = ec.RigidBody(mass=1.0)
    return esper.create_entity(ec.Transform(x), ec.Velocity(), ec.Collider(ec.Circle(0.5)), body)


@pytest.mark.parametrize("response", ["impulse", "exact"])
@pytest.mark.parametrize("fixed_dt", [STEP, None])
@pytest.mark.parametrize("frames", [15, 30, 60, 100, 240])
def test_a_force_in_each_frame_is_the_same_at_any_frame_rate(
    response: ResponseName, fixed_dt: float | None, frames: int
) -> None:
    physics = ec.install(fixed_dt=fixed_dt, response=response)
    body = kilogram()
    for _ in range(frames):
        physics.apply_force(body, (10.0, 0.0))
        esper.process(1 / frames)
    assert velocity(body).x == pytest.approx(10.0, rel=0.02)


@pytest.mark.parametrize("fixed_dt", [STEP, None])
def test_a_pause_gathers_no_blow(fixed_dt: float | None) -> None:
    physics = ec.install(fixed_dt=fixed_dt)
    body = kilogram()
    physics.time_scale = 0.0
    for _ in range(300):
        physics.apply_force(body, (6.0, 0.0))
        physics.apply_force(body, (0.0, 12.0))
        esper.process(STEP)
    physics.time_scale = 1.0
    esper.process(STEP)
    assert velocity(body).linear == pytest.approx((0.1, 0.2))


def test_a_push_that_is_given_once_waits_for_a_frame_with_a_step() -> None:
    physics = ec.install(fixed_dt=STEP)
    body = kilogram()
    physics.apply_force(body, (6.0, 0.0))
    for _ in range(4):
        esper.process(STEP / 4)
    assert velocity(body).x == pytest.approx(0.1)
    esper.process(10 * STEP)
    assert velocity(body).x == pytest.approx(0.1), "and is over then"


def test_pushes_of_a_frame_and_of_its_step_add_up() -> None:
    physics = ec.install()
    body = kilogram()
    physics.apply_force(body, (6.0, 0.0))
    hook_once(Narrowphase, Response, lambda: physics.apply_force(body, (0.0, 12.0)))
    esper.process(STEP)
    assert velocity(body).linear == pytest.approx((0.1, 0.2))


def test_a_push_after_the_response_acts_in_the_next_step_with_what_the_game_gives() -> None:
    physics = ec.install()
    body = kilogram()
    hook_once(Response, Notify, lambda: physics.apply_force(body, (0.0, 12.0)))
    esper.process(STEP)
    assert velocity(body).linear == (0.0, 0.0)
    physics.apply_force(body, (6.0, 0.0))
    esper.process(STEP)
    assert velocity(body).linear == pytest.approx((0.1, 0.2))


def test_a_push_by_a_handler_acts_in_the_next_step_with_what_the_game_gives() -> None:
    physics = ec.install()
    body, _ = kilogram(), kilogram(0.9)

    def on_start(contact: ec.Contact) -> None:
        physics.apply_force(body, (0.0, 12.0))

    ec.on("collision_start", on_start)
    esper.process(STEP)
    before = velocity(body).y
    physics.apply_force(body, (0.0, 6.0))
    esper.process(STEP)
    assert velocity(body).y - before == pytest.approx(0.3, abs=0.01)


def test_a_push_that_no_response_uses_does_not_grow() -> None:
    physics = ec.install(fixed_dt=STEP)
    body = kilogram()
    esper.remove_processor(Response)
    for _ in range(3):
        physics.apply_force(body, (6.0, 0.0))
        esper.process(5 * STEP)
    assert physics.pipeline.bodies.arrays.push[physics.row_of(body), 0] == 6.0


def test_an_entity_removed_within_a_frame_leaves_no_push_to_its_successor() -> None:
    physics = ec.install(fixed_dt=STEP)
    bodies, come = [kilogram(3.0 * k) for k in range(3)], []
    for body in bodies:
        physics.apply_force(body, (6.0, 0.0))

    def exchange() -> None:
        esper.delete_entity(bodies[1], immediate=True)
        come.append(kilogram(100.0))

    hook_once(Response, Notify, exchange)
    row = physics.row_of(bodies[1])
    esper.process(3 * STEP)
    assert physics.row_of(come[0]) == row
    assert [velocity(body).x for body in (bodies[0], come[0], bodies[2])] == pytest.approx([0.3, 0.0, 0.3])
