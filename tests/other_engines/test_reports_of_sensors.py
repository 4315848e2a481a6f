"""Reports of users of other engines about sensors: bullets that cross them, bodies that sleep in them, and switches."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import collider, dynamic, floor, game, kinematic, run, static, transform, velocity

DOT = ec.Circle(0.1)
KINDS: dict[str, dict[str, Any]] = {
    "static": {"kind": ec.BodyKind.STATIC},
    "kinematic": {"kind": ec.BodyKind.KINEMATIC},
    "dynamic": {},
    "bullet": {"bullet": True},
}

Events = list[tuple[Any, ...]]


def body(kind: str, x: float, speed: float, is_sensor: bool, is_attached: bool) -> int:
    """Create a body with a dot on the x axis, and return the entity of the dot."""
    rigid_body, movement = ec.RigidBody(**KINDS[kind]), ec.Velocity(speed, 0)
    dot = ec.Collider(DOT, sensor=is_sensor)
    if not is_attached:
        return esper.create_entity(ec.Transform(x, 0), movement, dot, rigid_body)
    owner = esper.create_entity(ec.Transform(x, 50), movement, ec.Collider(DOT), rigid_body)
    return esper.create_entity(ec.AttachedTo(owner, 0, -50), dot)


@pytest.mark.parametrize("is_attached", [False, True], ids=["own_collider", "attached"])
@pytest.mark.parametrize("mover_is_sensor", [False, True], ids=["into_a_sensor", "sensor"])
@pytest.mark.parametrize(
    ("mover", "target"),
    [
        ("dynamic", "static"),
        ("dynamic", "kinematic"),
        ("dynamic", "bullet"),
        ("bullet", "dynamic"),
        ("bullet", "bullet"),
    ],
)
def test_a_fast_body_crosses_a_sensor_within_a_step(
    mover: str, target: str, mover_is_sensor: bool, is_attached: bool, events: Events
) -> None:
    """Box2D #457 and Jolt #2035: a shot crosses the sensor of a body that can move, or is a sensor itself."""
    ec.install()
    visitor = body(mover, 0, 900, mover_is_sensor, is_attached and mover_is_sensor)
    there = body(target, 7.3, 0, not mover_is_sensor, is_attached and not mover_is_sensor)
    run(3)
    pair = (visitor, there) if mover_is_sensor else (there, visitor)
    assert events == [("sensor_enter", *pair), ("sensor_exit", *pair)]


def test_a_bullet_that_a_wall_stops_does_not_cross_the_sensor_behind(events: Events) -> None:
    """Box2D #945: the path of a fast body ends where it is stopped."""
    ec.install()
    wall = static(ec.Box(0.2, 4), (5, 0))
    before, behind = dynamic(DOT, (3, 0), sensor=True), dynamic(DOT, (7, 0), sensor=True)
    shot = dynamic(DOT, (0, 0), (900, 0), ec.RigidBody(bullet=True))
    run(3)
    assert events == [
        ("sensor_enter", before, shot),
        ("sensor_exit", before, shot),
        ("collision_start", wall, shot),
    ]
    assert not ec.physics().colliding(behind)


def test_a_bullet_crosses_a_sensor_that_was_stopped_in_the_same_step(events: Events) -> None:
    """A sensor on a ball that a wall stops at once stands there when the bullet comes by, half a step later."""
    ec.install()
    wall = static(ec.Box(2, 0.2), (8, 1.2))
    ball = dynamic(DOT, (8, -6), (0, 900))
    eye = esper.create_entity(ec.AttachedTo(ball, 0, -1), ec.Collider(ec.Circle(0.2), sensor=True))
    shot = dynamic(DOT, (0, 0), (900, 0), ec.RigidBody(bullet=True))
    run(3)
    assert {event for event in events if eye in event} == {("sensor_enter", eye, shot), ("sensor_exit", eye, shot)}
    assert ("collision_start", wall, ball) in events


def test_bullets_cross_moving_sensors_as_their_paths_say() -> None:
    """Disks that move evenly meet where the distance of their centres is that of a line from a point."""
    rng = np.random.default_rng(457)
    found = {True: 0, False: 0}
    for _ in range(300):
        starts, ends = rng.uniform(-4, 4, (2, 2)), rng.uniform(-4, 4, (2, 2))
        radii = rng.uniform(0.1, 0.6, 2)
        start, way = starts[1] - starts[0], (ends - starts)[1] - (ends - starts)[0]
        nearest = float(np.clip(-(start @ way) / (way @ way), 0, 1))
        distances = [math.hypot(*(start + t * way)) - radii.sum() for t in (0.0, nearest, 1.0)]
        is_fast = math.hypot(*(ends - starts)[0]) > radii[0]
        if min(abs(distance) for distance in distances) < 0.01 or min(distances[0], distances[2]) < 0 or not is_fast:
            continue
        with game() as play:
            velocities = (ends - starts) * 60.0
            shot = dynamic(ec.Circle(radii[0]), tuple(starts[0]), tuple(velocities[0]), ec.RigidBody(bullet=True))
            sensor = dynamic(ec.Circle(radii[1]), tuple(starts[1]), tuple(velocities[1]), sensor=True)
            play.step()
            crosses = distances[1] < 0
            expected = [("sensor_enter", sensor, shot), ("sensor_exit", sensor, shot)] if crosses else []
            assert play.named_pairs() == expected
            found[crosses] += 1
    assert min(found.values()) > 20


def send_a_sensor(way: str, x: float, speed: float, shape: ec.Shape) -> tuple[int, int]:
    """Create a sensor that moves in some way; return its entity and the one that the game moves, if it does."""
    if "attached" not in way:
        create = {"static": static, "kinematic": kinematic, "dynamic": dynamic}[way.split()[0]]
        velocities = () if way.startswith("static") else ((speed if way.endswith("velocity") else 0.0, 0),)
        sensor = create(shape, (x, 0), *velocities, sensor=True)
        return sensor, sensor
    owner = kinematic(DOT, (x, 9), (speed, 0)) if "kinematic" in way else static(DOT, (x, 9))
    return esper.create_entity(ec.AttachedTo(owner, 0, -9), ec.Collider(shape, sensor=True)), owner


@pytest.mark.parametrize(
    "way",
    [
        *("static transform", "kinematic transform", "dynamic transform", "kinematic move_to"),
        *("kinematic velocity", "dynamic velocity", "attached to kinematic", "attached to static, transform"),
    ],
)
def test_a_sensor_passes_over_sleeping_bodies_and_lets_them_sleep(way: str, events: Events) -> None:
    """box2d.ts #47 and Box2D #357: the screen of a player, moved in every frame, reports each coin once."""
    physics = ec.install()
    coins = [dynamic(ec.Circle(0.3), (3.0 * k, 0)) for k in range(1, 4)]
    for coin in coins:
        physics.sleep(coin)
    run(2)
    sensor, moved = send_a_sensor(way, -1.0, 6.0, ec.Box(1, 1))
    for frame in range(1, 131):
        x = -1.0 + frame / 10
        if way.endswith("transform"):
            transform(moved).x = x
        elif way.endswith("move_to"):
            physics.move_to(moved, (x, 0))
        run()
    assert events == [(name, sensor, coin) for coin in coins for name in ("sensor_enter", "sensor_exit")]
    assert not any(map(physics.is_awake, coins))


@pytest.mark.parametrize("is_sensor_switched", [True, False], ids=["sensor", "visitor"])
@pytest.mark.parametrize("detects", [True, False], ids=["detect", "sensor"])
def test_a_collider_that_is_switched_off_and_on_leaves_and_enters(
    detects: bool, is_sensor_switched: bool, events: Events
) -> None:
    """Godot #79464, #100346 and #25331: each change sends its own event and no other, whichever side changes."""
    ec.install()
    sensor = static(ec.Box(2, 2), sensor=True, detect=detects)
    visitor = kinematic(ec.Circle(0.3))
    run(2)
    assert events == [("sensor_enter", sensor, visitor)]
    switched = collider(sensor if is_sensor_switched else visitor)
    for _ in range(2):
        for is_enabled, name in ((False, "sensor_exit"), (True, "sensor_enter")):
            events.clear()
            switched.enabled = is_enabled
            run(2)
            assert events == [(name, sensor, visitor)]
    events.clear()
    switched.enabled = False
    switched.enabled = True
    run(2)
    assert events == []


def test_a_body_that_sleeps_in_a_sensor_stays_there_while_others_collide(events: Events) -> None:
    """Jolt #130 and #277: neither sleep, nor contacts elsewhere, nor waking end the overlap."""
    physics = ec.install(gravity=(0, -10))
    floor()
    sensor, body = static(ec.Box(4, 4), sensor=True), dynamic(ec.Box(1, 1), (0, 0.6))
    run(120)
    assert not physics.is_awake(body)
    for k in range(10):
        dynamic(ec.Circle(0.5), (10 + 0.3 * k, 2 + k))
    run(30)
    physics.wake(body)
    run(30)
    assert [event for event in events if sensor in event] == [("sensor_enter", sensor, body)]
    velocity(body).x = 20
    run(60)
    assert [event for event in events if sensor in event][1:] == [("sensor_exit", sensor, body)]
