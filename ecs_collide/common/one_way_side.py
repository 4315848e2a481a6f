"""One-way colliders: from which side they are solid.

The direction d, turned with the body, points to that side. A normal n away from the surface leads to it where n·d is
at least `LEAST_FACING`: so a slope counts up to 60 degrees, and neither a flank nor the under side does.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device

LEAST_FACING = 0.5


@device
def is_one_way(body, bodies):
    """Whether a body is solid from one side only."""
    return bodies.one_way[body, 0] != 0.0 or bodies.one_way[body, 1] != 0.0


@device
def direction_of(body, cosine, sine, bodies):
    """The direction of a body that is turned so far, in the world; (0, 0) where it is solid from all sides."""
    x, y = bodies.one_way[body, 0], bodies.one_way[body, 1]
    return cosine * x - sine * y, sine * x + cosine * y


@device
def facing(body, cosine, sine, normal_x, normal_y, bodies):
    """The cosine between a normal away from a body and its direction; 1 where it is solid from all sides."""
    if not is_one_way(body, bodies):
        return 1.0
    x, y = direction_of(body, cosine, sine, bodies)
    return x * normal_x + y * normal_y
