"""Sleeping bodies cost nothing: no stage of a step visits them, which is counted and not timed."""

from __future__ import annotations

import pytest

from benchmarks.idle import WORLDS
from tests.support.worlds import game


@pytest.mark.parametrize("name", ["static", "asleep"])
def test_no_stage_visits_sleeping_or_static_bodies(name: str) -> None:
    with game(gravity=(0.0, -9.81)) as play:
        WORLDS[name](500)
        play.step(120)
        world = play.physics
        assert world.statistics.bodies >= 500
        assert len(world.pipeline.sleepers.awake) == 0
        assert len(world.pipeline.pair_finder.movers.rows) == 0
        assert len(world.pairs) == len(world.contacts) == 0
        assert len(world.pipeline.pairs.live) == 0
