"""Strategies for shapes and scenes: every example is valid, readable and plays."""

from __future__ import annotations

from typing import Any

import esper
from hypothesis import given, settings

import ecs_collide as ec
from ecs_collide.testing import simulated
from ecs_collide.testing.strategies import BodyPlan, bodies, polygons, scenes, shapes

NAMES: dict[str, Any] = {name: getattr(ec, name) for name in ec.__all__} | {"BodyPlan": BodyPlan}


@given(shapes(0.5, 1.0))
def test_shapes_are_bounded_and_can_be_written_down(shape: ec.Shape) -> None:
    assert shape.is_bounded
    assert eval(repr(shape), NAMES) == shape
    assert ec.overlap(shape, (0, 0, 0), ec.Box(1.01, 1.01), (0, 0, 0))
    assert not ec.overlap(shape, (0, 0, 0), ec.Circle(0.1), (0.85, 0, 0))


def test_every_kind_of_shape_is_drawn() -> None:
    drawn = set()

    @given(shapes())
    def draw_many(shape: ec.Shape) -> None:
        drawn.add(type(shape))

    draw_many()
    assert drawn == {ec.Circle, ec.Box, ec.Polygon, ec.Capsule, ec.Segment, ec.Sector, ec.Compound}


@given(polygons())
def test_polygons_are_convex(polygon: ec.Polygon) -> None:
    assert len(polygon.pieces()) == 1 and len(polygon.vertices) >= 3


@given(bodies(kinds=(ec.BodyKind.KINEMATIC,), reach=2.0, speed=1.0))
def test_bodies_keep_to_their_bounds(body: BodyPlan) -> None:
    assert body.kind is ec.BodyKind.KINEMATIC
    assert max(map(abs, body.position)) <= 2.0 and max(map(abs, body.velocity)) <= 1.0
    assert eval(repr(body), NAMES) == body


def test_scenes_have_a_floor_first_if_one_is_wanted() -> None:
    @settings(max_examples=5)
    @given(scenes(most=3), scenes(most=3, floor=None))
    def count_bodies(with_floor: list[BodyPlan], without: list[BodyPlan]) -> None:
        assert with_floor[0] == BodyPlan(ec.HalfPlane(), (0.0, -6.0), kind=ec.BodyKind.STATIC)
        assert 1 <= len(without) <= 3 and 2 <= len(with_floor) <= 4

    count_bodies()


@settings(max_examples=10)
@given(scenes(most=5))
def test_scenes_play_and_nothing_gets_through_the_floor(scene: list[BodyPlan]) -> None:
    with simulated(gravity=(0.0, -10.0)) as simulation:
        floor, *others = [body.create() for body in scene]
        assert len(esper.list_worlds()) == 2
        simulation.simulate(1.0)
        assert all(simulation.position(entity)[1] > simulation.position(floor)[1] - 0.1 for entity in others)
