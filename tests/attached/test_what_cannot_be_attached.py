"""Errors for colliders that cannot be attached: they name entity and component, and nothing is changed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, Game, dynamic, esper_world, floor, game, kinematic, static, transform


@pytest.fixture(name="play")
def weightless_game() -> Iterator[Game]:
    with game() as world:
        yield world


def attached_circle(*components: Any) -> int:
    return esper.create_entity(ec.Collider(ec.Circle(0.5)), *components)


def part_of_a_part(body: int) -> None:
    attached_circle(ec.AttachedTo(attached_circle(ec.AttachedTo(body))))


def circle_of_two(body: int) -> None:
    first = attached_circle()
    second = attached_circle(ec.AttachedTo(first))
    esper.add_component(first, ec.AttachedTo(second))


FAULTS: list[tuple[Callable[[int], object], str]] = [
    (
        lambda body: attached_circle(ec.AttachedTo(999)),
        "AttachedTo.body is entity 999, which has no body in this world",
    ),
    (lambda body: attached_circle(ec.AttachedTo(esper.create_entity())), "which has no body in this world"),
    (
        lambda body: attached_circle(ec.AttachedTo(esper.create_entity(ec.Transform()))),
        "which has no body in this world",
    ),
    (lambda body: attached_circle(ec.AttachedTo(body), ec.Velocity()), "has an AttachedTo and a Velocity"),
    (lambda body: attached_circle(ec.AttachedTo(body), ec.RigidBody()), "has an AttachedTo and a RigidBody"),
    (lambda body: attached_circle(ec.AttachedTo(body), ec.Force()), "has an AttachedTo and a Force"),
    (lambda body: esper.create_entity(ec.AttachedTo(body)), "has an AttachedTo but no Collider"),
    (lambda body: esper.create_entity(ec.AttachedTo(body), ec.Transform()), "has an AttachedTo but no Collider"),
    (part_of_a_part, "which is attached to entity"),
    (circle_of_two, "which is attached to entity"),
    (
        lambda body: esper.create_entity(ec.AttachedTo(body), ec.Collider(ec.HalfPlane())),
        "its Collider.shape is unbounded, so it cannot be attached to entity",
    ),
]


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_a_fault_is_an_error_and_the_rest_of_the_world_stays(play: Game, number: int) -> None:
    make, message = FAULTS[number]
    body = dynamic(ec.Box(1, 1), (0, 0), (1, 0))
    wing = attached_circle(ec.AttachedTo(body, 2, 0))
    play.step()
    known, before = set(esper.get_entities()), play.physics.mass_of(body)
    make(body)
    for _ in range(2):
        with pytest.raises(ec.PhysicsError, match=message):
            play.step()
    for entity in set(esper.get_entities()) - known:
        esper.delete_entity(entity)
    play.step()
    assert play.physics.mass_of(body) == before
    assert play.physics.point_query(play.physics.to_world(wing, (0, 0))) == [wing]


def test_an_entity_cannot_be_attached_to_itself(play: Game) -> None:
    entity = attached_circle()
    esper.add_component(entity, ec.AttachedTo(entity))
    with pytest.raises(ec.PhysicsError, match=f"entity {entity}: its AttachedTo.body is entity {entity}, which is its"):
        play.step()


def test_a_body_with_parts_cannot_be_attached(play: Game) -> None:
    mother, ship = dynamic(ec.Box(1, 1)), static(ec.Box(1, 1), (5, 0))
    attached_circle(ec.AttachedTo(ship))
    play.step()
    esper.add_component(ship, ec.AttachedTo(mother))
    with pytest.raises(ec.PhysicsError, match=f"is entity {ship}, which is attached to entity {mother}"):
        play.step()


def test_a_body_of_another_world_is_none_of_this_one(play: Game) -> None:
    for _ in range(3):
        esper.create_entity()
    here = esper.current_world
    with esper_world():
        ec.install()
        elsewhere = [dynamic(ec.Box(1, 1)) for _ in range(9)][-1]
        esper.switch_world(here)
        attached_circle(ec.AttachedTo(elsewhere))
        with pytest.raises(ec.PhysicsError, match=f"is entity {elsewhere}, which has no body in this world"):
            play.step()


@pytest.mark.parametrize("value", ["2", 1.5, None, -1])
def test_a_body_that_is_no_entity_is_refused_at_once(value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"AttachedTo\.body"):
        ec.AttachedTo(value)
    attached = ec.AttachedTo(1)
    with pytest.raises((TypeError, ValueError), match=r"AttachedTo\.body"):
        attached.body = value


def test_places_that_are_no_numbers_are_refused_at_once() -> None:
    with pytest.raises(TypeError, match=r"AttachedTo.x .*AttachedTo\(\*pair\)"):
        ec.AttachedTo(1, (0, 1))  # type: ignore[arg-type]
    for name in ("x", "y", "angle"):
        attached = ec.AttachedTo(1, 2, 3, 4)
        with pytest.raises(ValueError, match=f"AttachedTo.{name}"):
            setattr(attached, name, float("nan"))
        assert attached.place == (2, 3, 4)


def test_calls_for_bodies_refuse_parts(play: Game) -> None:
    lift = kinematic(ec.Box(1, 1))
    floor_of_lift = attached_circle(ec.AttachedTo(lift))
    play.step()
    physics = play.physics
    calls: list[Callable[[], object]] = [
        lambda: physics.move_to(floor_of_lift, (1, 1)),
        lambda: physics.drop_through(floor_of_lift),
        lambda: physics.move_and_slide(floor_of_lift, (1, 1), 0.1),
    ]
    for call in calls:
        with pytest.raises(ec.PhysicsError, match=f"entity {floor_of_lift} is attached to entity {lift}"):
            call()


def test_joints_join_bodies_and_not_parts(play: Game) -> None:
    body, other = dynamic(ec.Box(1, 1)), dynamic(ec.Box(1, 1), (5, 0))
    wing = attached_circle(ec.AttachedTo(body))
    play.step()
    joint = esper.create_entity(ec.RevoluteJoint(wing, other))
    with pytest.raises(ec.PhysicsError, match=f"is entity {wing}, which is attached to entity {body}: join that body"):
        play.step()
    esper.component_for_entity(joint, ec.RevoluteJoint).a = body
    play.step()
    assert play.physics.joints_of(body) == [joint]


def test_a_joint_ends_when_its_body_becomes_a_part(play: Game) -> None:
    ends: list[int] = []
    ec.on("joint_end", ends.append)
    body, other = dynamic(ec.Box(1, 1)), dynamic(ec.Box(1, 1), (5, 0))
    joint = esper.create_entity(ec.DistanceJoint(body, other))
    play.step()
    esper.remove_component(other, ec.Velocity)
    esper.add_component(other, ec.AttachedTo(body, 5, 0))
    play.step(2)
    assert ends == [joint]


def test_the_exact_response_refuses_parts() -> None:
    with game(response="exact") as play:
        body = dynamic(ec.Circle(0.5))
        attached_circle(ec.AttachedTo(body, 1, 0))
        with pytest.raises(ec.PhysicsError, match="AttachedTo does not work with response='exact'"):
            play.step()


def test_one_component_belongs_to_one_entity(play: Game) -> None:
    body = dynamic(ec.Box(1, 1))
    attached = ec.AttachedTo(body)
    attached_circle(attached), attached_circle(attached)
    with pytest.raises(ec.PhysicsError, match="share one AttachedTo"):
        play.step()


def test_writing_the_transform_of_a_part_warns_once_and_is_undone(
    play: Game, new_warnings: Callable[[], list[str]]
) -> None:
    body = dynamic(ec.Box(1, 1))
    hat = attached_circle(ec.AttachedTo(body, 0, 1), ec.Transform())
    play.step()
    for _ in range(2):
        transform(hat).x = 7.0
        esper.process(DT)
        assert transform(hat).pose == (0, 1, 0)
    (text,) = new_warnings()
    assert f"entity {hat} is attached to a body, so each step writes its Transform" in text


def test_copies_and_pickles_of_the_component_belong_to_no_entity(play: Game) -> None:
    body = dynamic(ec.Box(1, 1))
    wing = attached_circle(ec.AttachedTo(body, 1, 2, 0.5))
    play.step()
    attached = esper.component_for_entity(wing, ec.AttachedTo)
    for copied in (copy.copy(attached), pickle.loads(pickle.dumps(attached))):
        assert repr(copied) == repr(attached) == f"AttachedTo(body={body}, x=1.0, y=2.0, angle=0.5)"
        esper.create_entity(copied, ec.Collider(ec.Circle(0.1)))
    play.step()


def test_a_loaded_world_with_parts_moves_as_the_saved_one() -> None:
    def build() -> None:
        floor()
        for k in range(4):
            body = dynamic(ec.Box(1, 0.4), (0.3 * k, 1 + k), angle=0.2 * k)
            attached_circle(ec.AttachedTo(body, 0.7, 0.1, 0.3))
            esper.create_entity(ec.AttachedTo(body, 0, -0.3), ec.Collider(ec.Box(0.8, 0.1), sensor=True))
        lost = attached_circle(ec.AttachedTo(9999))
        esper.component_for_entity(lost, ec.AttachedTo)._worked_with = 9999

    with game(gravity=(0, -10)) as play:
        build()
        saved = pickle.dumps([esper.components_for_entity(entity) for entity in sorted(esper.get_entities())])
        play.step(120)
        first = play.physics.state_hash()
    with game(gravity=(0, -10)) as play:
        for components in pickle.loads(saved):
            esper.create_entity(*components)
        play.step(120)
        assert play.physics.state_hash() == first
