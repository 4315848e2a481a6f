"""A crowded world for tests of queries."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.random_entities import Crowd
from tests.support.worlds import game


@pytest.fixture(params=[0, 1])
def crowded(request: pytest.FixtureRequest) -> Any:
    """A world with random entities of all kinds, random places in it, and random filters."""
    with game(gravity=(0.0, -10.0)) as play:
        crowd = Crowd(np.random.default_rng(request.param), 40)
        play.step(3)
        moved = list(crowd.shapes)[:5]
        for entity in moved:
            esper.component_for_entity(entity, ec.Transform).position = tuple(crowd.rng.uniform(-9.0, 9.0, 2).tolist())
        filters: dict[str, Any] = {"mask": 5, "sensors": True, "ignore": moved[:1]}
        if request.param:
            filters["where"] = lambda entity: entity % 3 != 0
        yield play.physics, crowd.rng, filters
