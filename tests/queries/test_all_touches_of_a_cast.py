"""All entities that a cast shape touches on its path."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.random_entities import SHAPES
from tests.support.worlds import game, static

PATHS = 25


def random_path(rng: np.random.Generator) -> tuple[ec.Shape, tuple[float, ...], tuple[float, ...]]:
    """Return a random shape and the poses between which it moves."""
    shape = SHAPES[rng.integers(len(SHAPES))](rng)
    start, end = (tuple([*rng.uniform(-14.0, 14.0, 2).tolist(), rng.uniform(-4.0, 4.0)]) for _ in range(2))
    return shape, start, end


def test_each_is_hit_as_if_it_was_alone(crowded: Any) -> None:
    physics, rng, filters = crowded
    accepts = filters.pop("where", lambda entity: True)
    for _ in range(PATHS):
        path = random_path(rng)
        alone = [
            physics.shape_cast(*path, **filters, where=lambda entity, one=one: entity == one)
            for one in physics.entities[physics.entities != 0].tolist()
            if accepts(one)
        ]
        expected = sorted((hit for hit in alone if hit is not None), key=lambda hit: (hit.fraction, hit.entity))
        found = physics.shape_cast_all(*path, **filters, where=accepts)
        assert [hit.entity for hit in found] == [hit.entity for hit in expected]
        for hit, one in zip(found, expected, strict=True):
            assert hit.fraction == pytest.approx(one.fraction, abs=1e-12)
            assert hit.normal == pytest.approx(one.normal, abs=1e-9)
            assert hit.point == pytest.approx(one.point, abs=1e-9)
        assert physics.shape_cast(*path, **filters, where=accepts) == (found[0] if found else None)


def test_the_ones_at_the_start_can_be_skipped(crowded: Any) -> None:
    physics, rng, filters = crowded
    skipped = 0
    for _ in range(PATHS):
        path = random_path(rng)
        found = physics.shape_cast_all(*path, **filters)
        at_start = set(physics.shape_query(path[0], path[1], **filters))
        assert {hit.entity for hit in found if hit.fraction == 0.0} == at_start
        assert physics.shape_cast_all(*path, inside="skip", **filters) == [hit for hit in found if hit.fraction]
        skipped += len(at_start)
    assert skipped > 0


def test_many_paths_at_once_give_the_hits_of_each(crowded: Any) -> None:
    physics, rng, filters = crowded
    shape = ec.Polygon(((0, 0), (2, 0), (2, 0.5), (0.5, 0.5), (0.5, 1), (0, 2)))
    starts, ends = rng.uniform(-15.0, 15.0, (2, PATHS, 3))
    hits = physics.shape_casts_all(shape, starts, ends, **filters)
    assert hits.starts[0] == 0 and hits.starts[-1] == len(hits.entity) > PATHS
    for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
        rows = slice(hits.starts[k], hits.starts[k + 1])
        columns = hits.entity[rows].tolist(), hits.fraction[rows].tolist(), hits.point[rows], hits.normal[rows]
        found = [ec.Hit(entity, u, tuple(point), tuple(normal)) for entity, u, point, normal in zip(*columns)]
        assert found == physics.shape_cast_all(shape, tuple(start), tuple(end), **filters)


def test_one_path_past_more_entities_than_there_is_room_for_at_first() -> None:
    with game() as play:
        pieces = ec.Compound([(ec.Circle(0.2), (0.0, 0.3 * k, 0.0)) for k in range(6)])
        rows = [static(pieces, (1.0 + k, -0.5)) for k in range(50)]
        hits = play.physics.shape_cast_all(ec.Box(0.2, 0.2), (0.0, 0.0, 0.0), (60.0, 0.0, 0.0))
        assert [hit.entity for hit in hits] == rows
        assert [hit.fraction for hit in hits] == sorted(hit.fraction for hit in hits)
        back = play.physics.shape_casts_all(ec.Box(0.2, 0.2), [(60.0, 0.0, 0.0)] * 3, (0.0, 0.0, 0.0))
        assert back.entity.tolist() == 3 * rows[::-1]


def test_entities_at_one_place_come_in_the_order_of_their_ids() -> None:
    with game() as play:
        same = [static(ec.Box(1.0, 1.0), (3.0, 0.0)) for _ in range(5)]
        hits = play.physics.shape_cast_all(ec.Circle(0.5), (0.0, 0.0, 0.0), (3.0, 0.0, 0.0))
        assert [hit.entity for hit in hits] == same
        assert {(hit.fraction, hit.point, hit.normal) for hit in hits} == {(2.0 / 3.0, (2.5, 0.0), (-1.0, 0.0))}


@pytest.mark.parametrize("angle", [0.0, 0.4, 2.0, -2.5])
def test_of_several_pieces_that_are_touched_at_once_both_casts_report_the_same(angle: float) -> None:
    with game() as play:
        tiles = static(ec.Bitmap(["####", "#..#", "####"], 1.0), (-2.0, -1.5), angle=angle)
        static(ec.Circle(3.0), (0.5, 0.0))
        for x, y in np.random.default_rng(4).uniform(-2.0, 2.0, (40, 2)).tolist():
            path = ec.Circle(0.9), (x, y, 0.0), (y, -x, 1.0)
            hits = play.physics.shape_cast_all(*path)
            assert play.physics.shape_cast(*path) == (hits[0] if hits else None)
            alone = play.physics.shape_cast(*path, where=lambda entity: entity == tiles)
            assert [hit for hit in hits if hit.entity == tiles] == ([] if alone is None else [alone])


def test_nothing_on_the_path() -> None:
    with game() as play:
        static(ec.Box(1.0, 1.0), (9.0, 9.0))
        assert play.physics.shape_cast_all(ec.Circle(0.5), (0.0, 0.0, 0.0), (3.0, 0.0, 0.0)) == []
        hits = play.physics.shape_casts_all(ec.Circle(0.5), np.zeros((2, 3)), (3.0, 0.0, 0.0))
        assert hits.starts.tolist() == [0, 0, 0] and len(hits.entity) == 0


def test_wrong_arguments_are_named() -> None:
    with game() as play:
        path = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
        with pytest.raises(ValueError, match="inside must be one of 'start', 'skip', got 'exit'"):
            play.physics.shape_cast_all(ec.Circle(0.1), *path, inside="exit")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="shape must be bounded"):
            play.physics.shape_cast_all(ec.HalfPlane(), *path)
        with pytest.raises(ValueError, match="starts and ends must be equally many, got 2 and 3"):
            play.physics.shape_casts_all(ec.Circle(0.1), np.zeros((2, 3)), np.zeros((3, 3)))
