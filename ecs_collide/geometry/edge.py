"""Position of a point over an edge: along it and above it."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device


@device
def over_edge(base_x, base_y, normal_x, normal_y, x, y):
    """Return (place, height) [m] of a point over an edge that starts at a base.

    The unit normal is on the right of the edge. Places grow along the edge.
    """
    dx, dy = x - base_x, y - base_y
    return dy * normal_x - dx * normal_y, dx * normal_x + dy * normal_y
