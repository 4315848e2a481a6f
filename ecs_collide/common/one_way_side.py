"""One-way colliders: the side from which they are solid.

The direction d, turned with the body, points to the solid side. A normal n away from the surface faces that side if n·d
is at least `LEAST_FACING`. So slopes of up to 60 degrees count, and flanks and undersides do not.
"""

from __future__ import annotations

from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device

LEAST_FACING = 0.5


@device
def is_one_way(body, bodies):
    """Return True if a body is solid from one side only."""
    return bodies.one_way[body, X] != 0.0 or bodies.one_way[body, Y] != 0.0


@device
def direction_of(body, cosine, sine, bodies):
    """Return the one-way direction of a body in the world, (0, 0) if it is solid from all sides."""
    x, y = bodies.one_way[body, X], bodies.one_way[body, Y]
    return cosine * x - sine * y, sine * x + cosine * y


@device
def facing(body, cosine, sine, normal_x, normal_y, bodies):
    """Return the cosine between a normal away from a body and its direction; 1 if it is solid from all sides."""
    if not is_one_way(body, bodies):
        return 1.0
    x, y = direction_of(body, cosine, sine, bodies)
    return x * normal_x + y * normal_y
