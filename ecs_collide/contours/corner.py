"""Placement of contour rows, and the directions in which a corner is farthest."""

from __future__ import annotations

from math import inf, sqrt

from ecs_collide.contours.contour import CONTOUR
from ecs_collide.geometry.cone import in_cone
from ecs_collide.geometry.pose import rotate_vector
from ecs_collide.kernels.kernel import device, subroutine

SLACK = 1e-7
"""Angle by which an arc's cone is widened [rad].

The arc leaves its end corner with the square of the angle there: 1e-14.
"""


@subroutine
def place_contour_rows(rows, first, count, pose, out):
    """Write the rows of a piece in coordinates outside its pose to the first rows of `out`.

    Columns that only rays read are not written.
    """
    for k in range(count):
        row = first + k
        out[k, CONTOUR.REACH], out[k, CONTOUR.EDGE], out[k, CONTOUR.ARC_RADIUS] = (
            rows[row, CONTOUR.REACH],
            rows[row, CONTOUR.EDGE],
            rows[row, CONTOUR.ARC_RADIUS],
        )
        for column in (CONTOUR.X, CONTOUR.NORMAL_X, CONTOUR.FROM_X, CONTOUR.TO_X, CONTOUR.ARC_X):
            out[k, column], out[k, column + 1] = rotate_vector(pose, rows[row, column], rows[row, column + 1])
        for column in (CONTOUR.X, CONTOUR.ARC_X):
            out[k, column] += pose.x
            out[k, column + 1] += pose.y


@device
def is_corner_normal(rows, k, x, y):
    """Return True if the vector (x, y) is a normal of the hull at a corner."""
    slack = SLACK if rows[k, CONTOUR.REACH] > 0.0 else 0.0
    return in_cone(
        rows[k, CONTOUR.FROM_X], rows[k, CONTOUR.FROM_Y], rows[k, CONTOUR.TO_X], rows[k, CONTOUR.TO_Y], slack, x, y
    )


@device
def find_support(rows, first, count, x, y):
    """Return the support of a piece in the unit direction (x, y) [m], without its rounding radius."""
    result = -inf
    for k in range(first, first + count):
        reach = rows[k, CONTOUR.X] * x + rows[k, CONTOUR.Y] * y
        if rows[k, CONTOUR.REACH] > 0.0:
            if not is_corner_normal(rows, k, x, y):
                continue
            reach += rows[k, CONTOUR.REACH]
        result = max(result, reach)
    return result


@device
def length(x, y):
    """Return the length of a vector."""
    return sqrt(x * x + y * y)
