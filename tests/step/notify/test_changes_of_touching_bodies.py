"""Which changes of two that touch end their contact and begin it anew, and which it outlives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import collider, run, set_collider

pytestmark = pytest.mark.usefixtures("fresh_world")


def set_rigid_body(name: str, value: Any) -> Callable[[int], object]:
    return lambda entity: setattr(esper.component_for_entity(entity, ec.RigidBody), name, value)


def add_made(make: Callable[[], Any]) -> Callable[[int], object]:
    return lambda entity: esper.add_component(entity, make())


ANEW: dict[str, Callable[[int], object]] = {
    "another shape": set_collider("shape", ec.Box(1.0, 1.2)),
    "mask": set_collider("mask", ~64),
    "layer": set_collider("layer", 3),
    "group": set_collider("group", -5),
    "detect": set_collider("detect", True),
    "sensor_mask": set_collider("sensor_mask", 64),
    "another Collider": add_made(lambda: ec.Collider(ec.Box(1.0, 1.0))),
    "another Transform": add_made(lambda: ec.Transform(0.0, 0.5)),
}
ON: dict[str, Callable[[int], object]] = {
    "an equal shape": set_collider("shape", ec.Box(1.0, 1.0)),
    "density": set_collider("density", 3.0),
    "friction": set_collider("friction", 0.1),
    "restitution": set_collider("restitution", 0.5),
    "surface_speed": set_collider("surface_speed", 1.0),
    "rolling_resistance": set_collider("rolling_resistance", 0.1),
    "mass": set_rigid_body("mass", 4.0),
    "bullet": set_rigid_body("bullet", True),
    "another RigidBody": add_made(lambda: ec.RigidBody(mass=3.0)),
    "another Velocity": add_made(ec.Velocity),
    "a teleport": lambda entity: setattr(esper.component_for_entity(entity, ec.Transform), "x", 0.4),
}


@pytest.mark.parametrize("sensor", [False, True])
@pytest.mark.parametrize("change", ANEW | ON)
def test_two_bodies_that_keep_touching_get_end_and_start_after_some_changes(
    change: str, sensor: bool, events: list[tuple[Any, ...]]
) -> None:
    ec.install()
    ground = esper.create_entity(ec.Transform(0.0, -1.0), ec.Collider(ec.Box(100.0, 2.1), sensor=sensor))
    box = esper.create_entity(
        ec.Transform(0.0, 0.5), ec.Velocity(), ec.RigidBody(), ec.Collider(ec.Box(1.0, 1.0), restitution=0.0)
    )
    run(3)
    events.clear()
    (ANEW | ON)[change](box)
    run(2)
    names = ("sensor_exit", "sensor_enter") if sensor else ("collision_end", "collision_start")
    goes_on = change in ON or (sensor and change == "another shape")  # sensors may be resized in every frame
    assert [name for name, *_ in events[:2]] == ([] if goes_on else list(names))
    reports_the_sensor = sensor and change == "detect"  # a collider that detects reports the sensor, too
    assert events[2:] == ([("sensor_enter", box, ground)] if reports_the_sensor else [])


def test_a_contact_that_becomes_the_overlap_of_a_sensor_ends_as_a_contact(events: list[tuple[Any, ...]]) -> None:
    ec.install()
    ground = esper.create_entity(ec.Transform(0.0, -1.0), ec.Collider(ec.Box(100.0, 2.1)))
    box = esper.create_entity(ec.Transform(0.0, 0.5), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
    run()
    collider(box).sensor = True
    run()
    assert events == [("collision_start", ground, box), ("collision_end", ground, box), ("sensor_enter", box, ground)]
