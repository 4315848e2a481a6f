"""A joint that has lost a body, or of which nothing moves any more, is off, and no error however it goes on."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator

import esper
import pytest

import ecs_collide as ec
from tests.support.events import EventLog
from tests.support.worlds import Game, dynamic, game


@pytest.fixture
def world() -> Iterator[Game]:
    with game() as opened:
        yield opened


def rod(*, with_world: bool = False) -> tuple[int, int, int, ec.DistanceJoint]:
    """Two balls and a joint between them, or of the first with the world."""
    a, b = (dynamic(ec.Circle(0.4), (x, 0.0)) for x in (0.0, 2.0))
    joint = ec.DistanceJoint(a, None if with_world else b)
    return a, b, esper.create_entity(joint), joint


def make_static(*entities: int) -> None:
    for entity in entities:
        esper.add_component(entity, ec.RigidBody(ec.BodyKind.STATIC))


def lose_second(a: int, b: int) -> None:
    esper.delete_entity(b, immediate=True)


def both_static(a: int, b: int) -> None:
    make_static(a, b)


LOSSES = [lose_second, both_static]


@pytest.mark.parametrize("lose", LOSSES)
def test_it_is_loaded_as_it_was_saved(world: Game, lose: Callable[[int, int], None]) -> None:
    a, b, _, _ = rod()
    world.step()
    lose(a, b)
    world.step()
    saved = pickle.dumps([esper.components_for_entity(entity) for entity in sorted(esper.get_entities())])
    with game() as other:
        log = EventLog("joint_end")
        entities = [esper.create_entity(*components) for components in pickle.loads(saved)]
        other.step(2)
        assert log.calls == [] and len(other.physics.joints.entity) == 0
        loaded = esper.component_for_entity(entities[-1], ec.DistanceJoint)
        loaded.a, loaded.b = (dynamic(ec.Circle(0.4), (x, 9.0)) for x in (0.0, 2.0))
        other.step()
        assert len(other.physics.joints.entity) == 1


@pytest.mark.parametrize("lose", LOSSES)
def test_it_stays_off_when_the_physics_is_installed_anew(world: Game, lose: Callable[[int, int], None]) -> None:
    a, b, _, _ = rod()
    world.step()
    lose(a, b)
    world.step()
    ec.uninstall()
    physics = ec.install()
    world.step(2)
    assert len(physics.joints.entity) == 0


def test_its_parts_may_be_written_and_it_may_be_copied(world: Game) -> None:
    a, b, entity, joint = rod()
    world.step()
    lose_second(a, b)
    world.step()
    joint.anchor_a = (0.1, 0.0)
    world.step()
    esper.create_entity(copy.copy(joint))
    world.step()
    joint.b = third = dynamic(ec.Circle(0.4), (2.0, 0.0))
    world.step()
    assert world.physics.joints_of(third) == [entity] == world.physics.joints.entity.tolist()


def test_its_end_is_told_though_it_is_written_in_the_same_frame(world: Game) -> None:
    log = EventLog("joint_end")
    a, b, entity, joint = rod()
    world.step()
    lose_second(a, b)
    joint.anchor_a = (0.1, 0.0)
    world.step(2)
    assert log.calls == [("joint_end", (entity,))]


def test_a_body_that_it_is_given_must_be_there(world: Game) -> None:
    a, b, entity, joint = rod()
    world.step()
    joint.b = 999
    for _ in range(2):
        with pytest.raises(ec.PhysicsError, match=f"entity {entity}: DistanceJoint.b is entity 999, which has no body"):
            world.step()
    joint.b = b
    world.step()
    lose_second(a, b)
    world.step()
    joint.a = 999
    with pytest.raises(ec.PhysicsError, match=r"DistanceJoint\.a is entity 999"):
        world.step()
    joint.a = b
    with pytest.raises(ec.PhysicsError, match=f"are both entity {b}"):
        world.step()


def test_one_with_the_world_is_off_too(world: Game) -> None:
    a, _, _, joint = rod(with_world=True)
    world.step()
    make_static(a)
    world.step()
    joint.anchor_b = (1.0, 0.0)
    world.step()
    assert len(world.physics.joints.entity) == 0
