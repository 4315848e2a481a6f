"""Signed distance of two pieces of which at least one has an edge that bends inwards.

Such a piece S is its hull K less the open disks D_k, around c_k with radius R_k, of its hollow edges. It is not convex,
and no axis tells whether something reaches into a hollow without touching it. So the boundaries are compared directly.

**Apart**, the distance is the least of those between their parts: corner to corner, corner to edge, and corner (of
radius ρ) to hollow arc,

    R_k − ‖c − c_k‖ − ρ        for c − c_k in the wedge from c_k over the arc

Two edges need no test of their own: where no corner takes part, hollow edges are closest to each other at their ends.

**Overlapping** they are where a corner of one lies in the other, or edges cross. The depth of a point in S is that in
K, except nearer to a hollow:

    g(p) = max(distance of p from K, max over k of R_k − ‖p − c_k‖)

The answer is the greater of the distance of the hulls and min g, over all corners, the outermost points of arcs, and
the middle of either piece where both hold it. Where edges cross but no such point lies inside, minus the least distance
from a corner to the other's boundary takes the place of min g. The answer is exact for a circle, at most the least
translation where a corner lies inside, and goes to zero as the two part.
"""

from __future__ import annotations

from math import inf

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.corner import SLACK, at_corner, length
from ecs_collide.contours.piece_distance import convex_distance
from ecs_collide.geometry.arc import inside_arc
from ecs_collide.geometry.cone import in_cone
from ecs_collide.geometry.line_circle import crossing_fractions
from ecs_collide.geometry.point_on_segment import segment_fraction
from ecs_collide.geometry.segment_intersection import common_part
from ecs_collide.kernels.kernel import device, subroutine

SAME_PLACE = 1e-11
"""How near its end an edge may be met without being crossed, in lengths of the edge or radii of the arc."""

SMALLEST = 1e-300
"""The least depth [m] of pieces whose edges cross."""


@subroutine
def hollow_distance(a, first_a, count_a, b, first_b, count_b):
    """(distance [m], normal of the hulls) of two pieces, rounding radii left out."""
    hulls, normal_x, normal_y = convex_distance(a, first_a, count_a, b, first_b, count_b)
    inside = min(
        min(
            _deepest_corner(a, first_a, count_a, b, first_b, count_b),
            _deepest_corner(b, first_b, count_b, a, first_a, count_a),
        ),
        min(
            _depth_of_middle(a, first_a, count_a, b, first_b, count_b),
            _depth_of_middle(b, first_b, count_b, a, first_a, count_a),
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
    return min(max(hulls, inside), -SMALLEST if crossing else 0.0), normal_x, normal_y


@device
def next_row(k, first, count):
    """The row of the corner at which the edge of row k ends."""
    return k + 1 if k + 1 < first + count else first


@device
def over_hollow(rows, k, first, count, slack, x, y):
    """Whether a vector from the centre of a hollow edge's arc points at that arc, which runs clockwise around it."""
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
    """g of a point, rounding radius left out."""
    result = -inf
    for k in range(first, first + count):
        dx, dy = x - rows[k, CONTOUR.X], y - rows[k, CONTOUR.Y]
        if rows[k, CONTOUR.EDGE] != form.NONE:
            result = max(result, rows[k, CONTOUR.NORMAL_X] * dx + rows[k, CONTOUR.NORMAL_Y] * dy)
        if rows[k, CONTOUR.EDGE] == form.HOLLOW:
            gap, _, _ = inside_arc(rows[k, CONTOUR.ARC_X], rows[k, CONTOUR.ARC_Y], rows[k, CONTOUR.ARC_RADIUS], x, y)
            result = max(result, gap)
        if (dx != 0.0 or dy != 0.0) and at_corner(rows, k, dx, dy):
            result = max(result, length(dx, dy) - rows[k, CONTOUR.REACH])
    if count == 1:
        return length(x - rows[first, CONTOUR.X], y - rows[first, CONTOUR.Y])
    return result


@subroutine
def _deepest_corner(a, first_a, count_a, b, first_b, count_b):
    """The least g in A of B's corners and of the points in which B's arcs reach furthest towards A's parts."""
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
            if size > 0.0 and at_corner(b, j, x, y):
                px, py = b[j, CONTOUR.X] + reach * x / size, b[j, CONTOUR.Y] + reach * y / size
                result = min(result, point_distance(a, first_a, count_a, px, py))
    return result


@subroutine
def _depth_of_middle(a, first_a, count_a, b, first_b, count_b):
    """The greater g, in A and in B, of the mean of B's corners."""
    x, y, count = 0.0, 0.0, 0
    for j in range(first_b, first_b + count_b):
        if b[j, CONTOUR.REACH] == 0.0:
            x, y, count = x + b[j, CONTOUR.X], y + b[j, CONTOUR.Y], count + 1
    if count < 3:  # no more than a line or a chord
        return inf
    x, y = x / count, y / count
    return max(point_distance(a, first_a, count_a, x, y), point_distance(b, first_b, count_b, x, y))


@subroutine
def _edges_cross(a, first_a, count_a, b, first_b, count_b):
    """Whether a straight edge of A crosses a straight or hollow edge or an arc of B, not just with an end."""
    for i in range(first_a, first_a + count_a):
        if a[i, CONTOUR.EDGE] != form.STRAIGHT:
            continue
        end = next_row(i, first_a, count_a)
        px, py, qx, qy = a[i, CONTOUR.X], a[i, CONTOUR.Y], a[end, CONTOUR.X], a[end, CONTOUR.Y]
        for j in range(first_b, first_b + count_b):
            if b[j, CONTOUR.EDGE] == form.STRAIGHT:
                stop = next_row(j, first_b, count_b)
                meeting = common_part(
                    px, py, qx, qy, b[j, CONTOUR.X], b[j, CONTOUR.Y], b[stop, CONTOUR.X], b[stop, CONTOUR.Y]
                )
                if _is_between(meeting.u_a) and _is_between(meeting.u_b) and meeting.u_a == meeting.u_a_end:
                    return True
            if b[j, CONTOUR.EDGE] == form.HOLLOW:
                low, high = crossing_fractions(
                    px, py, qx, qy, b[j, CONTOUR.ARC_X], b[j, CONTOUR.ARC_Y], b[j, CONTOUR.ARC_RADIUS]
                )
                for u in (low, high):
                    x, y = px + u * (qx - px) - b[j, CONTOUR.ARC_X], py + u * (qy - py) - b[j, CONTOUR.ARC_Y]
                    if _is_between(u) and over_hollow(b, j, first_b, count_b, -SAME_PLACE, x, y):
                        return True
            if b[j, CONTOUR.REACH] > 0.0:
                low, high = crossing_fractions(px, py, qx, qy, b[j, CONTOUR.X], b[j, CONTOUR.Y], b[j, CONTOUR.REACH])
                for u in (low, high):
                    x, y = px + u * (qx - px) - b[j, CONTOUR.X], py + u * (qy - py) - b[j, CONTOUR.Y]
                    if _is_between(u) and _well_within(b, j, x, y):
                        return True
    return False


@device
def _well_within(rows, k, x, y):
    """Whether a vector from the centre of an arc points at the arc, but not at its ends."""
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
    """Whether a fraction is that of a point between an edge's ends."""
    return SAME_PLACE < u < 1.0 - SAME_PLACE


@subroutine
def boundary_distance(a, first_a, count_a, b, first_b, count_b, with_hollows):
    """The least distance of B's corners from A's corners, edges and hollow edges or not, if the two are apart."""
    result = inf
    for j in range(first_b, first_b + count_b):
        x, y, reach = b[j, CONTOUR.X], b[j, CONTOUR.Y], b[j, CONTOUR.REACH]
        for i in range(first_a, first_a + count_a):
            dx, dy = x - a[i, CONTOUR.X], y - a[i, CONTOUR.Y]
            if (a[i, CONTOUR.REACH] == 0.0 or at_corner(a, i, dx, dy)) and (reach == 0.0 or at_corner(b, j, -dx, -dy)):
                result = _lesser(result, length(dx, dy), a[i, CONTOUR.REACH] + reach)
            if a[i, CONTOUR.EDGE] == form.STRAIGHT:
                end = next_row(i, first_a, count_a)
                u = segment_fraction(a[i, CONTOUR.X], a[i, CONTOUR.Y], a[end, CONTOUR.X], a[end, CONTOUR.Y], x, y)
                dx, dy = (
                    x - a[i, CONTOUR.X] - u * (a[end, CONTOUR.X] - a[i, CONTOUR.X]),
                    y - a[i, CONTOUR.Y] - u * (a[end, CONTOUR.Y] - a[i, CONTOUR.Y]),
                )
                if reach == 0.0 or at_corner(b, j, -dx, -dy):
                    result = _lesser(result, length(dx, dy), reach)
            if with_hollows and a[i, CONTOUR.EDGE] == form.HOLLOW:
                dx, dy = x - a[i, CONTOUR.ARC_X], y - a[i, CONTOUR.ARC_Y]
                height, _, _ = inside_arc(a[i, CONTOUR.ARC_X], a[i, CONTOUR.ARC_Y], a[i, CONTOUR.ARC_RADIUS], x, y)
                if over_hollow(a, i, first_a, count_a, SLACK, dx, dy) and (reach == 0.0 or at_corner(b, j, dx, dy)):
                    result = _lesser(result, abs(height) if reach == 0.0 else height, reach)
    return result


@subroutine
def way_out(rows, first, count, x, y):
    """The unit vector to a point outside of a piece from what of its boundary is nearest, rounding radius left out."""
    least, normal_x, normal_y = inf, 0.0, 0.0
    for k in range(first, first + count):
        dx, dy = x - rows[k, CONTOUR.X], y - rows[k, CONTOUR.Y]
        size = length(dx, dy)
        is_met = size > 0.0 and (rows[k, CONTOUR.REACH] == 0.0 or at_corner(rows, k, dx, dy))
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
            if over_hollow(rows, k, first, count, SLACK, x - arc_x, y - arc_y) and abs(gap) < least:
                least, normal_x, normal_y = abs(gap), to_x, to_y
    return normal_x, normal_y


@device
def _lesser(least, distance, reach):
    """The lesser of the least distance so far and that from the centre of an arc, less its radius.

    Negative is the distance of a point that lies between an arc's centre and its chord, which is not in the piece.
    """
    value = distance - reach
    return least if value < -SLACK * reach else min(least, max(0.0, value))
