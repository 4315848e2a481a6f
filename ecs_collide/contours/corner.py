"""Placing the rows of a contour, and the directions in which a corner is what reaches furthest."""

from __future__ import annotations

from math import inf, sqrt

from ecs_collide.compiled.jit import device, subroutine
from ecs_collide.contours.contour import (
    ARC_RADIUS,
    ARC_X,
    ARC_Y,
    EDGE,
    FROM_X,
    FROM_Y,
    NORMAL_X,
    REACH,
    TO_X,
    TO_Y,
    X,
    Y,
)

SLACK = 1e-7
"""How much further an arc's cone is taken to reach [rad]. There the arc leaves its end corner as the square: 1e-14."""


@subroutine
def place(rows, first, count, x, y, cosine, sine, placed):
    """Write the rows of a piece, turned and then moved by (x, y) [m], to the first rows of `placed`.

    Left out is what only rays need.
    """
    for k in range(count):
        row = first + k
        placed[k, REACH], placed[k, EDGE], placed[k, ARC_RADIUS] = (
            rows[row, REACH],
            rows[row, EDGE],
            rows[row, ARC_RADIUS],
        )
        for column in (X, NORMAL_X, FROM_X, TO_X, ARC_X):
            u, v = rows[row, column], rows[row, column + 1]
            placed[k, column], placed[k, column + 1] = cosine * u - sine * v, sine * u + cosine * v
        placed[k, X] += x
        placed[k, Y] += y
        placed[k, ARC_X] += x
        placed[k, ARC_Y] += y


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
    slack = SLACK if rows[k, REACH] > 0.0 else 0.0
    return in_cone(rows[k, FROM_X], rows[k, FROM_Y], rows[k, TO_X], rows[k, TO_Y], slack, x, y)


@device
def furthest(rows, first, count, x, y):
    """How far a piece reaches in the unit direction (x, y) [m], its rounding radius left out."""
    result = -inf
    for k in range(first, first + count):
        reach = rows[k, X] * x + rows[k, Y] * y
        if rows[k, REACH] > 0.0:
            if not at_corner(rows, k, x, y):
                continue
            reach += rows[k, REACH]
        result = max(result, reach)
    return result


@device
def length(x, y):
    """The length of a vector."""
    return sqrt(x * x + y * y)
