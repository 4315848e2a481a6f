"""Queries with layers of their own find what a collider with these layers would meet."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, static

SHAPE = ec.Circle(0.5)
START, MIDDLE, END = (-4.0, 0.0, 0.0), (0.0, 0.0, 0.0), (4.0, 0.0, 0.0)

QUERIES: dict[str, Callable[..., Any]] = {
    "ray_cast_all": lambda physics, **filters: [
        hit.entity for hit in physics.ray_cast_all(START[:2], END[:2], **filters)
    ],
    "ray_casts_all": lambda physics, **filters: physics.ray_casts_all([START[:2]], END[:2], **filters).entity,
    "shape_cast_all": lambda physics, **filters: [
        hit.entity for hit in physics.shape_cast_all(SHAPE, START, END, **filters)
    ],
    "shape_casts_all": lambda physics, **filters: physics.shape_casts_all(SHAPE, [START], END, **filters).entity,
    "point_query": lambda physics, **filters: physics.point_query((0.1, 0.1), **filters),
    "point_queries": lambda physics, **filters: physics.point_queries([(0.1, 0.1)], **filters).entity,
    "aabb_query": lambda physics, **filters: physics.aabb_query((-1.0, -1.0, 1.0, 1.0), **filters),
    "aabb_queries": lambda physics, **filters: physics.aabb_queries([(-1.0, -1.0, 1.0, 1.0)], **filters).entity,
    "shape_query": lambda physics, **filters: physics.shape_query(SHAPE, MIDDLE, **filters),
    "shape_queries": lambda physics, **filters: physics.shape_queries(SHAPE, [MIDDLE], **filters).entity,
    "nearest": lambda physics, **filters: [near.entity for near in physics.nearest((9.0, 0.0), 99, **filters)],
    "nearest_to_each": lambda physics, **filters: [
        entity for entity in physics.nearest_to_each([(9.0, 0.0)], 99, **filters).entity[0] if entity
    ],
}
FIRST: dict[str, Callable[..., int | None]] = {
    "ray_cast": lambda physics, **filters: getattr(physics.ray_cast(START[:2], END[:2], **filters), "entity", None),
    "ray_casts": lambda physics, **filters: physics.ray_casts([START[:2]], END[:2], **filters).entity.item() or None,
    "shape_cast": lambda physics, **filters: getattr(physics.shape_cast(SHAPE, START, END, **filters), "entity", None),
    "shape_casts": lambda physics, **filters: physics.shape_casts(SHAPE, [START], END, **filters).entity.item() or None,
}


def random_colliders(count: int) -> list[int]:
    """Create static circles at one place with random filters."""
    rng = np.random.default_rng(5)
    made = []
    for _ in range(count):
        layer, mask, sensor_mask = (int(rng.integers(1, 8)), int(rng.integers(0, 8)), int(rng.choice([0, 0, 1, 4])))
        filters: dict[str, Any] = {
            "layer": layer,
            "mask": mask,
            "sensor_mask": sensor_mask,
            "sensor": bool(rng.random() < 0.2),
        }
        made.append(static(ec.Circle(1.0), **filters))
    return made


def met_by(colliders: list[int], layer: int | None, mask: int, sensors: bool) -> list[int]:
    """Return the colliders that a query finds, by the words of the guide."""
    found = []
    for entity in colliders:
        one = esper.component_for_entity(entity, ec.Collider)
        is_sensor = one.sensor or (layer is not None and one.sensor_mask & layer)
        if one.layer & mask and (layer is None or one.mask & layer) and (sensors or not is_sensor):
            found.append(entity)
    return found


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_filtered_in_both_directions(query: str) -> None:
    with game() as play:
        colliders = random_colliders(60)
        for layer, mask, sensors in product((1, 2, 4, 3, 1 << 62, None), (7, 1, 6, ec.ALL_LAYERS), (False, True)):
            found = QUERIES[query](play.physics, layer=layer, mask=mask, sensors=sensors)
            assert sorted(map(int, found)) == met_by(colliders, layer, mask, sensors)


@pytest.mark.parametrize("query", FIRST)
def test_the_first_hit_is_the_lowest_of_them(query: str) -> None:
    with game() as play:
        colliders = random_colliders(30)
        for layer, mask in product((1, 2, 4, 1 << 62, None), (7, 1, 6)):
            expected = met_by(colliders, layer, mask, False)
            found = FIRST[query](play.physics, layer=layer, mask=mask)
            assert found == (expected[0] if expected else None)


def test_a_query_finds_what_a_body_with_its_layers_collides_with() -> None:
    for layer, mask in product((1, 2, 4, 5), (1, 3, 7)):
        with game() as play:
            random_colliders(40)
            found = play.physics.shape_query(SHAPE, MIDDLE, layer=layer, mask=mask)
            body = dynamic(SHAPE, layer=layer, mask=mask)
            play.step()
            touched = sorted(contact.other(body) for contact in play.contacts("collision_start"))
            assert found == touched


def test_the_layer_of_one_query_does_not_stay_for_the_next() -> None:
    with game() as play:
        wall = static(ec.Box(1.0, 9.0), (2.0, 0.0), mask=2)
        walker = esper.create_entity(
            ec.Transform(), ec.Velocity(), ec.Collider(SHAPE, layer=2), ec.RigidBody(ec.BodyKind.KINEMATIC)
        )
        others: dict[str, Any] = {"ignore": [walker]}
        assert play.physics.ray_cast((0, 0), (9, 0), layer=1, **others) is None
        hit = play.physics.ray_cast((0, 0), (9, 0), **others)
        assert hit is not None and hit.entity == wall
        assert play.physics.ray_cast((0, 0), (9, 0), layer=1, **others) is None
        play.physics.move_and_slide(walker, (9.0, 0.0), 1.0)
        assert play.pose(walker)[0] == pytest.approx(1.0, abs=0.02), "the wall stops it"


@pytest.mark.parametrize("value", [0, -1, 1 << 63, True, 1.0, "2"])
def test_a_layer_that_is_none_is_named(value: Any) -> None:
    with game() as play:
        wall = static(ec.Box(1.0, 1.0))
        with pytest.raises((TypeError, ValueError), match=r"^layer must "):
            play.physics.point_query((0, 0), layer=value)
        assert play.physics.point_query((0, 0)) == [wall]
