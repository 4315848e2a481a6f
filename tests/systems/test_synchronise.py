"""Numbers gone bad, teleports, and pauses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import Broadphase, Narrowphase, Response
from tests.support.events import EventLog, entities_of, open_touches
from tests.support.hooks import hook_once
from tests.support.worlds import DT, collider, disk, floor, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

COLUMNS: list[tuple[str, Callable[[ec.PhysicsWorld], np.ndarray], str]] = [
    ("positions", lambda physics: physics.positions[:, 0], r"Transform\.x"),
    ("positions", lambda physics: physics.positions[:, 1], r"Transform\.y"),
    ("angles", lambda physics: physics.angles, r"Transform\.angle"),
    ("velocities", lambda physics: physics.velocities[:, 0], r"Velocity\.x"),
    ("velocities", lambda physics: physics.velocities[:, 1], r"Velocity\.y"),
    ("angular_velocities", lambda physics: physics.angular_velocities, r"Velocity\.angular"),
]


@pytest.mark.parametrize(("column", "words"), [row[1:] for row in COLUMNS], ids=[row[2] for row in COLUMNS])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("kind", [ec.BodyKind.DYNAMIC, ec.BodyKind.KINEMATIC])
def test_a_bad_number_written_in_bulk_stops_the_step_and_nothing_moves(
    column: Callable[[ec.PhysicsWorld], np.ndarray], words: str, value: float, kind: ec.BodyKind
) -> None:
    physics = ec.install(gravity=(0, -10))
    a, b, c = disk(0), disk(0.9), disk(1.8)
    esper.add_component(b, ec.RigidBody(kind))
    run(2)
    row = physics.row_of(b)
    good = float(column(physics)[row])
    column(physics)[row] = value
    newcomer = disk(40)
    state, steps = physics.state_hash(), physics.statistics.steps
    for _ in range(2):
        with pytest.raises(ec.PhysicsError, match=rf"entity {b}: {words} is {value}; .* not made"):
            run()
        assert physics.state_hash() == state
        assert physics.statistics.steps == steps
    column(physics)[row] = good
    run()
    assert physics.statistics.steps == steps + 1
    assert np.isfinite(physics.positions).all()
    assert transform(a).x < transform(b).x < transform(c).x
    assert transform(newcomer).y < 0.0


def test_changes_in_the_frame_of_a_bad_number_are_kept_until_it_is_mended(fresh_world: str) -> None:
    def play(world: str, is_bad: bool) -> tuple[str, list[tuple[Any, ...]]]:
        esper.switch_world(world)
        physics = ec.install(gravity=(0, -10))
        floor()
        balls = [disk(0.7 * (k % 5), 1.0 + k) for k in range(15)]
        log = EventLog()
        run(90)
        esper.delete_entity(balls[3])
        esper.add_component(balls[5], ec.Collider(ec.Box(0.8, 0.8)))
        esper.create_entity(ec.DistanceJoint(balls[1], balls[2]))
        disk(2.0, 20.0)
        if is_bad:
            row = physics.row_of(balls[9])
            good = float(physics.velocities[row, 0])
            physics.velocities[row, 0] = math.nan
            with pytest.raises(ec.PhysicsError, match=rf"entity {balls[9]}: Velocity\.x is nan"):
                run()
            physics.velocities[row, 0] = good
        run(60)
        return physics.state_hash(), [(name, *entities_of(arguments)) for name, arguments in log.calls]

    assert play("good", False) == play("bad", True)


def test_a_removed_body_may_have_a_bad_number() -> None:
    physics = ec.install()
    a, b = disk(), disk(5)
    run()
    physics.positions[physics.row_of(a)] = math.nan
    esper.delete_entity(a)
    run()
    assert physics.entities[physics.row_of(b)] == b


def test_all_bad_numbers_of_the_first_bad_body_are_named() -> None:
    physics = ec.install()
    a, b = disk(), disk(5)
    run()
    physics.velocities[:] = np.nan
    physics.angles[physics.row_of(a)] = np.inf
    with pytest.raises(ec.PhysicsError) as caught:
        run()
    assert str(caught.value).startswith(
        f"entity {a}: Transform.angle is inf, Velocity.x is nan, Velocity.y is nan; numbers must be finite"
    )
    velocity(a).linear = (0, 0)
    transform(a).angle = 0.0
    with pytest.raises(ec.PhysicsError, match=f"entity {b}: Velocity.x is nan"):
        run()
    velocity(b).linear = (0, 0)
    run()


@pytest.mark.parametrize("cure", ["delete", "delete at once", "remove", "replace"])
def test_a_body_gone_bad_may_be_taken_away(cure: str, events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b = disk(), disk(0.9)
    run()
    physics.positions[physics.row_of(a)] = np.nan
    with pytest.raises(ec.PhysicsError):
        run()
    if cure == "remove":
        for kind in (ec.Transform, ec.Velocity, ec.Collider):
            esper.remove_component(a, kind)
    elif cure == "replace":
        esper.add_component(a, ec.Transform(50, 0))
    else:
        esper.delete_entity(a, immediate=cure == "delete at once")
    run()
    assert events == [("collision_start", a, b), ("collision_end", a, b)]
    assert np.isfinite(physics.positions).all()


def test_a_bad_number_in_a_static_row_is_found_when_it_is_reported_as_moved() -> None:
    physics = ec.install()
    wall, ball = disk(moving=False), disk(5)
    run()
    physics.positions[physics.row_of(wall), 1] = np.nan
    physics.moved([wall])
    for _ in range(2):
        with pytest.raises(ec.PhysicsError, match=rf"entity {wall}: Transform\.y is nan"):
            run()
    physics.positions[physics.row_of(wall), 1] = 1.0
    run()
    assert transform(wall).y == 1.0
    assert transform(ball).x == 5.0


def test_a_state_that_overflows_is_found_before_it_spreads() -> None:
    ec.install()
    racer, bystander = disk(), disk(5)
    esper.add_component(racer, ec.Force(1e50))
    with pytest.raises(ec.PhysicsError, match=rf"entity {racer}: .*Velocity\.x is 1\.\d+e\+51"):
        run(10, 10.0)
    assert transform(bystander).position == (5, 0)
    esper.delete_entity(racer)
    run()


def test_huge_but_finite_positions_do_no_harm() -> None:
    physics = ec.install()
    places = [1e50, -1e50, 1e40, 1e15, 1e15, 0.0, 0.9]
    entities = [disk(x) for x in places]
    run(3)
    assert [transform(entity).x for entity in entities[:3]] == places[:3]
    assert physics.touching(entities[5], entities[6])


def test_a_dynamic_body_is_teleported_through_its_component(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b, far = disk(0), disk(0.9), disk(100, moving=False)
    run()
    transform(a).position = (99.5, 0)
    run()
    assert events == [("collision_start", a, b), ("collision_end", a, b), ("collision_start", a, far)]
    assert physics.contacts_of(a)[0].other(a) == far
    transform(a).angle = 1.0
    transform(a).x = -50.0
    run()
    assert events[3:] == [("collision_end", a, far)]
    assert transform(a).angle == pytest.approx(1.0, abs=0.2)


def test_a_dynamic_body_is_teleported_in_bulk(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b, far = disk(0), disk(0.9), disk(100, moving=False)
    run()
    physics.positions[physics.row_of(a)] = (99.5, 0)
    run()
    assert events == [("collision_start", a, b), ("collision_end", a, b), ("collision_start", a, far)]


@pytest.mark.parametrize("in_bulk", [False, True])
def test_a_static_body_is_teleported(in_bulk: bool, events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    wall, ball, far = disk(0, moving=False), disk(0.9), disk(50)
    run()
    for x in (50.5, -20.0, 49.5, -20.0):
        if in_bulk:
            physics.positions[physics.row_of(wall)] = (x, 0)
            physics.moved([wall])
        else:
            transform(wall).position = (x, 0)
        transform(far).x = 50.0
        velocity(far).linear = (0, 0)
        run()
        assert physics.touching(wall, far) == (x > 0)
    assert [name for name, *pair in events if ball in pair] == ["collision_start", "collision_end"]
    assert open_touches(events) == {}
    assert len(events) == 6


@pytest.mark.parametrize("in_bulk", [False, True])
def test_a_static_body_is_turned(in_bulk: bool) -> None:
    physics = ec.install()
    wall = esper.create_entity(ec.Transform(), ec.Collider(ec.Box(10, 0.5)))
    ball = disk(0, 4)
    run()
    if in_bulk:
        physics.angles[physics.row_of(wall)] = math.pi / 2
        physics.moved(iter([wall]))
    else:
        transform(wall).angle = math.pi / 2
    run()
    assert physics.touching(wall, ball)


def test_a_teleported_half_plane() -> None:
    physics = ec.install()
    ground, ball = floor(), disk(0, 5)
    run()
    assert not physics.touching(ground, ball)
    transform(ground).y = 4.6
    run()
    assert physics.touching(ground, ball)
    transform(ground).y = 0.0
    run()
    assert not physics.touching(ground, ball)
    transform(ground).angle = math.pi
    run()
    assert physics.touching(ground, ball)


def test_many_statics_teleported_at_once() -> None:
    physics = ec.install()
    tiles = ec.spawn(ec.Box(1, 1), [(float(k), -50.0) for k in range(500)])
    balls = ec.spawn(ec.Circle(0.4), [(float(k), 0.85) for k in range(500)], velocities=(0, 0))
    run()
    assert physics.statistics.contacts == 0
    for tile in tiles:
        transform(tile).y = 0.0
    run()
    assert all(physics.touching(tile, ball) for tile, ball in list(zip(tiles, balls, strict=True))[::50])
    assert physics.statistics.contacts >= 500


def test_moved_needs_entities_with_bodies() -> None:
    physics = ec.install()
    ball = disk()
    run()
    physics.moved([ball])  # no harm
    physics.moved([])
    run()
    with pytest.raises(ec.PhysicsError, match="entity 77 has no body"):
        physics.moved([77])


def test_a_pause_changes_nothing_but_contacts_are_found(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install(gravity=(0, -10))
    a, b = disk(0, 0.5), disk(0.9, 0.5)
    ground = floor()
    run(0, 0.0)
    esper.process(0.0)
    state = physics.state_hash()
    received = sorted(events)
    assert [event[1:] for event in received] == [(a, b), (a, ground), (b, ground)]
    for _ in range(5):
        esper.process(0.0)
    assert physics.state_hash() == state
    assert sorted(events) == received
    esper.process(DT)
    assert physics.state_hash() != state


def test_a_pause_keeps_resting_contacts(events: list[tuple[Any, ...]]) -> None:
    ec.install(gravity=(0, -10))
    floor()
    for k in range(4):
        esper.create_entity(ec.Transform(0, 0.5 + k), ec.Velocity(), ec.Collider(ec.Box(1, 1)))
    run(120)
    received = len(events)
    run(3, 0.0)
    run(3)
    assert len(events) == received


def test_a_switched_world_in_the_middle_of_a_step_still_gets_its_events(
    fresh_world: str, events: list[tuple[Any, ...]]
) -> None:
    ec.install()
    a, b = disk(0), disk(0.9)
    hook_once(Narrowphase, Response, lambda: esper.switch_world("menu"))
    run()
    assert esper.current_world == "menu"
    assert events == [("collision_start", a, b)]
    esper.switch_world(fresh_world)
    run()
    assert len(events) == 1


def test_nested_steps_between_the_systems_leave_a_world_that_goes_on(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b, c = disk(0), disk(0.9), disk(5)
    hook_once(Broadphase, Narrowphase, run)
    esper.delete_entity(c)
    run()
    assert physics.statistics.steps == 1, "the inner one; the rest of the outer one has nothing to do"
    assert events == [("collision_start", a, b)]
    transform(a).x = -9.0
    run()
    assert events[1:] == [("collision_end", a, b)]


def test_the_same_steps_give_the_same_bits(fresh_world: str) -> None:
    def play(world: str, backwards: bool) -> str:
        esper.switch_world(world)
        physics = ec.install(gravity=(0, -10))
        floor()
        entities = [disk(0.7 * (k % 5), 1.0 + k) for k in range(30)]
        for step in range(60):
            if step == 20:
                for entity in reversed(entities[::4]) if backwards else entities[::4]:
                    esper.delete_entity(entity)
            if step == 30:
                changed = [collider(entity) for entity in entities[1::4]]
                for part in reversed(changed) if backwards else changed:
                    part.shape = ec.Box(0.9, 0.9)
            run()
        return physics.state_hash()

    assert play("forwards", False) == play("backwards", True)
