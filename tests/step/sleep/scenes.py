"""Scenes that the tests of sleep share."""

from __future__ import annotations

import ecs_collide as ec
from tests.support.worlds import Game, dynamic

GRAVITY = (0.0, -9.81)
BOX = ec.Box(1.0, 1.0)


def stack(x: float, height: int) -> list[int]:
    """Boxes on top of each other, the lowest one on y = 0."""
    return [dynamic(BOX, (x, k + 0.5)) for k in range(height)]


def fall_asleep(play: Game, *entities: int, steps: int = 180) -> None:
    """Play until all these sleep."""
    for _ in range(steps):
        play.step()
        if not any(map(play.physics.is_awake, entities)):
            return
    raise AssertionError(f"still awake: {[entity for entity in entities if play.physics.is_awake(entity)]}")
