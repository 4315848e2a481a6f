"""Systems that are removed, in any number and order, at any time: a clear error or a world that stands still."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.common.settings import ResponseName
from ecs_collide.systems import SCHEDULE, Broadphase, Narrowphase, Notify, Response, Synchronise, System
from ecs_collide.systems.schedule import priorities
from tests.support.events import EventLog, open_touches
from tests.support.hooks import hook_once
from tests.support.worlds import disk, floor, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

SUBSETS = [subset for count in range(1, 6) for subset in combinations(SCHEDULE, count)]
CHAIN = [system for system in SCHEDULE if system is not Response]
"""Each of these needs the one before, and the Response, which may be left out, all before Notify."""


def is_error(removed: tuple[type[System], ...]) -> bool:
    """Return True if a remaining system lacks one before it; without Synchronise there is no step at all."""
    left = [system for system in CHAIN if system not in removed]
    is_gap = left != CHAIN[: len(left)] or (Response not in removed and Narrowphase in removed)
    return Synchronise not in removed and is_gap


def subset_name(subset: tuple[type[System], ...]) -> str:
    return "-".join(system.__name__ for system in subset)


def create_sleeping_heap(physics: ec.PhysicsWorld) -> list[int]:
    """Disks in a heap on a floor, some of which sleep, and one that falls."""
    floor()
    disks = [disk(0.9 * (k % 5), 0.45 + 0.9 * (k // 5)) for k in range(20)]
    disks += [disk(20.0 + 2.0 * k, 0.5) for k in range(5)] + [disk(40.0, 90.0)]
    run(60)
    assert physics.statistics.sleeping_bodies > 0
    return disks


def change_disks(disks: list[int], seed: int) -> None:
    """Delete, change and create bodies."""
    chance = random.Random(seed)
    for _ in range(4):
        esper.delete_entity(disks.pop(chance.randrange(len(disks))))
        disks.append(disk(chance.uniform(0.0, 5.0), chance.uniform(0.5, 5.0)))
    esper.component_for_entity(disks[0], ec.Collider).shape = ec.Box(0.8, 0.8)
    transform(disks[1]).x += 1.0


def add_systems_back(physics: ec.PhysicsWorld, subset: tuple[type[System], ...]) -> None:
    for system in subset:
        esper.add_processor(system(physics), priorities(0)[system])


@pytest.mark.parametrize("response", ["impulse", "exact"])
@pytest.mark.parametrize("subset", SUBSETS, ids=subset_name)
def test_without_some_systems_there_is_an_error_or_nothing_moves(
    subset: tuple[type[System], ...], response: ResponseName, events: list[tuple[Any, ...]]
) -> None:
    physics = ec.install(gravity=(0, -10), response=response, sleeping=response == "impulse")
    disks = [disk(0.0, 9.0), disk(5.0, 9.0)] if response == "exact" else create_sleeping_heap(physics)
    for system in subset:
        esper.remove_processor(system)
    before = [transform(entity).pose for entity in disks]
    for seed in range(5):
        if is_error(subset):
            with pytest.raises(ec.PhysicsError, match=r"but it needs .* just before: has a system been removed"):
                run()
        else:
            run()
        assert ([transform(entity).pose for entity in disks] != before) is (subset == (Notify,))
        if response == "impulse":
            change_disks(disks, seed)
            before = [transform(entity).pose for entity in disks]
    if subset == SCHEDULE:
        return
    add_systems_back(physics, subset)
    run(30)
    assert [transform(entity).pose for entity in disks] != before
    assert np.isfinite(physics.positions).all()
    ec.uninstall()
    open_touches(events)


@pytest.mark.parametrize("seed", range(5))
def test_systems_removed_and_put_back_at_random(seed: int, events: list[tuple[Any, ...]]) -> None:
    chance = random.Random(seed)
    physics = ec.install(gravity=(0, -10))
    disks = create_sleeping_heap(physics)
    missing: list[type[System]] = []
    for step in range(60):
        if chance.random() < 0.5 and len(missing) < 4:
            system = chance.choice([system for system in SCHEDULE if system not in missing])
            esper.remove_processor(system)
            missing.append(system)
        elif missing:
            add_systems_back(physics, (missing.pop(chance.randrange(len(missing))),))
        change_disks(disks, seed + step)
        try:
            run()
        except ec.PhysicsError as error:
            assert "has a system been removed" in str(error)
    add_systems_back(physics, tuple(missing))
    run(10)
    assert physics.statistics.bodies == len(disks) + 1
    ec.uninstall()
    assert not open_touches(events)


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("removed", SCHEDULE)
def test_a_system_removed_within_a_step_breaks_nothing(
    place: int, removed: type[System], events: list[tuple[Any, ...]]
) -> None:
    """esper leaves out the one that follows when one is removed that has run."""
    physics = ec.install(gravity=(0, -10))
    disks = create_sleeping_heap(physics)

    def remove() -> None:
        esper.remove_processor(removed)
        change_disks(disks, 0)

    hook_once(SCHEDULE[place], SCHEDULE[place + 1], remove)
    for _ in range(3):
        try:
            run()
        except ec.PhysicsError as error:
            assert "has a system been removed" in str(error)
        change_disks(disks, 1)
    add_systems_back(physics, (removed,))
    run(10)
    ec.uninstall()
    assert not open_touches(events)


def test_a_step_within_a_step_ends_both(events: list[tuple[Any, ...]]) -> None:
    """The rest of the outer step skips entities that were deleted when the inner one was complete."""
    physics = ec.install(gravity=(0, -10))
    disks = create_sleeping_heap(physics)

    def step_and_delete() -> None:
        run()
        esper.delete_entity(disks[3], immediate=True)
        assert physics.row_of(disks[4]) >= 0
        esper.component_for_entity(disks[5], ec.Collider).shape = ec.Box(0.8, 0.8)
        assert physics.row_of(disks[5]) >= 0

    hook_once(Narrowphase, Response, step_and_delete)
    steps = physics.statistics.steps
    run()
    assert physics.statistics.steps == steps + 1
    run(5)
    ec.uninstall()
    assert not open_touches(events)


def test_a_system_that_runs_twice_in_a_step_is_an_error() -> None:
    physics = ec.install()
    disk()
    esper.add_processor(Broadphase(physics), priorities(0)[Broadphase])
    with pytest.raises(ec.PhysicsError, match="Broadphase runs after Broadphase in this step"):
        run()


def test_without_a_response_contacts_carry_nothing(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install(gravity=(0, -10), hit_speed=1.0)
    hits = EventLog("collision_hit")
    floor()
    ball = disk(0.0, 0.6)
    velocity(ball).y = -5.0
    run(4)
    assert len(hits.calls) == 1
    assert physics.contacts.normal_impulse.sum() > 0.0
    esper.remove_processor(Response)
    run(5)
    assert len(hits.calls) == 1
    assert physics.contacts.normal_impulse.sum() == 0.0
    assert [name for name, *_ in events] == ["collision_start"]


def test_all_systems_removed_is_no_physics_until_one_comes_back() -> None:
    physics = ec.install()
    ball = disk()
    run()
    for system in SCHEDULE:
        esper.remove_processor(system)
    with pytest.raises(ec.PhysicsError, match="has no physics"):
        ec.physics()
    add_systems_back(physics, (Notify,))
    assert ec.physics() is physics
    ec.uninstall()
    assert transform(ball)._entity is None


def test_contacts_are_those_of_the_last_step_or_none_where_new_pairs_came_after_narrowphase_went() -> None:
    """The columns of contacts had grown, were empty, and were read as contacts without a point."""
    physics = ec.install()
    floor()
    ball = disk(0.0, 0.5)
    run(1)
    assert len(physics.contacts_of(ball)) == 1
    esper.remove_processor(Narrowphase)
    for k in range(200):
        disk(0.1 * k, 0.4)
    with pytest.raises(ec.PhysicsError, match="needs Narrowphase"):
        run(1)
    assert physics.contacts_of(ball) == []
