"""A world that is loaded into an emptied one gives the bits of a new world, whatever was there."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import Game, game

Saved = bytes


def saved() -> Saved:
    return pickle.dumps([esper.components_for_entity(entity) for entity in sorted(esper.get_entities())])


def load(save: Saved) -> list[int]:
    return [esper.create_entity(*components) for components in pickle.loads(save)]


def install_settings(response: str) -> dict[str, object]:
    return {"response": response, "gravity": (0, -10)}


SHAPES = [ec.Circle(0.4), ec.Box(0.7, 0.5), ec.Polygon([(-0.4, -0.4), (0.4, -0.4), (0, 0.1), (0, 0.5)])]


def level(seed: int, count: int, response: str) -> None:
    """A floor of tiles, bodies above it, and joints between some."""
    rng = random.Random(seed)
    for k in rng.sample(range(-6, 6), 12):
        esper.create_entity(ec.Transform(k, -0.5), ec.Collider(ec.Box(1, 1)))
    if seed % 2:
        esper.create_entity(ec.Transform(9, 0), ec.Collider(ec.Bitmap(["#..#", "####"], 0.5)))
    bodies = []
    for k in range(count):
        shape = SHAPES[0] if response == "exact" else rng.choice(SHAPES)
        collider = ec.Collider(shape, surface_speed=0.0 if response == "exact" else rng.choice([0, 0, 0.1]))
        place = ec.Transform(rng.uniform(-3, 3), 1 + 0.9 * k / 4)
        bodies.append(esper.create_entity(place, ec.Velocity(rng.uniform(-3, 3), 0), collider))
    if response == "impulse":
        for a, b in zip(bodies[::5], bodies[1::5]):
            esper.create_entity(ec.DistanceJoint(a, b, length=1.0))


def play_on(world: Game, save: Saved) -> list[str]:
    """The states after some steps of what is loaded."""
    load(save)
    hashes = []
    for _ in range(12):
        world.step(10)
        hashes.append(world.physics.state_hash())
    return hashes


def cleared(world: Game) -> None:
    esper.clear_database()


def cleared_before(world: Game) -> None:
    esper.clear_database()
    world.step()


def gone_one_by_one(world: Game) -> None:
    for entity in sorted(esper.get_entities(), key=lambda entity: entity % 7):
        esper.delete_entity(entity, immediate=True)
        if entity % 5 == 0:
            world.step()
    esper.clear_database()


@pytest.mark.parametrize("response", ["impulse", "exact"])
@pytest.mark.parametrize("emptied", [cleared, cleared_before, gone_one_by_one])
@pytest.mark.parametrize("seed", [2, 3])
def test_a_load_goes_on_as_in_a_new_world(emptied: Callable[[Game], None], seed: int, response: str) -> None:
    with game(**install_settings(response)) as opened:
        level(1, 24, response)
        opened.step(60)
        save = saved()
        expected = None
        for count in (3, 80):
            with game(**install_settings(response)) as fresh:
                expected = expected or play_on(fresh, save)
            level(seed, count, response)
            opened.step(50)
            emptied(opened)
            assert play_on(opened, save) == expected


def test_rows_begin_anew_where_none_is_in_use() -> None:
    with game() as opened:
        bodies = [esper.create_entity(ec.Transform(3 * k, 0), ec.Velocity(1, 0)) for k in range(6)]
        opened.step()
        empty = opened.physics.state_hash()
        for entity in (bodies[5], *bodies[:5]):
            esper.delete_entity(entity, immediate=True)
            opened.step()
        assert len(opened.physics.entities) == 0
        assert opened.physics.state_hash() != empty
