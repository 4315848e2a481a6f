"""Polygons as arrays of corners."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device


@device
def doubled_area(vertices):
    """Twice the signed area [m²] of a polygon (n, 2), positive where it runs counter-clockwise.

    Triangles from the first corner are added up, so no digits are lost far from the origin. Shapes want centroid and
    second moment besides, and have them from one loop in `shapes/measure.py`.
    """
    total = 0.0
    for i in range(2, len(vertices)):
        ux, uy = vertices[i - 1, 0] - vertices[0, 0], vertices[i - 1, 1] - vertices[0, 1]
        vx, vy = vertices[i, 0] - vertices[0, 0], vertices[i, 1] - vertices[0, 1]
        total += ux * vy - uy * vx
    return total
