"""Arcs seen from inside."""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.kernel import device


@device
def inside_arc(center_x, center_y, radius, x, y):
    """(gap [m], unit vector to the centre) of a point and the circle around it; (0, 0) in the centre itself.

    Negative outside the circle, which is solid.
    """
    dx, dy = center_x - x, center_y - y
    distance = sqrt(dx * dx + dy * dy)
    if distance == 0.0:
        return radius, 0.0, 0.0
    return radius - distance, dx / distance, dy / distance
