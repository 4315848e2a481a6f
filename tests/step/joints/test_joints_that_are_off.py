"""A joint that has lost a body, or of which nothing moves any more, is off, and no error however it goes on."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator

import esper
import pytest

import ecs_collide as ec
from tests.support.events import EventLog
from tests.support.worlds import Game, dynamic, game, make_static


@pytest.fixture
def empty_world() -> Iterator[Game]:
    with game() as opened:
        yield opened


def create_rod(*, with_world: bool = False) -> tuple[int, int, int, ec.DistanceJoint]:
    """Two balls and a joint between them, or of the first with the world."""
    a, b = (dynamic(ec.Circle(0.4), (x, 0.0)) for x in (0.0, 2.0))
    joint = ec.DistanceJoint(a, None if with_world else b)
    return a, b, esper.create_entity(joint), joint


def lose_second(a: int, b: int) -> None:
    esper.delete_entity(b, immediate=True)


def both_static(a: int, b: int) -> None:
    make_static(a, b)


LOSSES = [lose_second, both_static]


@pytest.mark.parametrize("lose", LOSSES)
def test_it_is_loaded_as_it_was_saved(empty_world: Game, lose: Callable[[int, int], None]) -> None:
    a, b, _, _ = create_rod()
    empty_world.step()
    lose(a, b)
    empty_world.step()
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
def test_it_stays_off_when_the_physics_is_installed_anew(empty_world: Game, lose: Callable[[int, int], None]) -> None:
    a, b, _, _ = create_rod()
    empty_world.step()
    lose(a, b)
    empty_world.step()
    ec.uninstall()
    physics = ec.install()
    empty_world.step(2)
    assert len(physics.joints.entity) == 0


def test_its_parts_may_be_written_and_it_may_be_copied(empty_world: Game) -> None:
    a, b, entity, joint = create_rod()
    empty_world.step()
    lose_second(a, b)
    empty_world.step()
    joint.anchor_a = (0.1, 0.0)
    empty_world.step()
    esper.create_entity(copy.copy(joint))
    empty_world.step()
    joint.b = third = dynamic(ec.Circle(0.4), (2.0, 0.0))
    empty_world.step()
    assert empty_world.physics.joints_of(third) == [entity] == empty_world.physics.joints.entity.tolist()


def test_its_end_is_sent_if_it_is_written_in_the_same_frame(empty_world: Game) -> None:
    log = EventLog("joint_end")
    a, b, entity, joint = create_rod()
    empty_world.step()
    lose_second(a, b)
    joint.anchor_a = (0.1, 0.0)
    empty_world.step(2)
    assert log.calls == [("joint_end", (entity,))]


def test_a_body_that_it_is_given_must_be_there(empty_world: Game) -> None:
    a, b, entity, joint = create_rod()
    empty_world.step()
    joint.b = 999
    for _ in range(2):
        with pytest.raises(ec.PhysicsError, match=f"entity {entity}: DistanceJoint.b is entity 999, which has no body"):
            empty_world.step()
    joint.b = b
    empty_world.step()
    lose_second(a, b)
    empty_world.step()
    joint.a = 999
    with pytest.raises(ec.PhysicsError, match=r"DistanceJoint\.a is entity 999"):
        empty_world.step()
    joint.a = b
    with pytest.raises(ec.PhysicsError, match=f"are both entity {b}"):
        empty_world.step()


def test_one_with_the_world_is_off_too(empty_world: Game) -> None:
    a, _, _, joint = create_rod(with_world=True)
    empty_world.step()
    make_static(a)
    empty_world.step()
    joint.anchor_b = (1.0, 0.0)
    empty_world.step()
    assert len(empty_world.physics.joints.entity) == 0
