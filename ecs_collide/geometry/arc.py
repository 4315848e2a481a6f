"""Distances inside a circular arc."""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.kernel import device


@device
def inside_arc(center_x, center_y, radius, x, y):
    """Return the gap [m] between a point and the circle around it, and the unit vector to the centre.

    The gap is negative outside the circle, where the solid is. The vector is (0, 0) in the centre.
    """
    dx, dy = center_x - x, center_y - y
    distance = sqrt(dx * dx + dy * dy)
    if distance == 0.0:
        return radius, 0.0, 0.0
    return radius - distance, dx / distance, dy / distance
