"""The contact normal of two circles: the unit vector from A's centre to B's."""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.loop_source import Domain

RESTITUTION = Domain(0.0, 1.0, "a number from 0 to 1")
"""Valid coefficients of restitution."""


@device
def normal_and_distance(dx, dy):
    """Return (n_x, n_y, distance [m]) for the vector (dx, dy) [m] from A to B.

    Coincident centres have no direction. The documents divide by zero; this function returns the x axis, as the
    engine's contacts do. The vector is scaled first, so that very close centres keep their direction.
    """
    scale = max(abs(dx), abs(dy))
    if scale == 0.0:
        return 1.0, 0.0, 0.0
    x, y = dx / scale, dy / scale
    length = sqrt(x * x + y * y)
    return x / length, y / length, length * scale
