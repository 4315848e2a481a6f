"""Reading components in C gives the same as the reference in Python."""

from __future__ import annotations

import random
from math import nan
from typing import Any

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.native import are_all_new, read_components
from ecs_collide.native.default_component import NOT_GIVEN
from ecs_collide.step.sync import component_columns as of_component
from ecs_collide.step.sync.component_columns import INTEGERS, NUMBERS
from ecs_collide.step.sync.component_set import TYPES, ComponentSet
from tests.support.reference.read_components import are_all_new_plainly, read_components_plainly

BOTH = pytest.mark.parametrize("is_new", [are_all_new, are_all_new_plainly])


def some_parts(chance: random.Random) -> ComponentSet:
    """Components with any of their fields, and any of them missing."""
    collider = ec.Collider(
        ec.Circle(1.0),
        density=chance.choice((1.0, 0.0, 2.5)),
        layer=chance.choice((1, 1 << 62)),
        mask=chance.choice((~2, 0, (1 << 63) - 1)),
        group=chance.choice((-(1 << 62), 0, 7)),
        sensor=chance.random() < 0.3,
        detect=chance.random() < 0.3,
        sensor_mask=chance.choice((0, 5)),
        enabled=chance.random() < 0.8,
        one_way=chance.choice((None, (0.0, 1.0), (3.0, -4.0))),
        surface_speed=chance.choice((0.0, -2.0)),
        rolling_resistance=chance.choice((0.0, 0.1)),
        friction_rule=chance.choice(tuple(ec.Combine)),
    )
    rigid_body = ec.RigidBody(
        chance.choice(tuple(ec.BodyKind)),
        mass=chance.choice((None, 3.0)),
        inertia=chance.choice((None, 0.5)),
        lock_x=chance.random() < 0.5,
        lock_y=chance.random() < 0.5,
        lock_rotation=chance.random() < 0.5,
        bullet=chance.random() < 0.5,
        can_sleep=chance.random() < 0.5,
        sleep_speed=chance.choice((None, 0.2)),
        max_speed=chance.choice((None, 5.0)),
        max_angular_speed=chance.choice((None, 2.0)),
    )
    if chance.random() < 0.2:
        transform = ec.Transform(4.0, 5.0, 6.0) if chance.random() < 0.5 else None
        return ComponentSet(transform, collider=collider, attached_to=ec.AttachedTo(7, 1.0, 2.0, 0.5))
    others: tuple[Any, ...] = (ec.Velocity(1.0, 2.0), collider, rigid_body, ec.Force(1.0, 0.0))
    return ComponentSet._make(
        [ec.Transform(1.0, 2.0, 3.0), *(part if chance.random() < 0.6 else None for part in others), None]
    )


def tables_of(way: Any, parts: list[ComponentSet]) -> tuple[int, np.ndarray, np.ndarray]:
    integers = np.full((len(parts), INTEGERS.WIDTH), 99)
    numbers = np.full((len(parts), NUMBERS.WIDTH), 99.0)
    return way(parts, integers, numbers), integers, numbers


def test_every_field_is_read_as_it_is_meant() -> None:
    chance = random.Random(5)
    parts = [some_parts(chance) for _ in range(500)] + [ComponentSet(ec.Transform())]
    wrong, integers, numbers = tables_of(read_components, parts)
    expected_wrong, expected_integers, expected_numbers = tables_of(read_components_plainly, parts)
    assert wrong == expected_wrong == -1
    np.testing.assert_array_equal(integers, expected_integers)
    np.testing.assert_array_equal(numbers, expected_numbers)
    assert integers[-1, INTEGERS.KIND] == of_component.NO_BODY


def test_a_body_with_every_component_and_field() -> None:
    collider = ec.Collider(ec.Box(1, 1), density=2.0, layer=4, mask=6, one_way=(0, 2), surface_speed=3.0)
    collider.restitution_rule = ec.Combine.MINIMUM
    rigid_body = ec.RigidBody(ec.BodyKind.KINEMATIC, mass=5.0, lock_y=True, bullet=True, can_sleep=False)
    parts = [ComponentSet(ec.Transform(), None, collider, rigid_body, ec.Force())]
    for way in (read_components, read_components_plainly):
        wrong, integers, numbers = tables_of(way, parts)
        present = of_component.HAS_COLLIDER | of_component.HAS_RIGID_BODY | of_component.HAS_FORCE
        present |= of_component.IS_BULLET | of_component.LOCKS_Y | of_component.STAYS_AWAKE
        row = [ec.BodyKind.KINEMATIC, present, 4, 6, 0, 0, 0, 0, ec.Combine.USUAL, ec.Combine.MINIMUM]
        assert (wrong, integers[0].tolist()) == (-1, row)
        np.testing.assert_array_equal(numbers[0], [2.0, 5.0, nan, 0.0, 1.0, 3.0, 0.0, nan, nan, nan])


@pytest.mark.parametrize("way", [read_components, read_components_plainly])
def test_the_first_that_cannot_be_is_named(way: Any) -> None:
    good = ComponentSet(ec.Transform(), ec.Velocity())
    without_transform = ComponentSet(None, ec.Velocity())
    endless, turned = ec.Transform(), ec.Transform()
    endless._init_numbers(1e51, 0.0, 0.0)
    turned._init_numbers(0.0, 0.0, 1e16)
    for bad in (without_transform, ComponentSet(endless, ec.Velocity()), ComponentSet(turned, ec.Velocity())):
        assert tables_of(way, [good, good, bad, without_transform])[0] == 2
    attached, collider = ec.AttachedTo(1), ec.Collider(ec.Circle(1))
    for bad in (
        ComponentSet(attached_to=attached),
        ComponentSet(ec.Transform(), attached_to=attached),
        ComponentSet(collider=collider, attached_to=attached, velocity=ec.Velocity()),
        ComponentSet(collider=collider, attached_to=attached, rigid_body=ec.RigidBody()),
        ComponentSet(collider=collider, attached_to=attached, force=ec.Force()),
        ComponentSet(endless, collider=collider, attached_to=attached),
    ):
        assert tables_of(way, [good, bad])[0] == 1
    assert tables_of(way, [good, ComponentSet(collider=collider, attached_to=attached)])[0] == -1
    assert tables_of(way, [ComponentSet(endless)])[0] == -1, "what takes no part in physics may be anywhere"


@BOTH
def test_components_of_no_entity_are_new(is_new: Any) -> None:
    parts = [ComponentSet(ec.Transform(), ec.Velocity()), ComponentSet(ec.Transform(), None, ec.Collider(ec.Circle(1)))]
    assert is_new(parts, [None, None], TYPES)
    assert is_new(parts, [None, None], TYPES), "to ask leaves no trace"
    parts[0].transform.x = 2.0  # type: ignore[union-attr]
    assert parts[0].transform.pose == (2.0, 0.0, 0.0)  # type: ignore[union-attr]


@BOTH
def test_components_given_twice_or_held_already_are_not_new(is_new: Any) -> None:
    shared, held, empty = ec.Velocity(), ec.Velocity(), ec.Velocity.__new__(ec.Velocity)
    held._claim(3, set())
    twice = [ComponentSet(ec.Transform(), shared), ComponentSet(ec.Transform(), shared)]
    assert not is_new(twice, [None, None], TYPES)
    for other in (held, empty, ec.Transform(), NOT_GIVEN):
        assert not is_new([ComponentSet(ec.Transform(), other)], [None], TYPES)  # type: ignore[arg-type]
    assert is_new([ComponentSet(ec.Transform(), shared)], [None], TYPES)


@BOTH
def test_components_that_an_entity_keeps_need_not_be_new(is_new: Any) -> None:
    kept, other = ec.Velocity(), ec.Velocity()
    for held in (kept, other):
        held._claim(3, set())
    now = ComponentSet(ec.Transform(), kept)
    assert is_new([now], [ComponentSet(None, kept)], TYPES)
    assert not is_new([now], [ComponentSet(None, other)], TYPES)
    assert not is_new([now, now], [ComponentSet(None, kept), None], TYPES), "another entity is given it as well"
