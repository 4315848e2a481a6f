"""Likely mistakes: one warning in each world, which names the line of the game."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, disk, floor, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def create_static_circle(*others: Any) -> int:
    body = ec.RigidBody(ec.BodyKind.STATIC)
    return esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(1)), body, *others)


def test_a_dt_in_milliseconds(new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    esper.process(1.0)
    assert new_warnings() == []
    for _ in range(3):
        esper.process(16.7)
    (text,) = new_warnings()
    assert "16.7 s" in text
    assert "divide milliseconds by 1000" in text


def test_a_long_step_of_bodies_that_touch(new_warnings: Callable[[], list[str]]) -> None:
    ec.install(gravity=(0, -10))
    floor()
    disk(0, 0.5)
    for dt in (DT, 0.25, 0.5, 0.5):
        esper.process(dt)
    (text,) = new_warnings()
    assert text.startswith("dt is 0.5 s: ") and "fixed_dt" in text


@pytest.mark.parametrize("settings", [{"fixed_dt": DT}, {"response": "exact"}, {"time_unit": 60}])
def test_long_steps_that_are_none_or_do_no_harm(
    settings: dict[str, Any], new_warnings: Callable[[], list[str]]
) -> None:
    ec.install(gravity=(0, -10), **settings)
    floor()
    disk(0, 0.5)
    for dt in (DT, 0.5, 1.0):
        esper.process(dt)
    assert new_warnings() == []


def test_a_long_step_of_bodies_that_are_far_from_each_other(new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    disk(0, 0), disk(50, 0)
    for dt in (DT, 0.5, 1.0):
        esper.process(dt)
    assert new_warnings() == []


def test_a_dt_in_milliseconds_in_a_second_world(new_warnings: Callable[[], list[str]]) -> None:
    for name in ("first", "second"):
        esper.switch_world(name)
        ec.install(fixed_dt=16)
        for _ in range(2):
            esper.process()
        assert len(new_warnings()) == 1


def test_a_velocity_on_a_static_body(new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    first, _ = create_static_circle(ec.Velocity(3, 0)), create_static_circle(ec.Velocity(0, 0, 2))
    esper.process(DT)
    (text,) = new_warnings()
    assert text.startswith(f"entity {first} is static: its Velocity does not move it. Give it RigidBody")


def test_a_velocity_written_to_a_static_body_later(new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    body = create_static_circle(ec.Velocity())
    esper.process(DT)
    assert new_warnings() == []
    for _ in range(3):
        velocity(body).x = 3.0
        esper.process(DT)
    (text,) = new_warnings()
    assert text.startswith(f"entity {body} is static: its Velocity")


def test_a_body_that_is_made_static_while_it_moves_is_meant(new_warnings: Callable[[], list[str]]) -> None:
    physics = ec.install()
    body = disk()
    velocity(body).x = 3.0
    esper.process(DT)
    esper.add_component(body, frozen := ec.RigidBody(ec.BodyKind.STATIC))
    esper.process(DT)
    frozen.kind = ec.BodyKind.DYNAMIC
    esper.process(DT)
    assert physics.velocities[physics.row_of(body)].tolist() == [3.0, 0.0]


@pytest.mark.parametrize("push", ["apply_impulse", "apply_force"])
@pytest.mark.parametrize("kind", ["static", "kinematic", "no velocity"])
def test_a_push_of_what_does_not_give_way(push: str, kind: str, new_warnings: Callable[[], list[str]]) -> None:
    physics = ec.install()
    body = create_static_circle()
    if kind == "kinematic":
        esper.component_for_entity(body, ec.RigidBody).kind = ec.BodyKind.KINEMATIC
    elif kind == "no velocity":
        body = floor()
    other = disk(5)
    for entity in (other, body, body):
        getattr(physics, push)(entity, (1, 0))
    (text,) = new_warnings()
    assert text.startswith(f"entity {body} is {'kinematic' if kind == 'kinematic' else 'static'}: {push} does not")
    esper.process(DT)
    assert velocity(other).x > 0


def test_a_force_on_a_static_body(new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    body = create_static_circle(ec.Force(0, 5))
    esper.process(DT)
    (text,) = new_warnings()
    assert text.startswith(f"entity {body} is static: its Force does not move it")


def test_a_warning_that_is_made_an_error_comes_before_anything_is_changed() -> None:
    physics = ec.install(gravity=(0, -10))
    ball = disk(0, 5)
    esper.process(DT)
    state = physics.state_hash()
    velocity(ball).x = 1.0
    velocity(ball).x = 0.0
    create_static_circle(ec.Velocity(3, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ec.PhysicsWarning):
            esper.process(16.7)
        assert physics.state_hash() == state
        with pytest.raises(ec.PhysicsWarning):
            esper.process(DT)
        assert physics.state_hash() == state
    esper.process(DT)
    assert physics.statistics.steps == 2
    assert physics.statistics.bodies == 2


class PlaceWithoutAngle:
    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y


def test_a_transform_beside_a_bound_component_counts_and_warns(new_warnings: Callable[[], list[str]]) -> None:
    ec.install(transform=ec.bind(PlaceWithoutAngle))
    entities = ec.spawn(
        ec.Circle(0.5), [(0.0, 0.0), (3.0, 0.0)], velocities=(1.0, 0.0), extra=lambda k: [PlaceWithoutAngle(9.0, 9.0)]
    )
    esper.create_entity(PlaceWithoutAngle(0.0, 5.0), ec.Collider(ec.Circle(0.5)))
    esper.process(DT)
    assert new_warnings() == [
        f"entity {entities[0]} has a Transform beside its PlaceWithoutAngle: the Transform counts, and the "
        "PlaceWithoutAngle is neither read nor written. Remove the Transform, which the game or spawn added"
    ]
    assert esper.component_for_entity(entities[0], PlaceWithoutAngle).x == 9.0
    esper.process(DT)
    assert new_warnings() == []


def test_a_collider_on_no_layer(new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    in_a_group = create_static_circle()
    esper.component_for_entity(in_a_group, ec.Collider).group = 3
    for part in (
        esper.component_for_entity(create_static_circle(), ec.Collider),
        esper.component_for_entity(in_a_group, ec.Collider),
    ):
        part.layer = 0
        part.enabled = part.group == 3
    esper.process(DT)
    assert new_warnings() == [], "those that are off meet nothing anyway, and those of a group meet each other"
    wrong = [esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(1), layer=0)) for _ in range(2)]
    esper.process(DT)
    assert new_warnings() == [
        f"entity {wrong[0]}: its Collider has layer 0, which is in no mask, so it collides with nothing and no query "
        "finds it. Use layer 1, 2, 4, ...; to switch a Collider off, write enabled=False"
    ]


def test_a_layer_that_is_taken_from_a_body_later_is_meant(new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    body = create_static_circle()
    esper.process(DT)
    esper.component_for_entity(body, ec.Collider).layer = 0
    esper.process(DT)
    assert new_warnings() == []


@pytest.mark.parametrize("moves", [False, True])
def test_a_shape_without_a_collider(moves: bool, new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    parts = [ec.Velocity] if moves else []
    esper.create_entity(ec.Transform(), *(part() for part in parts))
    create_static_circle(ec.Circle(2))
    esper.process(DT)
    assert new_warnings() == [], "beside a Collider it is the game's own matter"
    first, _ = (esper.create_entity(ec.Transform(), *(part() for part in parts), ec.Box(1, 2)) for _ in range(2))
    for _ in range(2):
        esper.process(DT)
    assert new_warnings() == [
        f"entity {first} has a Box but no Collider: a shape alone collides with nothing. "
        "Give the entity Collider(Box(...)) instead"
    ]


def create_controlled_circle() -> int:
    return esper.create_entity(
        ec.Transform(0, 5),
        ec.RigidBody(ec.BodyKind.KINEMATIC),
        ec.Collider(ec.Circle(0.5)),
        ec.CharacterController((1, 0)),
    )


def test_a_character_that_nothing_moves(new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    first, _ = create_controlled_circle(), create_controlled_circle()
    esper.process(DT)
    (text,) = new_warnings()
    assert text.startswith(
        f"entity {first}: its CharacterController has no effect, as no processor moves characters. Call esper.add_proc"
    )
    create_controlled_circle()
    esper.process(DT)


@pytest.mark.parametrize("priority", [100, -100])
def test_a_character_that_the_system_moves(priority: int, new_warnings: Callable[[], list[str]]) -> None:
    physics = ec.install()
    create_controlled_circle()
    esper.add_processor(ec.systems.MoveCharacters(physics), priority=priority)
    for _ in range(2):
        esper.process(DT)
    assert new_warnings() == []


def test_a_character_that_the_game_moves_by_itself(new_warnings: Callable[[], list[str]]) -> None:
    physics = ec.install()
    player = create_controlled_circle()
    for _ in range(2):
        physics.move_and_slide(player, esper.component_for_entity(player, ec.CharacterController).velocity, DT)
        esper.process(DT)
    assert new_warnings() == []
