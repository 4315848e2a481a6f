"""Queries and characters of a world while another esper world is the current one."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pytest

import ecs_collide as ec

DT = 1 / 60
MAN = 1

ANSWERS: dict[str, Callable[[ec.PhysicsWorld], object]] = {
    "ray": lambda physics: physics.ray_cast((-7.0, 0.0), (10.0, 0.0)),
    "all rays": lambda physics: physics.ray_cast_all((-7.0, 0.0), (10.0, 0.0)),
    "shape cast": lambda physics: physics.shape_cast(ec.Circle(0.5), (-7.0, 0.0, 0.0), (10.0, 0.0, 0.0)),
    "point": lambda physics: physics.point_query((-4.0, 0.0)),
    "box": lambda physics: physics.aabb_query((-4.5, -0.5, 4.5, 0.5)),
    "shape": lambda physics: physics.shape_query(ec.Circle(3.9), ec.Transform()),
    "nearest": lambda physics: physics.nearest((-7.0, 0.0), 9),
    "room": lambda physics: physics.fits(MAN, ec.Box(1.0, 1.0), position=(-4.0, 0.0)),
    "character": lambda physics: physics.move_and_slide(MAN, (10.0, 0.0), 1.0, up=None),
    "characters": lambda physics: physics.move_and_slide_all([MAN], [(10.0, 0.0)], 1.0, up=None).position.tolist(),
    "ground": lambda physics: physics.ground_of(MAN),
    "masses": lambda physics: physics.momentum(),
}


def changed_world(name: str) -> ec.PhysicsWorld:
    """Return the physics of a world in which something was created and deleted since its last step."""
    esper.switch_world(name)
    physics = ec.install()
    man = esper.create_entity(
        ec.Transform(-9.0, 0.0), ec.Velocity(), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Box(1.0, 1.0))
    )
    assert man == MAN
    esper.create_entity(ec.Transform(3.0, 0.0), ec.Collider(ec.Box(2.0, 2.0)))
    old = esper.create_entity(ec.Transform(-6.0, 0.0), ec.Collider(ec.Box(1.0, 1.0)))
    esper.process(DT)
    esper.create_entity(ec.Transform(-4.0, 0.0), ec.Velocity(), ec.Collider(ec.Box(2.0, 2.0)))
    esper.delete_entity(old)
    return physics


@pytest.mark.parametrize("name", ANSWERS)
def test_a_world_that_is_not_current_gives_the_answers_that_it_gives_as_the_current_one(
    name: str, fresh_world: str
) -> None:
    answer = ANSWERS[name]
    expected = answer(changed_world(f"{fresh_world}, current"))
    physics = changed_world(f"{fresh_world}, asked from elsewhere")
    esper.switch_world(fresh_world)
    assert repr(answer(physics)) == repr(expected)
    assert esper.current_world == fresh_world
    esper.switch_world(f"{fresh_world}, asked from elsewhere")
    esper.process(DT)  # all of it is still accepted


def test_an_entity_that_is_new_in_a_world_that_is_not_current_has_a_body(fresh_world: str) -> None:
    physics = changed_world(f"{fresh_world}, other")
    new = esper.create_entity(ec.Transform(50.0, 0.0), ec.Velocity(), ec.Collider(ec.Circle(1.0)))
    esper.switch_world(fresh_world)
    physics.apply_impulse(new, (1.0, 0.0))
    assert physics.entities.tolist()[-1] == new
    esper.switch_world(f"{fresh_world}, other")
    assert esper.component_for_entity(new, ec.Velocity).x > 0.0


def test_an_invalid_change_in_a_world_that_is_not_current_is_refused_and_leaves_the_current_one(
    fresh_world: str,
) -> None:
    physics = changed_world(f"{fresh_world}, other")
    esper.create_entity(ec.Velocity(), ec.Collider(ec.Circle(1.0)))
    esper.switch_world(fresh_world)
    with pytest.raises(ec.PhysicsError, match="Transform"):
        physics.ray_cast((-7.0, 0.0), (10.0, 0.0))
    assert esper.current_world == fresh_world


def test_a_deleted_world_is_not_made_anew_by_a_query(fresh_world: str) -> None:
    physics = changed_world(f"{fresh_world}, deleted")
    esper.switch_world(fresh_world)
    esper.delete_world(f"{fresh_world}, deleted")
    hit = physics.ray_cast((-2.0, 0.0), (10.0, 0.0))
    assert hit is not None and hit.entity == 2
    assert f"{fresh_world}, deleted" not in esper.list_worlds()
