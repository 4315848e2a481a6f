"""Steps that are interrupted, and systems that are removed or replaced."""

from __future__ import annotations

from random import Random
from typing import Any

import esper

import ecs_collide as ec
from ecs_collide.systems import SCHEDULE, System
from ecs_collide.systems.schedule import priorities
from tests.fuzz.operations.operation import Operation
from tests.fuzz.play import Play
from tests.fuzz.shapes import Data
from tests.support.interrupted import interrupted


def draw_interrupt(rng: Random, play: Play) -> Data:
    return 1 / 60, int(10 ** rng.uniform(0.0, 3.0))


def interrupt(play: Play, dt: float, lines: int) -> None:
    """Make a step with Ctrl-C after a number of lines of the engine."""
    if play.depth:
        return
    if interrupted(lambda: play.process(dt), lines):
        play.room.is_interrupted = True
        play.room.physics = _installed()


def _installed() -> ec.PhysicsWorld | None:
    """Return the physics of the current world; Ctrl-C may come after `install` is done and before it returns."""
    try:
        return ec.physics()
    except ec.PhysicsError:
        return None


def draw_system(rng: Random, play: Play) -> Data:
    return (rng.randrange(len(SCHEDULE)),)


def remove_system(play: Play, number: int) -> None:
    """Remove a system from the current esper world."""
    if play.room.physics is not None:
        play.room.is_crippled = play.room.is_shuffled = True
        esper.remove_processor(SCHEDULE[number])


def replace_system(play: Play, number: int) -> None:
    """Replace a system by one of the game's own that is derived from it."""
    kind, room = SCHEDULE[number], play.room
    if room.physics is None or esper.get_processor(kind) is None:
        return
    room.is_shuffled = True
    derived: Any = type(f"Own{kind.__name__}", (kind,), {})
    processor: System = derived(room.physics)  # before the other one goes: no Ctrl-C leaves the world with neither
    esper.remove_processor(kind)
    esper.add_processor(processor, priorities(0)[kind])


ROWS = (
    Operation("interrupt", 1, draw_interrupt, interrupt),
    Operation("remove system", 0.2, draw_system, remove_system),
    Operation("replace system", 0.2, draw_system, replace_system),
)
