"""A processor that switches to another esper world while a step is under way."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec


class Switch(esper.Processor):
    """Goes to another world at its first call."""

    def __init__(self, name: str) -> None:
        self.name = name

    def process(self, dt: float) -> None:
        if self.name:
            esper.switch_world(self.name)
            self.name = ""


def test_a_step_in_the_middle_of_which_another_world_becomes_current_is_refused(fresh_world: str) -> None:
    other = f"{fresh_world}, other"
    esper.switch_world(other)
    esper.create_entity(ec.Transform(), ec.Velocity(9.0, 0.0), ec.Collider(ec.Circle(1.0)))
    esper.switch_world(fresh_world)
    physics = ec.install()
    ball = esper.create_entity(ec.Transform(), ec.Velocity(1.0, 0.0), ec.Collider(ec.Circle(1.0)))
    esper.process(0.5)
    before = physics.state_hash()
    esper.add_processor(Switch(other), priority=1000)
    with pytest.raises(
        ec.PhysicsError, match=f"'{other}' became current in the middle of a step of world '{fresh_world}'"
    ):
        esper.process(0.5)
    esper.switch_world(fresh_world)
    assert physics.entities.tolist() == [ball]
    assert physics.state_hash() == before
    esper.process(0.5)
    assert esper.component_for_entity(ball, ec.Transform).x == 1.0
