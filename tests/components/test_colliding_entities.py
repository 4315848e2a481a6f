"""`CollidingEntities`: the entities that touch an entity now."""

from __future__ import annotations

from typing import Any

import esper
import pytest

import ecs_collide as ec
from ecs_collide.common.settings import ResponseName
from tests.support.worlds import disk, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


class Touched(ec.CollidingEntities):
    """A game's own."""


def colliding_entities_of(entity: int, kind: type[ec.CollidingEntities] = ec.CollidingEntities) -> tuple[int, ...]:
    return esper.component_for_entity(entity, kind).entities


@pytest.mark.parametrize("response", ["impulse", "exact"])
def test_it_holds_what_touches_now(response: ResponseName) -> None:
    physics = ec.install(gravity=(0, -10), response=response)
    floor = esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane()))
    zone = esper.create_entity(ec.Transform(), ec.Collider(ec.Box(2, 2), sensor=True), Touched())
    ball, far = disk(0.0, 0.5), disk(9.0, 9.0)
    for entity in (floor, ball, far):
        esper.add_component(entity, ec.CollidingEntities())
    assert colliding_entities_of(ball) == ()
    run(5)
    assert colliding_entities_of(ball) == (floor, zone)
    assert colliding_entities_of(floor) == (ball,)
    assert colliding_entities_of(zone, Touched) == (ball,)
    assert colliding_entities_of(far) == ()
    assert colliding_entities_of(ball) == tuple(physics.colliding(ball))
    transform(ball).x = 5.0
    run()
    assert colliding_entities_of(zone, Touched) == ()
    esper.delete_entity(ball)
    run()
    assert colliding_entities_of(floor) == ()


def test_sleeping_bodies_keep_touching() -> None:
    physics = ec.install(gravity=(0, -10))
    floor = esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane()), ec.CollidingEntities())
    box = esper.create_entity(ec.Transform(0, 0.5), ec.Velocity(), ec.Collider(ec.Box(1, 1)))
    run(120)
    assert not physics.is_awake(box)
    assert colliding_entities_of(floor) == (box,)


def test_it_is_filled_before_the_events_are_sent_and_empty_without_physics() -> None:
    ec.install()
    a, b = disk(0.0), disk(0.9)
    esper.add_component(a, ec.CollidingEntities())
    seen: list[Any] = []
    ec.on("collision_start", lambda contact: seen.append(colliding_entities_of(a)))
    run()
    assert seen == [(b,)]
    ec.uninstall()
    assert colliding_entities_of(a) == ()


def test_a_handler_may_delete_touching_entities_and_empty_the_world() -> None:
    ec.install()
    a, b, c = disk(0.0), disk(0.9), disk(-0.9)
    esper.add_component(a, ec.CollidingEntities())

    def delete(contact: ec.Contact) -> None:
        if esper.entity_exists(b):
            esper.delete_entity(b, immediate=True)

    ec.on("collision_start", delete)
    run(2)
    assert colliding_entities_of(a) == (c,)
    velocity(c).x = -60.0
    esper.clear_database()
    newcomer = esper.create_entity(ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(1)), ec.CollidingEntities())
    run(2)
    assert colliding_entities_of(newcomer) == ()
