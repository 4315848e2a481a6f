"""After many bodies have gone the views are short again, and those that are left are where they were."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.data.growth import RowPool
from tests.support.worlds import Game, game

COUNT = 3000


def create_wide_grid(play: Game) -> list[int]:
    """Disks and boxes in a wide grid, every fourth one static."""
    shapes = (ec.Circle(0.5), ec.Box(0.8, 0.8))
    made = []
    for k in range(COUNT):
        parts = [ec.Transform(2.0 * (k % 60), 2.0 * (k // 60)), ec.Collider(shapes[k % 2])]
        made.append(esper.create_entity(*parts, *([ec.Velocity(0.1, 0.0)] if k % 4 else [])))
    play.step()
    return made


@pytest.mark.parametrize("last", [1, 10, COUNT - 1])
def test_views_end_with_the_last_body_when_most_have_gone(last: int) -> None:
    with game() as play:
        made = create_wide_grid(play)
        survivors = [made[0], made[last]]
        survivors_parts = [esper.component_for_entity(entity, ec.Transform) for entity in survivors]
        rows = [play.physics.row_of(entity) for entity in survivors]
        for entity in set(made) - set(survivors):
            esper.delete_entity(entity)
        play.step()
        assert len(play.physics.entities) == len(play.physics.positions) == last + 1
        assert len(play.physics.pipeline.pieces.arrays.moved) <= max(2 * last + 66, 1024) or last == COUNT - 1
        assert [play.physics.row_of(entity) for entity in survivors] == rows
        survivors_parts[1].x = -7.0
        assert play.physics.positions[rows[1], 0] == -7.0
        play.step()
        play.physics.positions[rows[1]] = (3.0, 4.0)
        assert survivors_parts[1].position == (3.0, 4.0)
        fresh = esper.create_entity(ec.Transform(3.0, 4.9), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
        assert play.physics.row_of(fresh) == (1 if last > 1 else 2)
        play.physics.moved([survivors[1]])
        play.step(3)
        assert play.physics.touching(fresh, survivors[1])


def test_a_deleted_world_starts_again_from_row_zero() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        for _ in range(2):
            made = create_wide_grid(play)
            play.step(10)
            assert np.isfinite(play.physics.positions).all()
            for entity in made:
                esper.delete_entity(entity)
            play.step()
            assert len(play.physics.entities) == 0
            assert play.physics.statistics.pairs == play.physics.statistics.bodies == 0


def test_components_of_the_deleted_keep_their_values_and_can_be_used_again() -> None:
    with game() as play:
        made = create_wide_grid(play)
        parts: dict[int, tuple[Any, ...]] = {e: esper.components_for_entity(e) for e in made[5:9]}
        values = {entity: [repr(part) for part in parts[entity]] for entity in parts}
        for entity in made:
            esper.delete_entity(entity)
        play.step()
        assert {entity: [repr(part) for part in parts[entity]] for entity in parts} == values
        parts[made[5]][0].x = 77.0
        assert {entity: [repr(part) for part in parts[entity]] for entity in made[6:9]} == {
            entity: values[entity] for entity in made[6:9]
        }
        again = [esper.create_entity(*parts[entity]) for entity in parts]
        play.step()
        assert play.pose(again[0])[0] == pytest.approx(77.0 + 0.1 / 60)
        assert [play.physics.row_of(entity) for entity in again] == [0, 1, 2, 3]


def test_a_pool_of_rows_comes_down_to_the_last_one_in_use() -> None:
    pool = RowPool()
    pool.allocate(100)
    pool.release(range(10, 60))
    assert pool.high == 100
    pool.release(range(61, 100))
    assert pool.high == 61
    assert pool.allocate(52) == [*range(10, 60), 61, 62]
    pool.release(range(63))
    assert (pool.high, pool.free) == (0, [])
