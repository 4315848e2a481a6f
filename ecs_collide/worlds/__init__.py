"""Many worlds: functions of seeds in many processes, batches of equal worlds, and fresh esper worlds."""

from typing import TYPE_CHECKING

from ecs_collide.kernels.lazy_names import names_on_demand

if TYPE_CHECKING:
    from ecs_collide.worlds.batch import Batch
    from ecs_collide.worlds.fresh_worlds import fresh_world
    from ecs_collide.worlds.map_seeds import map
    from ecs_collide.worlds.ray_executor import RayExecutor
    from ecs_collide.worlds.world_error import WorldError
else:  # hidden from type checkers, which would take every name as one of the package
    __getattr__, __dir__ = names_on_demand(
        __name__,
        {
            "ecs_collide.worlds.batch": "Batch",
            "ecs_collide.worlds.fresh_worlds": "fresh_world",
            "ecs_collide.worlds.map_seeds": "map",
            "ecs_collide.worlds.ray_executor": "RayExecutor",
            "ecs_collide.worlds.world_error": "WorldError",
        },
    )

__all__ = ["Batch", "RayExecutor", "WorldError", "fresh_world", "map"]
