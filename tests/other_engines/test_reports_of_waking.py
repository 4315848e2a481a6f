"""Reports of users of other engines about sleep, and about bodies that a game changes while they rest."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import collider, dynamic, floor, kinematic, run, set_collider, static, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

TOP = 3.5


def attached_shelf() -> int:
    body = static(ec.Box(1, 1), (-8, 3))
    return esper.create_entity(ec.AttachedTo(body, 8, 0), ec.Collider(ec.Box(2, 1)))


SUPPORTS: dict[str, Callable[[], int]] = {
    "static": lambda: static(ec.Box(2, 1), (0, 3)),
    "kinematic": lambda: kinematic(ec.Box(2, 1), (0, 3)),
    "dynamic": lambda: dynamic(ec.Box(2, TOP), (0, TOP / 2)),
    "bitmap": lambda: static(ec.Bitmap([[1, 1], [1, 1]], 0.5), (-0.5, 2.5)),
    "attached": attached_shelf,
}


def remove_collider(support: int, body: int) -> None:
    esper.remove_component(support, ec.Collider)
    if esper.has_component(support, ec.AttachedTo):
        esper.remove_component(support, ec.AttachedTo)


def put_elsewhere(support: int, body: int) -> None:
    attached = esper.try_component(support, ec.AttachedTo)
    if attached:
        transform(attached.body).x += 50
    else:
        transform(support).x += 50


def share_a_group(support: int, body: int) -> None:
    collider(support).group = collider(body).group = -3


def part_the_layers(support: int, body: int) -> None:
    collider(support).layer, collider(body).mask = 4, 1


WAYS: dict[str, Callable[[int, int], object]] = {
    "deleted": lambda support, body: esper.delete_entity(support),
    "deleted_at_once": lambda support, body: esper.delete_entity(support, immediate=True),
    "without_collider": remove_collider,
    "disabled": lambda support, body: set_collider("enabled", False)(support),
    "sensor": lambda support, body: set_collider("sensor", True)(support),
    "smaller": lambda support, body: set_collider("shape", ec.Box(0.1, 0.1))(support),
    "elsewhere": put_elsewhere,
    "layers": part_the_layers,
    "group": share_a_group,
    "ignored": lambda support, body: esper.add_component(body, ec.IgnoredEntities([support])),
    "ignore": lambda support, body: ec.physics().ignore(support, body),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("support", SUPPORTS)
def test_a_sleeping_body_falls_when_its_support_is_gone_in_any_way(support: str, way: str) -> None:
    """Chipmunk2D #18, Avian #654, Jolt #267 and Godot #64890: nobody has to wake the body."""
    physics = ec.install(gravity=(0, -10))
    floor()
    shelf = SUPPORTS[support]()
    body = dynamic(ec.Box(1, 1), (0, TOP + 0.5))
    run(90)
    assert not physics.is_awake(body)
    WAYS[way](shelf, body)
    run(20)
    assert transform(body).y < TOP + 0.1


@pytest.mark.parametrize("asleep", [False, True], ids=["awake", "asleep"])
def test_a_push_in_a_pause_acts_after_it(asleep: bool) -> None:
    """Avian #901: the countdown ends, and the force that starts the game moves the body."""
    physics = ec.install()
    pushes: list[Callable[[int], object]] = [
        lambda body: physics.apply_impulse(body, (1, 0)),
        lambda body: physics.apply_force(body, (60, 0)),
        lambda body: physics.apply_acceleration(body, (60, 0)),
        lambda body: setattr(velocity(body), "x", 1.0),
    ]
    bodies = [dynamic(ec.Box(1, 1), (0, 5.0 * k)) for k in range(len(pushes))]
    run(60 if asleep else 1)
    assert [physics.is_awake(body) for body in bodies] == [not asleep] * len(bodies)
    physics.time_scale = 0
    run(10)
    for push, body in zip(pushes, bodies, strict=True):
        push(body)
    run(10)
    assert [transform(body).x for body in bodies] == [0.0] * len(bodies)
    physics.time_scale = 1
    run(2)
    assert [velocity(body).x for body in bodies] == pytest.approx([1.0] * len(bodies), rel=1e-12)


@pytest.mark.parametrize("waits", [0, 3], ids=["at_once", "after_some_steps"])
@pytest.mark.parametrize("kind", [ec.BodyKind.KINEMATIC, ec.BodyKind.STATIC])
def test_a_body_that_was_not_dynamic_for_a_while_falls_and_weighs_as_before(kind: ec.BodyKind, waits: int) -> None:
    """Rapier #616, rapier.js #267, Rapier #439 and Godot #8909: gravity, pushes and contacts act again."""
    physics = ec.install(gravity=(0, -10))
    floor()
    body = dynamic(ec.Box(1, 1), (0, 5), (0, 0), rigid_body := ec.RigidBody())
    run(3)
    mass, inertia = physics.mass_of(body), physics.inertia_of(body)
    rigid_body.kind = kind
    velocity(body).linear = (0, 0)
    run(waits)
    height = transform(body).y
    run(30)
    assert transform(body).y == height
    rigid_body.kind = ec.BodyKind.DYNAMIC
    physics.apply_impulse(body, (mass, 0))
    run()
    assert (physics.mass_of(body), physics.inertia_of(body)) == (mass, inertia)
    assert velocity(body).linear == pytest.approx((1, -10 / 60))
    run(120)
    assert transform(body).y == pytest.approx(0.5, abs=0.01)
