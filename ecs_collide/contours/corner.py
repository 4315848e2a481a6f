"""Placing the rows of a contour, and the directions in which a corner is what reaches furthest."""

from __future__ import annotations

from math import inf, sqrt

from ecs_collide.compiled.jit import device, subroutine
from ecs_collide.contours import contour as form

SLACK = 1e-7
"""How much further an arc's cone is taken to reach [rad]. There the arc leaves its end corner as the square: 1e-14."""


@subroutine
def place(rows, first, count, x, y, cosine, sine, placed):
    """Write the rows of a piece, turned and then moved by (x, y) [m], to the first rows of `placed`.

    Left out is what only rays need.
    """
    for k in range(count):
        row = first + k
        placed[k, form.REACH], placed[k, form.EDGE], placed[k, form.ARC_RADIUS] = (
            rows[row, form.REACH],
            rows[row, form.EDGE],
            rows[row, form.ARC_RADIUS],
        )
        for column in (form.X, form.NORMAL_X, form.FROM_X, form.TO_X, form.ARC_X):
            u, v = rows[row, column], rows[row, column + 1]
            placed[k, column], placed[k, column + 1] = cosine * u - sine * v, sine * u + cosine * v
        placed[k, form.X] += x
        placed[k, form.Y] += y
        placed[k, form.ARC_X] += x
        placed[k, form.ARC_Y] += y


@device
def in_cone(from_x, from_y, to_x, to_y, slack, x, y):
    """Whether a vector (x, y) points between two directions at most half a turn apart, or 0 radians, or anywhere."""
    size = abs(x) + abs(y)
    if from_x * y - from_y * x < -slack * size or x * to_y - y * to_x < -slack * size:
        return False
    # the two tests also hold opposite to a cone without width
    return max(x * from_x + y * from_y, x * to_x + y * to_y) >= -0.5 * size


@device
def at_corner(rows, k, x, y):
    """Whether the vector (x, y) is a normal of the hull at a corner."""
    slack = SLACK if rows[k, form.REACH] > 0.0 else 0.0
    return in_cone(rows[k, form.FROM_X], rows[k, form.FROM_Y], rows[k, form.TO_X], rows[k, form.TO_Y], slack, x, y)


@device
def furthest(rows, first, count, x, y):
    """How far a piece reaches in the unit direction (x, y) [m], its rounding radius left out."""
    result = -inf
    for k in range(first, first + count):
        reach = rows[k, form.X] * x + rows[k, form.Y] * y
        if rows[k, form.REACH] > 0.0:
            if not at_corner(rows, k, x, y):
                continue
            reach += rows[k, form.REACH]
        result = max(result, reach)
    return result


@device
def length(x, y):
    """The length of a vector."""
    return sqrt(x * x + y * y)
