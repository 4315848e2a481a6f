"""Placing the rows of a contour, and the directions in which a corner is what reaches furthest."""

from __future__ import annotations

from math import inf, sqrt

from ecs_collide.contours.contour import CONTOUR
from ecs_collide.geometry.cone import in_cone
from ecs_collide.geometry.pose import turned
from ecs_collide.kernels.kernel import device, subroutine

SLACK = 1e-7
"""How much further an arc's cone is taken to reach [rad]. There the arc leaves its end corner as the square: 1e-14."""


@subroutine
def place_contour_rows(rows, first, count, pose, out):
    """Write the rows of a piece, as they are seen from outside its pose, to the first rows of `out`.

    Left out is what only rays need.
    """
    for k in range(count):
        row = first + k
        out[k, CONTOUR.REACH], out[k, CONTOUR.EDGE], out[k, CONTOUR.ARC_RADIUS] = (
            rows[row, CONTOUR.REACH],
            rows[row, CONTOUR.EDGE],
            rows[row, CONTOUR.ARC_RADIUS],
        )
        for column in (CONTOUR.X, CONTOUR.NORMAL_X, CONTOUR.FROM_X, CONTOUR.TO_X, CONTOUR.ARC_X):
            out[k, column], out[k, column + 1] = turned(pose, rows[row, column], rows[row, column + 1])
        for column in (CONTOUR.X, CONTOUR.ARC_X):
            out[k, column] += pose.x
            out[k, column + 1] += pose.y


@device
def at_corner(rows, k, x, y):
    """Whether the vector (x, y) is a normal of the hull at a corner."""
    slack = SLACK if rows[k, CONTOUR.REACH] > 0.0 else 0.0
    return in_cone(
        rows[k, CONTOUR.FROM_X], rows[k, CONTOUR.FROM_Y], rows[k, CONTOUR.TO_X], rows[k, CONTOUR.TO_Y], slack, x, y
    )


@device
def furthest(rows, first, count, x, y):
    """How far a piece reaches in the unit direction (x, y) [m], its rounding radius left out."""
    result = -inf
    for k in range(first, first + count):
        reach = rows[k, CONTOUR.X] * x + rows[k, CONTOUR.Y] * y
        if rows[k, CONTOUR.REACH] > 0.0:
            if not at_corner(rows, k, x, y):
                continue
            reach += rows[k, CONTOUR.REACH]
        result = max(result, reach)
    return result


@device
def length(x, y):
    """The length of a vector."""
    return sqrt(x * x + y * y)
