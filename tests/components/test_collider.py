"""Every field of a Collider takes effect at the next step."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.events import open_touches
from tests.support.worlds import collider, disk, floor, run, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("density", -1.0),
        ("density", -5e-324),
        ("friction", -0.1),
        ("restitution", -0.1),
        ("layer", -1),
        ("layer", 1 << 63),
        ("mask", 1 << 63),
        ("mask", 1 << 64),
        ("mask", -(1 << 63)),
        ("mask", -1 - (1 << 63)),
        ("group", 1 << 63),
    ],
)
@pytest.mark.parametrize("is_adopted", [False, True])
def test_numbers_out_of_range_are_refused(name: str, value: float, is_adopted: bool) -> None:
    with pytest.raises(ValueError, match=rf"^Collider\.{name} must .*, got {value}"):
        ec.Collider(ec.Circle(1), **{name: value})  # type: ignore[arg-type]
    ec.install()
    entity = disk()
    if is_adopted:
        run()
    before = repr(collider(entity))
    with pytest.raises(ValueError, match=rf"Collider\.{name} must .*, got {value}") as caught:
        setattr(collider(entity), name, value)
    assert is_adopted == str(caught.value).startswith(f"entity {entity}: ")
    assert repr(collider(entity)) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("shape", 5),
        ("shape", None),
        ("shape", ec.Circle),
        ("shape", "circle"),
        ("sensor", 1),
        ("sensor", "yes"),
        ("sensor", None),
        ("layer", 1.0),
        ("layer", True),
        ("mask", "1"),
        ("group", 1.5),
        ("friction_rule", 1),
        ("friction_rule", 2.0),
        ("friction_rule", "MINIMUM"),
        ("restitution_rule", None),
    ],
)
def test_values_of_the_wrong_kind_are_refused(name: str, value: Any) -> None:
    arguments = {"shape": ec.Circle(1)} | {name: value}
    with pytest.raises(TypeError, match=rf"^Collider\.{name} must be"):
        ec.Collider(**arguments)
    ec.install()
    entity = disk()
    run()
    before = repr(collider(entity))
    with pytest.raises(TypeError, match=rf"^entity {entity}: Collider\.{name} must be"):
        setattr(collider(entity), name, value)
    assert repr(collider(entity)) == before
    run()


def test_numpy_integers_are_bits() -> None:
    assert ec.Collider(ec.Circle(1), layer=np.uint8(4)).layer == 4  # type: ignore[arg-type]
    assert ec.Collider(ec.Circle(1), mask=ec.ALL_LAYERS).mask == ec.ALL_LAYERS


@pytest.mark.parametrize("mask", [0xFFFFFFFFFFFFFFFF, -1, ~0, np.int64(-1), np.uint64(2**64 - 1)])
def test_a_mask_of_64_ones_means_all_layers(mask: int) -> None:
    assert ec.Collider(ec.Circle(1), mask=mask).mask == ec.ALL_LAYERS


def test_a_complement_masks_all_other_layers(events: list[tuple[Any, ...]]) -> None:
    ec.install()
    disk(0, mask=~4)
    disk(0.9, layer=4)
    run()
    assert events == []
    assert collider(1).mask == ec.ALL_LAYERS - 4


def test_a_new_shape_collides_at_the_next_step(events: list[tuple[Any, ...]]) -> None:
    ec.install()
    a, b = disk(0), disk(3, moving=False)
    run()
    assert events == []
    collider(a).shape = ec.Box(5.2, 1)
    run()
    assert events == [("collision_start", a, b)]
    collider(a).shape = ec.Circle(0.5)
    run()
    assert events[1:] == [("collision_end", a, b)]


def test_an_equal_shape_changes_nothing(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b = disk(0), disk(0.9)
    run()
    row = physics.row_of(a)
    collider(a).shape = ec.Circle(0.5)
    run()
    assert physics.row_of(a) == row
    assert events == [("collision_start", a, b)]


def test_density_makes_the_mass() -> None:
    physics = ec.install()
    entity = disk()
    run()
    assert physics.mass_of(entity) == pytest.approx(math.pi / 4)
    collider(entity).density = 8.0
    assert physics.mass_of(entity) == pytest.approx(2 * math.pi), "known even before the next step"
    run()
    assert physics.mass_of(entity) == pytest.approx(2 * math.pi)


def test_density_leaves_contacts_and_rows_alone(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b = disk(0), disk(0.9)
    run()
    rows = physics.row_of(a), physics.row_of(b)
    collider(a).density = 3.0
    collider(b).density = 0.5
    run()
    assert (physics.row_of(a), physics.row_of(b)) == rows
    assert events == [("collision_start", a, b)]


def test_friction_and_restitution_combine() -> None:
    physics = ec.install()
    a, b = disk(0, friction=0.25, restitution=0.25), disk(0.9, friction=1.0, restitution=0.75)
    expected = {
        ec.Combine.USUAL: (0.5, 0.75),
        ec.Combine.AVERAGE: (0.625, 0.5),
        ec.Combine.MINIMUM: (0.25, 0.25),
        ec.Combine.MULTIPLY: (0.25, 0.1875),
        ec.Combine.GEOMETRIC_MEAN: (0.5, math.sqrt(0.1875)),
        ec.Combine.MAXIMUM: (1.0, 0.75),
    }
    for rule, (friction, restitution) in expected.items():
        collider(b).friction_rule = collider(b).restitution_rule = rule
        esper.process(0.0)
        assert physics.contacts.friction.tolist() == pytest.approx([friction])
        assert physics.contacts.restitution.tolist() == pytest.approx([restitution])
    collider(a).friction_rule = ec.Combine.MINIMUM
    assert collider(a).friction_rule is ec.Combine.MINIMUM
    esper.process(0.0)
    assert physics.contacts.friction.tolist() == [1.0], "of two rules the one listed last counts"


def test_friction_takes_effect_at_the_next_step() -> None:
    ec.install(gravity=(0, -10))
    ground = floor(friction=0.0)
    box = esper.create_entity(ec.Transform(0, 0.5), ec.Velocity(3, 0), ec.Collider(ec.Box(1, 1), friction=1.0))
    run(30)
    assert velocity(box).x == pytest.approx(3.0, abs=1e-9)
    collider(ground).friction = 1.0
    run(40)
    assert abs(velocity(box).x) < 0.01


def test_restitution_takes_effect_at_the_next_step() -> None:
    ec.install()
    wall, ball = disk(0, moving=False), disk(2.0)
    velocity(ball).x = -10.0
    run()
    collider(ball).restitution = 1.0
    run(20)
    assert velocity(ball).x == pytest.approx(10.0)
    assert collider(wall).restitution == 0.0


def test_a_sensor_notices_and_does_not_answer(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    gate, ball = disk(0, moving=False, sensor=True), disk(-3)
    velocity(ball).x = 6.0
    run(60)
    assert events == [("sensor_enter", gate, ball), ("sensor_exit", gate, ball)]
    assert velocity(ball).linear == (6.0, 0.0)
    assert len(physics.contacts) == 0


def test_becoming_a_sensor_ends_the_collision(events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b = disk(0), disk(0.9)
    run()
    collider(b).sensor = True
    run()
    assert events == [("collision_start", a, b), ("collision_end", a, b), ("sensor_enter", b, a)]
    assert physics.touching(a, b)
    collider(b).sensor = False
    run()
    assert events[3:] == [("sensor_exit", b, a), ("collision_start", a, b)]


@pytest.mark.parametrize("name", ["layer", "mask"])
def test_layers_and_masks_decide_which_bodies_collide(name: str, events: list[tuple[Any, ...]]) -> None:
    physics = ec.install()
    a, b = disk(0, layer=1, mask=2), disk(0.9, layer=2, mask=1)
    run()
    assert events == [("collision_start", a, b)]
    assert physics.touching(a, b)
    before = getattr(collider(a), name)
    setattr(collider(a), name, 4)
    run()
    assert events[1:] == [("collision_end", a, b)]
    assert not physics.touching(b, a)
    transform(b).x = transform(a).x + 0.9
    setattr(collider(a), name, before)
    run()
    assert events[2:] == [("collision_start", a, b)]


@pytest.mark.parametrize(
    ("first", "second", "meets"),
    [
        ({}, {}, True),
        ({"mask": 0}, {}, False),
        ({}, {"mask": 0}, False),
        ({"layer": 0}, {}, False),
        ({"layer": 1 << 62}, {"mask": 1 << 62}, True),
        ({"layer": 1 << 62}, {"mask": ec.ALL_LAYERS ^ (1 << 62)}, False),
        ({"group": -1}, {"group": -1}, False),
        ({"group": -1}, {"group": -2}, True),
        ({"group": 3, "mask": 0}, {"group": 3, "mask": 0}, True),
        ({"group": 3, "mask": 0}, {"group": 4}, False),
        ({"group": 3}, {"group": 0}, True),
    ],
)
@pytest.mark.parametrize("moving", [False, True])
def test_filters(first: dict[str, Any], second: dict[str, Any], meets: bool, moving: bool) -> None:
    physics = ec.install()
    a, b = disk(0, **first), disk(0.9, moving=moving, **second)
    run()
    assert physics.touching(a, b) == physics.touching(b, a) == meets
    assert bool(physics.contacts_of(a)) == meets


def test_static_bodies_do_not_meet() -> None:
    physics = ec.install()
    for x in (0.0, 0.2, 0.4):
        disk(x, moving=False)
    floor()
    run(3)
    assert physics.statistics.pairs == 0


def test_everything_may_be_edited_between_deletion_and_the_next_step(events: list[tuple[Any, ...]]) -> None:
    ec.install()
    a, b = disk(0), disk(0.9)
    run()
    gone, place = collider(a), transform(a)
    esper.delete_entity(a, immediate=True)
    gone.shape, gone.density, gone.friction, gone.sensor = ec.Box(9, 9), 7.0, 0.125, True
    gone.layer = gone.mask = gone.group = 2
    place.position = (b, b)
    run()
    assert open_touches(events) == {}
    assert (gone.shape, gone.density, gone.friction, gone.sensor) == (ec.Box(9, 9), 7.0, 0.125, True)
    gone.shape = ec.Circle(1)
    gone.density = 1.0
    run()
    assert events == [("collision_start", a, b), ("collision_end", a, b)]


def test_flags_may_be_those_of_numpy() -> None:
    yes: Any = np.float64(2) > 1
    collider = ec.Collider(ec.Circle(1), sensor=yes)
    collider.enabled = ~yes
    assert collider.sensor is True and collider.enabled is False
