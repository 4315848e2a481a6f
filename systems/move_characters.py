"""An optional system before the first: it moves characters until obstacles stop them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import esper

from ecs_collide.components.character_controller import CharacterController
from ecs_collide.systems.before_step import BeforeStep

if TYPE_CHECKING:
    from ecs_collide.api.world import PhysicsWorld


class MoveCharacters(BeforeStep):
    """Moves all entities with a `CharacterController` before each step, one after the other in the order of their ids.

    `esper.add_processor(MoveCharacters(physics), priority=...)`, with a priority above that of Synchronise, adds it.
    With `fixed_dt` their poses are interpolated like those of bodies.
    """

    def __init__(self, physics: PhysicsWorld) -> None:
        super().__init__(physics)
        physics.pipeline.usage_warnings.moves_characters = True

    def before_step(self, dt: float) -> None:
        """Move the characters for a step of dt [s]; a pause leaves them as they are, with what they touch."""
        controlled = sorted(esper.get_component(CharacterController))
        if controlled and dt > 0.0:
            self.physics.move_characters(controlled, dt)
