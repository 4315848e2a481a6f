"""Circle against circle: the normal joins the centres, d = |c_b - c_a| - (r_a + r_b).

Source: CC "static circle collision", OC "circle and circle collision". Coincident centres, which the
documents leave out, take A's x axis as the normal.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.columns.pieces import RADIUS, VERTEX_START
from ecs_collide.jit import device
from ecs_collide.narrowphase.batch import batch_kernel
from ecs_collide.narrowphase.manifold import NO_HINT, in_a, no_contact, one_point

ROUNDING = 1e-10
"""Fraction of the radii under which the direction from centre to centre is left to chance."""


@device
def point_point(ax, ay, radius_a, bx, by, radius_b, reach, normal_x, normal_y):
    """The manifold of two disks, or none where the gap exceeds `reach` [m].

    Where the centres coincide the given normal is taken.
    """
    dx, dy = bx - ax, by - ay
    distance_squared = dx * dx + dy * dy
    limit = radius_a + radius_b + reach
    if distance_squared > limit * limit:
        return no_contact(NO_HINT)
    distance = sqrt(distance_squared)
    if distance > ROUNDING * limit:
        normal_x, normal_y = dx / distance, dy / distance
    return one_point(
        normal_x, normal_y, ax + radius_a * normal_x, ay + radius_a * normal_y, distance - radius_a - radius_b, 0
    )


@device
def circle_circle(a, b, relative, pieces, reach, hint):
    """The manifold of circle pieces a and b."""
    vertex_a = pieces.index[a, VERTEX_START]
    x, y = in_a(relative, pieces.vertices, pieces.index[b, VERTEX_START])
    return point_point(
        pieces.vertices[vertex_a, 0],
        pieces.vertices[vertex_a, 1],
        pieces.size[a, RADIUS],
        x,
        y,
        pieces.size[b, RADIUS],
        reach,
        1.0,
        0.0,
    )


circle_circle_pairs = batch_kernel(circle_circle)
