"""The order of a step."""

from __future__ import annotations

from ecs_collide.systems.broadphase import Broadphase
from ecs_collide.systems.narrowphase import Narrowphase
from ecs_collide.systems.notify import Notify
from ecs_collide.systems.response import Response
from ecs_collide.systems.synchronise import Synchronise
from ecs_collide.systems.system import System

SCHEDULE: tuple[type[System], ...] = (Synchronise, Broadphase, Narrowphase, Response, Notify)
"""The systems of a step, first to last; their priorities follow from their places here."""

SPACING = 10
"""Distance of two systems' priorities, so that a game's own processors fit between them."""


def priorities(base: int) -> dict[type[System], int]:
    """The esper priority of each system, the last one's being `base`."""
    last = len(SCHEDULE) - 1
    return {system: base + SPACING * (last - place) for place, system in enumerate(SCHEDULE)}


def priority_between(before: type[System], after: type[System], base: int = 0) -> int:
    """The priority for a processor that runs between two neighbouring systems of a world installed with `base`.

    Raises ValueError where the two are not neighbours in this order.
    """
    if SCHEDULE.index(after) != SCHEDULE.index(before) + 1:
        raise ValueError(f"{after.__name__} does not follow {before.__name__}: the order is {SCHEDULE}")
    return priorities(base)[after] + SPACING // 2
