"""Every array, container and number of a world is on the list of its class: snapshots keep it, or it says why not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.snapshots.world_state import WorldState
from tests.fuzz.components import BINDING, Spot

pytestmark = pytest.mark.usefixtures("fresh_world")

SETTINGS: list[dict[str, Any]] = [
    {},
    {"fixed_dt": 1 / 60},
    {"transform": BINDING},
    {"response": "exact"},
]


def state_of(physics: ec.PhysicsWorld) -> WorldState:
    physics.snapshot()
    return physics._snapshots.world_state()


def attributes_of(owner: Any) -> Iterator[tuple[str, Any]]:
    slots = [name for kind in type(owner).__mro__ for name in getattr(kind, "__slots__", ()) if name != "__weakref__"]
    yield from getattr(owner, "__dict__", {}).items()
    yield from ((name, getattr(owner, name)) for name in slots if hasattr(owner, name))


def names_on_list(owner: Any) -> set[str]:
    listed = owner.state_list
    kept = listed.values + listed.arrays + listed.contents + listed.groups + listed.objects + listed.left_out
    return {*kept, *(name for name, _ in listed.renewed)}


def unlisted(state: WorldState) -> list[str]:
    """Return the attributes that a snapshot may have forgotten."""
    objects = {id(owner) for _, owner in state.objects}
    found = []
    for path, owner in state.objects:
        listed = names_on_list(owner)
        for name, value in attributes_of(owner):
            is_wiring = id(value) in objects or (callable(value) and not isinstance(value, tuple))
            if name in listed or is_wiring:
                continue
            fields = getattr(value, "_fields", None)
            names = [name] if fields is None else [f"{name}.{field}" for field in fields]
            found += [f"{path}.{each}" for each in names if each not in listed]
    return found


def scene(settings: dict[str, Any]) -> ec.PhysicsWorld:
    physics = ec.install(**settings)
    is_exact = settings.get("response") == "exact"
    place: Any = Spot(0.0, 0.0, 0.0) if "transform" in settings else ec.Transform()
    ball = esper.create_entity(place, ec.Velocity(), ec.Collider(ec.Circle(0.5)))
    esper.create_entity(ec.Transform(0.0, -1.0), ec.Collider(ec.Box(9.0, 1.0)))
    if not is_exact:
        other = esper.create_entity(ec.Transform(1.0, 3.0), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
        esper.create_entity(ec.RevoluteJoint(ball, other))
    for _ in range(3):
        esper.process(1 / 60)
    return physics


@pytest.mark.parametrize("settings", SETTINGS)
def test_all_attributes_are_on_a_list(settings: dict[str, Any]) -> None:
    assert unlisted(state_of(scene(settings))) == []


@pytest.mark.parametrize("settings", SETTINGS)
def test_all_names_on_lists_exist(settings: dict[str, Any]) -> None:
    for path, owner in state_of(scene(settings)).objects:
        for name in names_on_list(owner):
            attribute, _, field = name.partition(".")
            assert hasattr(owner, attribute), f"{path}.{name}"
            assert not field or field in getattr(owner, attribute)._fields, f"{path}.{name}"


@pytest.mark.parametrize("value", [np.zeros(3), {1: 2}, 7])
def test_a_new_attribute_that_is_on_no_list_is_found(value: Any) -> None:
    physics = scene({})
    state = state_of(physics)
    physics.pipeline.sleepers.added = value  # type: ignore[attr-defined]
    assert unlisted(state) == ["sleepers.added"]


def test_a_new_field_of_columns_is_kept_unless_it_is_left_out() -> None:
    state = state_of(scene({}))
    names = [f"{state._path_of(holder.owner)}{name}" for holder in state._holders for name in holder.names()]
    assert {"bodies.pose", "bodies.rest_time", "pairs.impulse", "world_joints.joints.columns.load"} <= set(names)
    assert "pairs.lanes" not in names
    assert len(names) == len(set(names))


def test_what_kernels_write_to_is_no_value() -> None:
    """A snapshot keeps the objects of `values`, so nothing may write to an array among them."""
    physics = scene({})
    state = state_of(physics)
    images = [state.read()]
    arrays = [each for value in images[0].values for each in np.atleast_1d(np.array(value, object)).ravel()]
    before = [(each, each.tobytes()) for each in arrays if isinstance(each, np.ndarray)]
    for _ in range(60):
        esper.process(1 / 60)
    assert all(each.tobytes() == content for each, content in before)
