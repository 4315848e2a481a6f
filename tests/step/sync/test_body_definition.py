"""Invalid bodies: each error names the entity, the component and the value, and nothing changes."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import collider, disk, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def created(*components: Any) -> Callable[[], int]:
    return lambda: esper.create_entity(*(copy.copy(component) for component in components))


def shared(component: Any, *others: Any) -> Callable[[], int]:
    def make() -> int:
        esper.create_entity(component, *map(copy.copy, others))
        return esper.create_entity(component, *map(copy.copy, others))

    return make


def aliased() -> int:
    entity = esper.create_entity(ec.Velocity())
    esper.add_component(entity, "here", ec.Transform)
    return entity


PLACE, SPEED, BALL = ec.Transform(3, 4), ec.Velocity(1, 2), ec.Collider(ec.Circle(0.25))

BAD: list[tuple[str, Callable[[], int], list[str]]] = [
    ("collider alone", created(BALL), ["has a Collider but no Transform"]),
    ("velocity alone", created(SPEED), ["has a Velocity but no Transform"]),
    ("rigid body alone", created(ec.RigidBody()), ["has a RigidBody but no Transform"]),
    ("force alone", created(ec.Force()), ["has a Force but no Transform"]),
    (
        "dynamic half-plane",
        created(PLACE, SPEED, ec.Collider(ec.HalfPlane())),
        ["is dynamic", "Collider.shape is unbounded", ": HalfPlane("],
    ),
    (
        "half-plane with dynamic body",
        created(PLACE, ec.RigidBody(), ec.Collider(ec.HalfPlane())),
        ["is dynamic", "Collider.shape is unbounded", ": HalfPlane("],
    ),
    (
        "zero density",
        created(PLACE, SPEED, ec.Collider(ec.Circle(1), density=0)),
        ["mass comes out as 0.0", "Collider.density 0.0"],
    ),
    ("no inertia", created(PLACE, SPEED, ec.Collider(ec.Circle(1e-90))), ["inertia comes out as 0.0"]),
    ("infinite inverse inertia", created(PLACE, SPEED, ec.Collider(ec.Circle(1e-80))), ["inertia comes out as 1.57"]),
    (
        "mass over no area",
        created(PLACE, SPEED, ec.RigidBody(mass=1), ec.Collider(ec.Circle(1e-170))),
        ["inertia comes out as 0.0"],
    ),
    (
        "a mass whose products are not finite",
        created(PLACE, SPEED, ec.Collider(ec.Circle(1e30), density=1e50)),
        ["mass comes out as", "Collider.density 1e+50", "up to 1e+100"],
    ),
    ("infinite inverse mass", created(PLACE, SPEED, ec.RigidBody(mass=1e-310)), ["mass comes out as 1e-310"]),
    (
        "no centre",
        created(PLACE, SPEED, ec.Collider(ec.Capsule((0, 0), (1e-170, 0), 1e-170))),
        ["Collider.shape has no finite centre of mass", ": Capsule("],
    ),
    (
        "no centre, static",
        created(PLACE, ec.Collider(ec.Capsule((0, 0), (1e-170, 0), 1e-170))),
        ["Collider.shape has no finite centre of mass", ": Capsule("],
    ),
    ("shared transform", shared(ec.Transform(3, 4), BALL), ["share one Transform", "Transform(x=3.0", "copy"]),
    ("shared velocity", shared(ec.Velocity(1, 2), PLACE), ["share one Velocity", "Velocity(x=1.0", "copy"]),
    ("shared collider", shared(ec.Collider(ec.Circle(0.25)), PLACE), ["share one Collider", "Collider(shape=", "copy"]),
    ("shared rigid body", shared(ec.RigidBody(), PLACE), ["share one RigidBody", "RigidBody(", "copy"]),
    ("shared force", shared(ec.Force(1), PLACE), ["share one Force", "Force(x=1.0", "copy"]),
    ("shared by bystanders", shared(ec.Transform(3, 4)), ["share one Transform", "copy"]),
    ("aliased", aliased, ["Transform", "'here'"]),
]


@pytest.mark.parametrize(("make", "words"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_entities_stop_the_step_before_it_changes_anything(make: Callable[[], int], words: list[str]) -> None:
    physics = ec.install(gravity=(0, -10))
    ball, doomed = disk(0, 10), disk(20, 10)
    run(3)
    state, steps = physics.state_hash(), physics.statistics.steps
    early, wall = disk(40, 10), disk(60, 0, moving=False)
    esper.delete_entity(doomed, immediate=True)
    collider(ball).density = 2.0
    bad = make()
    late = disk(80, 10)
    for _ in range(2):
        with pytest.raises(ec.PhysicsError) as caught:
            run()
        message = str(caught.value)
        assert f"entity {bad}" in message or f" and {bad} " in message
        for word in words:
            assert word in message
        assert physics.state_hash() == state
        assert physics.statistics.steps == steps
        assert physics.entities.tolist() == [ball, doomed]
        assert transform(early)._entity is None
        assert 1 / physics.pipeline.bodies.arrays.mass[0, 0] == pytest.approx(math.pi / 4)
    esper.delete_entity(bad)
    run()
    assert physics.statistics.steps == steps + 1
    for entity in (early, late):
        assert transform(entity).y < 10.0
    assert physics.row_of(wall) >= 0
    assert physics.mass_of(ball) == pytest.approx(math.pi / 2)
    with pytest.raises(ec.PhysicsError, match=f"entity {doomed} has no body"):
        physics.row_of(doomed)


@pytest.mark.parametrize("kind", [ec.Transform, ec.Velocity, ec.Collider, ec.RigidBody, ec.Force])
@pytest.mark.parametrize("newcomer_first", [False, True])
def test_a_component_given_to_a_second_entity_later(kind: type[Any], newcomer_first: bool) -> None:
    physics = ec.install()
    spare = esper.create_entity()
    owner = disk(1, 1)
    for component in (ec.RigidBody(), ec.Force()):
        esper.add_component(owner, component)
    run()
    state = physics.state_hash()
    taker = spare if newcomer_first else esper.create_entity()
    esper.add_component(taker, ec.Transform(9, 9))
    esper.add_component(taker, esper.component_for_entity(owner, kind))
    with pytest.raises(ec.PhysicsError, match=rf"entities {owner} and {taker} share one {kind.__name__}, "):
        run()
    assert physics.state_hash() == state
    esper.add_component(taker, copy.copy(esper.component_for_entity(owner, kind)))
    run()
    assert esper.component_for_entity(owner, kind)._entity == owner
    assert esper.component_for_entity(taker, kind)._entity == taker


@pytest.mark.parametrize("kind", [ec.Transform, ec.Velocity, ec.Collider])
def test_a_component_given_to_an_entity_of_another_world(fresh_world: str, kind: type[Any]) -> None:
    ec.install()
    first = disk(1, 1)
    run()
    component = esper.component_for_entity(first, kind)
    esper.switch_world("second")
    second_physics = ec.install()
    second = disk(5, 5)
    assert second == first, "esper counts anew in each world"
    esper.add_component(second, component)
    words = rf"entity {second}: its {kind.__name__} still belongs to entity {first} of .*: {kind.__name__}\("
    with pytest.raises(ec.PhysicsError, match=words):
        run()
    assert len(second_physics.entities) == 0
    esper.add_component(second, copy.copy(component))
    run()
    esper.switch_world(fresh_world)
    esper.remove_component(first, kind)
    if kind is ec.Transform:
        esper.delete_entity(first)
    run()
    esper.switch_world("second")
    esper.add_component(second, component)  # free now
    run()
    assert component._entity == second


def test_components_of_a_deleted_world_ask_to_be_copied(fresh_world: str) -> None:
    esper.switch_world("doomed")
    ec.install()
    entity = disk(1, 2)
    run()
    place = transform(entity)
    esper.switch_world(fresh_world)
    esper.delete_world("doomed")
    assert place.position == (1.0, 2.0)
    ec.install()
    new = esper.create_entity(place, ec.Velocity())
    with pytest.raises(ec.PhysicsError, match="another world"):
        run()
    esper.add_component(new, copy.copy(place))
    run()
    assert transform(new).position == (1.0, 2.0)


def test_a_transform_alone_takes_no_part() -> None:
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(1, 2))
    run()
    assert len(physics.entities) == 0
    with pytest.raises(ec.PhysicsError, match=f"entity {entity} has no body"):
        physics.row_of(entity)
    transform(entity).x = 5.0
    run()
    assert transform(entity).x == 5.0


def test_removing_the_transform_of_a_body_is_an_error_until_the_rest_goes_too() -> None:
    physics = ec.install()
    entity, other = disk(), disk(5)
    run()
    esper.remove_component(entity, ec.Transform)
    with pytest.raises(ec.PhysicsError, match=f"entity {entity} has a Velocity but no Transform"):
        run()
    esper.remove_component(entity, ec.Velocity)
    with pytest.raises(ec.PhysicsError, match=f"entity {entity} has a Collider but no Transform"):
        run()
    esper.remove_component(entity, ec.Collider)
    run()
    assert [e for e in physics.entities.tolist() if e] == [other]


def test_edits_of_adopted_components_are_checked_at_the_next_step() -> None:
    physics = ec.install()
    entity, wall = disk(), disk(9, moving=False)
    run()
    state = physics.state_hash()
    collider(entity).density = 0.0
    with pytest.raises(ec.PhysicsError, match=rf"entity {entity} is dynamic but its mass comes out as 0\.0"):
        run()
    collider(entity).density = 1.0
    collider(wall).shape = ec.HalfPlane()
    esper.add_component(wall, body := ec.RigidBody(ec.BodyKind.STATIC))
    assert physics.state_hash() == state
    run()
    state = physics.state_hash()
    body.kind = ec.BodyKind.DYNAMIC
    with pytest.raises(
        ec.PhysicsError, match=rf"entity {wall} is dynamic, but its Collider.shape is unbounded.*: HalfPlane\("
    ):
        run()
    assert physics.state_hash() == state
    body.kind = ec.BodyKind.KINEMATIC
    run()


@pytest.mark.parametrize("kind", [ec.BodyKind.STATIC, ec.BodyKind.KINEMATIC])
def test_bodies_that_nothing_pushes_need_no_mass(kind: ec.BodyKind) -> None:
    physics = ec.install()
    entity = disk(density=0.0)
    esper.add_component(entity, ec.RigidBody(kind))
    run()
    assert physics.mass_of(entity) == math.inf


def test_a_component_with_a_number_gone_bad_is_not_adopted() -> None:
    physics = ec.install()
    entity = disk()
    run()
    physics.positions[physics.row_of(entity)] = math.nan
    place = esper.remove_component(entity, ec.Transform)
    esper.delete_entity(entity)
    run()
    assert math.isnan(place.x)
    again = esper.create_entity(place, ec.Velocity())
    words = rf"entity {again}: its Transform .*: Transform\(x=nan, y=nan\)"
    with pytest.raises(ec.PhysicsError, match=words):
        run()
    place.position = (1, 2)
    run()
    assert transform(again).position == (1.0, 2.0)


def test_a_bad_static_row_is_found_when_its_body_changes() -> None:
    """Rows of static bodies are not looked at in each step, so a bad number there may go unnoticed at first."""
    physics = ec.install()
    wall = disk(moving=False)
    run()
    physics.positions[physics.row_of(wall)] = math.nan
    run()
    collider(wall).density = 2.0
    newcomers = [disk(5, moving=False), disk(9)]
    with pytest.raises(ec.PhysicsError, match=rf"entity {wall}: its Transform .*: Transform\(x=nan"):
        run()
    transform(wall).position = (0, 0)
    run()
    assert [transform(entity).x for entity in newcomers] == [5.0, 9.0]
    velocity(newcomers[1]).x = -12.0
    run(30)
    assert transform(newcomers[1]).x > 5.9, "the new wall stands where its Transform says"


@pytest.mark.parametrize(
    "make",
    [
        lambda: ec.Circle(0),
        lambda: ec.Circle(-1),
        lambda: ec.Circle(math.nan),
        lambda: ec.Circle("1"),  # type: ignore[arg-type]
        lambda: ec.Box(0, 1),
        lambda: ec.Box(1, math.inf),
        lambda: ec.Capsule((0, 0), (1, 0), 0),
        lambda: ec.Segment((0, 0), (0, 0)),
        lambda: ec.Polygon([(0, 0), (1, 0)]),
        lambda: ec.Polygon([(0, 0), (1, 0), (2, 0)]),
        lambda: ec.Polygon([(0, 0), (1, 1), (1, 0), (0, 1)]),
        lambda: ec.Polygon([(0, 0), (1, 0), (0, math.nan)]),
        lambda: ec.HalfPlane((0, 0)),
    ],
)
def test_bad_shapes_never_reach_a_collider(make: Callable[[], ec.Shape]) -> None:
    ec.install()
    entity = disk()
    run()
    with pytest.raises((TypeError, ValueError), match=r"^(the length of )?[A-Z]\w+\.\w+(\[2\]\[1\])? "):
        collider(entity).shape = make()
    run()
    assert collider(entity).shape == ec.Circle(0.5)
