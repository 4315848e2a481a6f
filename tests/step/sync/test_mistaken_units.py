"""Warnings of numbers in a unit that was hardly meant."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import IntEnum, IntFlag
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, disk

pytestmark = pytest.mark.usefixtures("fresh_world")


@pytest.mark.parametrize(("fixed_dt", "time_unit"), [(60, 1.0), (16.7, 1.0), (1, 1.0), (0.3, 1.0), (60, 60.0)])
def test_a_fixed_step_of_many_frames(fixed_dt: float, time_unit: float, new_warnings: Callable[[], list[str]]) -> None:
    ec.install(fixed_dt=fixed_dt, time_unit=time_unit)
    (text,) = new_warnings()
    assert text.startswith(f"install(fixed_dt={fixed_dt:g}) makes one step in {fixed_dt / time_unit:g} s")
    assert "fixed_dt=1 / 60" in text


@pytest.mark.parametrize(("fixed_dt", "time_unit"), [(DT, 1.0), (0.1, 1.0), (1, 60.0), (16.7, 1000.0), (None, 1.0)])
def test_fixed_steps_of_usual_lengths(
    fixed_dt: float | None, time_unit: float, new_warnings: Callable[[], list[str]]
) -> None:
    ec.install(fixed_dt=fixed_dt, time_unit=time_unit)
    assert new_warnings() == []


def test_frame_after_frame_with_more_steps_than_are_made(new_warnings: Callable[[], list[str]]) -> None:
    ec.install(fixed_dt=1e-3)
    for _ in range(29):
        esper.process(DT)
    esper.process(1e-3)
    for _ in range(29):
        esper.process(DT)
    assert new_warnings() == []
    for _ in range(40):
        esper.process(DT)
    (text,) = new_warnings()
    assert text.startswith("more than max_steps=8 steps were due in each of the last 30 frames")


@pytest.mark.parametrize("angle", [90, -45, 180.0, 360, 15])
def test_an_angle_in_degrees(angle: float, new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    entities = [esper.create_entity(ec.Transform(9 * k, 0, angle), ec.Collider(ec.Box(1, 2))) for k in range(2)]
    for _ in range(2):
        esper.process(DT)
    (text,) = new_warnings()
    assert text.startswith(f"entity {entities[0]} has a Transform.angle of {angle:g}: angles are in radians")
    assert f"math.radians({angle:g})" in text


@pytest.mark.parametrize("angle", [0, math.pi / 2, -math.pi, 1, 12.5, 720, 90.001])
def test_angles_that_are_no_degrees(angle: float, new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    esper.create_entity(ec.Transform(0, 0, angle), ec.Velocity(), ec.Collider(ec.Box(1, 2)))
    esper.process(DT)
    assert new_warnings() == []


@pytest.mark.parametrize(
    ("settings", "warns"),
    [
        ({"gravity": (0, 900)}, True),
        ({"gravity": (0, -981)}, True),
        ({"gravity": (0, 60)}, False),
        ({"gravity": (0, 900), "length_unit": 100}, False),
        ({"gravity": (0, 900), "time_unit": 60}, False),
        ({"gravity": (0, 0.25), "time_unit": 60, "length_unit": 100}, False),
        ({"gravity": (0, 1500), "length_unit": 10}, True),
    ],
)
def test_a_gravity_in_pixels(settings: dict[str, Any], warns: bool, new_warnings: Callable[[], list[str]]) -> None:
    ec.install(**settings)
    texts = new_warnings()
    assert len(texts) == warns
    assert all("times that of the earth" in text and "length_unit=100" in text for text in texts)


@pytest.mark.parametrize("kind", [list, tuple])
def test_components_in_a_list(kind: Any, new_warnings: Callable[[], list[str]]) -> None:
    ec.install()
    entity = esper.create_entity(kind([ec.Transform(), ec.Velocity(), ec.Collider(ec.Circle(1))]))
    esper.create_entity(kind([1, 2]))
    for _ in range(2):
        esper.process(DT)
    (text,) = new_warnings()
    assert text.startswith(f"entity {entity} has a {kind.__name__} of components, which does nothing: write esper.cre")


class Number(IntEnum):
    """Layers that are counted."""

    PLAYER = 1
    WALL = 2
    ENEMY = 3


class Bits(IntFlag):
    """Layers that are bits."""

    PLAYER = 1
    WALL = 2
    BOTH = 3


def test_layers_of_an_enumeration_that_counts(new_warnings: Callable[[], list[str]]) -> None:
    ec.Collider(ec.Circle(1), layer=Number.WALL)
    assert new_warnings() == []
    one = ec.Collider(ec.Circle(1), layer=Number.ENEMY)
    (text,) = new_warnings()
    assert text.startswith("Collider.layer <Number.ENEMY: 3> is 3, the bits of the layers 1 and 2: derive Number from")
    assert one.layer == 3


def test_layers_of_a_flag_and_plain_numbers_may_be_several(new_warnings: Callable[[], list[str]]) -> None:
    for layer in (Bits.BOTH, Bits.PLAYER | Bits.WALL, 3, 6):
        ec.Collider(ec.Circle(1), layer=layer)
    ec.install()
    disk(layer=3)
    esper.process(DT)
    assert new_warnings() == []


@pytest.mark.parametrize(
    ("bits", "shown"),
    [
        (1, "1"),
        (3, "1 | 2"),
        (6, "2 | 4"),
        (1 << 10, "1 << 10"),
        (5 | 1 << 62, "1 | 4 | 1 << 62"),
        (ec.ALL_LAYERS, "ALL_LAYERS"),
        (~2, "ALL_LAYERS & ~2"),
        (~6, "ALL_LAYERS & ~(2 | 4)"),
        (~(1 << 40), "ALL_LAYERS & ~(1 << 40)"),
    ],
)
def test_a_collider_shows_its_layers_one_by_one(bits: int, shown: str) -> None:
    one = ec.Collider(ec.Circle(1), sensor_mask=bits)
    assert repr(one).endswith(f", sensor_mask={shown})")
    assert eval(shown, {"ALL_LAYERS": ec.ALL_LAYERS}) == one.sensor_mask
