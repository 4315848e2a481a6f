"""install, uninstall and physics, in one esper world and in several."""

from __future__ import annotations

import gc
import math
import weakref
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.systems import SCHEDULE
from tests.support.events import open_touches
from tests.support.hooks import Hook, hook_once
from tests.support.worlds import collider, disk, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def test_physics_is_what_install_returned() -> None:
    physics = ec.install()
    assert ec.physics() is physics
    run()
    assert ec.physics() is physics


@pytest.mark.parametrize(
    ("ask", "advice"),
    [(ec.physics, r"call ecs_collide.install\(\)"), (ec.uninstall, "there is nothing to uninstall")],
)
def test_a_world_without_physics_is_an_error(fresh_world: str, ask: Any, advice: str) -> None:
    with pytest.raises(ec.PhysicsError, match=rf"esper world '{fresh_world}' has no physics: {advice}"):
        ask()


def test_installing_twice_is_an_error_and_changes_nothing(fresh_world: str) -> None:
    physics = ec.install(gravity=(0, -10))
    ball = disk()
    run()
    with pytest.raises(ec.PhysicsError, match=rf"esper world '{fresh_world}' has physics already"):
        ec.install(gravity=(5, 5))
    assert ec.physics() is physics
    assert physics.gravity == (0.0, -10.0)
    assert len(esper._processors) == len(SCHEDULE)
    run()
    assert transform(ball).x == 0.0


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"gravity": 9.81}, TypeError, "gravity must be a pair"),
        ({"gravity": (0, math.nan)}, ValueError, r"gravity\[1\] must be a finite number, got nan"),
        ({"gravity": (0, -9.81, 0)}, ValueError, "gravity must be a pair"),
        ({"gravity": "down"}, TypeError, "gravity must be a pair"),
        ({"substeps": 0}, ValueError, "substeps must lie between 1 and 1000, got 0"),
        ({"substeps": 4.0}, TypeError, "substeps must be an integer, got 4.0"),
        ({"substeps": True}, TypeError, "substeps must be an integer"),
        ({"length_unit": 0}, ValueError, "length_unit must be a positive"),
        ({"length_unit": math.inf}, ValueError, "length_unit must be a positive"),
        ({"length_unit": "cm"}, TypeError, "length_unit must be a positive"),
        ({"fixed_dt": 0}, ValueError, "fixed_dt must be a positive"),
        ({"fixed_dt": -1}, ValueError, "fixed_dt must be a positive"),
        ({"fixed_dt": math.nan}, ValueError, "fixed_dt must be a positive"),
        ({"bounce_speed": -1}, ValueError, "bounce_speed must be a non-negative"),
        ({"bounce_speed": "no"}, TypeError, "bounce_speed must be a non-negative"),
        ({"sleep_speed": math.inf}, ValueError, "sleep_speed must be a non-negative"),
        ({"sleep_speed": math.nan}, ValueError, "sleep_speed must be a non-negative"),
        ({"dt_argument": -1}, ValueError, "dt_argument must lie between"),
        ({"dt_argument": 1.0}, TypeError, "dt_argument must be an integer"),
        ({"dt_argument": None}, TypeError, "dt_argument must be an integer"),
        ({"priority": 1.5}, TypeError, "priority must be an integer"),
        ({"priority": "high"}, TypeError, "priority must be an integer"),
    ],
)
def test_bad_arguments_install_nothing(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ec.install(**arguments)
    assert esper._processors == []
    ec.install()


def test_uninstall_ends_contacts_and_frees_the_components(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b = disk(0), disk(0.9)
    esper.create_entity(ec.Transform())
    run(2)
    velocity(a).x = 2.0

    def values() -> list[str]:
        parts: list[Any] = [*esper.components_for_entity(a), *esper.components_for_entity(b)]
        return [repr(part) for part in parts]

    before = values()
    ec.uninstall()
    assert events == [("collision_start", a, b), ("collision_end", a, b)]
    assert values() == before
    assert esper._processors == []
    assert len(physics.contacts) == 0
    assert len(physics.pairs) == 0
    assert not physics.entities.any()
    assert not physics.touching(a, b)
    transform(a).x = 7.0
    collider(a).shape = ec.Box(1, 1)
    run()
    assert transform(a).x == 7.0
    with pytest.raises(ec.PhysicsError, match=f"entity {a} has no body"):
        physics.row_of(a)


def test_uninstall_leaves_the_games_own_processors() -> None:
    ec.install()
    ran = []
    esper.add_processor(Hook(lambda: ran.append(1)), priority=15)
    ec.uninstall()
    run()
    assert ran == [1]


def test_uninstall_before_the_first_step() -> None:
    ec.install()
    entity = disk()
    ec.uninstall()
    ec.install()
    run()
    assert transform(entity)._entity == entity


def test_reinstalling_goes_on_where_the_world_was(events: list[tuple[Any, ...]]) -> None:
    ec.install()
    a, b = disk(0), disk(0.9)
    ball = disk(50)
    velocity(ball).x = 60.0
    run()
    ec.uninstall()
    physics = ec.install(gravity=(0, -60))
    run()
    assert transform(ball).x == pytest.approx(52.0)
    assert velocity(ball).y == pytest.approx(-1.0)
    assert physics.statistics.steps == 1
    assert events == [(name, a, b) for name in ("collision_start", "collision_end", "collision_start")]


def test_an_uninstalled_world_can_be_reused_many_times() -> None:
    entity = disk()
    velocity(entity).x = 60.0
    for _ in range(20):
        ec.install()
        run()
        ec.uninstall()
    assert transform(entity).x == pytest.approx(20.0)


def test_nothing_keeps_an_uninstalled_world_alive() -> None:
    physics = weakref.ref(ec.install())
    entity = disk()
    run()
    ec.uninstall()
    gc.collect()
    assert physics() is None
    assert transform(entity).x == 0.0


def test_each_esper_world_has_its_own_physics(fresh_world: str, events: list[tuple[Any, ...]]) -> None:
    first = ec.install(gravity=(0, -60))
    a, b = disk(0), disk(0.9)
    esper.switch_world("second")
    with pytest.raises(ec.PhysicsError, match="esper world 'second' has no physics"):
        ec.physics()
    second = ec.install(gravity=(60, 0))
    c, d = disk(10), disk(30)
    assert (c, d) == (a, b), "the same ids"
    run(2)
    assert ec.physics() is second
    assert first.statistics.steps == 0
    esper.switch_world(fresh_world)
    assert ec.physics() is first
    run()
    assert first.positions[:, 1] == pytest.approx(-1 / 60 * 2.5 / 4, rel=0.7)
    assert events == [("collision_start", a, b)]
    collider(a).mask = 0
    esper.delete_entity(b)
    run()
    assert events[1:] == [("collision_end", a, b)]
    esper.switch_world("second")
    assert transform(c).x > 10.0
    assert transform(d)._entity == d
    run()
    assert len(second.entities) == 2
    assert len(events) == 2


def test_physics_of_a_world_that_is_not_current_does_not_mix_worlds(fresh_world: str) -> None:
    first = ec.install(sleeping=False)  # an impulse, be it 0, makes a body stay awake for longer: another state
    entity = disk(1, 2)
    run()
    unseen = disk(5)
    esper.switch_world("second")
    others = [disk(9.0 * k, 9) for k in range(4)]
    for other in others[2:]:
        with pytest.raises(ec.PhysicsError, match=f"entity {other} has no body"):
            first.row_of(other)
    assert (first.row_of(entity), first.row_of(unseen)) == (0, 1), "it reads its own world"
    state = first.state_hash()
    first.apply_impulse(entity, (0, 0))
    assert first.state_hash() == state
    assert transform(others[0])._entity is None
    esper.switch_world(fresh_world)
    assert first.row_of(unseen) == 1


def test_a_new_world_of_the_same_name_starts_without_physics(fresh_world: str) -> None:
    esper.switch_world("level")
    old = ec.install()
    disk(1, 1)
    run()
    esper.switch_world(fresh_world)
    esper.delete_world("level")
    esper.switch_world("level")
    with pytest.raises(ec.PhysicsError, match="has no physics"):
        ec.physics()
    new = ec.install()
    entities = [disk(5, 5), disk(6, 6)]
    run()
    assert new.entities.tolist() == entities
    with pytest.raises(ec.PhysicsError):
        old.row_of(entities[1])
    assert old.positions.tolist() == [[1, 1]]


def test_deleting_a_world_frees_its_physics(fresh_world: str) -> None:
    esper.switch_world("level")
    physics = weakref.ref(ec.install())
    disk()
    run()
    esper.switch_world(fresh_world)
    esper.delete_world("level")
    gc.collect()
    assert physics() is None


def test_the_default_world_can_have_physics_too(fresh_world: str) -> None:
    esper.switch_world("default")
    ec.install()
    entity = disk()
    try:
        run()
        assert transform(entity)._entity == entity
        esper.switch_world(fresh_world)
        with pytest.raises(ec.PhysicsError):
            ec.physics()
        esper.switch_world("default")
        assert ec.physics().row_of(entity) == 0
    finally:
        esper.switch_world("default")
        ec.uninstall()
        esper.clear_database()


@pytest.mark.parametrize("place", range(4))
def test_uninstall_between_two_systems(place: int, events: list[tuple[Any, ...]]) -> None:
    ec.install()
    a, b = disk(0), disk(0.9)
    run()
    hook_once(SCHEDULE[place], SCHEDULE[place + 1], ec.uninstall)
    run(2)
    assert events == [("collision_start", a, b), ("collision_end", a, b)]
    assert open_touches(events) == {}
    ec.install()
    run()
    assert events[2:] == [("collision_start", a, b)]


def test_a_handler_that_installs_again_and_steps_gets_ends_before_starts(events: list[tuple[Any, ...]]) -> None:
    """An esper world has one queue of events, whichever physics they come from."""
    ec.install()
    a, b, c, d = disk(0), disk(0.9), disk(10), disk(10.9)
    todo = [True]

    def anew(contact: ec.Contact) -> None:
        if todo:
            todo.clear()
            ec.uninstall()
            ec.install()
            run()

    esper.set_handler("collision_start", anew)
    run()
    starts = [("collision_start", a, b), ("collision_start", c, d)]
    ends = [("collision_end", a, b), ("collision_end", c, d)]
    assert events == starts + ends + starts
    ec.uninstall()
    assert events == starts + ends + starts + ends


@pytest.mark.parametrize("version", ["1.5", "2.5", "3.0", "3.8"])
def test_an_esper_that_is_too_old_is_an_error(fresh_world: str, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(esper, "version", version)
    with pytest.raises(ec.PhysicsError, match=rf"needs esper 3\.9 or later, and this is esper {version}: .*upgrade"):
        ec.install()
    assert esper._processors == []
