"""`check_rollback` names what a game plays differently after a restore."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import count
from random import Random
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.snapshots.random_scenes import RandomScene, act_between_frames, attempt, step_and_mend
from tests.support.worlds import disk, floor

pytestmark = pytest.mark.usefixtures("fresh_world")


class Condition:
    def __init__(self) -> None:
        self.points = 5
        self.wounds: list[int] = []


@pytest.fixture
def wounded() -> int:
    ec.install(gravity=(0, -10))
    floor()
    entity = disk(0, 2)
    esper.add_component(entity, Condition())
    esper.process(1 / 60)
    return entity


def frame() -> None:
    esper.process(1 / 60)


def test_a_game_without_secrets_passes_and_stays_where_it_was(wounded: int) -> None:
    before = ec.physics().state_hash()
    ec.check_rollback(frame, frames=60)
    assert ec.physics().state_hash() == before


@pytest.mark.parametrize("seed", [0, 1, 7, 11, 16, 29])
def test_scenes_in_which_everything_changes_pass(seed: int) -> None:
    """Bodies, joints and colliders come and go in these frames, and the game moves and pushes some."""
    frames = 12
    scene = RandomScene(seed)
    with scene.played():
        physics = scene.physics
        assert physics is not None
        numbers = count()

        def step() -> None:
            rng, log = Random(next(numbers) % frames), list[Any]()
            for _ in range(rng.choice((0, 0, 1, 2))):
                attempt(log, lambda: act_between_frames(physics, rng))
            step_and_mend(log, 1 / 60)

        for _ in range(3):
            ec.check_rollback(step, frames=frames)
            for _ in range(frames):
                step()


def test_a_component_that_differs_is_named(wounded: int) -> None:
    numbers = count()

    def step() -> None:
        esper.component_for_entity(wounded, Condition).points -= next(numbers)
        frame()

    with pytest.raises(
        ec.PhysicsError, match=rf"frame 1: Condition\.points of entity {wounded} is 5 .* and -3 in the sec"
    ):
        ec.check_rollback(step, frames=8)


def test_a_list_that_a_copy_shares_is_named_at_frame_0(wounded: int) -> None:
    def step() -> None:
        esper.component_for_entity(wounded, Condition).wounds.append(1)
        frame()

    with pytest.raises(
        ec.PhysicsError, match=rf"frame 0, right after the restore: Condition\.wounds of entity {wounded}"
    ):
        ec.check_rollback(step)
    ec.check_rollback(step, copy={Condition: deepcopy})


class Die:
    def __init__(self) -> None:
        self.generator = Random(1)
        self.number = 0.0


def test_a_generator_in_a_component_passes_if_it_is_copied(wounded: int) -> None:
    """Its representation is an address, and it compares by identity."""
    die = Die()
    esper.add_component(wounded, die)

    def step() -> None:
        die.number = die.generator.random()
        frame()

    with pytest.raises(ec.PhysicsError, match=r"^frame 0, right after the restore: Die.generator of entity"):
        ec.check_rollback(step)
    ec.check_rollback(step, copy={Die: deepcopy})


def test_a_number_of_the_physics_that_differs_is_named(wounded: int) -> None:
    numbers = count()

    def step() -> None:
        esper.component_for_entity(wounded, ec.Velocity).x = float(next(numbers))
        frame()

    with pytest.raises(ec.PhysicsError, match=rf"frame 1: Transform\.x of entity {wounded}"):
        ec.check_rollback(step)


def test_an_array_that_differs_is_named(wounded: int) -> None:
    factors = iter((1.0, 1.0, 2.0, 2.0))

    def step() -> None:
        ec.physics().time_scale = next(factors)

    with pytest.raises(ec.PhysicsError, match=r"frame 1: the array clock\.time_scale of the physics differs"):
        ec.check_rollback(step, frames=2)


def test_an_event_that_differs_is_named(wounded: int) -> None:
    received: list[int] = []

    def hear(number: int) -> None:
        received.append(number)

    esper.set_handler("jump", hear)
    numbers = count()

    def step() -> None:
        esper.dispatch_event("jump", next(numbers))
        frame()

    with pytest.raises(ec.PhysicsError, match=r"frame 1: event 1 is jump\(0,\) in the first run and jump\(2,\)"):
        ec.check_rollback(step, frames=2)
    assert received == [0, 1, 2]
    esper.remove_handler("jump", hear)


def test_an_entity_that_only_one_run_has_is_named(wounded: int) -> None:
    def lives() -> Iterator[bool]:
        yield True
        while True:
            yield False

    alive = lives()

    def step() -> None:
        if next(alive):
            esper.create_entity(Condition())
        frame()

    with pytest.raises(ec.PhysicsError, match="frame 1: only the first run has a Condition of entity"):
        ec.check_rollback(step, frames=1)


def test_the_check_leaves_no_handlers(wounded: int) -> None:
    dispatch, before = esper.dispatch_event, set(esper.event_registry)
    with pytest.raises(ZeroDivisionError):
        ec.check_rollback(lambda: 1 / 0)
    assert esper.dispatch_event is dispatch
    assert set(esper.event_registry) == before


@pytest.mark.parametrize("frames", [0, -1])
def test_frames_must_be_positive(wounded: int, frames: int) -> None:
    with pytest.raises(ValueError, match="frames"):
        ec.check_rollback(frame, frames=frames)
