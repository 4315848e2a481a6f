"""A change of bodies calls the parts that depend on them in a fixed order, and a refused one only those that check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.step.sync.body_dependents import BodyDependents

MOMENTS = tuple(name for name in vars(BodyDependents) if not name.startswith("_") and name != "add_characters")


class CallRecorder(BodyDependents):
    """Records which moments pass before it passes them on."""

    def __init__(self, real: BodyDependents) -> None:
        self.calls: list[str] = []
        for name in MOMENTS:
            setattr(self, name, self._recording(name, getattr(real, name)))

    def _recording(self, name: str, pass_on: Any) -> Any:
        def call(*arguments: Any) -> None:
            self.calls.append(name)
            pass_on(*arguments)

        return call

    def pop(self) -> list[str]:
        calls, self.calls = self.calls, []
        return calls


@pytest.fixture
def moment_recorder(fresh_world: None) -> Iterator[CallRecorder]:
    members = ec.install().pipeline.body_sync
    real, recording = members.dependents, CallRecorder(members.dependents)
    members.dependents = recording
    yield recording
    members.dependents = real


PLANNED = ["check_bodies", "warn_of_new_bodies"]


def test_moments_of_a_step_come_in_the_documented_order(moment_recorder: CallRecorder) -> None:
    disk = ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(1.0))
    entity = esper.create_entity(*disk)
    esper.process(0.01)
    assert moment_recorder.pop() == [*PLANNED, "check_step", "record_changing", "read_candidates"]
    esper.process(0.01)
    assert moment_recorder.pop() == []
    esper.add_component(entity, ec.Collider(ec.Circle(2.0)))
    esper.process(0.01)
    assert moment_recorder.pop() == [*PLANNED, "check_step", "wake", "record_changing", "read_candidates"]
    esper.delete_entity(entity)
    esper.process(0.01)
    assert moment_recorder.pop() == list(MOMENTS)


def test_query_asks_for_no_step(moment_recorder: CallRecorder) -> None:
    esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(1.0)))
    assert ec.physics().point_query((0.0, 0.0))
    assert moment_recorder.pop() == [*PLANNED, "record_changing", "read_candidates"]


def test_component_that_was_put_back_is_read_without_a_change(moment_recorder: CallRecorder) -> None:
    place = ec.Transform()
    entity = esper.create_entity(place, ec.Collider(ec.Circle(1.0)))
    esper.process(0.01)
    moment_recorder.pop()
    esper.remove_component(entity, ec.Transform)
    esper.add_component(entity, place)
    esper.process(0.01)
    assert moment_recorder.pop() == ["read_candidates", "check_step"]


def test_refused_change_goes_no_further_than_its_checks(moment_recorder: CallRecorder) -> None:
    esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.HalfPlane((0.0, 1.0))))
    with pytest.raises(ec.PhysicsError):
        esper.process(0.01)
    assert set(moment_recorder.pop()) <= {"check_bodies"}


def test_parts_that_are_gone_are_called_no_more(moment_recorder: CallRecorder) -> None:
    entity = esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(1.0)))
    esper.process(0.01)
    members = ec.physics().pipeline.body_sync
    ec.uninstall()
    assert type(members.dependents) is BodyDependents
    assert esper.entity_exists(entity)
