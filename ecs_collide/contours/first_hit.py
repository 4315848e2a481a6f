"""Where a ray first meets the union of a shape's pieces, or leaves it.

A ray that starts outside meets the first exposed part of a boundary that it enters. It starts inside where a piece
holds the point just after the start, STEP of the ray further on, and no boundary is entered before that; so a ray that
starts on the surface meets it at 0 if it goes in, and does not meet it if it goes out. A piece whose corner is all that
such a ray touches, on its way out, is not met there: two pieces that make one flat side have corners within it.

It leaves the union where, just after leaving a piece, no other piece holds it. What pieces cover of each other is
passed on the way.
"""

from __future__ import annotations

from math import inf, nan

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import length
from ecs_collide.contours.hollow_distance import point_distance
from ecs_collide.contours.ray import SAME, piece_crossing
from ecs_collide.geometry.arc import inside_arc
from ecs_collide.kernels.kernel import device, stage, subroutine

STEP = 1e-9
ROUNDING = 1e-14
"""Distance from a piece up to which it holds a point, in units of the coordinates."""


@subroutine
def holds(contour, piece, x, y):
    """Whether a point lies in a piece or on its boundary."""
    rows, first, count = (
        contour.rows,
        contour.pieces[piece, CONTOUR_PIECE.FIRST],
        contour.pieces[piece, CONTOUR_PIECE.COUNT],
    )
    dx, dy = x - rows[first, CONTOUR.X], y - rows[first, CONTOUR.Y]
    if rows[first, CONTOUR.EDGE] == form.ENDLESS:
        distance = rows[first, CONTOUR.NORMAL_X] * dx + rows[first, CONTOUR.NORMAL_Y] * dy
    elif rows[first, CONTOUR.EDGE] == form.ROUND:
        distance, _, _ = inside_arc(
            rows[first, CONTOUR.X], rows[first, CONTOUR.Y], rows[first, CONTOUR.ARC_RADIUS], x, y
        )
    else:
        distance = point_distance(rows, first, count, x, y) - contour.sizes[piece, CONTOUR_SIZE.RADIUS]
    return distance <= ROUNDING * (abs(x) + abs(y) + abs(rows[first, CONTOUR.X]) + abs(rows[first, CONTOUR.Y]))


@device
def has_no_thickness(contour, piece):
    """Whether a piece is a line without thickness, of whatever number of corners: all its edges are parallel."""
    rows, first, count = (
        contour.rows,
        contour.pieces[piece, CONTOUR_PIECE.FIRST],
        contour.pieces[piece, CONTOUR_PIECE.COUNT],
    )
    if count == 1 or contour.sizes[piece, CONTOUR_SIZE.RADIUS] > 0.0:
        return False
    x, y = rows[first, CONTOUR.NORMAL_X], rows[first, CONTOUR.NORMAL_Y]
    for k in range(first + 1, first + count):
        if (
            rows[k, CONTOUR.EDGE] != form.STRAIGHT
            or abs(x * rows[k, CONTOUR.NORMAL_Y] - y * rows[k, CONTOUR.NORMAL_X]) > SAME
        ):
            return False
    return True


@subroutine
def piece_entry(contour, piece, ray):
    """(u, normal, slope) where a ray first enters a piece from outside, infinite u where it does not.

    One that starts on the boundary and is out again after STEP does not enter there, if the piece has an inside.
    """
    px, py, qx, qy = ray
    entry = piece_crossing(contour, piece, ray, 0.0, False)
    if entry[0] > STEP or has_no_thickness(contour, piece):
        return entry
    if holds(contour, piece, px + STEP * (qx - px), py + STEP * (qy - py)):
        return entry
    return piece_crossing(contour, piece, ray, STEP, False)


@stage
def first_hit(contour: Contour, px: float, py: float, qx: float, qy: float, exit_wanted: bool):
    """(u, normal) of the first hit of a ray from P to Q in shape coordinates [m]; u is NaN for none.

    Of a ray that starts inside it is u = 0 with the normal (0, 0), or, with `exit_wanted`, where it leaves the shape.
    """
    ray = (px, py, qx, qy)
    if px == qx and py == qy:
        for piece in range(len(contour.pieces)):
            if not exit_wanted and holds(contour, piece, px, py):
                return 0.0, 0.0, 0.0
        return nan, 0.0, 0.0
    entry = (inf, 0.0, 0.0, inf)
    for piece in range(len(contour.pieces)):
        if contour.sizes[piece, CONTOUR_SIZE.BOUND_RADIUS] < inf and _passes(contour, piece, ray):
            continue
        crossing = piece_entry(contour, piece, ray)
        if crossing[0] < entry[0] or (crossing[0] == entry[0] and crossing[3] < entry[3]):
            entry = crossing
    if entry[0] > STEP and _held(contour, px + STEP * (qx - px), py + STEP * (qy - py)):
        if not exit_wanted:
            return 0.0, 0.0, 0.0
        return _way_out(contour, ray)
    if entry[0] == inf:
        return nan, 0.0, 0.0
    return entry[0], entry[1], entry[2]


@device
def _passes(contour, piece, ray):
    """Whether a ray certainly passes a bounded piece by."""
    px, py, qx, qy = ray
    x, y, radius = (
        contour.sizes[piece, CONTOUR_SIZE.BOUND_X],
        contour.sizes[piece, CONTOUR_SIZE.BOUND_Y],
        contour.sizes[piece, CONTOUR_SIZE.BOUND_RADIUS],
    )
    dx, dy = qx - px, qy - py
    return abs(dx * (y - py) - dy * (x - px)) > 1.000001 * radius * length(dx, dy)


@subroutine
def _held(contour, x, y):
    """Whether any piece holds a point."""
    for piece in range(len(contour.pieces)):
        if holds(contour, piece, x, y):
            return True
    return False


@subroutine
def _way_out(contour, ray):
    """(u, normal) where a ray that starts inside leaves the union; u is NaN if it ends inside."""
    px, py, qx, qy = ray
    out = (0.0, 0.0, 0.0)
    while True:
        start = out[0] + STEP
        x, y = px + start * (qx - px), py + start * (qy - py)
        furthest = out
        for piece in range(len(contour.pieces)):
            if holds(contour, piece, x, y):
                crossing = piece_crossing(contour, piece, ray, start, True)
                if crossing[0] == inf:
                    return nan, 0.0, 0.0
                if crossing[0] > furthest[0]:
                    furthest = crossing[0], crossing[1], crossing[2]
        if furthest[0] == out[0]:
            return out
        out = furthest
