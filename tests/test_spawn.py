"""Many entities in one call, or none."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import collider, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


def test_one_value_for_all() -> None:
    entities = ec.spawn(
        ec.Circle(0.5), [(0, 1), (2, 3)], angles=0.5, velocities=(4, 5), angular_velocities=6, friction=0.25, layer=2
    )
    assert [transform(entity).pose for entity in entities] == [(0, 1, 0.5), (2, 3, 0.5)]
    for entity in entities:
        assert (velocity(entity).linear, velocity(entity).angular) == ((4, 5), 6)
        assert collider(entity).shape == ec.Circle(0.5)
        assert (collider(entity).friction, collider(entity).layer) == (0.25, 2)
    assert collider(entities[0]) is not collider(entities[1])


def test_one_value_each() -> None:
    shapes = [ec.Circle(0.5), ec.Box(1, 2), ec.Circle(0.5)]
    entities = ec.spawn(
        shapes,
        np.arange(6.0).reshape(3, 2),
        angles=[1, 2, 3],
        velocities=np.arange(6).reshape(3, 2),
        angular_velocities=np.array([7.0, 8.0, 9.0]),
    )
    for k, entity in enumerate(entities):
        assert transform(entity).pose == (2 * k, 2 * k + 1, k + 1)
        assert velocity(entity).linear == (2 * k, 2 * k + 1)
        assert velocity(entity).angular == 7 + k
        assert collider(entity).shape is shapes[k]


def test_without_velocities_they_are_static() -> None:
    (entity,) = ec.spawn(ec.Box(1, 1), [(0, 0)])
    assert not esper.has_component(entity, ec.Velocity)


def test_an_angular_velocity_alone_makes_them_move() -> None:
    (entity,) = ec.spawn(ec.Box(1, 1), [(0, 0)], angular_velocities=3.0)
    assert (velocity(entity).linear, velocity(entity).angular) == ((0, 0), 3)


def test_extra_components() -> None:
    entities = ec.spawn(
        ec.Circle(1), [(0, 0), (5, 0)], velocities=(0, 0), extra=lambda k: (f"name {k}", ec.RigidBody(mass=k + 1))
    )
    physics = ec.install()
    assert [esper.component_for_entity(entity, str) for entity in entities] == ["name 0", "name 1"]
    assert [physics.mass_of(entity) for entity in entities] == [1, 2]


@pytest.mark.parametrize("empty", [[], (), np.zeros((0, 2))])
def test_none_at_all(empty: Any) -> None:
    assert ec.spawn(ec.Circle(1), empty, velocities=(1, 0)) == []
    assert ec.spawn([], empty) == []


def test_ids_come_in_the_order_of_the_positions_and_the_world_takes_them() -> None:
    physics = ec.install()
    first = esper.create_entity()
    entities = ec.spawn(ec.Circle(0.4), np.stack(np.divmod(np.arange(3000), 50), axis=1), velocities=(0, 0))
    assert entities == list(range(first + 1, first + 3001))
    run()
    assert physics.entities.tolist() == entities


def fail_for_second(k: int) -> list[Any]:
    if k == 1:
        raise RuntimeError("broken")
    return []


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((ec.Circle(1), 5.0), {}, ValueError, r"positions must have the shape \(n, 2\), got \(\)"),
        ((ec.Circle(1), [1, 2]), {}, ValueError, r"positions must have the shape \(n, 2\), got \(2,\)"),
        ((ec.Circle(1), [(1, 2, 3)]), {}, ValueError, r"positions must have the shape \(n, 2\), got \(1, 3\)"),
        ((ec.Circle(1), [(1, 2), (3,)]), {}, ValueError, r"positions must be an array .*, got \[\(1, 2\), \(3,\)\]"),
        ((ec.Circle(1), [(1, 2), (3, math.nan)]), {}, ValueError, r"positions must be finite, got nan at \[1, 1\]"),
        ((ec.Circle(1), [(1, 2), (math.inf, 3)]), {}, ValueError, r"positions must be finite, got inf at \[1, 0\]"),
        ((ec.Circle(1), [("1", "2")]), {}, TypeError, "positions must be numbers, got"),
        ((ec.Circle(1), [(1, 2j)]), {}, TypeError, "positions must be numbers, got"),
        ((ec.Circle(1), None), {}, TypeError, "positions must be numbers, got None"),
        ((ec.Circle(1), [(True, False)]), {}, TypeError, "positions must be numbers, got"),
        (([ec.Circle(1)], [(1, 2), (3, 4)]), {}, ValueError, "shape must be one Shape or 2 of them, .* got 1"),
        ((5, [(1, 2)]), {}, TypeError, "shape must be a Shape, or one for each position, got 5"),
        (([ec.Circle(1), "box"], [(1, 2), (3, 4)]), {}, TypeError, "Collider.shape must be a shape .*, got 'box'"),
        ((ec.Circle(1), [(1, 2)]), {"angles": [1, 2]}, ValueError, r"angles must fit the shape \(1,\), got \(2,\)"),
        ((ec.Circle(1), [(1, 2)]), {"angles": math.nan}, ValueError, r"angles must be finite, got nan at \[\]"),
        ((ec.Circle(1), [(1, 2)]), {"angles": "0"}, TypeError, "angles must be numbers, got '0'"),
        (
            (ec.Circle(1), [(1, 2)]),
            {"velocities": (1, 2, 3)},
            ValueError,
            r"velocities must fit .* \(1, 2\), got \(3,\)",
        ),
        ((ec.Circle(1), [(1, 2)]), {"velocities": [(1, math.inf)]}, ValueError, "velocities must be finite, got inf"),
        ((ec.Circle(1), [(1, 2)]), {"angular_velocities": (1, 2)}, ValueError, "angular_velocities must fit the shape"),
        ((ec.Circle(1), [(1, 2)]), {"angular_velocities": [math.nan]}, ValueError, "angular_velocities must be finite"),
        ((ec.Circle(1), [(1, 2)]), {"density": -1}, ValueError, "Collider.density must be a non-negative"),
        ((ec.Circle(1), [(1, 2)]), {"sensor": 1}, TypeError, "Collider.sensor must be True or False, got 1"),
        ((ec.Circle(1), [(1, 2)]), {"colour": "red"}, TypeError, "unexpected keyword argument 'colour'"),
        ((ec.Circle(1), [(1, 2), (3, 4)]), {"extra": fail_for_second}, RuntimeError, "broken"),
        ((ec.Circle(1), [(1, 2)]), {"extra": lambda k: None}, TypeError, "NoneType"),
        ((ec.Circle(1), [(1, 2)]), {"extra": lambda k: ec.RigidBody()}, TypeError, r"such as \(RigidBody\(...\),\)"),
        ((ec.Circle(1), [(1, 2)]), {"extra": [ec.RigidBody()]}, TypeError, "extra must be a function of k"),
        (
            (ec.Circle(1), [(1, 2), (3, 4)]),
            {"velocities": [(0, 0)]},
            ValueError,
            r"fit the shape \(2, 2\), got \(1, 2\)",
        ),
        ((ec.Circle(1), [(1, 2), (3, 4)]), {"velocities": [[1], [2]]}, ValueError, r"got \(2, 1\): give one for all"),
        ((ec.Circle(1), [(1, 2), (3, 4)]), {"velocities": 5}, ValueError, r"velocities must fit .*, got \(\)"),
        (
            (ec.Circle(1), [(1, 2), (3, 4)]),
            {"angles": [1]},
            ValueError,
            r"angles must fit the shape \(2,\), got \(1,\)",
        ),
        ((ec.Circle(1), [(1, 2), (3, 4)]), {"angular_velocities": [1]}, ValueError, "give one for all or one for each"),
        ((ec.Circle(1), (1, 2)), {}, ValueError, r"got \(2,\): write \[\(x, y\)\] for one entity"),
        ((ec.Circle(1), [(1, 2)]), {"velocity": (1, 2)}, TypeError, "velocities=... in spawn"),
        ((ec.Circle(1), [(1, 2)]), {"elasticity": 1}, TypeError, r"spawn\(\) got .*: use Collider\(restitution"),
        ((ec.Circle(1), [(1, 2)]), {"mass": 1}, TypeError, "it is an argument of CharacterController, RigidBody"),
    ],
)
def test_on_an_error_nothing_is_created(
    arguments: Any, options: dict[str, Any], error: type[Exception], words: str
) -> None:
    physics = ec.install()
    ec.spawn(ec.Circle(1), [(0, 0)])
    run()
    state = physics.state_hash()
    with pytest.raises(error, match=words):
        ec.spawn(*arguments, **options)
    run()
    assert list(esper.get_entities()) == [1]
    assert physics.state_hash() == state
    assert ec.spawn(ec.Circle(1), [(9, 9)]) == [2]


def test_each_entity_has_a_collider_of_its_own() -> None:
    shapes = [ec.Circle(1), ec.Circle(2), ec.Circle(1)]
    entities = ec.spawn(shapes, [(0, 0), (9, 0), (20, 0)], friction=0.25, layer=2)
    colliders = [esper.component_for_entity(entity, ec.Collider) for entity in entities]
    assert [one.shape for one in colliders] == shapes
    assert [(one.friction, one.layer) for one in colliders] == [(0.25, 2)] * 3
    colliders[0].friction, colliders[0].layer = 1.0, 4
    assert [(one.friction, one.layer) for one in colliders[1:]] == [(0.25, 2)] * 2


def test_a_list_with_something_that_is_no_shape_is_refused() -> None:
    with pytest.raises(TypeError, match="must be a shape"):
        ec.spawn([ec.Circle(1), "disk"], [(0, 0), (9, 0)])  # type: ignore[list-item]
    assert esper.get_component(ec.Collider) == []
