"""A game deletes a body in the frame in which another system of it joins or attaches something to that body."""

from __future__ import annotations

import copy

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import dynamic, game, static


def ended_joints() -> list[int]:
    ended: list[int] = []
    ec.on("joint_end", ended.append)
    return ended


@pytest.mark.parametrize("first", ["join", "delete"])
def test_the_joint_ends_at_once(first: str) -> None:
    with game() as play:
        hook, target = dynamic(ec.Circle(0.2), (0.0, 0.0)), dynamic(ec.Circle(0.5), (3.0, 0.0))
        ended = ended_joints()
        play.step()
        if first == "delete":
            esper.delete_entity(target)
        rope = esper.create_entity(ec.DistanceJoint(hook, target, max_length=4.0))
        esper.delete_entity(target)
        play.step(3)
        assert ended == [rope]
        assert play.physics.joints_of(hook) == [rope]
        assert len(play.physics.joints) == 0


def test_a_present_joint_may_be_given_such_a_body() -> None:
    with game() as play:
        hook, branch, target = (dynamic(ec.Circle(0.2), (x, 0.0)) for x in (0.0, 2.0, 4.0))
        rope = esper.create_entity(joint := ec.DistanceJoint(hook, branch, max_length=4.0))
        ended = ended_joints()
        play.step()
        joint.b = target
        esper.delete_entity(target)
        play.step()
        assert ended == [rope]
        joint.b = branch
        play.step()
        assert len(play.physics.joints) == 1


def test_such_a_joint_is_loaded_as_it_was_saved() -> None:
    with game() as play:
        hook, target = dynamic(ec.Circle(0.2), (0.0, 0.0)), dynamic(ec.Circle(0.5), (3.0, 0.0))
        play.step()
        rope = esper.create_entity(joint := ec.DistanceJoint(hook, target, max_length=4.0))
        esper.delete_entity(target)
        play.step()
        esper.delete_entity(rope)
        loaded = esper.create_entity(copy.copy(joint))
        play.step()
        assert play.physics.joints_of(hook) == [loaded]
        assert len(play.physics.joints) == 0


def test_a_body_that_never_existed_is_an_error_all_the_same() -> None:
    with game() as play:
        hook, target = dynamic(ec.Circle(0.2), (0.0, 0.0)), dynamic(ec.Circle(0.5), (3.0, 0.0))
        play.step()
        esper.delete_entity(target)
        esper.create_entity(ec.DistanceJoint(hook, 999, max_length=4.0))
        with pytest.raises(ec.PhysicsError, match=r"DistanceJoint\.b is entity 999, which has no body"):
            play.step()


def test_the_attached_collider_is_in_no_body() -> None:
    with game() as play:
        player, other = dynamic(ec.Circle(0.5), (0.0, 0.0)), dynamic(ec.Circle(0.5), (5.0, 0.0))
        play.step()
        shield = esper.create_entity(ec.Collider(ec.Circle(0.3)), place := ec.AttachedTo(player, 1.0, 0.0))
        esper.delete_entity(player)
        play.step()
        assert play.physics.point_query((1.0, 0.0)) == []
        place.body = other
        play.step()
        assert play.physics.point_query((6.0, 0.0)) == [shield]


def test_a_joint_of_two_immovable_bodies_is_no_lost_one() -> None:
    with game() as play:
        wall, target = static(ec.Box(1.0, 1.0)), dynamic(ec.Circle(0.5), (3.0, 0.0))
        play.step()
        esper.delete_entity(target)
        esper.create_entity(ec.DistanceJoint(wall, max_length=4.0))
        with pytest.raises(ec.PhysicsError, match="one of its bodies must be dynamic"):
            play.step()
