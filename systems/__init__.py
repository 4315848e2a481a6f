"""The ordered esper processors that make a step."""

from typing import TYPE_CHECKING

from ecs_collide.kernels.lazy_names import names_on_demand
from ecs_collide.systems.broadphase import Broadphase
from ecs_collide.systems.narrowphase import Narrowphase
from ecs_collide.systems.notify import Notify
from ecs_collide.systems.response import Response
from ecs_collide.systems.schedule import SCHEDULE, priority_between
from ecs_collide.systems.synchronise import Synchronise
from ecs_collide.systems.system import System

if TYPE_CHECKING:
    from ecs_collide.systems.before_step import BeforeStep
    from ecs_collide.systems.filter_pairs import FilterPairs
    from ecs_collide.systems.move_characters import MoveCharacters
else:  # hidden from type checkers, which would take every name as one of the package
    __getattr__, __dir__ = names_on_demand(
        __name__,
        {
            "ecs_collide.systems.before_step": "BeforeStep",
            "ecs_collide.systems.filter_pairs": "FilterPairs",
            "ecs_collide.systems.move_characters": "MoveCharacters",
        },
    )

__all__ = [
    "SCHEDULE",
    "BeforeStep",
    "Broadphase",
    "FilterPairs",
    "MoveCharacters",
    "Narrowphase",
    "Notify",
    "Response",
    "Synchronise",
    "System",
    "priority_between",
]
