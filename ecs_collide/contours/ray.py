"""Intersections of a ray with the boundary of a piece (rows 7, 8 and 30).

A ray goes from P to Q, points P + u (Q − P) with u in [0, 1]. The boundary of a piece with rounding radius r has

- straight edges, moved outwards by r: an intersection of two segments (row 8);
- arcs of radius ρ + r around the corners, over the corner's cone: an intersection of a segment and a circle (row 7);
- hollow arcs of radius R − r around their centres, over the edge, met from within (row 7);
- the line of a half-plane, and the circle of a ring, met from within.

Each gives a u and the outward unit normal n there: the ray enters if n·(Q − P) < 0 and leaves if it is > 0. A ray along
a straight edge only touches it. It enters where their common part begins, with a normal against the ray, unless it
enters a corner at the same point.
"""

from __future__ import annotations

from math import inf

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE
from ecs_collide.contours.corner import SLACK, is_corner_normal, length
from ecs_collide.contours.hollow_distance import is_over_hollow, next_row
from ecs_collide.geometry.line_circle import find_crossing_fractions
from ecs_collide.geometry.segment_intersection import find_common_part
from ecs_collide.kernels.kernel import device, subroutine

SAME = 1e-12
"""Difference of fractions that count as equal, and sine up to which directions count as parallel."""


@device
def choose_hit(hit, u, x, y, ray, leaving):
    """Return the earlier of the hit so far and a hit at u with normal (x, y).

    At equal fractions, the hit at the steeper angle is returned.
    """
    dx, dy = ray[2] - ray[0], ray[3] - ray[1]
    size = length(dx, dy)
    slope = (x * dx + y * dy) / size
    if leaving:
        slope = -slope
    if slope > SAME or u != u:
        return hit
    if abs(slope) <= SAME:  # along an edge, or grazing an arc
        if leaving:
            return hit
        slope = 0.0
    if u > hit[0] + SAME or (u > hit[0] - SAME and slope >= hit[3]):
        return hit
    return u, x, y, slope


@subroutine
def find_piece_crossing(contour, piece, ray, after, leaving):
    """Return (u, normal, slope) where a ray first enters a piece from outside, or leaves it, with u >= `after`.

    u is infinite if there is no crossing. A ray does not enter through hidden parts, which belong to other pieces.
    """
    rows, radius = contour.rows, contour.sizes[piece, CONTOUR_SIZE.RADIUS]
    first, count = contour.pieces[piece, CONTOUR_PIECE.FIRST], contour.pieces[piece, CONTOUR_PIECE.COUNT]
    px, py, qx, qy = ray
    hit = (inf, 0.0, 0.0, inf)
    if rows[first, CONTOUR.EDGE] == form.UNBOUNDED:
        x, y = rows[first, CONTOUR.NORMAL_X], rows[first, CONTOUR.NORMAL_Y]
        slope = x * (qx - px) + y * (qy - py)
        height = x * (px - rows[first, CONTOUR.X]) + y * (py - rows[first, CONTOUR.Y])
        u = -height / slope if slope != 0.0 else (0.0 if height == 0.0 else inf)
        return choose_hit(hit, u, x, y, ray, leaving) if after <= u <= 1.0 else hit
    for k in range(first, first + count):
        edge = rows[k, CONTOUR.EDGE]
        if edge == form.STRAIGHT and (leaving or rows[k, CONTOUR.OPEN_EDGE] != 0.0):
            hit = _choose_edge_hit(hit, rows, k, next_row(k, first, count), radius, ray, after, leaving)
        if edge in (form.HOLLOW, form.ROUND) and (leaving or rows[k, CONTOUR.OPEN_EDGE] != 0.0):
            cx, cy, reach = rows[k, CONTOUR.ARC_X], rows[k, CONTOUR.ARC_Y], rows[k, CONTOUR.ARC_RADIUS] - radius
            for u in find_crossing_fractions(px, py, qx, qy, cx, cy, reach):
                x, y = px + u * (qx - px) - cx, py + u * (qy - py) - cy
                if after <= u <= 1.0 and (edge == form.ROUND or is_over_hollow(rows, k, first, count, SLACK, x, y)):
                    hit = choose_hit(hit, u, -x / reach, -y / reach, ray, leaving)
        reach = rows[k, CONTOUR.REACH] + radius
        if reach > 0.0 and (leaving or rows[k, CONTOUR.OPEN_CORNER] != 0.0):
            for u in find_crossing_fractions(px, py, qx, qy, rows[k, CONTOUR.X], rows[k, CONTOUR.Y], reach):
                x, y = px + u * (qx - px) - rows[k, CONTOUR.X], py + u * (qy - py) - rows[k, CONTOUR.Y]
                if after <= u <= 1.0 and is_corner_normal(rows, k, x, y):
                    hit = choose_hit(hit, u, x / reach, y / reach, ray, leaving)
    return hit


@subroutine
def _choose_edge_hit(hit, rows, k, end, radius, ray, after, leaving):
    """Return the better of the hit so far and the hit on the straight edge from row k to row `end`."""
    px, py, qx, qy = ray
    x, y = rows[k, CONTOUR.NORMAL_X], rows[k, CONTOUR.NORMAL_Y]
    ax = rows[k, CONTOUR.X] + radius * x
    ay = rows[k, CONTOUR.Y] + radius * y
    bx = rows[end, CONTOUR.X] + radius * x
    by = rows[end, CONTOUR.Y] + radius * y
    meeting = find_common_part(px, py, qx, qy, ax, ay, bx, by)
    if not after <= meeting.u_a <= 1.0:
        return hit
    dx, dy = qx - px, qy - py
    size = length(dx, dy)
    if abs(x * dx + y * dy) <= SAME * size:
        if leaving:
            return hit
        u = meeting.u_a
        if u > hit[0] - SAME:
            return hit
        return u, -dx / size, -dy / size, 0.0
    return choose_hit(hit, meeting.u_a, x, y, ray, leaving)
