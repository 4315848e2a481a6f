"""Effects of the length of a step: pauses, changing lengths, a fixed length, and the number of substeps."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, dynamic, game, ground

G = -9.81


def busy_scene() -> list[int]:
    """Things that rest, slide, bounce and fly."""
    ground()
    bodies = [dynamic(ec.Box(1.0, 1.0), (0.01 * k, 0.5 + k)) for k in range(4)]
    bodies.append(dynamic(ec.Circle(0.4), (-6.0, 2.0), (3.0, 0.0), restitution=0.7))
    bodies.append(dynamic(ec.Capsule((-0.4, 0.0), (0.4, 0.0), 0.2), (3.0, 0.5), (2.0, 0.0), angular=3.0))
    return bodies


def test_no_time_is_a_pause() -> None:
    with game(gravity=(0.0, G)) as play:
        bodies = busy_scene()
        play.step(40)
        play.physics.apply_force(bodies[0], (5.0, 0.0))
        before, events = play.physics.state_hash(), len(play.events)
        play.step(5, dt=0.0)
        assert play.physics.state_hash() == before
        assert len(play.events) == events


def test_contacts_carry_nothing_in_a_pause() -> None:
    with game(gravity=(0.0, G), sleeping=False) as play:
        ground()
        dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
        play.step(10)
        assert play.physics.contacts.normal_impulse.sum() > 0.0
        play.step(dt=0.0)
        contacts = play.physics.contacts
        assert len(contacts) == 1
        assert not contacts.normal_impulse.any() and not contacts.tangent_impulse.any()


def test_a_pause_leaves_no_trace() -> None:
    def hashes(pause: bool) -> list[str]:
        with game(gravity=(0.0, G)) as play:
            busy_scene()
            states = []
            for step in range(90):
                if pause and step % 7 == 0:
                    play.step(2, dt=0.0)
                play.step()
                states.append(play.physics.state_hash())
            return states

    assert hashes(pause=True) == hashes(pause=False)


def test_a_force_waits_for_the_end_of_a_pause() -> None:
    with game() as play:
        body = dynamic(ec.Box(1.0, 1.0))
        play.physics.apply_force(body, (6.0, 0.0))
        play.step(dt=0.0)
        play.step()
        assert play.velocity(body) == pytest.approx((6.0 * DT, 0.0, 0.0), rel=1e-12)


def test_a_pause_while_touching_goes_on_touching() -> None:
    with game(gravity=(0.0, G)) as play:
        floor = ground()
        box = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
        play.step(30)
        assert play.physics.touching(floor, box)
        play.step(dt=0.0)
        assert play.physics.touching(floor, box)
        assert len(play.contacts("collision_start")) == 1
        assert play.contacts("collision_end") == []


def test_steps_of_changing_length() -> None:
    lengths = np.random.default_rng(1).uniform(0.002, 0.04, 100)
    with game(gravity=(0.0, G)) as play:
        body = dynamic(ec.Circle(0.5), (0.0, 0.0), (1.0, 2.0))
        y, speed = 0.0, 2.0
        for dt in lengths.tolist():
            play.step(dt=dt)
            for _ in range(4):
                speed += G * dt / 4.0
                y += speed * dt / 4.0
        assert play.pose(body)[:2] == pytest.approx((lengths.sum(), y), rel=1e-11)


def test_a_stack_stands_while_the_length_changes() -> None:
    lengths = [1.0 / 60.0, 1.0 / 144.0, 1.0 / 30.0, 1.0 / 75.0]
    with game(gravity=(0.0, G)) as play:
        ground()
        boxes = [dynamic(ec.Box(1.0, 1.0), (0.0, 0.5 + k)) for k in range(5)]
        for step in range(600):
            play.step(dt=lengths[step % 4])
        for k, box in enumerate(boxes):
            x, y, angle = play.pose(box)
            assert abs(x) < 0.02
            assert y == pytest.approx(0.5 + k, abs=0.01 * (k + 1))
            assert abs(angle) < 0.005


def test_a_fixed_length_is_that_of_every_step_and_the_argument_that_of_a_frame() -> None:
    with game(fixed_dt=0.01) as play:
        body = dynamic(ec.Circle(0.5), (0.0, 0.0), (1.0, 0.0))
        play.step(10, dt=0.05)
        esper.process()
        assert play.physics.dt == 0.01
        assert play.pose(body)[0] == pytest.approx(0.51, rel=1e-12)


@pytest.mark.parametrize("substeps", [1, 2, 8])
def test_any_number_of_substeps_answers_an_impact(substeps: int) -> None:
    with game(substeps=substeps) as play:
        a = dynamic(ec.Circle(0.5), (-1.0, 0.0), (3.0, 0.0), restitution=0.5)
        b = dynamic(ec.Circle(0.5), (0.5, 0.0), (0.0, 0.0), density=2.0)
        play.step(60)
        assert play.velocity(a)[0] == pytest.approx(0.0, abs=1e-9)
        assert play.velocity(b)[0] == pytest.approx(1.5, abs=1e-9)


@pytest.mark.parametrize("substeps", [1, 2, 8])
def test_any_number_of_substeps_lets_a_stack_stand(substeps: int) -> None:
    with game(gravity=(0.0, G), substeps=substeps) as play:
        ground()
        boxes = [dynamic(ec.Box(1.0, 1.0), (0.0, 0.5 + k)) for k in range(4)]
        play.step(300)
        assert_stands(play, boxes, 0.02 if substeps == 1 else 0.01)


def assert_stands(play: Game, boxes: list[int], sunk: float) -> None:
    for k, box in enumerate(boxes):
        x, y, _ = play.pose(box)
        assert abs(x) < 0.01
        assert y == pytest.approx(0.5 + k, abs=sunk * (k + 1))
        assert max(map(abs, play.velocity(box))) < 0.01


def stack_of_boxes(count: int) -> list[int]:
    """Boxes on the ground, one on the other."""
    ground(friction=0.6)
    return [dynamic(ec.Box(1.0, 1.0), (0.0, k + 0.5), friction=0.6) for k in range(count)]


def poses_of(play: Game, bodies: list[int]) -> np.ndarray:
    return np.array([play.pose(body) for body in bodies])


@pytest.mark.parametrize("short", [1.0 / 120.0, 1.0 / 240.0, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9])
def test_a_stack_stands_where_long_and_short_steps_alternate(short: float) -> None:
    """A soft contact is as deep as its load F demands, k F / omega^2, in steps of any length."""
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        boxes = stack_of_boxes(12)
        play.step(120)
        settled = poses_of(play, boxes)
        for _ in range(150):
            play.step(dt=DT)
            play.step(dt=short)
        assert poses_of(play, boxes) == pytest.approx(settled, abs=1e-5)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_stack_stands_in_steps_of_random_lengths_and_pauses(seed: int) -> None:
    random = np.random.default_rng(seed)
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        boxes = stack_of_boxes(12)
        play.step(120)
        settled = poses_of(play, boxes)
        for dt in random.uniform(1.0 / 2000.0, DT, 400).tolist():
            play.step(dt=dt)
            play.step(dt=0.0 if dt < 0.5 * DT else 1e-7)
        assert poses_of(play, boxes) == pytest.approx(settled, abs=1e-5)


def test_nothing_creeps_down_a_slope_where_long_and_very_short_steps_alternate() -> None:
    angle = 0.3
    along, up = np.array((np.cos(angle), np.sin(angle))), np.array((-np.sin(angle), np.cos(angle)))
    with game(gravity=(0.0, -10.0), sleeping=False) as play:
        ground(friction=0.6, angle_normal=tuple(up))
        places = [k * along + h * up for k, h in ((-3.0, 0.5), (0.0, 0.5), (0.0, 1.5), (3.0, 0.5))]
        boxes = [dynamic(ec.Box(1.0, 1.0), tuple(place), angle=angle, friction=0.6) for place in places]
        play.step(120)
        settled = poses_of(play, boxes)
        for _ in range(150):
            play.step(dt=DT)
            play.step(dt=1e-5)
        assert poses_of(play, boxes) == pytest.approx(settled, abs=1e-5)


@pytest.mark.parametrize("short", [1e-2, 1e-3, 1e-5])
def test_a_stack_that_fell_asleep_in_long_steps_wakes_in_short_ones_without_a_kick(short: float) -> None:
    """The impulses of sleeping contacts belonged to long steps, and threw the stack up by 24 g dt."""
    with game(gravity=(0.0, -10.0)) as play:
        boxes = stack_of_boxes(6)
        play.step(200)
        play.step(300, dt=short)
        play.physics.wake(boxes[-1])
        play.step(dt=short)
        assert max(play.velocity(box)[1] for box in boxes) < 0.01 * 10.0 * short
