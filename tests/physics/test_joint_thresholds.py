"""A joint that bears more than a threshold sends an event in each such step, and goes on."""

from typing import Any

import esper
import pytest

import ecs_collide as ec

pytestmark = pytest.mark.usefixtures("fresh_world")


def hang_box(**numbers: Any) -> tuple[int, ec.WeldJoint, list[tuple[int, float, float]]]:
    """Hang a box of 2 kg from the world by its left end; return the joint and the events to come."""
    received: list[tuple[int, float, float]] = []
    ec.on("joint_overload", lambda joint, force, torque: received.append((joint, force, torque)))
    ec.install(gravity=(0.0, -10.0), sleeping=False)
    box = esper.create_entity(ec.Transform(0.5, 0), ec.Velocity(), ec.Collider(ec.Box(1, 0.1)), ec.RigidBody(mass=2))
    joint = ec.WeldJoint(box, point=(0, 0), **numbers)
    return esper.create_entity(joint), joint, received


@pytest.mark.parametrize("numbers", [{"force_threshold": 19.0}, {"torque_threshold": 9.0}])
def test_each_step_above_a_threshold_sends_force_and_torque(numbers: dict[str, float]) -> None:
    entity, joint, received = hang_box(**numbers)
    for step in range(5):
        esper.process(1 / 60)
        assert received[step] == (entity, joint.force, joint.torque)
    assert len(received) == 5
    assert joint.force == pytest.approx(20.0, rel=1e-3)
    assert not joint.broken


@pytest.mark.parametrize("numbers", [{}, {"force_threshold": 21.0}, {"torque_threshold": 11.0}])
def test_a_load_below_the_threshold_sends_nothing(numbers: dict[str, float]) -> None:
    *_, received = hang_box(**numbers)
    for _ in range(5):
        esper.process(1 / 60)
    assert received == []


def test_a_threshold_that_is_written_holds_from_the_next_step_on() -> None:
    entity, joint, received = hang_box()
    esper.process(1 / 60)
    joint.force_threshold = 5.0
    esper.process(1 / 60)
    assert [one[0] for one in received] == [entity]


def test_a_joint_that_breaks_sends_no_overload() -> None:
    _, joint, received = hang_box(force_threshold=5.0, break_force=10.0)
    esper.process(1 / 60)
    assert joint.broken
    assert received == []
