"""Bodies of several pieces on floors without thickness, on plates and on tiles: they stay above, and come to rest."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.floors import FLOORS, HALF
from tests.support.reference.solids import star
from tests.support.worlds import dynamic, game, static

U = [(-3, -3), (-1, -3), (-1, 1), (1, 1), (1, -3), (3, -3), (3, 3), (-3, 3)]
CONCAVE: dict[str, ec.Shape] = {
    "U bitmap": ec.Bitmap([[1, 1, 1], [1, 0, 1], [1, 0, 1]], 0.25),
    "L bitmap": ec.Bitmap([[1, 1], [1, 0]], 0.25),
    "ring bitmap": ec.Bitmap([[1, 1, 1], [1, 0, 1], [1, 1, 1]], 0.25),
    "stairs": ec.Bitmap([[1, 0, 0], [1, 1, 0], [1, 1, 1]], 0.2),
    "U": ec.Polygon([(0.125 * x, 0.125 * y) for x, y in U]),
    "arrowhead": ec.Polygon([(0, 0.5), (-0.4, -0.4), (0, -0.15), (0.4, -0.4)]),  # two triangles with half a box each
    "star": ec.Polygon(star(5, 0.45, 0.18)),
    "arcs": ec.ArcPolygon([(-0.4, -0.3), (0.4, -0.3), (0.4, 0.3), (-0.4, 0.3)], [-0.5, 0.4, -0.5, 0.4]),
}
ALONE = -1
"""A group whose members never meet."""


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("body", CONCAVE)
def test_nothing_concave_falls_through_a_floor(body: str, floor: str) -> None:
    make, height = FLOORS[floor]
    random = np.random.default_rng(11)
    with game(gravity=(0.0, -9.81)) as play:
        make()
        bodies = []
        for k in range(40):
            x = random.uniform(-4.0, 4.0)
            fall = random.uniform(-6.0, 0.0) if k % 4 else random.uniform(-40.0, -6.0)
            bodies.append(
                dynamic(
                    CONCAVE[body],
                    (x, height(x) + random.uniform(0.8, 2.5)),
                    (random.uniform(-3.0, 3.0), fall),
                    angle=random.uniform(-3.2, 3.2),
                    angular=random.uniform(-5.0, 5.0),
                    group=ALONE,
                )
            )
        play.step(150)
        for entity in bodies:
            x, y, _ = play.pose(entity)
            assert y > height(x) - 0.7 or abs(x) > HALF - 1.0


CASES: list[tuple[ec.Shape, ec.Shape, tuple[float, float, float], float]] = [
    (ec.Segment((-6.0, 0.0), (6.0, 0.0)), CONCAVE["L bitmap"], (0.2, 1.6, 0.8373), 0.0),
    (ec.Chain([(0.5 * k, 0.0) for k in range(21)]), CONCAVE["U bitmap"], (5.076, 2.248, 2.318), -1.506),
    (ec.Chain([(-6.0, 0.0), (0.1, 0.0), (6.0, 0.0)]), CONCAVE["U"], (0.2, 1.6, 3.4889), 0.0),
]


@pytest.mark.parametrize(("floor", "body", "pose", "spin"), CASES)
def test_a_leg_that_poked_through_comes_back(
    floor: ec.Shape, body: ec.Shape, pose: tuple[float, float, float], spin: float
) -> None:
    with game(gravity=(0.0, -9.81)) as play:
        static(floor)
        entity = dynamic(body, pose[:2], angle=pose[2], angular=spin)
        lowest = math.inf
        for _ in range(150):
            play.step(1)
            lowest = min(lowest, play.pose(entity)[1])
        assert lowest > -0.2


@pytest.mark.parametrize("floor", ["segment", "flat chain", "tiles", "plate"])
@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize("body", ["U bitmap", "ring bitmap", "U"])
def test_a_body_on_one_or_two_pieces_comes_to_rest(body: str, side: int, floor: str) -> None:
    """Both of its ends carry it, on whatever pieces they are; carried by one in turn it would rock for ever."""
    with game(gravity=(0.0, -9.81)) as play:
        FLOORS[floor][0]()
        entities = [
            dynamic(CONCAVE[body], (x, 1.2), angle=0.5 * math.pi * side + 0.04, group=ALONE)
            for x in np.linspace(-2.0, 2.0, 12)
        ]
        play.step(150)
        assert [entity for entity in entities if play.physics.is_awake(entity)] == []
        assert esper.component_for_entity(entities[0], ec.Transform).y > -0.1
