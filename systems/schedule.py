"""The order of a step."""

from __future__ import annotations

from math import floor
from typing import Any

import esper

from ecs_collide.systems.broadphase import Broadphase
from ecs_collide.systems.narrowphase import Narrowphase
from ecs_collide.systems.notify import Notify
from ecs_collide.systems.response import Response
from ecs_collide.systems.synchronise import Synchronise
from ecs_collide.systems.system import StepSystem, System, present_systems

SCHEDULE: tuple[type[System], ...] = (Synchronise, Broadphase, Narrowphase, Response, Notify)
"""The systems of a step, first to last; their priorities follow from their places here."""

SPACING = 0.125
"""Distance of two systems' priorities; all five lie between two whole numbers, which most games use for their own.

esper only sorts by priorities, though it annotates them as int: hence `Any` below.
"""


def priorities(base: int) -> dict[type[System], Any]:
    """Return the esper priority of each system: above `base`, and below `base` + 1."""
    return {system: base + SPACING * (len(SCHEDULE) - place) for place, system in enumerate(SCHEDULE)}


def priority_between(before: type[System], after: type[System], base: int | None = None) -> Any:
    """Return the priority for a processor that runs between two neighbouring systems.

    The systems are those of a world installed with priority `base`. Without it they are those of the current esper
    world, or of priority 0 if it has no physics. Raises ValueError if the two are not neighbours in this order.
    """
    if SCHEDULE.index(after) != SCHEDULE.index(before) + 1:
        raise ValueError(f"{after.__name__} does not follow {before.__name__}: the order is {SCHEDULE}")
    if base is None:
        base = floor(next((system.priority for system in present_systems() if isinstance(system, StepSystem)), 0))
    return priorities(base)[after] + SPACING / 2


def make_room_after(kind: type[esper.Processor]) -> int:
    """Return the `base` that puts the systems right after the game's processor of a type.

    They come before all processors that now follow it. If the next one has the same priority, that processor and those
    before it of the same priority get the next higher one. Their order stays the same. Raises ValueError if the current
    esper world has no such processor.
    """
    processor = esper.get_processor(kind)
    if processor is None:
        raise ValueError(
            f"after={kind!r}: esper world {esper.current_world!r} has no such processor; add it before install()"
        )
    order = esper._processors
    place, priority = order.index(processor), processor.priority
    if place + 1 == len(order) or order[place + 1].priority < priority:
        return priority - 1
    for earlier in order[: place + 1]:
        if earlier.priority == priority:
            earlier.priority = priority + 1
    return priority
