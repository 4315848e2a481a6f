"""Order of the corners of a polygon given as an array, and its area."""

from __future__ import annotations

from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device


@device
def previous_corner(corner, vertices):
    """Return the number of the corner before one of a polygon (n, 2); before the first comes the last."""
    return corner - 1 if corner > 0 else len(vertices) - 1


@device
def doubled_area(vertices):
    """Return twice the signed area [m²] of a polygon (n, 2), positive if it runs counter-clockwise.

    The sum of triangles from the first corner loses no digits far from the origin. `shapes/measure.py` has the loop
    that finds centroid and second moment as well.
    """
    total = 0.0
    for i in range(2, len(vertices)):
        ux, uy = vertices[i - 1, X] - vertices[0, X], vertices[i - 1, Y] - vertices[0, Y]
        vx, vy = vertices[i, X] - vertices[0, X], vertices[i, Y] - vertices[0, Y]
        total += ux * vy - uy * vx
    return total
