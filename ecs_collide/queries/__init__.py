"""Questions about any two shapes, without esper and without a world."""

from ecs_collide.queries.distance import distance, overlap
from ecs_collide.queries.manifold import Manifold, manifold
from ecs_collide.queries.pose import Pose
from ecs_collide.queries.ray_cast import RayHit, ray_cast
from ecs_collide.queries.time_of_impact import time_of_impact

__all__ = ["Manifold", "Pose", "RayHit", "distance", "manifold", "overlap", "ray_cast", "time_of_impact"]
