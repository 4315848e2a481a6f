"""Touching: one definition for all functions of two shapes.

A distance is computed from the corners of two pieces and the positions of their shapes. Its rounding error grows with
these numbers, also if they cancel. Two pieces touch if the computed distance lies between ±`rounding`,

    rounding = ROUNDING (e_A + e_B + |x_A| + |y_A| + |x_B| + |y_B|)

where e is the greatest coordinate of the piece in the axes of its shape, and (x, y) the position of the shape. Such a
distance is returned as 0.

ROUNDING is 30 times the greatest error that was seen for random shapes that touch exactly.
"""

from __future__ import annotations

from ecs_collide.contours.contour import CONTOUR
from ecs_collide.kernels.kernel import device, subroutine

ROUNDING = 4e-15
"""Distance that counts as touching, in units of the coordinates from which it is computed."""

CROSSING = -1e-300
"""Distance of pieces whose edges cross at a depth of 0 [m]: they overlap, and do not only touch."""


@device
def sum_coordinates(ax, ay, bx, by):
    """Return the sum of the absolute coordinates of two positions [m]."""
    return abs(ax) + abs(ay) + abs(bx) + abs(by)


@subroutine
def find_greatest_coordinate(rows, first, count):
    """Return the greatest coordinate of a piece's corners, arcs included [m]."""
    extent = 0.0
    for k in range(first, first + count):
        x, y = abs(rows[k, CONTOUR.X]), abs(rows[k, CONTOUR.Y])
        extent = max(extent, max(x, y) + rows[k, CONTOUR.REACH] + rows[k, CONTOUR.ARC_RADIUS])
    return extent


@device
def snap_distance(distance, rounding):
    """Return a distance [m], 0 if it is at most `rounding` in magnitude [m]."""
    return 0.0 if abs(distance) <= rounding and distance != CROSSING else distance
