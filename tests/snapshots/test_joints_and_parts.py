"""Snapshots of worlds with joints of every kind and with attached colliders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.components.joints.all_kinds import TYPES
from ecs_collide.components.joints.joint import Joint
from tests.support.events import EventLog
from tests.support.worlds import dynamic, esper_world, floor, run, static, transform

GRAVITY = (0.0, -10.0)
EVENTS = ("collision_start", "collision_end", "sensor_enter", "sensor_exit", "joint_break")


def pair_of_boxes() -> tuple[int, int]:
    """Create two boxes in the air, of which one turns."""
    boxes = [dynamic(ec.Box(1.0, 0.5), (x, 3.0)) for x in (0.0, 1.5)]
    esper.component_for_entity(boxes[0], ec.Velocity).angular = 3.0
    return boxes[0], boxes[1]


def two_wheels() -> tuple[int, int]:
    """Create two wheels that turn on axles of the world."""
    wheels = [dynamic(ec.Circle(0.5), (x, 3.0)) for x in (0.0, 1.5)]
    for wheel in wheels:
        esper.create_entity(ec.RevoluteJoint(wheel))
    esper.component_for_entity(wheels[0], ec.Velocity).angular = -5.0
    return wheels[0], wheels[1]


CASES: dict[str, tuple[Callable[[], tuple[int, int]], Callable[[int, int], Joint]]] = {
    "a hinge with limits and a spring": (
        pair_of_boxes,
        lambda a, b: ec.RevoluteJoint(a, b, point=(0.75, 3.0), lower=-0.5, upper=0.5, hertz=2.0),
    ),
    "a motor": (pair_of_boxes, lambda a, b: ec.RevoluteJoint(a, b, motor_speed=4.0, max_motor_torque=2.0)),
    "a soft weld": (pair_of_boxes, lambda a, b: ec.WeldJoint(a, b, hertz=3.0, linear_hertz=5.0)),
    "a rope": (pair_of_boxes, lambda a, b: ec.DistanceJoint(a, b, max_length=1.6)),
    "a winch": (pair_of_boxes, lambda a, b: ec.DistanceJoint(a, b, motor_speed=-1.0, max_motor_force=30.0)),
    "a slider with limits": (
        pair_of_boxes,
        lambda a, b: ec.PrismaticJoint(
            a, b, axis=(0.6, 0.8), lower=-0.3, upper=0.3, motor_speed=1.0, max_motor_force=9.0
        ),
    ),
    "a suspension": (
        pair_of_boxes,
        lambda a, b: ec.WheelJoint(a, b, hertz=4.0, lower=-0.2, upper=0.2, motor_speed=9.0, max_motor_torque=1.0),
    ),
    "a pull to a target": (pair_of_boxes, lambda a, _: ec.TargetJoint(a, (2.0, 4.0), max_force=40.0)),
    "friction between two bodies": (pair_of_boxes, lambda a, b: ec.FrictionJoint(a, b, max_force=3.0, max_torque=1.0)),
    "gears": (two_wheels, lambda a, b: ec.GearJoint(a, b, ratio=-2.0)),
    "a ratchet": (two_wheels, lambda a, b: ec.RatchetJoint(a, b, tooth=0.4)),
    "a pulley": (pair_of_boxes, lambda a, b: ec.PulleyJoint(a, b, (0.0, 6.0), (1.5, 6.0), ratio=2.0)),
    "a motor to a pose": (
        pair_of_boxes,
        lambda a, b: ec.MotorJoint(
            a, b, target=(1.0, 1.0), target_angle=0.5, hertz=2.0, max_force=40.0, max_torque=9.0
        ),
    ),
}


@pytest.fixture
def world() -> Iterator[ec.PhysicsWorld]:
    with esper_world():
        yield ec.install(gravity=GRAVITY)


def play_frames(frames: int = 90) -> list[Any]:
    """Make frames; return the state after each, all joints as they are, and the events."""
    found: list[Any] = []
    log = EventLog(*EVENTS, hear=lambda name, arguments: found.append((name, repr(arguments))))
    for _ in range(frames):
        run()
        found.append(ec.physics().state_hash())
        found.append([repr(held) for kind in TYPES for held in esper.get_component(kind)])
    for name, handler in zip(EVENTS, log._handlers, strict=True):
        esper.remove_handler(name, handler)
    return found


def play_in_a_new_world(data: bytes) -> list[Any]:
    """Return what follows the bytes of a snapshot in a world that held something else."""
    with esper_world():
        new = ec.install(gravity=GRAVITY)
        esper.create_entity(ec.WeldJoint(*pair_of_boxes()))
        run(3)
        new.restore(ec.Snapshot.from_bytes(data))
        return play_frames()


def test_there_is_a_case_for_every_kind_of_joint() -> None:
    with esper_world():
        ec.install()
        assert {type(make(*bodies())) for bodies, make in CASES.values()} == set(TYPES)


@pytest.mark.parametrize("case", CASES)
def test_a_joint_works_on_as_before(case: str, world: ec.PhysicsWorld) -> None:
    bodies, make = CASES[case]
    floor()
    a, b = bodies()
    joint = make(a, b)
    holder = esper.create_entity(joint)
    run(15)
    snapshot = world.snapshot()
    data = bytes(snapshot)
    first = play_frames()
    world.restore(snapshot)
    assert play_frames() == first
    esper.delete_entity(holder, immediate=True)
    esper.create_entity(ec.RevoluteJoint(a, b))
    run(20)
    world.restore(snapshot)
    assert esper.components_for_entity(holder) == (joint,)
    assert play_frames() == first
    assert play_in_a_new_world(data) == first


@pytest.mark.parametrize("case", CASES)
def test_numbers_and_bodies_of_a_joint_are_restored(case: str, world: ec.PhysicsWorld) -> None:
    bodies, make = CASES[case]
    a, b = bodies()
    joint = make(a, b)
    esper.create_entity(joint)
    run(5)
    before, snapshot = repr(joint), world.snapshot()
    first = play_frames(30)
    world.restore(snapshot)
    joint.break_force, joint.collide_connected = 123.0, not joint.collide_connected
    joint.a = dynamic(ec.Circle(0.5), (0.0, 9.0))
    run(5)
    assert repr(joint) != before
    world.restore(snapshot)
    assert repr(joint) == before
    assert play_frames(30) == first


def test_a_broken_joint_is_whole_again(world: ec.PhysicsWorld) -> None:
    post, ball = static(ec.Box(0.2, 0.2), (0.0, 5.0)), dynamic(ec.Circle(0.5), (1.0, 5.0))
    joint = ec.RevoluteJoint(ball, post, point=(0.0, 5.0), break_force=15.0)
    esper.create_entity(joint)
    run(5)
    assert not joint.broken
    snapshot = world.snapshot()
    first = play_frames()
    assert joint.broken
    world.restore(snapshot)
    assert not joint.broken
    assert play_frames() == first
    assert joint.broken


def cart() -> tuple[int, dict[str, int]]:
    """Create a body that rolls to the right, with a heavy box, a sensor and a hook without mass attached to it."""
    body = dynamic(ec.Box(2.0, 0.4), (0.0, 1.0), (2.0, 0.0))
    attach = {
        "load": (ec.AttachedTo(body, -0.5, 0.5, 0.2), ec.Collider(ec.Box(0.5, 0.5), density=3.0)),
        "feeler": (
            ec.AttachedTo(body, 1.3, 0.0),
            ec.Collider(ec.Circle(0.3), sensor=True, detect=True),
            ec.Transform(),
        ),
        "hook": (ec.AttachedTo(body, 1.0, 0.4, 0.7), ec.Collider(ec.Capsule((0, 0), (0, 0.5), 0.1), density=0.0)),
    }
    return body, {name: esper.create_entity(*parts) for name, parts in attach.items()}


@pytest.fixture
def cart_scene(world: ec.PhysicsWorld) -> tuple[int, dict[str, int]]:
    """A cart before a wall, and a ball that falls on it."""
    floor()
    static(ec.Box(0.5, 4.0), (4.0, 2.0))
    dynamic(ec.Circle(0.3), (0.3, 4.0))
    made = cart()
    run(20)
    return made


def test_a_body_with_attached_colliders_moves_on_as_before(
    cart_scene: tuple[int, dict[str, int]], world: ec.PhysicsWorld
) -> None:
    snapshot = world.snapshot()
    data, first = bytes(snapshot), play_frames()
    names = {event[0] for event in first if isinstance(event, tuple)}
    assert {"sensor_enter", "collision_start"} <= names, "the feeler meets the wall, and the ball the load"
    world.restore(snapshot)
    assert play_frames() == first
    assert play_in_a_new_world(data) == first


def test_changes_of_attached_colliders_are_undone(
    cart_scene: tuple[int, dict[str, int]], world: ec.PhysicsWorld
) -> None:
    body, parts = cart_scene
    other = dynamic(ec.Box(1.0, 1.0), (-5.0, 0.5))
    run()
    mass, inertia = world.mass_of(body), world.inertia_of(body)
    feeler = transform(parts["feeler"])
    pose, snapshot = feeler.pose, world.snapshot()
    first = play_frames()
    world.restore(snapshot)
    assert (world.mass_of(body), world.inertia_of(body), feeler.pose) == (mass, inertia, pose)

    attached = {name: esper.component_for_entity(part, ec.AttachedTo) for name, part in parts.items()}

    def let_go() -> None:
        esper.remove_component(parts["load"], ec.AttachedTo)
        esper.add_component(parts["load"], ec.Transform(-3.0, 4.0))

    changes: dict[str, Callable[[], object]] = {
        "the load changes its body": lambda: setattr(attached["load"], "body", other),
        "the feeler is moved": lambda: setattr(attached["feeler"], "x", -2.0),
        "the hook is deleted": lambda: esper.delete_entity(parts["hook"], immediate=True),
        "the load is let go": let_go,
        "the body gets another part": lambda: esper.create_entity(
            ec.AttachedTo(body, 0.0, 1.0), ec.Collider(ec.Circle(0.4))
        ),
        "the body is deleted": lambda: esper.delete_entity(body, immediate=True),
    }
    for change in changes.values():
        change()
        run(4)
        world.restore(snapshot)
        assert (world.mass_of(body), world.inertia_of(body), feeler.pose) == (mass, inertia, pose)
        assert esper.component_for_entity(parts["load"], ec.AttachedTo).body == body
        assert play_frames() == first
        world.restore(snapshot)
    for change in list(changes.values())[:3]:
        change()
    run(10)
    world.restore(snapshot)
    assert play_frames() == first


def test_a_joint_on_a_body_with_attached_colliders(
    cart_scene: tuple[int, dict[str, int]], world: ec.PhysicsWorld
) -> None:
    body, parts = cart_scene
    trailer = dynamic(ec.Box(1.0, 0.4), (transform(body).x - 2.0, 0.5))
    esper.create_entity(ec.RevoluteJoint(body, trailer))
    run(10)
    snapshot = world.snapshot()
    data, first = bytes(snapshot), play_frames()
    esper.delete_entity(parts["load"], immediate=True)  # moves the centre of mass, and so the anchor from it
    run(10)
    world.restore(snapshot)
    assert play_frames() == first
    assert play_in_a_new_world(data) == first


def test_trees_that_slept_and_woke_since_are_laid_out_as_at_the_time_of_the_snapshot(fresh_world: str) -> None:
    """The blocks of the joint solver are no part of a snapshot: they follow from the trees that are awake."""
    physics = ec.install(gravity=GRAVITY)
    floor()
    resting, shelf = dynamic(ec.Box(1.0, 1.0), (0.0, 0.5)), dynamic(ec.Box(0.4, 0.2), (0.8, 0.8))
    esper.create_entity(ec.WeldJoint(resting, shelf))
    swinging = dynamic(ec.Circle(0.3), (7.0, 6.0))
    esper.create_entity(ec.RevoluteJoint(swinging, point=(5.0, 6.0)))
    run(20)
    both = physics.snapshot()
    run(40)
    from_both = physics.state_hash()
    run(100)
    assert not physics.is_awake(resting)
    one = physics.snapshot()
    run(20)
    from_one = physics.state_hash()
    for _ in range(2):
        physics.restore(both)
        run(40)
        assert physics.state_hash() == from_both
        physics.restore(one)
        run(20)
        assert physics.state_hash() == from_one
