"""Calls of PhysicsWorld, and operations on bodies."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.systems import Narrowphase, Response
from tests.support.hooks import hook_once
from tests.support.worlds import collider, disk, floor, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def test_the_views_are_empty_at_first() -> None:
    physics = ec.install()
    for _ in range(2):
        assert physics.positions.shape == physics.velocities.shape == (0, 2)
        assert physics.angles.shape == physics.angular_velocities.shape == physics.entities.shape == (0,)
        assert len(physics.contacts) == len(physics.pairs) == 0
        assert not physics.touching(1, 2)
        run()
    assert physics.statistics.steps == 1 + 1


def test_statistics_count_the_last_step() -> None:
    physics = ec.install(gravity=(0, -10))
    floor()
    disk(0, 0.5), disk(0.9, 0.5), disk(50, 50)
    esper.create_entity(ec.Transform(9, 9), ec.Velocity())
    assert physics.statistics.steps == 0
    run(3)
    statistics = physics.statistics
    assert (statistics.steps, statistics.bodies, statistics.moving_bodies) == (3, 5, 4)
    assert (statistics.pairs, statistics.contacts) == (3, 3)
    esper.clear_database()
    run()
    assert (statistics.steps, statistics.bodies, statistics.moving_bodies, statistics.pairs, statistics.contacts) == (
        4,
        0,
        0,
        0,
        0,
    )


ASKING: list[Callable[[ec.PhysicsWorld, int], object]] = [
    lambda physics, entity: physics.row_of(entity),
    lambda physics, entity: physics.mass_of(entity),
    lambda physics, entity: physics.contacts_of(entity),
    lambda physics, entity: physics.apply_impulse(entity, (0, 0)),
    lambda physics, entity: physics.apply_force(entity, (0, 0)),
    lambda physics, entity: physics.moved([entity]),
]


@pytest.mark.parametrize("ask", ASKING)
def test_an_entity_without_a_body_is_an_error_that_names_it(ask: Callable[[ec.PhysicsWorld, int], object]) -> None:
    physics = ec.install()
    disk()
    plain = esper.create_entity(ec.Transform(), "no body")
    run()
    for entity, reason in ((plain, "it needs a Transform and a Collider"), (999, "it was deleted"), (-1, "it was del")):
        with pytest.raises(ec.PhysicsError, match=f"entity {entity} has no body: {reason}"):
            ask(physics, entity)
    assert not physics.touching(plain, 999)


@pytest.mark.parametrize("ask", ASKING)
def test_a_new_entity_can_be_queried_before_its_first_step(ask: Callable[[ec.PhysicsWorld, int], object]) -> None:
    physics = ec.install()
    ask(physics, disk(1, 2))
    run()
    other = disk(3, 4)
    ask(physics, other)
    assert physics.positions[physics.row_of(other)].tolist() == [3, 4]
    run()


def test_the_mass_of_a_new_entity_is_known_if_many_are_added_with_it() -> None:
    """The columns grow as they are brought in."""
    physics = ec.install()
    run()
    for _ in range(3):
        first, *_, last = [disk(2.0 * k) for k in range(100)]
        assert physics.mass_of(first) == pytest.approx(math.pi / 4)
        assert physics.mass_of(last) == pytest.approx(math.pi / 4)


def test_an_impulse_changes_the_velocity_at_once() -> None:
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(1, 1), ec.Velocity(1, 0), ec.Collider(ec.Box(2, 2), density=0.5))
    physics.apply_impulse(entity, (4.0, 2.0))
    assert velocity(entity).linear == (3.0, 1.0)
    assert velocity(entity).angular == 0.0
    physics.apply_impulse(entity, (0.0, 2.0), point=(2.0, 1.0))
    assert velocity(entity).linear == (3.0, 2.0)
    assert velocity(entity).angular == pytest.approx(2.0 / (2.0 * 8 / 12))


def test_an_impulse_acts_about_the_centre_of_mass() -> None:
    physics = ec.install()
    shape = ec.Box(1, 1, center=(3, 0))
    entity = esper.create_entity(ec.Transform(1, 1, math.pi / 2), ec.Velocity(), ec.Collider(shape))
    physics.apply_impulse(entity, (1.0, 1.0), point=(1.0, 4.0))
    assert velocity(entity).angular == pytest.approx(0.0)
    physics.apply_impulse(entity, (1.0, 0.0), point=(1.0, 1.0))
    assert velocity(entity).angular == pytest.approx(3.0 / (1 / 6))


def test_an_impulse_reaches_components_given_since_the_last_step() -> None:
    physics = ec.install()
    entity = disk()
    run()
    esper.add_component(entity, ec.Velocity(1, 0))
    physics.apply_impulse(entity, (0, math.pi / 4))
    assert velocity(entity).linear == pytest.approx((1.0, 1.0))
    collider(entity).density = 2.0
    physics.apply_impulse(entity, (0, math.pi / 4))
    assert velocity(entity).y == pytest.approx(1.5)
    esper.clear_database()
    entity = disk()
    physics.apply_impulse(entity, (math.pi / 4, 0))
    run()
    assert velocity(entity).linear == pytest.approx((1.0, 0.0))


@pytest.mark.parametrize("moving", [False, True])
def test_bodies_that_cannot_be_pushed_stay(moving: bool) -> None:
    physics = ec.install()
    entity = disk(moving=moving)
    esper.add_component(entity, ec.RigidBody(ec.BodyKind.KINEMATIC if moving else ec.BodyKind.STATIC))
    physics.apply_impulse(entity, (9, 9), (1, 2))
    physics.apply_force(entity, (9, 9), torque=9)
    run(2)
    assert transform(entity).pose == (0, 0, 0)


BAD_PUSHES: list[tuple[Callable[[ec.PhysicsWorld, int], object], type[Exception], str]] = [
    (lambda physics, e: physics.apply_force(e, (math.nan, 0)), ValueError, r"force\[0\] must be a finite"),
    (lambda physics, e: physics.apply_force(e, 5), TypeError, "force must be a pair"),  # type: ignore[arg-type]
    (lambda physics, e: physics.apply_force(e, (1, 0), (0, math.nan)), ValueError, r"point\[1\] must be a finite"),
    (lambda physics, e: physics.apply_force(e, (1, 0), torque=math.inf), ValueError, "torque must be a finite"),
    (lambda physics, e: physics.apply_force(e, (1, 0), torque="1"), TypeError, "torque must be a"),  # type: ignore[arg-type]
    (lambda physics, e: physics.apply_force(e, (1e40, 0), (0, 1e40)), ValueError, "its force would become"),
    (lambda physics, e: physics.apply_impulse(e, (0, math.inf)), ValueError, r"impulse\[1\] must be a finite"),
    (lambda physics, e: physics.apply_impulse(e, "12"), TypeError, "impulse must be a pair"),  # type: ignore[arg-type]
    (lambda physics, e: physics.apply_impulse(e, (1, 0), (math.nan, 0)), ValueError, r"point\[0\] must be a finite"),
    (lambda physics, e: physics.apply_impulse(e, (1e50, 0)), ValueError, "its velocity would become"),
]


@pytest.mark.parametrize(("push", "error", "words"), BAD_PUSHES)
def test_bad_pushes_change_nothing(
    push: Callable[[ec.PhysicsWorld, int], object], error: type[Exception], words: str
) -> None:
    physics = ec.install()
    entity = disk(density=0.1)
    run()
    state = physics.state_hash()
    with pytest.raises(error, match=words):
        push(physics, entity)
    assert physics.state_hash() == state
    run()
    assert transform(entity).pose == (0, 0, 0)


def test_forces_that_add_up_beyond_all_numbers_are_refused() -> None:
    physics = ec.install()
    entity = disk()
    physics.apply_force(entity, (1e50, 0))
    with pytest.raises(ValueError, match=rf"entity {entity}: its force would become \[2e\+50"):
        physics.apply_force(entity, (1e50, 0))
    physics.apply_force(entity, (-1e50, 0))
    run()
    assert transform(entity).x == 0.0


def test_gravity_can_be_changed_and_is_checked() -> None:
    physics = ec.install()
    entity = disk()
    run()
    physics.gravity = (60, 0)
    run()
    assert velocity(entity).x == pytest.approx(1.0)
    for value in ((math.nan, 0), 5, "xy"):
        with pytest.raises((TypeError, ValueError), match="gravity"):
            physics.gravity = value  # type: ignore[assignment]
    assert physics.gravity == (60.0, 0.0)


def test_contacts_as_arrays() -> None:
    physics = ec.install(gravity=(0, -10))
    ground = floor()
    box = esper.create_entity(ec.Transform(3, 0.5), ec.Velocity(), ec.Collider(ec.Box(1, 1)))
    ball = disk(-3, 0.5)
    run()
    view = physics.contacts
    assert len(view) == 2
    assert {frozenset(pair) for pair in zip(view.entity_a.tolist(), view.entity_b.tolist(), strict=True)} == {
        frozenset((ground, box)),
        frozenset((ground, ball)),
    }
    assert physics.entities[view.body[:, 0]].tolist() == view.entity_a.tolist()
    assert physics.entities[view.body[:, 1]].tolist() == view.entity_b.tolist()
    for k in range(2):
        is_box = box in (view.entity_a[k], view.entity_b[k])
        assert view.point_count[k] == (2 if is_box else 1)
        assert (view.normal_impulse[k, : view.point_count[k]] > 0).all()
        assert view.enabled[k]
        assert view.friction[k] == 0.5
        assert len(view.snapshot(k).points) == view.point_count[k]
    assert abs(view.normal[:, 1]).tolist() == [1, 1]


def test_contacts_of_an_entity_name_no_entity_that_was_deleted_since_the_last_step() -> None:
    physics = ec.install()
    a, b = disk(0), disk(0.9)
    run()
    esper.delete_entity(a, immediate=True)
    stranger = disk(50)
    assert physics.contacts_of(stranger) == [], "though it has the row of the one that is gone"
    assert physics.contacts_of(b) == []
    with pytest.raises(ec.PhysicsError):
        physics.contacts_of(a)
    assert set(physics.contacts.entity_a.tolist() + physics.contacts.entity_b.tolist()) == {a, b}
    run()
    assert physics.contacts_of(b) == []


def test_touching_is_symmetric_and_ends_with_the_contact() -> None:
    physics = ec.install()
    a, b, c = disk(0), disk(0.9), disk(1.05, 0.9, sensor=True)
    run()
    assert physics.touching(a, b)
    assert physics.touching(b, a)
    assert physics.touching(b, c), "a sensor touches what it overlaps"
    assert not physics.touching(a, c)
    assert not physics.touching(a, a)
    assert not physics.touching(a, 99)
    transform(a).x = -9.0
    assert physics.touching(a, b), "as of the last step"
    run()
    assert not physics.touching(a, b)


def test_a_body_that_comes_in_the_middle_of_a_step_takes_no_ones_row() -> None:
    """Regression: asking for a new entity's row between two systems adopted it into a row that contacts pointed at."""
    physics = ec.install()
    a, b = disk(0), disk(0.9)

    def replace() -> None:
        esper.delete_entity(a, immediate=True)
        new = disk(100)
        with pytest.raises(ec.PhysicsError, match="gets its body at the next one"):
            physics.row_of(new)

    run()
    hook_once(Narrowphase, Response, replace)
    run(2)
    assert physics.entities.tolist() == [3, b]
    assert physics.positions[0].tolist() == [100, 0]


def test_the_state_hash_depends_on_every_bit() -> None:
    physics = ec.install()
    entity = disk(1, 2)
    run()
    hashes = {physics.state_hash()}
    assert physics.state_hash() in hashes
    for part, name, value in (
        (transform(entity), "x", np.nextafter(1.0, 2.0)),
        (transform(entity), "angle", 5e-324),
        (velocity(entity), "angular", -0.0),
    ):
        setattr(part, name, float(value))
        hashes.add(physics.state_hash())
    assert len(hashes) == 4


def test_queries_of_an_unchanged_world_do_not_read_esper(monkeypatch: pytest.MonkeyPatch) -> None:
    physics = ec.install()
    entities: list[Any] = [disk(3.0 * k) for k in range(50)]
    run()
    calls: list[Any] = []
    monkeypatch.setattr(esper, "get_component", calls.append)
    for entity in entities:
        physics.apply_impulse(entity, (1, 0))
        physics.row_of(entity)
    assert calls == []


UNKNOWN = {
    "timescale": "did you mean 'time_scale'?",
    "gravitiy": "did you mean 'gravity'?",
    "fixed_dt": r"'fixed_dt' is an argument of install, .* there: ec\.install\(fixed_dt=\.\.\.\)",
    "sleepspeed": "'sleep_speed' is an argument of install",
    "after": "'after' is an argument of install",
    "inventory": "keep the game's own values elsewhere",
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_attribute_that_there_is_not_is_refused_with_the_near_one_or_the_argument_of_install(name: str) -> None:
    physics = ec.install()
    with pytest.raises(AttributeError, match=f"PhysicsWorld has no attribute '{name}': {UNKNOWN[name]}"):
        setattr(physics, name, 0.5)
    with pytest.raises(AttributeError):
        getattr(physics, name)


def test_an_attribute_that_is_read_only_keeps_python_s_error() -> None:
    physics = ec.install()
    for name in ("dt", "settings", "wake"):
        with pytest.raises(AttributeError, match=r"no setter|read-only"):
            setattr(physics, name, 1.0)


def test_a_game_s_own_class_of_worlds_may_have_further_attributes() -> None:
    class Level(ec.PhysicsWorld):
        score: int

    level = Level(ec.install().settings)
    level.score = 3
    level.time_scale = 0.5
    assert (level.score, level.time_scale) == (3, 0.5)
