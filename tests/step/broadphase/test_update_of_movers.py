"""Pair updates of steps in which only movers have changed: one call gives the pairs and slots of a full update."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide import Box, Circle
from ecs_collide.components import BodyKind
from ecs_collide.step.broadphase.pair_finder import PairFinder
from tests.support.reference.column_world import ColumnWorld

COUNT, STEPS = 150, 40


def world_of_circles(seed: int) -> tuple[ColumnWorld, np.ndarray, np.ndarray]:
    """Circles far apart around a static box, their rows, and their places [m] (n, 2)."""
    world, random = ColumnWorld(), np.random.default_rng(seed)
    world.add(Box(4.0, 4.0), (0.0, 0.0, 0.0), BodyKind.STATIC)
    places = random.uniform(-200.0, 200.0, (COUNT, 2))
    rows = world.add_all([(Circle(0.5), (x, y, 0.0), BodyKind.DYNAMIC, (1, 1, 0, 0)) for x, y in places.tolist()])
    return world, np.array(rows), places


@pytest.mark.parametrize("seed", range(3))
def test_circles_that_rush_together_and_apart_get_the_same_pairs(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    one, rows, places = world_of_circles(seed)
    other, *_ = world_of_circles(seed)
    with monkeypatch.context() as patched:
        patched.setattr(PairFinder, "only_movers_changed", lambda finder: False)
        other.update()
    one.update()
    most = 0
    for step in range(STEPS):
        nearness = 1.0 - 0.99 * np.sin(np.pi * step / STEPS) ** 4  # all meet at once: more pairs than there is room for
        for world in (one, other):
            world.bodies.arrays.pose[rows, :2] = nearness * places
        with monkeypatch.context() as patched:
            patched.setattr(PairFinder, "only_movers_changed", lambda finder: False)
            changed = other.update()
        assert one.update() == changed
        assert one.pairs.count == other.pairs.count
        np.testing.assert_array_equal(one.pairs.live, other.pairs.live)
        np.testing.assert_array_equal(one.pairs.arrays.index, other.pairs.arrays.index)
        most = max(most, one.pairs.count)
    assert most > 1000
    assert one.pairs.count < 100
