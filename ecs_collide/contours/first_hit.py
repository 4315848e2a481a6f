"""The first point at which a ray meets the union of a shape's pieces, or leaves it.

A ray that starts outside meets the first exposed boundary that it enters. A ray starts inside if a piece contains the
point STEP of the ray after the start and no boundary is entered before that point. A ray that starts on the surface
thus meets it at 0 if it goes in, and not at all if it goes out.

A ray may touch just a corner of a piece on its way out. It does not meet that piece, because two pieces that form one
flat side have corners within the side.

A ray leaves the union if no other piece contains the point just after it leaves a piece. Hidden edges are passed.
"""

from __future__ import annotations

from math import inf, nan

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import length
from ecs_collide.contours.hollow_distance import point_distance
from ecs_collide.contours.ray import SAME, find_piece_crossing
from ecs_collide.geometry.arc import inside_arc
from ecs_collide.kernels.kernel import device, kernel, subroutine

STEP = 1e-9
"""Fraction of the ray after which a point is tested for being inside."""
ROUNDING = 1e-14
"""Distance from a piece up to which it contains a point, in units of the coordinates."""


@subroutine
def find_point_distance(contour, piece, x, y):
    """Return the distance of a point from a piece [m], negative inside."""
    rows = contour.rows
    first = contour.pieces[piece, CONTOUR_PIECE.FIRST]
    count = contour.pieces[piece, CONTOUR_PIECE.COUNT]
    dx, dy = x - rows[first, CONTOUR.X], y - rows[first, CONTOUR.Y]
    if rows[first, CONTOUR.EDGE] == form.UNBOUNDED:
        return rows[first, CONTOUR.NORMAL_X] * dx + rows[first, CONTOUR.NORMAL_Y] * dy
    if rows[first, CONTOUR.EDGE] == form.ROUND:
        distance, _, _ = inside_arc(
            rows[first, CONTOUR.X], rows[first, CONTOUR.Y], rows[first, CONTOUR.ARC_RADIUS], x, y
        )
        return distance
    return point_distance(rows, first, count, x, y) - contour.sizes[piece, CONTOUR_SIZE.RADIUS]


@subroutine
def contains_point(contour, piece, x, y):
    """Return True if a point lies in a piece or on its boundary."""
    rows, first = contour.rows, contour.pieces[piece, CONTOUR_PIECE.FIRST]
    distance = find_point_distance(contour, piece, x, y)
    return distance <= ROUNDING * (abs(x) + abs(y) + abs(rows[first, CONTOUR.X]) + abs(rows[first, CONTOUR.Y]))


@device
def has_no_thickness(contour, piece):
    """Return True if a piece is a line without thickness: all its edges are parallel."""
    rows = contour.rows
    first = contour.pieces[piece, CONTOUR_PIECE.FIRST]
    count = contour.pieces[piece, CONTOUR_PIECE.COUNT]
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
def find_piece_entry(contour, piece, ray):
    """Return (u, normal, slope) where a ray first enters a piece from outside, with infinite u if it does not.

    A ray that starts on the boundary and is outside after STEP does not enter there, unless the piece has no inside.
    """
    px, py, qx, qy = ray
    entry = find_piece_crossing(contour, piece, ray, 0.0, False)
    if entry[0] > STEP or has_no_thickness(contour, piece):
        return entry
    if contains_point(contour, piece, px + STEP * (qx - px), py + STEP * (qy - py)):
        return entry
    return find_piece_crossing(contour, piece, ray, STEP, False)


@kernel
def find_first_hit(contour: Contour, px: float, py: float, qx: float, qy: float, exit_wanted: bool):
    """Return (u, normal) of the first hit of a ray from P to Q in shape coordinates [m]; u is NaN for none.

    A ray that starts inside has u = 0 and the normal (0, 0), or with `exit_wanted` the point where it leaves the shape.
    """
    ray = (px, py, qx, qy)
    if px == qx and py == qy:
        for piece in range(len(contour.pieces)):
            if not exit_wanted and contains_point(contour, piece, px, py):
                return 0.0, 0.0, 0.0
        return nan, 0.0, 0.0
    entry = (inf, 0.0, 0.0, inf)
    for piece in range(len(contour.pieces)):
        if contour.sizes[piece, CONTOUR_SIZE.BOUND_RADIUS] < inf and _misses_circle(contour, piece, ray):
            continue
        crossing = find_piece_entry(contour, piece, ray)
        if crossing[0] < entry[0] or (crossing[0] == entry[0] and crossing[3] < entry[3]):
            entry = crossing
    if entry[0] > STEP and _contains_point(contour, px + STEP * (qx - px), py + STEP * (qy - py)):
        if not exit_wanted:
            return 0.0, 0.0, 0.0
        return _find_exit(contour, ray)
    if entry[0] == inf:
        return nan, 0.0, 0.0
    return entry[0], entry[1], entry[2]


@device
def _misses_circle(contour, piece, ray):
    """Return True if a ray certainly misses the bounding circle of a piece."""
    px, py, qx, qy = ray
    x = contour.sizes[piece, CONTOUR_SIZE.BOUND_X]
    y = contour.sizes[piece, CONTOUR_SIZE.BOUND_Y]
    radius = contour.sizes[piece, CONTOUR_SIZE.BOUND_RADIUS]
    dx, dy = qx - px, qy - py
    return abs(dx * (y - py) - dy * (x - px)) > 1.000001 * radius * length(dx, dy)


@subroutine
def _contains_point(contour, x, y):
    """Return True if any piece contains a point."""
    for piece in range(len(contour.pieces)):
        if contains_point(contour, piece, x, y):
            return True
    return False


@subroutine
def _find_exit(contour, ray):
    """Return (u, normal) where a ray that starts inside leaves the union; u is NaN if it ends inside."""
    px, py, qx, qy = ray
    out = (0.0, 0.0, 0.0)
    while True:
        start = out[0] + STEP
        x, y = px + start * (qx - px), py + start * (qy - py)
        furthest = out
        for piece in range(len(contour.pieces)):
            if contains_point(contour, piece, x, y):
                crossing = find_piece_crossing(contour, piece, ray, start, True)
                if crossing[0] == inf:
                    return nan, 0.0, 0.0
                if crossing[0] > furthest[0]:
                    furthest = crossing[0], crossing[1], crossing[2]
        if furthest[0] == out[0]:
            return out
        out = furthest
