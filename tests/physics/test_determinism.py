"""Equal inputs give equal bits."""

from __future__ import annotations

import random

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.processes import run_script
from tests.support.worlds import DT, esper_world, game

SHAPES: tuple[ec.Shape, ...] = (
    ec.Circle(0.4),
    ec.Box(0.8, 0.6),
    ec.Capsule((-0.3, 0.0), (0.3, 0.0), 0.2),
    ec.Polygon([(-0.4, -0.3), (0.5, -0.3), (0.2, 0.5), (-0.3, 0.3)], radius=0.05),
)


def lively_components(k: int) -> list[object]:
    """The components of entity k of a lively scene."""
    rng = np.random.default_rng(k)
    if k == 0:
        return [ec.Transform(), ec.Collider(ec.HalfPlane())]
    if k == 1:
        kinematic = ec.RigidBody(ec.BodyKind.KINEMATIC)
        return [ec.Transform(-2.0, 1.0), ec.Velocity(0.5, 0.0, 0.3), ec.Collider(ec.Box(2.0, 0.2)), kinematic]
    return [
        ec.Transform(float(rng.uniform(-4.0, 4.0)), float(rng.uniform(1.0, 9.0)), float(rng.uniform(-3.0, 3.0))),
        ec.Velocity(float(rng.normal()), float(rng.normal()), float(rng.normal())),
        ec.Collider(SHAPES[k % len(SHAPES)], restitution=float(rng.uniform(0.0, 0.8)), friction=0.4),
        ec.RigidBody(linear_damping=0.01 * (k % 3)),
        ec.Force(0.1 * (k % 5)),
    ]


COUNT = 60


def hashes_of_play(steps: int = 150, *, extra_steps: int = 0) -> list[str]:
    """The state hashes of each 10th step of the scene that has been set up in the current world."""
    hashes = []
    for step in range(steps + extra_steps):
        esper.process(DT)
        if step % 10 == 9:
            hashes.append(ec.physics().state_hash())
    return hashes


def plain() -> list[str]:
    with game(gravity=(0.0, -9.81)):
        for k in range(COUNT):
            esper.create_entity(*lively_components(k))
        return hashes_of_play()


@pytest.fixture(scope="module")
def expected_hashes() -> list[str]:
    return plain()


def test_the_hash_differs_for_different_states(expected_hashes: list[str]) -> None:
    assert len(set(expected_hashes)) == len(expected_hashes) == 15


def test_twice_in_one_process(expected_hashes: list[str]) -> None:
    assert plain() == expected_hashes


def test_in_another_process(expected_hashes: list[str]) -> None:
    code = "from tests.physics.test_determinism import plain; print(*plain())"
    for seed in ("1", "77"):
        assert run_script(code, PYTHONHASHSEED=seed).split() == expected_hashes


@pytest.mark.parametrize("seed", [1, 2])
def test_components_in_any_order(expected_hashes: list[str], seed: int) -> None:
    shuffle = random.Random(seed).shuffle
    with game(gravity=(0.0, -9.81)):
        for k in range(COUNT):
            components = lively_components(k)
            shuffle(components)
            esper.create_entity(*components)
        assert hashes_of_play() == expected_hashes


@pytest.mark.parametrize("seed", [1, 2])
def test_components_added_one_by_one(expected_hashes: list[str], seed: int) -> None:
    shuffle = random.Random(seed).shuffle
    with game(gravity=(0.0, -9.81)):
        entities = [esper.create_entity() for _ in range(COUNT)]
        todo = [(entity, component) for k, entity in enumerate(entities) for component in lively_components(k)]
        shuffle(todo)
        for entity, component in todo:
            esper.add_component(entity, component)
        assert hashes_of_play() == expected_hashes


def test_installed_after_the_entities(expected_hashes: list[str]) -> None:
    with esper_world():
        for k in range(COUNT):
            esper.create_entity(*lively_components(k))
        ec.install(gravity=(0.0, -9.81))
        assert hashes_of_play() == expected_hashes


def test_two_worlds_in_turns(expected_hashes: list[str]) -> None:
    with esper_world() as first, esper_world() as second:
        hashes: dict[str, list[str]] = {first: [], second: []}
        for name in hashes:
            esper.switch_world(name)
            ec.install(gravity=(0.0, -9.81))
            for k in range(COUNT):
                esper.create_entity(*lively_components(k))
        for step in range(150):
            for name, so_far in hashes.items():
                esper.switch_world(name)
                esper.process(DT)
                if step % 10 == 9:
                    so_far.append(ec.physics().state_hash())
        esper.switch_world(second)
        assert hashes == {first: expected_hashes, second: expected_hashes}


def test_events_come_in_the_same_order() -> None:
    def events() -> list[tuple[int, str, object]]:
        with game(gravity=(0.0, -9.81)) as play:
            for k in range(COUNT):
                esper.create_entity(*lively_components(k))
            play.step(150)
            return [(step, name, *arguments) for step, name, arguments in play.events]

    first = events()
    assert first == events()
    assert len(first) > 50


def test_components_that_the_physics_does_not_know_change_nothing(expected_hashes: list[str]) -> None:
    class Name(str):
        pass

    with game(gravity=(0.0, -9.81)):
        for k in range(COUNT):
            esper.create_entity(Name(k), *lively_components(k))
        hashes = []
        for step in range(150):
            esper.process(DT)
            if step % 3 == 0:
                esper.create_entity(Name("bystander"))
            if step % 10 == 9:
                hashes.append(ec.physics().state_hash())
        assert hashes == expected_hashes
