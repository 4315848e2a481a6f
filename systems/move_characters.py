"""An optional system before the first: it moves characters until obstacles stop them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import esper

from ecs_collide.components.character_controller import CharacterController
from ecs_collide.systems.system import System
from ecs_collide.systems.timestep import frame_length, step_length

if TYPE_CHECKING:
    from ecs_collide.api.world import PhysicsWorld


class MoveCharacters(System):
    """Moves all entities with a `CharacterController`, one after the other in the order of their ids.

    `esper.add_processor(MoveCharacters(physics), priority=...)`, with a priority above that of Synchronise, adds it.
    """

    def __init__(self, physics: PhysicsWorld) -> None:
        super().__init__(physics)
        physics.pipeline.usage_warnings.moves_characters = True

    def run(self, *args: Any, **kwargs: Any) -> None:
        held = sorted(esper.get_component(CharacterController))
        if not held:
            return
        settings, scale = self.pipeline.settings, self.pipeline.clock.time_scale
        if settings.fixed_dt is None:
            dt = step_length(settings, args, kwargs)
        else:
            frame = frame_length(settings, args, kwargs)
            dt = settings.fixed_dt if frame is None else frame
        self.physics.move_characters(held, scale * dt)
