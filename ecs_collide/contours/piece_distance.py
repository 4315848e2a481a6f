"""Signed distance of two convex pieces.

With the support functions h(n) = max over p of n·p, the translation that separates A and B along n, or joins them, is

    f(n) = −h_A(n) − h_B(−n)            distance = max over unit n of f(n)

It is negative if they overlap: its amount is then the least translation that separates them (PC's separating axes; the
distance from the origin to the Minkowski difference). As n turns, h changes like n·c + ρ while one corner c, of radius
ρ, is farthest. f has a local maximum only

- where a straight edge of A or of B is farthest: n is its normal;
- within the cones of a corner of A and one of B: n = (c_B − c_A)/‖c_B − c_A‖ and f(n) = ‖c_B − c_A‖ − ρ_A − ρ_B.

These are all the candidates. Rounding radii reduce every f alike. Each candidate's f is at most the distance, so an
extra candidate does no harm. If two arcs, or two circles, have one centre, f is constant over their common cone, whose
ends are among the ends of the two.

A half-plane has one candidate, its normal. A ring, the outside of a circle, is not convex: with c its centre and R its
radius

    distance = R − max over p in B of ‖p − c‖

This is exact if B is inside, and for circles. For other overlapping pieces it is how far B reaches out.
"""

from __future__ import annotations

from math import inf

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.corner import find_support, is_corner_normal, length
from ecs_collide.kernels.kernel import subroutine


@subroutine
def convex_distance(a, first_a, count_a, b, first_b, count_b):
    """Return (distance [m], normal from A to B) of the hulls of two pieces, without rounding radii."""
    best, normal_x, normal_y = -inf, 0.0, 0.0
    for i in range(first_a, first_a + count_a):
        if a[i, CONTOUR.EDGE] != form.NONE:
            x, y = a[i, CONTOUR.NORMAL_X], a[i, CONTOUR.NORMAL_Y]
            value = -find_support(b, first_b, count_b, -x, -y) - (x * a[i, CONTOUR.X] + y * a[i, CONTOUR.Y])
            if value > best:
                best, normal_x, normal_y = value, x, y
    for j in range(first_b, first_b + count_b):
        if b[j, CONTOUR.EDGE] != form.NONE:
            x, y = -b[j, CONTOUR.NORMAL_X], -b[j, CONTOUR.NORMAL_Y]
            value = x * b[j, CONTOUR.X] + y * b[j, CONTOUR.Y] - find_support(a, first_a, count_a, x, y)
            if value > best:
                best, normal_x, normal_y = value, x, y
    for i in range(first_a, first_a + count_a):
        for j in range(first_b, first_b + count_b):
            x, y = b[j, CONTOUR.X] - a[i, CONTOUR.X], b[j, CONTOUR.Y] - a[i, CONTOUR.Y]
            reach = a[i, CONTOUR.REACH] + b[j, CONTOUR.REACH]
            if x == 0.0 and y == 0.0:
                x, y = _common_normal(a, i, b, j, reach, count_a == 1 and count_b == 1)
                if x == 0.0 and y == 0.0:
                    continue
                value = -reach
            else:
                if not (is_corner_normal(a, i, x, y) and is_corner_normal(b, j, -x, -y)):
                    continue
                distance = length(x, y)
                x, y, value = x / distance, y / distance, distance - reach
            if value > best:
                best, normal_x, normal_y = value, x, y
    return best, normal_x, normal_y


@subroutine
def _common_normal(a, i, b, j, reach, points):
    """Return a direction in the cones of two corners with the same centre, (0, 0) if their edges suffice."""
    if points:
        return 1.0, 0.0
    if reach == 0.0:
        return 0.0, 0.0
    for x, y in (
        (a[i, CONTOUR.FROM_X], a[i, CONTOUR.FROM_Y]),
        (a[i, CONTOUR.TO_X], a[i, CONTOUR.TO_Y]),
        (-b[j, CONTOUR.FROM_X], -b[j, CONTOUR.FROM_Y]),
        (-b[j, CONTOUR.TO_X], -b[j, CONTOUR.TO_Y]),
    ):
        if (x != 0.0 or y != 0.0) and is_corner_normal(a, i, x, y) and is_corner_normal(b, j, -x, -y):
            return x, y
    return 0.0, 0.0


@subroutine
def distance_from_half_plane(a, i, b, first_b, count_b):
    """Return (distance [m], normal) from a half-plane, row i of `a`, to a piece."""
    x, y = a[i, CONTOUR.NORMAL_X], a[i, CONTOUR.NORMAL_Y]
    return -find_support(b, first_b, count_b, -x, -y) - (x * a[i, CONTOUR.X] + y * a[i, CONTOUR.Y]), x, y


@subroutine
def distance_from_ring(a, i, b, first_b, count_b):
    """Return (distance [m], normal) from a ring, row i of `a`, to a piece; the normal points to the ring's centre."""
    furthest_out, normal_x, normal_y = -inf, 1.0, 0.0
    for j in range(first_b, first_b + count_b):
        x, y = b[j, CONTOUR.X] - a[i, CONTOUR.X], b[j, CONTOUR.Y] - a[i, CONTOUR.Y]
        if b[j, CONTOUR.REACH] > 0.0 and not is_corner_normal(b, j, x, y):
            continue
        distance = length(x, y)
        if distance + b[j, CONTOUR.REACH] > furthest_out:
            furthest_out = distance + b[j, CONTOUR.REACH]
            if distance > 0.0:
                normal_x, normal_y = -x / distance, -y / distance
    return a[i, CONTOUR.ARC_RADIUS] - furthest_out, normal_x, normal_y
