"""Joints and their bodies come and go in every order."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import pairwise, permutations
from math import cos, hypot, inf, nan, sin
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.events import EventLog
from tests.support.worlds import Game, dynamic, game, static, transform, velocity


def pendulum(play: Game, **numbers: object) -> tuple[int, int, ec.RevoluteJoint]:
    """A bob that hangs on the world, 1 m under it: the entities of bob and joint, and the joint."""
    bob = dynamic(ec.Circle(0.2), (0.0, -1.0))
    joint = ec.RevoluteJoint(bob, anchor_a=(0.0, 1.0), **numbers)  # type: ignore[arg-type]
    return bob, esper.create_entity(joint), joint


def create_hanging_chain(count: int) -> tuple[list[int], list[int]]:
    """Links side by side, and the joints between them; the first hangs on the world."""
    links = [dynamic(ec.Box(1.0, 0.2), (k + 0.5, 0.0)) for k in range(count)]
    joints = [esper.create_entity(ec.RevoluteJoint(links[0], point=(0.0, 0.0)))]
    joints += [
        esper.create_entity(ec.RevoluteJoint(a, b, point=(k + 1.0, 0.0))) for k, (a, b) in enumerate(pairwise(links))
    ]
    return links, joints


def ends(log: EventLog) -> list[int]:
    """Joints whose end was reported."""
    return [arguments[0] for name, arguments in log.calls if name == "joint_end"]


@pytest.mark.parametrize("order", list(permutations(("a", "b", "joint"))))
@pytest.mark.parametrize("together", [False, True])
def test_deleting_bodies_and_joint_in_every_order(order: tuple[str, ...], together: bool) -> None:
    with game(gravity=(0.0, -9.81)) as play:
        log = EventLog("joint_break", "joint_end")
        a, b = dynamic(ec.Circle(0.5)), dynamic(ec.Circle(0.5), (1.0, 0.0))
        joint = esper.create_entity(ec.RevoluteJoint(a, b, point=(0.5, 0.0)))
        entities = {"a": a, "b": b, "joint": joint}
        play.step(3)
        for name in order:
            esper.delete_entity(entities[name], immediate=True)
            if not together:
                play.step()
        play.step(3)
        assert ends(log) == ([] if order[0] == "joint" or together else [joint])
        assert play.physics.pipeline.world_joints.joints.graph.count == 0


@pytest.mark.parametrize("gone", range(4))
def test_a_link_less(gone: int) -> None:
    with game(gravity=(0.0, -9.81)) as play:
        log = EventLog("joint_break", "joint_end")
        links, joints = create_hanging_chain(4)
        play.step(10)
        esper.delete_entity(links[gone])
        play.step(30)
        assert sorted(ends(log)) == sorted(joints[gone : gone + 2])
        assert play.physics.pipeline.world_joints.joints.graph.count == 4 - len(joints[gone : gone + 2])


def test_a_joint_works_again_when_its_body_does() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        log = EventLog("joint_break", "joint_end")
        bob, entity, joint = pendulum(play)
        play.step(5)
        parts = [esper.component_for_entity(bob, kind) for kind in (ec.Velocity, ec.Collider)]
        for part in parts:
            esper.remove_component(bob, type(part))
        play.step(5)
        assert ends(log) == [entity]
        esper.add_component(bob, ec.Velocity())
        esper.add_component(bob, ec.Collider(ec.Box(1.0, 1.0)))
        play.step(60)
        assert hypot(*transform(bob).position) == pytest.approx(1.0, abs=1e-6)
        assert ends(log) == [entity]
        assert joint.force > 0.0


def test_another_collider_kind_or_place() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        log = EventLog("joint_break", "joint_end")
        bob, entity, _ = pendulum(play)
        play.step(5)
        esper.add_component(bob, ec.Collider(ec.Box(1.0, 0.2)))
        play.step(5)
        transform(bob).position = 1.0, 0.0
        play.step(60)
        esper.add_component(bob, ec.RigidBody(ec.BodyKind.STATIC))
        play.step(2)
        assert ends(log) == [entity]
        esper.remove_component(bob, ec.RigidBody)
        play.step(120)
        x, y, angle = transform(bob).pose
        assert hypot(x - sin(angle), y + cos(angle)) < 2e-3


def test_worlds_are_cleared_switched_and_left() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        pendulum(play)
        play.step(5)
        esper.clear_database()
        play.step(5)
        bob, _, joint = pendulum(play)
        play.step(30)
        assert joint.force > 0.0
        ec.uninstall()
        kept = joint.force
        assert kept > 0.0
        joint.motor_speed = 3.0
        ec.install(gravity=(0.0, -9.81))
        esper.process(1.0 / 60.0)
        assert hypot(*transform(bob).position) == pytest.approx(1.0, abs=1e-4)


def test_errors_name_entity_field_and_value_and_change_nothing() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        a, wall, other = dynamic(ec.Circle(0.5)), static(ec.Circle(0.5), (5.0, 0.0)), static(ec.Circle(0.5), (9.0, 0.0))
        bare = esper.create_entity()
        play.step()
        before = play.physics.state_hash()
        cases = (
            (ec.RevoluteJoint(a, 999), "RevoluteJoint.b is entity 999, which has no body"),
            (ec.RevoluteJoint(bare, a), f"RevoluteJoint.a is entity {bare}, which has no body"),
            (ec.RevoluteJoint(a, a), f"are both entity {a}"),
            (ec.RevoluteJoint(wall, other), "one of its bodies must be dynamic"),
            (ec.RevoluteJoint(wall), "one of its bodies must be dynamic"),
        )
        for joint, words in cases:
            entity = esper.create_entity(joint)
            late = dynamic(ec.Circle(0.1), (20.0, 0.0))
            with pytest.raises(ec.PhysicsError, match=f"entity {entity}: .*{words}"):
                esper.process(1.0 / 60.0)
            esper.delete_entity(entity, immediate=True)
            esper.delete_entity(late, immediate=True)
        assert play.physics.state_hash() == before
        play.step()
        shared = ec.RevoluteJoint(a, wall)
        esper.create_entity(shared)
        second = esper.create_entity(shared)
        with pytest.raises(ec.PhysicsError, match="share one RevoluteJoint"):
            esper.process(1.0 / 60.0)
        esper.add_component(second, copy.copy(shared))
        esper.process(1.0 / 60.0)


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match=r"RevoluteJoint\.lower 2.0 is above upper 1.0"):
        ec.RevoluteJoint(1, 2, lower=2.0, upper=1.0)
    with pytest.raises(ValueError, match=r"PrismaticJoint\.axis must have a length"):
        ec.PrismaticJoint(1, 2, axis=(0.0, 0.0))
    with pytest.raises(ValueError, match=r"DistanceJoint\.rest_length"):
        ec.DistanceJoint(1, 2, length=-1.0)
    with pytest.raises(ValueError, match=r"DistanceJoint\.min_length 3.0 is above max_length 2.0"):
        ec.DistanceJoint(1, 2, min_length=3.0, max_length=2.0)
    with pytest.raises(ValueError, match=r"RevoluteJoint\.hertz"):
        ec.RevoluteJoint(1, 2, hertz=nan)
    with pytest.raises(TypeError, match=r"RevoluteJoint\.a"):
        ec.RevoluteJoint("door")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a world point or local anchors, not both"):
        ec.RevoluteJoint(1, 2, point=(0.0, 0.0), anchor_a=(1.0, 0.0))


def test_limits_written_out_of_order_stop_the_step() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        _, entity, joint = pendulum(play, lower=-1.0, upper=1.0)
        play.step(3)
        joint.lower = 2.0
        with pytest.raises(ec.PhysicsError, match=f"entity {entity}: RevoluteJoint.lower 2.0 is above upper 1.0"):
            esper.process(1.0 / 60.0)
        joint.upper = 3.0
        play.step(3)


def test_the_exact_response_has_no_joints() -> None:
    with game(response="exact") as play:
        _, entity, _ = pendulum(play)
        with pytest.raises(ec.PhysicsError, match=f"entity {entity} has a RevoluteJoint: .*no joints"):
            esper.process(1.0 / 60.0)


def test_connected_bodies_do_not_collide_until_the_joint_goes() -> None:
    with game() as play:
        a, b = dynamic(ec.Circle(0.5)), dynamic(ec.Circle(0.5), (0.9, 0.0))
        play.step(2)
        starts = len(play.contacts("collision_start"))
        assert starts == 1
        joint = esper.create_entity(ec.RevoluteJoint(a, b, point=(0.5, 0.0)))
        play.step(3)
        assert len(play.contacts("collision_end")) == 1
        assert not play.physics.touching(a, b)
        transform(b).position = transform(a).x + 0.8, transform(a).y
        play.step(3)
        assert len(play.contacts("collision_start")) == 1
        esper.delete_entity(joint)
        play.step(3)
        assert len(play.contacts("collision_start")) == 2


def test_connected_bodies_collide_with_collide_connected() -> None:
    with game() as play:
        a, b = dynamic(ec.Circle(0.5)), dynamic(ec.Circle(0.5), (0.9, 0.0))
        esper.create_entity(ec.RevoluteJoint(a, b, point=(0.5, 0.0), collide_connected=True))
        play.step(3)
        assert len(play.contacts("collision_start")) == 1


def test_joint_break_is_sent_once() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        log = EventLog("joint_break", "joint_end")
        bob, entity, joint = pendulum(play, break_force=20.0)
        heavy = dynamic(ec.Circle(0.2), (0.0, -2.0), (0.0, 0.0), ec.RigidBody(mass=10.0))
        play.step(30)
        assert not joint.broken
        esper.create_entity(ec.RevoluteJoint(bob, heavy, anchor_a=(0.0, -1.0), anchor_b=(0.0, 0.0)))
        play.step(60)
        received = [arguments for name, arguments in log.calls if name == "joint_break"]
        assert len(received) == 1
        assert received[0][0] == entity
        assert received[0][1] > 20.0
        assert joint.broken
        assert velocity(bob).y < -1.0
        joint.break_force = 1e6
        joint.mend()
        play.step(30)
        assert not joint.broken


def test_a_joint_of_a_body_that_is_nowhere_is_refused() -> None:
    with game() as play:
        a = dynamic(ec.Circle(0.5))
        play.step()
        play.physics.angles[0] = inf
        esper.create_entity(ec.TargetJoint(a, (1.0, 2.0)))
        with pytest.raises(ec.PhysicsError, match=r"TargetJoint\.a is entity 1, whose pose is not finite"):
            play.step()


@pytest.mark.parametrize("bad", [nan, 1e200])
def test_an_open_length_waits_until_its_bodies_are_somewhere(bad: float) -> None:
    with game(gravity=(0.0, 0.0)) as play:
        a, b = dynamic(ec.Circle(0.5)), dynamic(ec.Circle(0.5), (3.0, 0.0))
        joint = ec.DistanceJoint(a, b, length=3.0)
        esper.create_entity(joint)
        play.step()
        joint.rest_length = None
        row = play.physics.row_of(b)
        play.physics.positions[row, 0] = bad
        with pytest.raises(ec.PhysicsError, match=rf"entity {b}: Transform\.x is "):
            play.step()
        play.physics.positions[row, 0] = 4.0
        play.step()
        assert joint.rest_length == 4.0


def test_a_broken_joint_that_names_one_body_twice_is_let_go() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        a, b = dynamic(ec.Circle(0.5)), static(ec.Circle(0.5), (1.0, 0.0))
        joint = ec.WeldJoint(a, b, break_force=0.0)
        entity = esper.create_entity(joint)
        play.step(3)
        assert joint.broken
        joint.a = b
        play.step()
        esper.delete_entity(entity)
        play.step()
        assert play.physics.pipeline.world_joints.joints.graph.count == 0


def test_the_joints_of_a_world_and_of_a_body() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        links, joints = create_hanging_chain(3)
        play.step(5)
        view = play.physics.joints
        assert view.entity.tolist() == joints
        assert view.entity_a.tolist() == [links[0], links[0], links[1]]
        assert view.entity_b.tolist() == [-1, links[1], links[2]]
        held = [esper.component_for_entity(joint, ec.RevoluteJoint) for joint in joints]
        assert view.force.tolist() == [joint.force for joint in held]
        assert view.position.tolist() == [joint.angle for joint in held]
        assert view.speed.tolist() == [joint.speed for joint in held]
        assert play.physics.joints_of(links[1]) == joints[1:]
        esper.delete_entity(links[2])
        play.step()
        assert len(play.physics.joints) == 2
        assert play.physics.joints_of(links[1]) == joints[1:]
        with pytest.raises(ec.PhysicsError):
            play.physics.joints_of(links[2])


def test_a_world_without_joints_lists_none() -> None:
    with game() as play:
        a = dynamic(ec.Circle(0.5))
        play.step()
        assert len(play.physics.joints) == 0
        assert play.physics.joints_of(a) == []


def test_hanging_bodies_fall_asleep_and_wake_together() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        links = [dynamic(ec.Box(0.2, 1.0), (0.0, -0.5 - k)) for k in range(4)]
        hook = static(ec.Circle(0.1))
        entities = [hook, *links]
        joints = [ec.RevoluteJoint(a, b, point=(0.0, -float(k))) for k, (a, b) in enumerate(zip(entities, links))]
        for joint in joints:
            esper.create_entity(joint)
        play.step(120)
        assert not any(play.physics.is_awake(link) for link in links)
        joints[3].motor_speed = 0.1
        assert joints[3].force == pytest.approx(0.2 * 9.81, rel=1e-3)
        play.step()
        assert all(play.physics.is_awake(link) for link in links)
        play.step(120)
        assert not any(play.physics.is_awake(link) for link in links)
        transform(hook).x = 0.5
        play.step()
        assert all(play.physics.is_awake(link) for link in links)


def test_impulses_of_joints_belong_to_the_state() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        pendulum(play)
        play.step(5)
        before = play.physics.state_hash()
        ((_, row),) = play.physics.pipeline.world_joints.joints.rows
        play.physics.pipeline.world_joints.joints.columns.arrays.load[row, 0] += 1e-9
        assert play.physics.state_hash() != before


def test_copies_are_detached() -> None:
    with game() as play:
        _, _, joint = pendulum(play, lower=-1.0)
        play.step()
        twin = copy.copy(joint)
        assert (twin.a, twin.lower, twin.anchor_a) == (joint.a, -1.0, (0.0, 1.0))
        esper.create_entity(twin)
        play.step()
        joint.lower = -2.0
        assert twin.lower == -1.0


def test_a_rod_whose_length_is_set_to_none_keeps_the_present_one() -> None:
    with game() as play:
        a, b = dynamic(ec.Circle(0.1)), dynamic(ec.Circle(0.1), (2.0, 0.0))
        rod = ec.DistanceJoint(a, b)
        esper.create_entity(rod)
        play.step(3)
        transform(b).position = 3.0, 0.0
        rod.rest_length = None
        play.step(30)
        assert rod.rest_length == 3.0
        assert rod.length == pytest.approx(3.0, abs=1e-9)


def test_a_body_that_a_joint_releases_wakes() -> None:
    with game(gravity=(0.0, -9.81)) as play:
        bobs = [dynamic(ec.Circle(0.2), (2.0 * k, -1.0)) for k in range(2)]
        joint = ec.RevoluteJoint(bobs[0], point=(0.0, 0.0))
        esper.create_entity(joint)
        esper.create_entity(ec.RevoluteJoint(bobs[1], point=(2.0, 0.0)))
        play.step(120)
        assert not play.physics.is_awake(bobs[0])
        joint.anchor_a, joint.anchor_b, joint.a = (0.0, 1.0), (2.0, 0.0), bobs[1]
        play.step(30)
        assert transform(bobs[0]).y < -1.5


def test_bodies_that_come_and_go_where_there_are_no_joints_leave_nothing_behind() -> None:
    with game() as play:
        for _ in range(5):
            bullet = dynamic(ec.Circle(0.1))
            play.step()
            esper.delete_entity(bullet, immediate=True)
        assert not play.physics.pipeline.world_joints.joints._renewed_bodies


def test_the_length_that_there_is_cannot_be_written() -> None:
    joint = ec.DistanceJoint(1, 2)
    with pytest.raises(AttributeError, match="write rest_length"):
        joint.length = 2.0


def test_a_joint_follows_a_body_that_gets_another_row() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        first, (bob, _, _) = dynamic(ec.Circle(0.2), (50.0, 0.0)), pendulum(play)
        play.step()
        row = play.physics.row_of(bob)
        esper.delete_entity(first, immediate=True)
        for part in (ec.Transform(0.0, -1.0), ec.Velocity(1.0, 0.0), ec.Collider(ec.Circle(0.3))):
            esper.add_component(bob, part)
        for _ in range(60):
            play.step()
            assert hypot(*play.pose(bob)[:2]) == pytest.approx(1.0, abs=1e-3)
        assert play.physics.row_of(bob) != row


def test_a_slider_that_works_takes_another_axis() -> None:
    with game(gravity=(0.0, -10.0)) as play:
        body = dynamic(ec.Box(1.0, 1.0))
        slider = ec.PrismaticJoint(body, axis=(1.0, 0.0))
        esper.create_entity(slider)
        play.step(30)
        assert play.pose(body) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
        slider.axis = (0.0, 1.0)
        play.step(30)
        x, y, angle = play.pose(body)
        assert (x, angle) == pytest.approx((0.0, 0.0), abs=1e-6) and y == pytest.approx(-1.25, rel=0.05)
        assert slider.speed == pytest.approx(-5.0, rel=1e-3)


SPEEDS: dict[str, tuple[Callable[[int, int], Any], float]] = {
    "friction": (lambda a, b: ec.FrictionJoint(a, b, max_torque=1e-9), 2.0),
    "motor": (lambda a, b: ec.MotorJoint(a, b, max_force=0.0, max_torque=0.0), 2.0),
    "gear": (lambda a, b: ec.GearJoint(a, b, ratio=2.0, max_torque=0.0), 1.0),
    "ratchet": (lambda a, b: ec.RatchetJoint(a, b, tooth=0.1), 2.0),
}
"""Joints that leave bodies with spins of 1 and 3 rad/s alone, and their speed [rad/s]."""


@pytest.mark.parametrize("name", SPEEDS)
def test_the_speed_of_a_joint_is_that_of_its_bodies_against_each_other(name: str) -> None:
    with game() as play:
        make, speed = SPEEDS[name]
        joint = make(*(dynamic(ec.Circle(0.5), (2.0 * k, 0.0), angular=1.0 + 2.0 * k) for k in range(2)))
        esper.create_entity(joint)
        play.step()
        assert joint.speed == pytest.approx(speed, abs=1e-6)


def test_a_rope_that_works_is_shown_without_the_length_at_which_it_was_taken_in() -> None:
    with game() as play:
        a, b = (dynamic(ec.Circle(0.2), (float(k), 0.0)) for k in range(2))
        rope = ec.DistanceJoint(a, b, max_length=2.0)
        esper.create_entity(rope)
        play.step()
        assert rope.rest_length is not None
        assert " length=" not in repr(rope) and " max_length=2.0" in repr(rope)
