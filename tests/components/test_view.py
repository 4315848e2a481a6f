"""Every component is a view: on its own values, on the world's row, and on its own values again."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.components.view import View
from tests.support.worlds import DT, disk, run, transform

pytestmark = pytest.mark.usefixtures("fresh_world")

MAKERS: list[Callable[[], View]] = [
    lambda: ec.Transform(1, 2, 3),
    lambda: ec.Velocity(1, 2, 3),
    lambda: ec.Force(1, 2, 3),
    lambda: ec.RigidBody(
        ec.BodyKind.KINEMATIC,
        mass=2,
        inertia=3,
        gravity_scale=-1,
        linear_damping=0.5,
        angular_damping=0.25,
        lock_x=True,
        lock_y=True,
        lock_rotation=True,
        center_of_mass=(0.25, -0.5),
        sleep_speed=0.5,
        max_speed=7.0,
        max_angular_speed=8.0,
    ),
    lambda: ec.Collider(
        ec.Box(1, 2),
        density=3,
        friction=0.25,
        restitution=0.5,
        sensor=True,
        layer=2,
        mask=4,
        group=-3,
        one_way=(0.0, -1.0),
        surface_speed=-2,
        rolling_resistance=0.125,
        friction_rule=ec.Combine.MINIMUM,
        restitution_rule=ec.Combine.AVERAGE,
    ),
]

NUMBERS = [
    (maker, name)
    for maker, names in zip(
        MAKERS,
        [
            ("x", "y", "angle"),
            ("x", "y", "angular"),
            ("x", "y", "torque"),
            ("mass", "inertia", "gravity_scale", "linear_damping", "angular_damping"),
            ("density", "friction", "restitution", "surface_speed", "rolling_resistance"),
        ],
        strict=True,
    )
    for name in names
]


def fields(component: View) -> dict[str, Any]:
    return component._arguments()


def create_with(component: View) -> tuple[int, ec.PhysicsWorld]:
    """An entity with the component and whatever else it needs, in a world that has just been stepped with dt 0."""
    physics = ec.install()
    parts: list[View] = [component]
    if not isinstance(component, ec.Transform):
        parts.append(ec.Transform())
    if not isinstance(component, ec.Velocity):
        parts.append(ec.Velocity())
    entity = esper.create_entity(*parts)
    esper.process(0.0)
    return entity, physics


@pytest.mark.parametrize("maker", MAKERS)
def test_fields_are_the_same_before_during_and_after_adoption(maker: Callable[[], View]) -> None:
    component = maker()
    given = fields(component)
    entity, _ = create_with(component)
    assert fields(component) == given
    esper.remove_component(entity, type(component))
    assert fields(component) == given
    if isinstance(component, ec.Transform):
        esper.delete_entity(entity)
    esper.process(0.0)
    assert fields(component) == given
    assert component._entity is None


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))])
def test_copies_hold_the_values_and_are_detached(maker: Callable[[], View], duplicate: Callable[[View], View]) -> None:
    component = maker()
    for _ in range(2):  # detached, then adopted
        twin = duplicate(component)
        assert type(twin) is type(component)
        assert fields(twin) == fields(component)
        assert twin._entity is None
        if component._entity is None:
            create_with(component)


def test_writing_a_copy_leaves_the_original_alone() -> None:
    physics = ec.install()
    entity = disk(1, 2)
    run()
    twin = copy.copy(transform(entity))
    twin.position = (50, 60)
    assert transform(entity).position == (1, 2)
    other = esper.create_entity(twin, ec.Velocity(), ec.Collider(ec.Circle(1)))
    run()
    assert transform(other).position == (50, 60)
    assert transform(entity).position == (1, 2)
    assert len(physics.entities) == 2


@pytest.mark.parametrize("maker", MAKERS)
def test_repr_can_be_evaluated(maker: Callable[[], View]) -> None:
    component = maker()
    text = repr(component)
    assert text.startswith(type(component).__name__ + "(")
    names = {name: getattr(ec, name) for name in ec.__all__}
    names |= {"Transform": ec.Transform}
    if not isinstance(component, ec.Collider | ec.RigidBody):  # their enums print as <Name.MEMBER: 1>
        assert fields(eval(text, names)) == fields(component)
    create_with(component)
    assert repr(component) == text


@pytest.mark.parametrize("maker", MAKERS)
def test_a_misspelt_field_is_an_error(maker: Callable[[], View]) -> None:
    with pytest.raises(AttributeError):
        maker().positon = (1, 2)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("maker", "name"), NUMBERS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("is_adopted", [False, True])
def test_a_number_that_is_not_finite_is_refused(
    maker: Callable[[], View], name: str, value: float, is_adopted: bool
) -> None:
    component = maker()
    entity = create_with(component)[0] if is_adopted else None
    before = fields(component)
    words = rf"{type(component).__name__}\.{name} must be .*finite.* got {value}"
    with pytest.raises(ValueError, match=words) as caught:
        setattr(component, name, value)
    assert (f"entity {entity}: " in str(caught.value)) == is_adopted
    assert fields(component) == before


@pytest.mark.parametrize(("maker", "name"), NUMBERS)
@pytest.mark.parametrize("value", ["1", b"1", [1.0], True, 1j, np.array([1.0])])
def test_a_value_that_is_no_number_is_refused(maker: Callable[[], View], name: str, value: object) -> None:
    component = maker()
    before = fields(component)
    with pytest.raises(TypeError, match=rf"{type(component).__name__}\.{name} must be .*number"):
        setattr(component, name, value)
    assert fields(component) == before


@pytest.mark.parametrize("kind", [ec.Transform, ec.Velocity, ec.Force])
@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("value", [math.nan, math.inf, "1", None, True])
def test_constructors_refuse_what_is_no_finite_number(kind: type[View], place: int, value: Any) -> None:
    arguments: list[Any] = [0.0, 0.0, 0.0]
    arguments[place] = value
    with pytest.raises((TypeError, ValueError), match=rf"^{kind.__name__}\.\w+ must be a finite number, got "):
        kind(*arguments)


@pytest.mark.parametrize("kind", [ec.Transform, ec.Velocity, ec.Force])
@pytest.mark.parametrize("pair", [(3, 4), [3, 4, 0], np.array([3.0, 4.0])])
def test_a_pair_in_place_of_x_is_an_error_with_the_remedy(kind: type[View], pair: Any) -> None:
    name = kind.__name__
    with pytest.raises(
        TypeError, match=rf"^{name}\.x must be a .* got .*3.*: write {name}\(x, y\), or {name}\(\*pair\)$"
    ):
        kind(pair)  # type: ignore[call-arg]


@pytest.mark.parametrize(("maker", "name"), NUMBERS)
@pytest.mark.parametrize("value", [3, np.float64(3), np.float32(3), np.int64(3)])
@pytest.mark.parametrize("is_adopted", [False, True])
def test_numbers_of_all_kinds_become_floats(
    maker: Callable[[], View], name: str, value: float, is_adopted: bool
) -> None:
    component = maker()
    if is_adopted:
        create_with(component)
    setattr(component, name, value)
    assert getattr(component, name) == 3.0
    assert type(getattr(component, name)) is float


@pytest.mark.parametrize(("kind", "name"), [(ec.Transform, "position"), (ec.Velocity, "linear")])
@pytest.mark.parametrize("value", [(1, math.nan), (math.inf, 1), "12", 1.0, (1,), (1, 2, 3), None, {1: 2, 2: 3}])
@pytest.mark.parametrize("is_adopted", [False, True])
def test_a_bad_pair_changes_neither_number(kind: type[View], name: str, value: object, is_adopted: bool) -> None:
    component = kind(5, 6)  # type: ignore[call-arg]
    if is_adopted:
        create_with(component)
    with pytest.raises((TypeError, ValueError), match=rf"{kind.__name__}\.{name}"):
        setattr(component, name, value)
    assert getattr(component, name) == (5.0, 6.0)


@pytest.mark.parametrize("value", [(3, 4), [3, 4], np.array([3.0, 4.0]), np.array([3, 4])])
def test_pairs_of_all_kinds_are_taken(value: Any) -> None:
    place, speed = ec.Transform(), ec.Velocity()
    place.position = value
    speed.linear = value
    assert place.position == speed.linear == (3.0, 4.0)
    assert place.pose == (3.0, 4.0, 0.0)


def test_values_written_before_adoption_arrive() -> None:
    ec.install()
    place, speed = ec.Transform(1, 2), ec.Velocity()
    entity = esper.create_entity(place, speed, ec.Collider(ec.Circle(1)))
    place.x, place.angle, speed.angular = 7.0, 0.5, 2.0
    esper.process(0.0)
    assert transform(entity) is place
    assert place.pose == (7.0, 2.0, 0.5)
    assert speed.angular == 2.0


def test_components_and_bulk_views_are_the_same_memory() -> None:
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(1, 2, 3), ec.Velocity(4, 5, 6), ec.Collider(ec.Circle(1)))
    other = disk(20, 0)
    esper.process(0.0)
    place, speed = transform(entity), esper.component_for_entity(entity, ec.Velocity)
    row = physics.row_of(entity)
    assert physics.entities[row] == entity
    assert physics.positions[row].tolist() == [1, 2]
    assert physics.angles[row] == 3
    assert physics.velocities[row].tolist() == [4, 5]
    assert physics.angular_velocities[row] == 6
    physics.positions[row] = (10, 11)
    physics.angles[row] = 12
    physics.velocities[row] = (13, 14)
    physics.angular_velocities[row] = 15
    assert place.pose == (10, 11, 12)
    assert (speed.x, speed.y, speed.angular) == (13, 14, 15)
    place.position, place.angle, speed.linear, speed.angular = (0, 1), 2.0, (3, 4), 5.0
    assert (*physics.positions[row], physics.angles[row]) == (0, 1, 2)
    assert (*physics.velocities[row], physics.angular_velocities[row]) == (3, 4, 5)
    assert transform(other).position == (20, 0)


def test_components_stay_valid_while_the_columns_grow_by_thousands() -> None:
    physics = ec.install()
    first = [disk(3.0 * k, 0) for k in range(10)]
    run()
    places = [transform(entity) for entity in first]
    rows = [physics.row_of(entity) for entity in first]
    old_view = physics.positions
    ec.spawn(ec.Circle(0.5), [(3.0 * k, 10.0) for k in range(5000)], velocities=(0.0, 1.0))
    run()
    assert [physics.row_of(entity) for entity in first] == rows
    assert [transform(entity) for entity in first] == places
    assert [place.x for place in places] == [3.0 * k for k in range(10)]
    places[3].x = -50.0
    assert physics.positions[rows[3], 0] == -50.0
    assert old_view[rows[3], 0] == 9.0, "views of before are documented to be stale"
    run()
    assert places[3].x == -50.0


def test_a_removed_component_keeps_its_last_values_and_writes_nothing() -> None:
    physics = ec.install()
    entity, other = disk(1, 2), disk(8, 2)
    physics_row = physics.row_of(entity)
    place = transform(entity)
    esper.component_for_entity(entity, ec.Velocity).x = 60.0
    run()
    assert place.x == 2.0
    esper.delete_entity(entity, immediate=True)
    place.x = 3.0  # still its row, until the next step
    assert physics.positions[physics_row, 0] == 3.0
    run()
    assert place.position == (3.0, 2.0)
    newcomer = disk(-9, -9)
    run()
    assert physics.row_of(newcomer) == physics_row, "a freed row is used again"
    place.x = 99.0
    assert transform(newcomer).position == (-9, -9)
    assert transform(other).position == (8, 2)


def test_a_component_may_move_from_one_entity_to_another() -> None:
    ec.install()
    a, b = disk(0, 0), esper.create_entity()
    run()
    place = esper.remove_component(a, ec.Transform)
    parts = [esper.remove_component(a, ec.Velocity), esper.remove_component(a, ec.Collider)]
    for part in (place, *parts):
        esper.add_component(b, part)
    place.x = 4.0
    run()
    assert place._entity == b
    assert transform(b).x == 4.0


def test_two_entities_may_swap_their_components() -> None:
    physics = ec.install()
    a, b = disk(1, 0), disk(5, 0)
    run()
    place_a, place_b = transform(a), transform(b)
    esper.add_component(a, place_b)
    esper.add_component(b, place_a)
    run()
    assert physics.positions[physics.row_of(a)].tolist() == [5, 0]
    assert physics.positions[physics.row_of(b)].tolist() == [1, 0]
    place_a.x = 2.0
    assert physics.positions[physics.row_of(b)].tolist() == [2, 0]


def test_a_subclass_under_the_alias_of_its_base_is_a_component() -> None:
    class Place(ec.Transform):
        pass

    ec.install()
    entity = esper.create_entity(ec.Velocity(60, 0), ec.Collider(ec.Circle(1)))
    esper.add_component(entity, Place(1, 2), ec.Transform)
    run(1, DT)
    assert transform(entity).position == (2, 2)
