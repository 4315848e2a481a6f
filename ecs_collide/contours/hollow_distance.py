"""Signed distance of two pieces, at least one of which has an edge that bends inwards.

Such a piece S is its hull K less the open disks D_k, around c_k with radius R_k, of its hollow edges. It is not convex,
and no axis shows whether a piece reaches into a hollow without touching it. The boundaries are thus compared directly.

**Apart**: the distance is the least distance between their parts: corner to corner, corner to edge, and corner (of
radius ρ) to hollow arc,

    R_k − ‖c − c_k‖ − ρ        for c − c_k in the wedge from c_k over the arc

Two edges need no test of their own: hollow edges are closest to each other at their ends unless a corner takes part.

**Overlapping**: a corner of one piece lies in the other, or edges cross. The depth of a point in S is that in K, except
nearer to a hollow:

    g(p) = max(distance of p from K, max over k of R_k − ‖p − c_k‖)

The result is the greater of the distance of the hulls and min g. The minimum is over all corners, the outermost points
of arcs, and the middle of either piece if both contain it. If edges cross and no such point lies inside, min g is
replaced by minus the least distance from a corner to the other's boundary. The result is exact for a circle, at most
the least translation if a corner lies inside, and goes to zero as the two separate.
"""

from __future__ import annotations

from math import inf

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.corner import SLACK, is_corner_normal, length
from ecs_collide.contours.piece_distance import convex_distance
from ecs_collide.contours.touching import CROSSING
from ecs_collide.geometry.arc import inside_arc
from ecs_collide.geometry.cone import in_cone
from ecs_collide.geometry.line_circle import find_crossing_fractions
from ecs_collide.geometry.point_on_segment import segment_fraction
from ecs_collide.geometry.segment_intersection import find_common_part
from ecs_collide.kernels.kernel import device, subroutine

SAME_PLACE = 1e-11
"""Distance from the end of an edge within which it is not crossed, in lengths of the edge or radii of the arc."""


@subroutine
def hollow_distance(a, first_a, count_a, b, first_b, count_b):
    """Return (distance [m], normal of the hulls) of two pieces, without rounding radii."""
    hulls, normal_x, normal_y = convex_distance(a, first_a, count_a, b, first_b, count_b)
    inside = min(
        min(
            _find_deepest_corner(a, first_a, count_a, b, first_b, count_b),
            _find_deepest_corner(b, first_b, count_b, a, first_a, count_a),
        ),
        min(
            _find_middle_depth(a, first_a, count_a, b, first_b, count_b),
            _find_middle_depth(b, first_b, count_b, a, first_a, count_a),
        ),
    )
    crossing = _edges_cross(a, first_a, count_a, b, first_b, count_b) or _edges_cross(
        b, first_b, count_b, a, first_a, count_a
    )
    if inside > 0.0:
        apart = min(
            boundary_distance(a, first_a, count_a, b, first_b, count_b, True),
            boundary_distance(b, first_b, count_b, a, first_a, count_a, True),
        )
        if not crossing:
            return apart, normal_x, normal_y
        inside = -apart
    return min(max(hulls, inside), CROSSING if crossing else 0.0), normal_x, normal_y


@device
def next_row(k, first, count):
    """Return the row of the corner at which the edge of row k ends."""
    return k + 1 if k + 1 < first + count else first


@device
def is_over_hollow(rows, k, first, count, slack, x, y):
    """Return True if a vector from the centre of a hollow edge's arc points at the arc, which runs clockwise."""
    end = next_row(k, first, count)
    center_x, center_y = rows[k, CONTOUR.ARC_X], rows[k, CONTOUR.ARC_Y]
    return in_cone(
        rows[end, CONTOUR.X] - center_x,
        rows[end, CONTOUR.Y] - center_y,
        rows[k, CONTOUR.X] - center_x,
        rows[k, CONTOUR.Y] - center_y,
        slack * rows[k, CONTOUR.ARC_RADIUS],
        x,
        y,
    )


@subroutine
def point_distance(rows, first, count, x, y):
    """Return g of a point, without rounding radius [m]."""
    result = -inf
    for k in range(first, first + count):
        dx, dy = x - rows[k, CONTOUR.X], y - rows[k, CONTOUR.Y]
        if rows[k, CONTOUR.EDGE] != form.NONE:
            result = max(result, rows[k, CONTOUR.NORMAL_X] * dx + rows[k, CONTOUR.NORMAL_Y] * dy)
        if rows[k, CONTOUR.EDGE] == form.HOLLOW:
            gap, _, _ = inside_arc(rows[k, CONTOUR.ARC_X], rows[k, CONTOUR.ARC_Y], rows[k, CONTOUR.ARC_RADIUS], x, y)
            result = max(result, gap)
        if (dx != 0.0 or dy != 0.0) and is_corner_normal(rows, k, dx, dy):
            result = max(result, length(dx, dy) - rows[k, CONTOUR.REACH])
    if count == 1:
        return length(x - rows[first, CONTOUR.X], y - rows[first, CONTOUR.Y])
    return result


@subroutine
def _find_deepest_corner(a, first_a, count_a, b, first_b, count_b):
    """Return the least g in A of B's corners and of the outermost points of B's arcs towards A's parts."""
    result = inf
    for j in range(first_b, first_b + count_b):
        reach = b[j, CONTOUR.REACH]
        if reach == 0.0:
            result = min(result, point_distance(a, first_a, count_a, b[j, CONTOUR.X], b[j, CONTOUR.Y]))
            continue
        for i in range(first_a, first_a + count_a):
            if a[i, CONTOUR.EDGE] == form.STRAIGHT:
                x, y = -a[i, CONTOUR.NORMAL_X], -a[i, CONTOUR.NORMAL_Y]
            elif a[i, CONTOUR.EDGE] == form.HOLLOW:
                x, y = b[j, CONTOUR.X] - a[i, CONTOUR.ARC_X], b[j, CONTOUR.Y] - a[i, CONTOUR.ARC_Y]
            else:
                x, y = a[i, CONTOUR.X] - b[j, CONTOUR.X], a[i, CONTOUR.Y] - b[j, CONTOUR.Y]
            size = length(x, y)
            if size > 0.0 and is_corner_normal(b, j, x, y):
                px, py = b[j, CONTOUR.X] + reach * x / size, b[j, CONTOUR.Y] + reach * y / size
                result = min(result, point_distance(a, first_a, count_a, px, py))
    return result


@subroutine
def _find_middle_depth(a, first_a, count_a, b, first_b, count_b):
    """Return the greater g, in A and in B, of the mean of B's corners."""
    x, y, count = 0.0, 0.0, 0
    for j in range(first_b, first_b + count_b):
        if b[j, CONTOUR.REACH] == 0.0:
            x, y, count = x + b[j, CONTOUR.X], y + b[j, CONTOUR.Y], count + 1
    if count < 3:  # only a line or a chord
        return inf
    x, y = x / count, y / count
    return max(point_distance(a, first_a, count_a, x, y), point_distance(b, first_b, count_b, x, y))


@subroutine
def _edges_cross(a, first_a, count_a, b, first_b, count_b):
    """Return True if a straight edge of A crosses an edge or arc of B, not just with an end."""
    for i in range(first_a, first_a + count_a):
        if a[i, CONTOUR.EDGE] != form.STRAIGHT:
            continue
        end = next_row(i, first_a, count_a)
        edge = a[i, CONTOUR.X], a[i, CONTOUR.Y], a[end, CONTOUR.X], a[end, CONTOUR.Y]
        for j in range(first_b, first_b + count_b):
            if b[j, CONTOUR.EDGE] == form.STRAIGHT and _crosses_edge(edge, b, j, next_row(j, first_b, count_b)):
                return True
            if b[j, CONTOUR.EDGE] == form.HOLLOW and _crosses_hollow(edge, b, j, first_b, count_b):
                return True
            if b[j, CONTOUR.REACH] > 0.0 and _crosses_corner(edge, b, j):
                return True
    return False


@device
def _crosses_edge(edge, b, j, stop):
    """Return True if an edge (px, py, qx, qy) crosses the straight edge of B from row j to row `stop`."""
    px, py, qx, qy = edge
    meeting = find_common_part(px, py, qx, qy, b[j, CONTOUR.X], b[j, CONTOUR.Y], b[stop, CONTOUR.X], b[stop, CONTOUR.Y])
    return _is_between(meeting.u_a) and _is_between(meeting.u_b) and meeting.u_a == meeting.u_a_end


@device
def _crosses_hollow(edge, b, j, first_b, count_b):
    """Return True if an edge (px, py, qx, qy) crosses the arc of row j of B that is bent inwards."""
    px, py, qx, qy = edge
    center_x, center_y = b[j, CONTOUR.ARC_X], b[j, CONTOUR.ARC_Y]
    for u in find_crossing_fractions(px, py, qx, qy, center_x, center_y, b[j, CONTOUR.ARC_RADIUS]):
        x, y = px + u * (qx - px) - center_x, py + u * (qy - py) - center_y
        if _is_between(u) and is_over_hollow(b, j, first_b, count_b, -SAME_PLACE, x, y):
            return True
    return False


@device
def _crosses_corner(edge, b, j):
    """Return True if an edge (px, py, qx, qy) crosses the arc around the corner of row j of B."""
    px, py, qx, qy = edge
    center_x, center_y = b[j, CONTOUR.X], b[j, CONTOUR.Y]
    for u in find_crossing_fractions(px, py, qx, qy, center_x, center_y, b[j, CONTOUR.REACH]):
        x, y = px + u * (qx - px) - center_x, py + u * (qy - py) - center_y
        if _is_between(u) and _is_inside_arc(b, j, x, y):
            return True
    return False


@device
def _is_inside_arc(rows, k, x, y):
    """Return True if a vector from the centre of an arc points at the arc, but not at its ends."""
    return in_cone(
        rows[k, CONTOUR.FROM_X],
        rows[k, CONTOUR.FROM_Y],
        rows[k, CONTOUR.TO_X],
        rows[k, CONTOUR.TO_Y],
        -SAME_PLACE,
        x,
        y,
    )


@device
def _is_between(u):
    """Return True if a fraction is that of a point between an edge's ends."""
    return SAME_PLACE < u < 1.0 - SAME_PLACE


@subroutine
def boundary_distance(a, first_a, count_a, b, first_b, count_b, with_hollows):
    """Return the least distance of B's corners from A's corners and edges, if the two are apart.

    Hollow edges take part only with `with_hollows`.
    """
    result = inf
    for j in range(first_b, first_b + count_b):
        x, y, reach = b[j, CONTOUR.X], b[j, CONTOUR.Y], b[j, CONTOUR.REACH]
        for i in range(first_a, first_a + count_a):
            dx, dy = x - a[i, CONTOUR.X], y - a[i, CONTOUR.Y]
            if (a[i, CONTOUR.REACH] == 0.0 or is_corner_normal(a, i, dx, dy)) and (
                reach == 0.0 or is_corner_normal(b, j, -dx, -dy)
            ):
                result = _choose_smaller(result, length(dx, dy), a[i, CONTOUR.REACH] + reach)
            if a[i, CONTOUR.EDGE] == form.STRAIGHT:
                end = next_row(i, first_a, count_a)
                u = segment_fraction(a[i, CONTOUR.X], a[i, CONTOUR.Y], a[end, CONTOUR.X], a[end, CONTOUR.Y], x, y)
                dx = x - a[i, CONTOUR.X] - u * (a[end, CONTOUR.X] - a[i, CONTOUR.X])
                dy = y - a[i, CONTOUR.Y] - u * (a[end, CONTOUR.Y] - a[i, CONTOUR.Y])
                if reach == 0.0 or is_corner_normal(b, j, -dx, -dy):
                    result = _choose_smaller(result, length(dx, dy), reach)
            if with_hollows and a[i, CONTOUR.EDGE] == form.HOLLOW:
                dx, dy = x - a[i, CONTOUR.ARC_X], y - a[i, CONTOUR.ARC_Y]
                height, _, _ = inside_arc(a[i, CONTOUR.ARC_X], a[i, CONTOUR.ARC_Y], a[i, CONTOUR.ARC_RADIUS], x, y)
                if is_over_hollow(a, i, first_a, count_a, SLACK, dx, dy) and (
                    reach == 0.0 or is_corner_normal(b, j, dx, dy)
                ):
                    result = _choose_smaller(result, abs(height) if reach == 0.0 else height, reach)
    return result


@subroutine
def find_outward_normal(rows, first, count, x, y):
    """Return (distance [m], unit vector) from the nearest point of a piece's boundary to a point outside the piece.

    The rounding radius does not count.
    """
    least, normal_x, normal_y = inf, 0.0, 0.0
    for k in range(first, first + count):
        dx, dy = x - rows[k, CONTOUR.X], y - rows[k, CONTOUR.Y]
        size = length(dx, dy)
        is_met = size > 0.0 and (rows[k, CONTOUR.REACH] == 0.0 or is_corner_normal(rows, k, dx, dy))
        if is_met and abs(size - rows[k, CONTOUR.REACH]) < least:
            least, normal_x, normal_y = abs(size - rows[k, CONTOUR.REACH]), dx / size, dy / size
        if rows[k, CONTOUR.EDGE] == form.STRAIGHT:
            end = next_row(k, first, count)
            along_x, along_y = rows[end, CONTOUR.X] - rows[k, CONTOUR.X], rows[end, CONTOUR.Y] - rows[k, CONTOUR.Y]
            u = segment_fraction(
                rows[k, CONTOUR.X], rows[k, CONTOUR.Y], rows[end, CONTOUR.X], rows[end, CONTOUR.Y], x, y
            )
            dx, dy = dx - u * along_x, dy - u * along_y
            size = length(dx, dy)
            if 0.0 < size < least:
                least, normal_x, normal_y = size, dx / size, dy / size
        if rows[k, CONTOUR.EDGE] == form.HOLLOW:
            arc_x, arc_y = rows[k, CONTOUR.ARC_X], rows[k, CONTOUR.ARC_Y]
            gap, to_x, to_y = inside_arc(arc_x, arc_y, rows[k, CONTOUR.ARC_RADIUS], x, y)
            if is_over_hollow(rows, k, first, count, SLACK, x - arc_x, y - arc_y) and abs(gap) < least:
                least, normal_x, normal_y = abs(gap), to_x, to_y
    return least, normal_x, normal_y


@device
def _choose_smaller(least, distance, reach):
    """Return the smaller of `least` and a distance from the centre of an arc less its radius.

    The distance is negative for a point between an arc's centre and its chord, which is not in the piece.
    """
    value = distance - reach
    return least if value < -SLACK * reach else min(least, max(0.0, value))
