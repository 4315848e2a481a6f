"""Where a point lies over an edge: along it and above it."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device


@device
def over_edge(base_x, base_y, normal_x, normal_y, x, y):
    """(place, height) [m] of a point over the edge that starts at a base and has a unit normal on its right.

    Places grow along the edge, which the normal, turned left, points along.
    """
    dx, dy = x - base_x, y - base_y
    return dy * normal_x - dx * normal_y, dx * normal_x + dy * normal_y
