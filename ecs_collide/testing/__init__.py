"""Tests of games: worlds of their own, checks of what happens, and pictures and replays of what failed.

With pytest, the fixtures `esper_world`, `physics` and `simulation` are there without an import; the module
`pytest_ecs_collide` is the plugin. `simulated` serves elsewhere, for example in the examples of hypothesis, whose
strategies for shapes and scenes are in `ecs_collide.testing.strategies`.
"""

from ecs_collide.testing.report import write_report
from ecs_collide.testing.simulated import simulated
from ecs_collide.testing.simulation import GameEvent, GameSimulation
from ecs_collide.worlds.fresh_worlds import fresh_world

__all__ = ["GameEvent", "GameSimulation", "fresh_world", "simulated", "write_report"]
