"""The order of the systems, their replacement, and what a game puts between them."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import (
    SCHEDULE,
    Broadphase,
    Narrowphase,
    Notify,
    Response,
    Synchronise,
    System,
    priority_between,
)
from ecs_collide.systems.schedule import priorities
from tests.support.hooks import Hook, hook
from tests.support.worlds import disk, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


@pytest.mark.parametrize("base", [0, 100, -1000])
def test_the_systems_run_in_the_order_of_the_schedule(base: int, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    for system in SCHEDULE:
        monkeypatch.setattr(system, "run", lambda self, *args, **kwargs: ran.append(type(self).__name__))
    ec.install(priority=base)
    for before, after in pairwise(SCHEDULE):
        act = partial(ran.append, f"before {after.__name__}")
        esper.add_processor(Hook(act), priority_between(before, after, base))
    esper.add_processor(Hook(lambda: ran.append("first")), max(priorities(base).values()) + 1)
    esper.add_processor(Hook(lambda: ran.append("last")), base - 1)
    run()
    expected = [name for system in SCHEDULE for name in (f"before {system.__name__}", system.__name__)]
    assert ran == ["first", *expected[1:], "last"]


@pytest.mark.parametrize("physics_first", [True, False])
@pytest.mark.parametrize("priority", [0, 7])
def test_the_games_processors_never_come_between_the_systems(physics_first: bool, priority: int) -> None:
    if physics_first:
        ec.install(priority=priority)
    for number in range(priority - 2, priority + 4):
        esper.add_processor(Hook(int), number)
    if not physics_first:
        ec.install(priority=priority)
    order = [
        type(processor) if isinstance(processor, System) else processor.priority for processor in esper._processors
    ]
    assert order == [priority + 3, priority + 2, priority + 1, *SCHEDULE, priority, priority - 1, priority - 2]


class Move(esper.Processor):
    def process(self, *args: Any) -> None: ...


class Draw(Move): ...


class Think(Move): ...


class Sound(Move): ...


@pytest.mark.parametrize("priorities_of_all", [(0, 0, 0, 0), (5, 5, 0, 0), (3, 2, 1, 0), (1, 0, 0, -1), (7, 6, 6, 6)])
def test_the_physics_comes_between_two_of_the_games_processors(priorities_of_all: tuple[int, ...]) -> None:
    kinds = (Think, Move, Draw, Sound)
    for kind, priority in zip(kinds, priorities_of_all, strict=True):
        esper.add_processor(kind(), priority)
    ec.install(after=Move)
    esper.add_processor(Hook(int), priority_between(Narrowphase, Response))
    order = [type(processor) for processor in esper._processors]
    assert order == [Think, Move, *SCHEDULE[:3], Hook, *SCHEDULE[3:], Draw, Sound]


def test_a_place_that_is_not_there_is_an_error_and_changes_nothing() -> None:
    esper.add_processor(Move())
    with pytest.raises(ValueError, match=r"after=.*Draw.* has no such processor; add it before install"):
        ec.install(after=Draw)
    with pytest.raises(ValueError, match=r"either priority=3 or after="):
        ec.install(after=Move, priority=3)
    assert [type(processor) for processor in esper._processors] == [Move]


def test_a_processor_may_do_whatever_a_game_may_do_after_it() -> None:
    class Spawn(esper.Processor):
        def process(self, dt: float) -> None:
            ec.physics().apply_impulse(disk(9.0 * len(ec.physics().entities)), (1.0, 0.0))

    esper.add_processor(Spawn())
    physics = ec.install()
    run(3)
    assert physics.velocities[:, 0].tolist() == pytest.approx([1.0 / (np.pi / 4)] * 3)


@pytest.mark.parametrize("pair", [(Broadphase, Synchronise), (Synchronise, Narrowphase), (Notify, Synchronise)])
def test_priority_between_needs_neighbouring_systems(pair: tuple[type[System], type[System]]) -> None:
    with pytest.raises(ValueError, match=f"{pair[1].__name__} does not follow {pair[0].__name__}"):
        priority_between(*pair)


def test_each_system_reports_its_time() -> None:
    physics = ec.install()
    disk()
    run()
    assert list(physics.statistics.milliseconds) == [system.__name__ for system in SCHEDULE]
    assert all(time > 0.0 for time in physics.statistics.milliseconds.values())


@pytest.mark.parametrize("system", SCHEDULE)
def test_a_system_may_be_replaced_by_one_derived_from_it(system: type[System]) -> None:
    physics = ec.install()
    ran = []

    def run_and_note(self: System, *args: Any, **kwargs: Any) -> None:
        ran.append(args)
        system.run(self, *args, **kwargs)

    mine: type[System] = type(f"My{system.__name__}", (system,), {"run": run_and_note})
    old = esper.get_processor(system)
    assert old is not None
    esper.remove_processor(system)
    esper.add_processor(mine(physics), old.priority)
    a, b = disk(0), disk(0.9)
    run(2)
    assert len(ran) == 2
    assert physics.touching(a, b)
    assert ec.physics() is physics
    assert f"My{system.__name__}" in physics.statistics.milliseconds
    with pytest.raises(ec.PhysicsError, match="has physics already"):
        ec.install()
    ec.uninstall()
    assert esper.get_processor(mine) is None
    with pytest.raises(ec.PhysicsError):
        ec.physics()
    ec.install()
    run()
    assert len(ran) == 2


def test_all_systems_may_be_replaced() -> None:
    physics = ec.install()
    for system in SCHEDULE:
        old = esper.get_processor(system)
        assert old is not None
        esper.remove_processor(system)
        esper.add_processor(type(f"My{system.__name__}", (system,), {})(physics), old.priority)
    assert ec.physics() is physics
    disk()
    run()
    assert physics.statistics.steps == 1
    ec.uninstall()
    assert esper._processors == []


def test_a_response_of_the_games_own_reads_the_contacts_and_writes_the_columns() -> None:
    class Stop(Response):
        def run(self, *args: Any, **kwargs: Any) -> None:
            view = self.physics.contacts
            moving = np.ones(len(self.physics.entities), bool)
            moving[view.body.ravel()] = False
            self.physics.positions[moving] += self.physics.dt * self.physics.velocities[moving]

    physics = ec.install(gravity=(0, -10))
    esper.remove_processor(Response)
    esper.add_processor(Stop(physics), priorities(0)[Response])
    wall, ball, free = disk(0, 0, moving=False), disk(0, 1.5), disk(9, 9)
    velocity(ball).y = velocity(free).y = -1.0
    run(60)
    assert 0.9 < transform(ball).y < 1.05
    assert transform(free).y == pytest.approx(8.0)
    assert sorted(physics.contacts.body[0].tolist()) == sorted((physics.row_of(ball), physics.row_of(wall)))


def test_pairs_can_be_disabled_for_a_step(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b, c, d = disk(0), disk(0.9), disk(10), disk(10.9)
    on = [True]

    def spare_one_pair() -> None:
        view = physics.pairs
        assert len(view) == 2
        if on:
            view.disable((view.entity_a == a) | (view.entity_b == a))

    hook(Broadphase, Narrowphase, spare_one_pair)
    run(3)
    assert events == [("collision_start", c, d)]
    assert not physics.touching(a, b)
    assert transform(a).x == 0.0
    on.clear()
    run()
    assert events[1:] == [("collision_start", a, b)]
    on.append(True)
    run()
    assert events[2:] == [("collision_end", a, b)]


@pytest.mark.parametrize("which", [[0], np.array([0]), slice(None), [True], np.array([True])])
def test_pairs_are_chosen_by_mask_or_by_index(which: Any) -> None:
    physics = ec.install()
    a, b = disk(0), disk(0.9)
    hook(Broadphase, Narrowphase, lambda: physics.pairs.disable(which))
    run()
    assert physics.statistics.pairs == 1
    assert not physics.touching(a, b)


def test_a_resting_box_keeps_its_contact_when_its_pair_was_disabled_for_a_step(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a = esper.create_entity(ec.Transform(), ec.Collider(ec.Box(4, 1)))
    b = esper.create_entity(ec.Transform(0, 1), ec.Velocity(), ec.Collider(ec.Box(1, 1)))
    off: list[bool] = []
    hook(Broadphase, Narrowphase, lambda: physics.pairs.disable(np.ones(len(physics.pairs), bool)) if off else None)
    run(3)
    off.append(True)
    run()
    off.clear()
    run()
    assert events == [("collision_start", a, b), ("collision_end", a, b), ("collision_start", a, b)]


def test_contacts_can_be_disabled_for_a_step(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    wall, ball = disk(0, moving=False), disk(0.95)
    velocity(ball).x = -3.0

    def disable() -> None:
        physics.contacts.enabled[:] = False

    hook(Narrowphase, Response, disable)
    run(60)
    assert velocity(ball).x == -3.0
    assert events == []
    assert not physics.touching(wall, ball)


def test_a_one_way_platform_takes_five_lines() -> None:
    physics = ec.install(gravity=(0, -10))
    platform = esper.create_entity(ec.Transform(0, 2), ec.Collider(ec.Box(6, 0.2)))
    jumper = disk(0, 0.5)
    velocity(jumper).y = 9.0

    def let_through_from_below() -> None:
        view = physics.contacts
        above = np.where(view.entity_a == platform, 1.0, -1.0)
        view.enabled[above * view.normal[:, 1] < 0.5] = False
        rising = physics.velocities[view.body, 1].max(axis=1) > 0.01
        view.enabled[rising] = False

    hook(Narrowphase, Response, let_through_from_below)
    run(20)
    assert transform(jumper).y > 2.0
    run(150)
    assert transform(jumper).y == pytest.approx(2.6, abs=0.02)


def test_friction_restitution_and_normal_of_contacts_may_be_edited() -> None:
    physics = ec.install()
    disk(0, moving=False)
    ball = disk(1.1)
    velocity(ball).x = -6.0

    def bounce() -> None:
        physics.contacts.restitution[:] = 1.0
        physics.contacts.friction[:] = 0.0

    hook(Narrowphase, Response, bounce)
    run(10)
    assert velocity(ball).linear == pytest.approx((6.0, 0.0))


def test_a_conveyor_belt_edits_nothing_but_the_normal() -> None:
    physics = ec.install()
    disk(0, moving=False)
    ball = disk(1.0)
    velocity(ball).linear = (-1.0, 0.0)

    def tilt() -> None:
        sign = np.where(physics.contacts.entity_a == ball, -1.0, 1.0)
        physics.contacts.normal[:] = sign[:, np.newaxis] * np.array([0.0, 1.0])

    hook(Narrowphase, Response, tilt)
    run()
    assert velocity(ball).x == pytest.approx(-1.0), "pushed along the new normal only"


def test_separation_may_be_edited() -> None:
    physics = ec.install()
    disk(0, moving=False)
    ball = disk(0.7)

    def shrink() -> None:
        physics.contacts.separation[:] = 0.5

    hook(Narrowphase, Response, shrink)
    run(10)
    assert transform(ball).x == 0.7


def test_velocities_written_between_the_systems_count_in_this_step() -> None:
    physics = ec.install()
    ball = disk()

    def push() -> None:
        physics.velocities[physics.row_of(ball)] = (60.0, 0.0)

    hook(Narrowphase, Response, push)
    run()
    assert transform(ball).x == pytest.approx(1.0)


@pytest.mark.parametrize("place", range(4))
def test_a_teleport_between_the_systems_is_not_lost(place: int) -> None:
    ec.install()
    ball, wall = disk(), disk(50, moving=False)

    def teleport() -> None:
        if transform(ball).x < 50.0:
            transform(ball).position = (100.0, 1.0)
            transform(ball).angle = 2.0
            transform(wall).position = (100.5, 1.0)

    hook(SCHEDULE[place], SCHEDULE[place + 1], teleport)
    run()
    assert transform(ball).pose == (100.0, 1.0, 2.0)
    run(60)
    assert transform(ball).x < 99.6, "the wall pushes it away from its new place"


@pytest.mark.parametrize("place", range(4))
def test_structural_changes_between_the_systems_wait_for_the_next_step(
    place: int, events: list[tuple[Any, ...]]
) -> None:
    physics = ec.install()
    a, b, c = disk(0), disk(0.9), disk(1.8)
    run()
    made: list[int] = []

    def rearrange() -> None:
        if not made:
            esper.delete_entity(b, immediate=True)
            esper.remove_component(a, ec.Velocity)
            esper.add_component(c, ec.Collider(ec.Box(1, 1)))
            made.append(disk(100))
            with pytest.raises(ec.PhysicsError, match=rf"entity {made[0]} has no body .*at the next one"):
                physics.row_of(made[0])
            assert physics.row_of(b) == 1
            assert len(physics.contacts_of(c)) == len(physics.contacts_of(a))

    hook(SCHEDULE[place], SCHEDULE[place + 1], rearrange)
    run()
    assert physics.entities.tolist() == [a, b, c]
    assert len(events) == 2
    run()
    assert physics.entities.tolist() == [a, made[0], c]
    assert events[2:] == [("collision_end", a, b), ("collision_end", b, c)]


@pytest.mark.parametrize("place", range(4))
def test_a_step_broken_off_between_two_systems_loses_nothing(place: int, events: list[tuple[Any, ...]]) -> None:
    physics = ec.install(gravity=(0, -10))
    shelf, ball = disk(0, moving=False), disk(5, 1.2)
    a, b, c = disk(20), disk(20.9), disk(40)
    run()
    broken = [False]

    def break_off() -> None:
        if broken[0]:
            raise RuntimeError("from the game")

    hook(SCHEDULE[place], SCHEDULE[place + 1], break_off)
    transform(shelf).position = (5, 0)
    esper.delete_entity(a)
    physics.apply_force(c, (1, 0))
    broken[0] = True
    with pytest.raises(RuntimeError, match="from the game"):
        run()
    broken[0] = False
    newcomer = disk(60)
    assert physics.statistics.steps == 1
    run(60)
    assert transform(ball).y > 0.9, "the shelf is where it was put"
    assert [event for event in events if a in event] == [("collision_start", a, b), ("collision_end", a, b)]
    assert velocity(c).x > 0.0
    assert physics.row_of(newcomer) >= 0
