"""One-way colliders: the side from which they are solid.

The direction d, turned with the body, points to the solid side. It stands in the row of the collider. A normal n away
from the surface faces that side if n·d is at least `LEAST_FACING`. So slopes of up to 60 degrees count, and flanks and
undersides do not.
"""

from __future__ import annotations

from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device

LEAST_FACING = 0.5


@device
def is_one_way(collider, bodies):
    """Return True if a collider is solid from one side only."""
    return bodies.one_way[collider, X] != 0.0 or bodies.one_way[collider, Y] != 0.0


@device
def direction_of(collider, cosine, sine, bodies):
    """Return the one-way direction of a collider in the world, (0, 0) if it is solid from all sides.

    Cosine and sine are those of its body's angle.
    """
    x, y = bodies.one_way[collider, X], bodies.one_way[collider, Y]
    return cosine * x - sine * y, sine * x + cosine * y


@device
def facing(collider, cosine, sine, normal_x, normal_y, bodies):
    """Return the cosine between a normal away from a collider and its direction; 1 if it is solid from all sides."""
    if not is_one_way(collider, bodies):
        return 1.0
    x, y = direction_of(collider, cosine, sine, bodies)
    return x * normal_x + y * normal_y
