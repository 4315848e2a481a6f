"""A step without length solves nothing, so it reports no load again."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec
from tests.support.events import EventLog
from tests.support.worlds import run

pytestmark = pytest.mark.usefixtures("fresh_world")


def test_a_pause_does_not_repeat_an_overload() -> None:
    ec.install(gravity=(0, -10))
    ball = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
    joint = esper.create_entity(ec.RevoluteJoint(ball, force_threshold=1.0))
    log = EventLog("joint_overload")
    run(3)
    assert [arguments[0] for _, arguments in log.calls] == [joint] * 3
    esper.process(0.0)
    assert len(log.calls) == 3
    run()
    assert len(log.calls) == 4
