"""Row 25: a moving circle bounces off a static one (CC "dynamic–static circle collision response").

With n the unit vector from the moving circle's centre at the impact to the static one's, and v its velocity,

    w = v − (1 + e)·(v·n)·n

CC computes p = 2·(v·n)/(m1 + m2) and w = v − p·m1·n − p·m2·n. The masses cancel: that is the reflection above with the
restitution e = 1, the exact response to a circle of infinite mass. Restitution below 1 is our generalisation.

Deviations: CC's code takes circle *2*'s velocity for w_y (`w_y = circle2.vy - …`). A circle that hits a resting one
would lose its velocity along y; the velocity must be circle 1's. A circle that moves away from the other, or along it,
keeps its velocity, while CC's formula would turn it back. If the centres coincide, n is the x axis.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ecs_collide.algorithms.impact_normal import RESTITUTION, normal_and_distance
from ecs_collide.kernels.elementwise import Number, elementwise


class BouncedCircle(NamedTuple):
    """The velocity of a circle after an impact [m/s]."""

    vx: float
    """Velocity along x [m/s]."""
    vy: float
    """Velocity along y [m/s]."""


@elementwise
def bounce_off_static(
    x: Number,
    y: Number,
    vx: Number,
    vy: Number,
    static_x: Number,
    static_y: Number,
    restitution: Annotated[float, RESTITUTION],
) -> BouncedCircle:
    """Return the velocity of a circle after an impact with a static circle.

    Source: CC, dynamic–static response.

    Args:
        x, y: centre of the moving circle at the impact [m].
        vx, vy: velocity of the moving circle [m/s].
        static_x, static_y: centre of the static circle [m].
        restitution: 1 for an elastic impact, 0 for one after which the circle only slides.

    Returns:
        The new velocity; arrays if an argument is an array.

    Raises:
        ValueError: the restitution is outside [0, 1], or a number is not finite.
    """
    nx, ny, _ = normal_and_distance(static_x - x, static_y - y)
    approach = vx * nx + vy * ny
    if approach <= 0.0:
        return BouncedCircle(vx, vy)
    change = (1.0 + restitution) * approach
    return BouncedCircle(vx - change * nx, vy - change * ny)
