"""Every demo, played to its natural end, ends as its own check wants it."""

from __future__ import annotations

from collections.abc import Iterator

import esper
import pytest

import ecs_collide as ec
from ecs_collide.demos.catalogue import MODULES, load
from ecs_collide.demos.platformer import Platformer
from ecs_collide.demos.scene import Demo, Keys, Run, expect


@pytest.fixture(autouse=True)
def esper_is_left_as_it_was() -> Iterator[None]:
    before = esper.current_world, sorted(esper.list_worlds())
    yield
    assert (esper.current_world, sorted(esper.list_worlds())) == before


@pytest.mark.parametrize("name", MODULES)
def test_the_check_passes(name: str) -> None:
    with Run(name, load(name)) as run:
        for _ in range(run.demo.frames):
            assert run.result is None
            run.step()
    assert run.failure is None
    assert run.result


@pytest.mark.parametrize("name", MODULES)
def test_a_demo_is_deterministic(name: str) -> None:
    hashes = []
    for _ in range(2):
        with Run(name, load(name)) as run:
            for _ in range(60):
                run.step()
            hashes.append(ec.physics().state_hash())
    assert hashes[0] == hashes[1]


def test_a_player_steers_the_platformer() -> None:
    with Run("platformer", Platformer) as run:
        demo = run.demo
        assert isinstance(demo, Platformer)
        place = esper.component_for_entity(demo.player, ec.Transform)
        for _ in range(10):
            run.step(Keys())
        start = place.position
        for _ in range(15):
            run.step(Keys(1.0))
        assert place.x > start[0] + 0.5
        for _ in range(10):
            run.step(Keys(-1.0, jump=True))
        assert place.y > start[1] + 0.5


def test_a_player_who_fell_into_the_pit_starts_again() -> None:
    with Run("platformer", Platformer) as run:
        demo = run.demo
        assert isinstance(demo, Platformer)
        place = esper.component_for_entity(demo.player, ec.Transform)
        place.position = (16.0, -1.4)
        for _ in range(60):
            run.step(Keys())
        assert place.x < 2.0
        assert place.y > 0.5


class Empty(Demo):
    frames = 2

    def setup(self) -> None:
        ec.install()

    def check(self) -> str:
        expect(False, "it is empty")
        return ""


def test_a_failed_check_is_kept() -> None:
    with Run("empty", Empty) as run:
        run.step()
        assert (run.result, run.failure) == (None, None)
        run.step()
        assert (run.result, run.failure) == (None, "it is empty")


class Broken(Demo):
    def setup(self) -> None:
        ec.install()
        raise RuntimeError("no scene")


def test_a_setup_that_fails_leaves_no_world_behind() -> None:
    with pytest.raises(RuntimeError, match="no scene"), Run("broken", Broken):
        pass
