"""Queries in arrays give the results of single queries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, static

PLACES = 30


def test_points(crowded: Any) -> None:
    world, rng, filters = crowded
    places = rng.uniform(-14.0, 14.0, (PLACES, 2))
    found = world.point_queries(places, **filters)
    for k, place in enumerate(places):
        assert found.entity[found.starts[k] : found.starts[k + 1]].tolist() == world.point_query(place, **filters)


def test_boxes(crowded: Any) -> None:
    world, rng, filters = crowded
    low = rng.uniform(-14.0, 14.0, (PLACES, 2))
    boxes = np.hstack((low, low + rng.uniform(0.0, 9.0, (PLACES, 2))))
    boxes[0, 2:] = boxes[0, :2]
    found = world.aabb_queries(boxes, **filters)
    assert found.starts[-1] == len(found.entity) > 0
    for k, box in enumerate(boxes):
        assert found.entity[found.starts[k] : found.starts[k + 1]].tolist() == world.aabb_query(box, **filters)


def test_shapes(crowded: Any) -> None:
    world, rng, filters = crowded
    poses = rng.uniform(-12.0, 12.0, (PLACES, 3))
    found = world.shape_queries(ec.Sector(4.0, 2.0), poses, **filters)
    for k, pose in enumerate(poses):
        expected = world.shape_query(ec.Sector(4.0, 2.0), tuple(pose), **filters)
        assert found.entity[found.starts[k] : found.starts[k + 1]].tolist() == expected


def test_rays_through_everything(crowded: Any) -> None:
    world, rng, filters = crowded
    starts, ends = rng.uniform(-15.0, 15.0, (2, PLACES, 2))
    hits = world.ray_casts_all(starts, ends, **filters)
    for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
        rows = slice(hits.starts[k], hits.starts[k + 1])
        columns = hits.entity[rows].tolist(), hits.fraction[rows].tolist(), hits.point[rows], hits.normal[rows]
        found = [ec.Hit(entity, u, tuple(point), tuple(normal)) for entity, u, point, normal in zip(*columns)]
        assert found == world.ray_cast_all(start, end, **filters)


def test_shapes_that_move(crowded: Any) -> None:
    world, rng, filters = crowded
    starts, ends = rng.uniform(-12.0, 12.0, (2, PLACES, 3))
    hits = world.shape_casts(ec.Box(1.0, 0.5), starts, ends, **filters)
    for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
        hit = world.shape_cast(ec.Box(1.0, 0.5), tuple(start), tuple(end), **filters)
        assert hits.entity[k] == (hit.entity if hit else 0)
        expected = (hit.fraction, *hit.point, *hit.normal) if hit else [np.nan] * 5
        assert np.array_equal((hits.fraction[k], *hits.point[k], *hits.normal[k]), expected, equal_nan=True)


def test_the_nearest_entities(crowded: Any) -> None:
    world, rng, filters = crowded
    places = rng.uniform(-20.0, 20.0, (PLACES, 2))
    for count, reach in ((1, np.inf), (5, np.inf), (60, 6.0)):
        found = world.nearest_to_each(places, count, reach, **filters)
        for k, place in enumerate(places):
            rows = zip(found.entity[k].tolist(), found.distance[k].tolist(), found.point[k].tolist())
            expected = world.nearest(place, count, reach, **filters)
            assert [ec.Near(entity, d, (x, y)) for entity, d, (x, y) in rows if entity] == expected


def test_there_are_more_answers_than_there_is_room_for_at_first() -> None:
    with game() as play:
        boxes = [static(ec.Box(1.0, 1.0), (k * 1e-3, 0.0)) for k in range(100)]
        assert play.physics.point_query((0.0, 0.0)) == boxes
        assert play.physics.point_queries([(0.0, 0.0), (9.0, 0.0)]).entity.tolist() == boxes
        assert [hit.entity for hit in play.physics.ray_cast_all((-5.0, 0.0), (5.0, 0.0))] == boxes


def test_no_places_have_no_answers() -> None:
    with game() as play:
        static(ec.Circle(1.0))
        assert play.physics.point_queries(np.zeros((0, 2))).starts.tolist() == [0]
        assert len(play.physics.ray_casts_all((0, 0), np.zeros((0, 2))).entity) == 0
        assert play.physics.nearest_to_each(np.zeros((0, 2)), 3).entity.shape == (0, 1)


def test_the_nearest_entity_is_found_at_any_distance() -> None:
    with game() as play:
        for k in range(40):
            dynamic(ec.Circle(0.5), (3.0 * k, 1e6 * (k % 3)))
        last = dynamic(ec.Circle(0.5), (0.0, -1e9))
        play.step()
        (near,) = play.physics.nearest((0.0, -9e8))
        assert near.entity == last
        assert near.distance == pytest.approx(1e8 - 0.5)
        assert len(play.physics.nearest((50.0, 2e6), 100)) == 41


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda world: world.point_queries((1, 2)), r"points must be .*\(n, 2\), got one of shape \(2,\)"),
        (lambda world: world.aabb_queries([(1, 0, 0, 1)]), "boxes must be .* no minimum above its maximum"),
        (lambda world: world.shape_queries(ec.Circle(1), [(0, 0)]), r"poses must be poses.*\(n, 3\)"),
        (lambda world: world.shape_casts(ec.Circle(1), [(0, 0, 0)] * 2, [(0, 0, 0)] * 3), "equally many, got 2 and 3"),
        (lambda world: world.shape_casts(ec.Circle(1), (0, 0, 1e16), (0, 0, 0)), "angles of starts must lie between"),
        (lambda world: world.nearest_to_each([(0, np.nan)]), "points must be finite"),
    ],
)
def test_bad_arguments_are_named(ask: Any, words: str) -> None:
    with game() as play, pytest.raises(ValueError, match=words):
        ask(play.physics)
