"""Guards in C: True while every condition holds."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from ecs_collide.native.guards import Condition, HasNoHandlers, IsEmpty, IsSame, guard, has_same, never


class Owner:
    """An object with an attribute."""

    def __init__(self) -> None:
        self.value: object = "as before"


@pytest.mark.parametrize("which", range(5))
def test_a_guard_holds_until_a_condition_does_not(which: int) -> None:
    owner, things, table = Owner(), set[int](), {"here": 1}
    world = ModuleType("esper")
    world.event_registry = {"other": set()}  # type: ignore[attr-defined]
    conditions: list[Condition] = [
        IsSame(owner, "value", owner.value),
        IsEmpty(things),
        IsSame(table, "here", table["here"]),
        IsSame(table, "there", None),
        HasNoHandlers(world, ("third", "event")),
    ]
    holds = guard(conditions)
    assert holds()
    (
        lambda: setattr(owner, "value", "other"),
        lambda: things.add(1),
        lambda: table.pop("here"),
        lambda: table.update(there=1),
        lambda: setattr(world, "event_registry", {"event": set()}),
    )[which]()
    assert not holds()


def test_a_guard_of_an_attribute_that_is_gone_is_an_error() -> None:
    owner = Owner()
    holds = guard([IsSame(owner, "value", owner.value)])
    del owner.value
    with pytest.raises(AttributeError, match="value"):
        holds()


@pytest.mark.parametrize("condition", [(), (1, 2, 3, 4), 1, (1, "event")])
def test_other_objects_than_conditions_are_refused(condition: Any) -> None:
    with pytest.raises(TypeError, match="HasNoHandlers"):
        guard([condition])


def test_attributes_are_the_same_until_one_is_another_object() -> None:
    first, second = Owner(), Owner()
    holds = has_same([(first, "value"), (second, "value")])
    assert holds()
    second.value = "other"
    assert not holds()


def test_a_guard_that_never_holds() -> None:
    assert not never()
