"""`ecs_collide.worlds.Batch`: many equal worlds as arrays."""

from __future__ import annotations

from collections.abc import Iterator

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import DT

COUNT = 4


def build_drop(seed: int) -> tuple[int, int]:
    """Install physics, put a ball above a floor and return both; the seed decides how high."""
    ec.install(gravity=(0, -10), sleeping=False)
    floor = esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane((0, 1))))
    ball = esper.create_entity(ec.Transform(0, 1 + seed), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
    return floor, ball


@pytest.fixture
def batch() -> Iterator[ec.worlds.Batch[tuple[int, int]]]:
    worlds = esper.list_worlds()
    with ec.worlds.Batch(build_drop, COUNT) as made:
        yield made
    assert esper.list_worlds() == worlds


DropBatch = ec.worlds.Batch[tuple[int, int]]


def test_arrays_have_a_row_for_each_world(batch: DropBatch) -> None:
    ball = batch.row_of(batch.built[0][1])
    assert batch.poses.shape == batch.velocities.shape == (COUNT, 2, 3)
    assert batch.seeds == (0, 1, 2, 3) and len(batch) == COUNT
    assert batch.poses[:, ball, 1].tolist() == [1, 2, 3, 4]


def test_a_batch_makes_the_steps_of_single_worlds(batch: DropBatch) -> None:
    ball = batch.row_of(batch.built[0][1])
    batch.step(DT, 10)
    for _ in range(50):
        batch.step(DT)
    for seed in range(COUNT):
        with ec.worlds.fresh_world():
            _, entity = build_drop(seed)
            esper.process(0.0)
            for _ in range(60):
                esper.process(DT)
            place = esper.component_for_entity(entity, ec.Transform)
            motion = esper.component_for_entity(entity, ec.Velocity)
            assert batch.poses[seed, ball].tolist() == [*place.position, place.angle]
            assert batch.velocities[seed, ball].tolist() == [motion.x, motion.y, motion.angular]


def test_a_step_begins_with_what_the_arrays_hold(batch: DropBatch) -> None:
    ball = batch.row_of(batch.built[0][1])
    batch.poses[:, ball, 1] = 100.0
    batch.velocities[:, ball, 0] = [1.0, 2.0, 3.0, 4.0]
    batch.step(DT, 60)
    assert batch.poses[:, ball, 0] == pytest.approx([1.0, 2.0, 3.0, 4.0])
    assert batch.poses[:, ball, 1] == pytest.approx(95.0, abs=0.1)


def test_a_reset_returns_the_chosen_worlds_to_their_beginning(batch: DropBatch) -> None:
    first = batch.poses.copy()
    batch.step(DT, 30)
    later = batch.poses.copy()
    batch.reset(np.array([True, False, False, True]))
    assert np.array_equal(batch.poses[[0, 3]], first[[0, 3]]) and np.array_equal(batch.poses[1:3], later[1:3])
    assert not batch.velocities[[0, 3]].any() and batch.velocities[1:3].any()
    batch.reset()
    assert np.array_equal(batch.poses, first)
    batch.step(DT, 30)
    assert np.array_equal(batch.poses, later)


def test_contact_impulses_bear_the_weight(batch: DropBatch) -> None:
    ball = batch.row_of(batch.built[0][1])
    assert not batch.contact_impulses().any()
    for _ in range(300):
        batch.step(DT)
    weight = np.pi * 0.25 * 10 * DT
    assert batch.contact_impulses() == pytest.approx(np.full((COUNT, 2), weight), rel=0.01)
    batch.reset([True, False, False, False])
    assert batch.contact_impulses()[:, ball] == pytest.approx([0, weight, weight, weight], rel=0.01)


def test_a_block_of_one_world_reads_and_changes_it(batch: DropBatch) -> None:
    _, ball = batch.built[2]
    before = esper.current_world
    batch.velocities[2, batch.row_of(ball)] = (5.0, 0.0, 0.0)
    with batch.world(2) as physics:
        assert physics is ec.physics() and esper.current_world != before
        assert esper.component_for_entity(ball, ec.Velocity).x == 5.0
        esper.component_for_entity(ball, ec.Transform).position = (7.0, 8.0)
    assert esper.current_world == before
    assert batch.poses[2, batch.row_of(ball)].tolist() == [7.0, 8.0, 0.0]
    batch.step(DT)
    assert batch.poses[2, batch.row_of(ball), 0] == pytest.approx(7.0 + 5.0 * DT)


def test_a_world_with_other_bodies_is_refused(batch: DropBatch) -> None:
    worlds = esper.list_worlds()

    def build(seed: int) -> None:
        build_drop(seed)
        if seed == 3:
            build_drop_again()

    def build_drop_again() -> None:
        esper.create_entity(ec.Transform(9, 9), ec.Velocity(), ec.Collider(ec.Circle(0.5)))

    with pytest.raises(ec.PhysicsError, match="the world of seed 3 has 3 rows of bodies, and that of seed 0 had 2"):
        ec.worlds.Batch(build, 4)
    assert esper.list_worlds() == worlds
    with pytest.raises(ec.PhysicsError, match="seed 1 has 3 rows"), batch.world(1):
        build_drop_again()
        esper.process(DT)


def test_an_error_in_a_world_names_its_seed(batch: DropBatch) -> None:
    batch.velocities[2, 1, 0] = np.nan
    with pytest.raises(ec.PhysicsError) as caught:
        batch.step(DT)
    assert caught.value.__notes__ == ["in the world of seed 2"]


def test_an_error_in_build_leaves_no_worlds() -> None:
    worlds = esper.list_worlds()
    with pytest.raises(ec.PhysicsError, match="has no physics"):
        ec.worlds.Batch(lambda seed: None, 3)
    with pytest.raises(ZeroDivisionError):
        ec.worlds.Batch(lambda seed: 1 // 0, 3)
    assert esper.list_worlds() == worlds


def test_bad_arguments_are_refused(batch: DropBatch) -> None:
    with pytest.raises(ValueError, match="seeds must hold one for each of the 3 worlds, got 2"):
        ec.worlds.Batch(build_drop, 3, [1, 2])
    with pytest.raises(ValueError, match="count must lie between 1 and"):
        ec.worlds.Batch(build_drop, 0)
    with pytest.raises(TypeError, match="mask must hold True or False"):
        batch.reset([0, 1, 1, 0])
    with pytest.raises(ValueError, match=r"mask must have shape \(4,\), got \(2,\)"):
        batch.reset([True, False])
    with pytest.raises(ValueError, match="dt must be"):
        batch.step(-1.0)


def test_a_closed_batch_cannot_be_used() -> None:
    batch = ec.worlds.Batch(build_drop, 2)
    batch.close()
    with pytest.raises(ec.PhysicsError, match="the batch was closed"):
        batch.step(DT)
    with pytest.raises(ec.PhysicsError, match="the batch was closed"):
        batch.reset()
