"""Warnings for characters that both `move_and_slide` and the step move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import pytest

import ecs_collide as ec
from tests.support.worlds import DT

pytestmark = pytest.mark.usefixtures("fresh_world")

KINEMATIC = ec.BodyKind.KINEMATIC


def walker(*parts: Any) -> int:
    return esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(0.5)), *parts)


def test_a_dynamic_body(new_warnings: Callable[[], list[str]]) -> None:
    physics = ec.install()
    first, second = walker(ec.Velocity()), walker(ec.RigidBody())
    for entity in (first, second, first):
        physics.move_and_slide(entity, (1.0, 0.0), DT)
    assert new_warnings() == [
        f"entity {first} is dynamic: the step moves it as well as move_and_slide. "
        "Give it RigidBody(BodyKind.KINEMATIC), and leave its Velocity 0"
    ]


def test_a_kinematic_body_with_a_velocity(new_warnings: Callable[[], list[str]]) -> None:
    physics = ec.install()
    player = walker(ec.Velocity(), ec.RigidBody(KINEMATIC))
    physics.move_and_slide(player, (1.0, 0.0), DT)
    assert new_warnings() == []
    esper.component_for_entity(player, ec.Velocity).x = 3.0
    for _ in range(2):
        physics.move_and_slide(player, (3.0, 0.0), DT)
    (text,) = new_warnings()
    assert text.startswith(f"entity {player}: its Velocity (3, 0) moves it in the step as well as move_and_slide")


def test_a_dynamic_character_of_the_system(new_warnings: Callable[[], list[str]]) -> None:
    esper.add_processor(ec.systems.MoveCharacters(ec.install()), priority=100)
    player = walker(ec.Velocity(), ec.CharacterController())
    esper.process(DT)
    (text,) = new_warnings()
    assert text.startswith(f"entity {player} is dynamic: the step moves it as well as move_and_slide")


def test_still_static_and_turning_characters_give_no_warning(new_warnings: Callable[[], list[str]]) -> None:
    physics = ec.install()
    still = [walker(), walker(ec.RigidBody(KINEMATIC)), walker(ec.Velocity(angular=2.0), ec.RigidBody(KINEMATIC))]
    physics.move_and_slide_all(still, [(1.0, 0.0)] * 3, DT)
    assert new_warnings() == []
