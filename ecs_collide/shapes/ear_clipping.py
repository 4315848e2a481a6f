"""Triangles of a simple polygon by ear clipping.

Meisters (1975): every simple polygon of more than three vertices has an ear, a convex vertex b whose triangle with its
neighbours a and c contains no other vertex. Cutting ears off one after the other leaves a triangle. Only vertices at
which the polygon turns right or runs straight on can lie in an ear, so only these are tested. Straight vertices of the
outline itself are left out first. A vertex that becomes straight later stays, so that no side of a triangle passes it.
After an ear the next vertex is passed over, which gives fewer slivers than a fan.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Flags, FloatTable, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.shapes.piece import FloatArray

STRAIGHT = 1e-12
"""Sine of the angle up to which a vertex counts as straight."""

LINK = layout("vertex links", BEFORE="vertex before it in what is left", AFTER="vertex after it")


def cut_ears(points: FloatArray) -> np.ndarray:
    """Return the triangles of a simple, counter-clockwise polygon (n, 2), as rows of vertex numbers (t, 3) int64.

    They do not cover the polygon if it crosses itself, or if parts of it are too thin for the precision.
    """
    count = len(points)
    triangles = np.empty((count, 3), np.int64)
    links = np.empty((count, LINK.WIDTH), np.int64)
    vertices = np.ascontiguousarray(points, np.float64)
    found: np.ndarray = triangles[: clip_ears(vertices, links, np.zeros(count, np.bool_), triangles)]
    return found


@device
def turn_over(points, a, b, c):
    """Return a number with the sign of the turn on the way from a over b to c: above 0 to the left, 0 straight on."""
    ux, uy = points[b, X] - points[a, X], points[b, Y] - points[a, Y]
    vx, vy = points[c, X] - points[b, X], points[c, Y] - points[b, Y]
    turn = ux * vy - uy * vx
    return 0.0 if abs(turn) <= STRAIGHT * sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy)) else turn


@device
def turn_at(points, links, k):
    """Return the turn at a vertex of what is left, see `turn_over`."""
    return turn_over(points, links[k, LINK.BEFORE], k, links[k, LINK.AFTER])


@device
def is_same_place(points, a, b):
    """Return True if two vertices have equal coordinates."""
    return points[a, X] == points[b, X] and points[a, Y] == points[b, Y]


@device
def is_ear(points, links, is_blocking, a, b, c):
    """Return True if none of the vertices that may lie in the triangle of a convex vertex b does."""
    k = links[c, LINK.AFTER]
    while k != a:
        if (
            is_blocking[k]
            and turn_over(points, a, b, k) >= 0.0
            and turn_over(points, b, c, k) >= 0.0
            and turn_over(points, c, a, k) >= 0.0
            and not (is_same_place(points, k, a) or is_same_place(points, k, b) or is_same_place(points, k, c))
        ):
            return False
        k = links[k, LINK.AFTER]
    return True


@device
def leave_out(links, k):
    """Take a vertex out of what is left of a polygon."""
    a, c = links[k, LINK.BEFORE], links[k, LINK.AFTER]
    links[a, LINK.AFTER], links[c, LINK.BEFORE] = c, a


@kernel
def clip_ears(points: FloatTable, links: IntTable, is_blocking: Flags, triangles: IntTable):
    """Write the triangles of a polygon to `triangles` (n, 3), and return their number.

    `links` (n, 2) and `is_blocking` (n,) are scratch space.
    """
    count = len(points)
    for k in range(count):
        links[k, LINK.BEFORE], links[k, LINK.AFTER] = (k - 1) % count, (k + 1) % count
    left, k = count, 0
    for vertex in range(count):
        if turn_at(points, links, vertex) == 0.0 and left > 3:
            leave_out(links, vertex)
            left -= 1
        else:
            k = vertex
    for vertex in range(count):
        is_blocking[vertex] = turn_at(points, links, vertex) <= 0.0
    found, passed = 0, 0
    while left > 2 and passed <= left:
        a, c = links[k, LINK.BEFORE], links[k, LINK.AFTER]
        if not (turn_at(points, links, k) > 0.0 and is_ear(points, links, is_blocking, a, k, c)):
            passed, k = passed + 1, c
            continue
        triangles[found, 0], triangles[found, 1], triangles[found, 2] = a, k, c
        leave_out(links, k)
        found, left, passed = found + 1, left - 1, 0
        for end in (a, c):
            is_blocking[end] = turn_at(points, links, end) <= 0.0
        k = links[c, LINK.AFTER]
    return found
