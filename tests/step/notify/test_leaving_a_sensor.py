"""Bodies that leave a sensor, or a collider that detects, get an end event, however little they move or turn.

The manifold of such an overlap is never reused.
"""

from __future__ import annotations

from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.events import EventLog
from tests.support.worlds import game, static, transform

BOX = ec.Box(1.0, 1.5)
CAPSULE = ec.Capsule((0.0, -0.5), (0.0, 0.5), 0.3)

LEAVING = {
    "a box that is turned": (BOX, 1.4, (-0.5, -1.4)),
    "a capsule that is turned": (CAPSULE, 0.8, (0.85, 0.95)),
    "a box that is not": (BOX, 0.0, (1.02, 0.0)),
}


@pytest.mark.parametrize("frames", [1, 15, 60])
@pytest.mark.parametrize("kind", [ec.BodyKind.KINEMATIC, ec.BodyKind.DYNAMIC])
@pytest.mark.parametrize("zone", [{"sensor": True}, {"sensor_mask": 1}, {"detect": True}])
@pytest.mark.parametrize("way", LEAVING)
def test_a_body_that_leaves_while_the_boxes_overlap(
    way: str, zone: dict[str, Any], kind: ec.BodyKind, frames: int
) -> None:
    shape, angle, (x, y) = LEAVING[way]
    with game(gravity=(0.0, 0.0)) as play:
        sensor = static(BOX, **zone)
        other = esper.create_entity(
            ec.Transform(0.0, 0.0, angle), ec.RigidBody(kind), ec.Collider(shape, sensor="detect" in zone)
        )
        log = EventLog("sensor_enter", "sensor_exit")
        play.step(3)
        for k in range(1, frames + 1):
            transform(other).position = (x * k / frames, y * k / frames)
            play.step()
        play.step(2)
        assert ec.distance(BOX, (0.0, 0.0, 0.0), shape, (x, y, angle)) > 0.0
        names = [name for name, _ in log.calls]
        assert names.count("sensor_enter") == names.count("sensor_exit") > 0
        assert play.physics.colliding(sensor) == []


@pytest.mark.parametrize("shape", [ec.Box(1.0, 1.0), ec.Circle(0.5), ec.Bitmap(["11", "11"], 0.5), CAPSULE])
@pytest.mark.parametrize("zone", [{}, {"sensor": True}])
def test_static_bodies_that_a_game_moves_are_detected_where_nothing_else_moves(
    shape: ec.Shape, zone: dict[str, Any]
) -> None:
    with game() as play:
        hero = static(shape, (-3.0, 0.0), detect=True)
        gem = static(shape, **zone)
        log = EventLog("sensor_enter", "sensor_exit")
        for k in range(120):
            transform(hero).x = -3.0 + 0.05 * k
            play.step()
        assert (log.calls[0], log.calls[-1]) == (("sensor_enter", log.calls[0][1]), ("sensor_exit", log.calls[0][1]))
        assert {hero, gem} == set(log.calls[0][1])
