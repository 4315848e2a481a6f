"""The extent of a shape along a direction: its support function, from which boxes and widths follow.

The support of a shape S along a unit vector n is h(n) = max over p in S of n·p. The box of S is
(−h(−x), −h(−y), h(x), h(y)), and its width across n is h(m) + h(−m) for the unit vector m across n.
"""

from __future__ import annotations

from math import inf, sqrt

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import find_support
from ecs_collide.contours.shape_distance import Placement
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import kernel
from ecs_collide.validate import Vector2

SAME_DIRECTION = 1e-12
"""Largest component across a half-plane's normal of a direction along which the half-plane ends."""
SINE_OF_TILT = 1e-6
"""Sine of the angle between the direction and those between which `find_shape_end` takes a derivative."""
COSINE_OF_TILT = sqrt(1.0 - SINE_OF_TILT * SINE_OF_TILT)


@kernel
def find_shape_support(shape: Contour, angle: float, x: float, y: float):
    """Return the support [m] of a shape at the origin, turned by `angle` [rad], along the unit vector (x, y).

    It is infinite along directions in which an unbounded shape does not end.
    """
    cosine, sine = cos_sin(angle)
    x, y = cosine * x + sine * y, cosine * y - sine * x
    support = -inf
    for k in range(len(shape.pieces)):
        first, count = shape.pieces[k, CONTOUR_PIECE.FIRST], shape.pieces[k, CONTOUR_PIECE.COUNT]
        row = shape.rows[first]
        if row[CONTOUR.EDGE] == form.ROUND:
            return inf
        if row[CONTOUR.EDGE] == form.UNBOUNDED:
            across = x * row[CONTOUR.NORMAL_Y] - y * row[CONTOUR.NORMAL_X]
            along = x * row[CONTOUR.NORMAL_X] + y * row[CONTOUR.NORMAL_Y]
            if along < 0.0 or abs(across) > SAME_DIRECTION:
                return inf
            support = max(support, x * row[CONTOUR.X] + y * row[CONTOUR.Y])
        else:
            support = max(support, find_support(shape.rows, first, count, x, y) + shape.sizes[k, CONTOUR_SIZE.RADIUS])
    return support


def find_shape_box(shape: Contour, place: Placement) -> tuple[float, float, float, float]:
    """Return the box (min_x, min_y, max_x, max_y) [m] of a shape at a place (x [m], y [m], angle [rad])."""
    x, y, angle = place
    return (
        x - find_shape_support(shape, angle, -1.0, 0.0),
        y - find_shape_support(shape, angle, 0.0, -1.0),
        x + find_shape_support(shape, angle, 1.0, 0.0),
        y + find_shape_support(shape, angle, 0.0, 1.0),
    )


def find_shape_width(shape: Contour, angle: float, direction: Vector2) -> float:
    """Return the extent [m] of a shape that is turned by `angle` [rad], along a unit vector."""
    x, y = direction
    width: float = find_shape_support(shape, angle, x, y) + find_shape_support(shape, angle, -x, -y)
    return width


def find_shape_end(shape: Contour, place: Placement, direction: Vector2) -> Vector2:
    """Return the point [m] of a shape at a place that lies farthest along a unit vector: of an edge, the middle.

    The derivative of the support by the direction's angle is the place of that point across the direction. At an edge,
    that from the left belongs to one end of the edge and that from the right to the other.
    """
    x, y = direction
    c, s = COSINE_OF_TILT, SINE_OF_TILT  # machines may round sines differently, but not roots
    along = find_shape_support(shape, place[2], x, y)
    left = find_shape_support(shape, place[2], c * x - s * y, c * y + s * x)
    right = find_shape_support(shape, place[2], c * x + s * y, c * y - s * x)
    across = (left - right) / (2.0 * s)
    return place[0] + along * x - across * y, place[1] + along * y + across * x
