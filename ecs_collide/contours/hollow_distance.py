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
    center_x, center_y = rows[k, form.ARC_X], rows[k, form.ARC_Y]
    return in_cone(
        rows[end, form.X] - center_x,
        rows[end, form.Y] - center_y,
        rows[k, form.X] - center_x,
        rows[k, form.Y] - center_y,
        slack * rows[k, form.ARC_RADIUS],
        x,
        y,
    )


@subroutine
def point_distance(rows, first, count, x, y):
    """g of a point, rounding radius left out."""
    result = -inf
    for k in range(first, first + count):
        dx, dy = x - rows[k, form.X], y - rows[k, form.Y]
        if rows[k, form.EDGE] != form.NONE:
            result = max(result, rows[k, form.NORMAL_X] * dx + rows[k, form.NORMAL_Y] * dy)
        if rows[k, form.EDGE] == form.HOLLOW:
            gap, _, _ = inside_arc(rows[k, form.ARC_X], rows[k, form.ARC_Y], rows[k, form.ARC_RADIUS], x, y)
            result = max(result, gap)
        if (dx != 0.0 or dy != 0.0) and at_corner(rows, k, dx, dy):
            result = max(result, length(dx, dy) - rows[k, form.REACH])
    if count == 1:
        return length(x - rows[first, form.X], y - rows[first, form.Y])
    return result


@subroutine
def _deepest_corner(a, first_a, count_a, b, first_b, count_b):
    """The least g in A of B's corners and of the points in which B's arcs reach furthest towards A's parts."""
    result = inf
    for j in range(first_b, first_b + count_b):
        reach = b[j, form.REACH]
        if reach == 0.0:
            result = min(result, point_distance(a, first_a, count_a, b[j, form.X], b[j, form.Y]))
            continue
        for i in range(first_a, first_a + count_a):
            if a[i, form.EDGE] == form.STRAIGHT:
                x, y = -a[i, form.NORMAL_X], -a[i, form.NORMAL_Y]
            elif a[i, form.EDGE] == form.HOLLOW:
                x, y = b[j, form.X] - a[i, form.ARC_X], b[j, form.Y] - a[i, form.ARC_Y]
            else:
                x, y = a[i, form.X] - b[j, form.X], a[i, form.Y] - b[j, form.Y]
            size = length(x, y)
            if size > 0.0 and at_corner(b, j, x, y):
                px, py = b[j, form.X] + reach * x / size, b[j, form.Y] + reach * y / size
                result = min(result, point_distance(a, first_a, count_a, px, py))
    return result


@subroutine
def _depth_of_middle(a, first_a, count_a, b, first_b, count_b):
    """The greater g, in A and in B, of the mean of B's corners."""
    x, y, count = 0.0, 0.0, 0
    for j in range(first_b, first_b + count_b):
        if b[j, form.REACH] == 0.0:
            x, y, count = x + b[j, form.X], y + b[j, form.Y], count + 1
    if count < 3:  # no more than a line or a chord
        return inf
    x, y = x / count, y / count
    return max(point_distance(a, first_a, count_a, x, y), point_distance(b, first_b, count_b, x, y))


@subroutine
def _edges_cross(a, first_a, count_a, b, first_b, count_b):
    """Whether a straight edge of A crosses a straight or hollow edge or an arc of B, not just with an end."""
    for i in range(first_a, first_a + count_a):
        if a[i, form.EDGE] != form.STRAIGHT:
            continue
        end = next_row(i, first_a, count_a)
        px, py, qx, qy = a[i, form.X], a[i, form.Y], a[end, form.X], a[end, form.Y]
        for j in range(first_b, first_b + count_b):
            if b[j, form.EDGE] == form.STRAIGHT:
                stop = next_row(j, first_b, count_b)
                meeting = common_part(px, py, qx, qy, b[j, form.X], b[j, form.Y], b[stop, form.X], b[stop, form.Y])
                if _is_between(meeting.u_a) and _is_between(meeting.u_b) and meeting.u_a == meeting.u_a_end:
                    return True
            if b[j, form.EDGE] == form.HOLLOW:
                low, high = crossing_fractions(
                    px, py, qx, qy, b[j, form.ARC_X], b[j, form.ARC_Y], b[j, form.ARC_RADIUS]
                )
                for u in (low, high):
                    x, y = px + u * (qx - px) - b[j, form.ARC_X], py + u * (qy - py) - b[j, form.ARC_Y]
                    if _is_between(u) and over_hollow(b, j, first_b, count_b, -SAME_PLACE, x, y):
                        return True
            if b[j, form.REACH] > 0.0:
                low, high = crossing_fractions(px, py, qx, qy, b[j, form.X], b[j, form.Y], b[j, form.REACH])
                for u in (low, high):
                    x, y = px + u * (qx - px) - b[j, form.X], py + u * (qy - py) - b[j, form.Y]
                    if _is_between(u) and _well_within(b, j, x, y):
                        return True
    return False


@device
def _well_within(rows, k, x, y):
    """Whether a vector from the centre of an arc points at the arc, but not at its ends."""
    return in_cone(
        rows[k, form.FROM_X], rows[k, form.FROM_Y], rows[k, form.TO_X], rows[k, form.TO_Y], -SAME_PLACE, x, y
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
        x, y, reach = b[j, form.X], b[j, form.Y], b[j, form.REACH]
        for i in range(first_a, first_a + count_a):
            dx, dy = x - a[i, form.X], y - a[i, form.Y]
            if (a[i, form.REACH] == 0.0 or at_corner(a, i, dx, dy)) and (reach == 0.0 or at_corner(b, j, -dx, -dy)):
                result = _lesser(result, length(dx, dy), a[i, form.REACH] + reach)
            if a[i, form.EDGE] == form.STRAIGHT:
                end = next_row(i, first_a, count_a)
                u = segment_fraction(a[i, form.X], a[i, form.Y], a[end, form.X], a[end, form.Y], x, y)
                dx, dy = (
                    x - a[i, form.X] - u * (a[end, form.X] - a[i, form.X]),
                    y - a[i, form.Y] - u * (a[end, form.Y] - a[i, form.Y]),
                )
                if reach == 0.0 or at_corner(b, j, -dx, -dy):
                    result = _lesser(result, length(dx, dy), reach)
            if with_hollows and a[i, form.EDGE] == form.HOLLOW:
                dx, dy = x - a[i, form.ARC_X], y - a[i, form.ARC_Y]
                height, _, _ = inside_arc(a[i, form.ARC_X], a[i, form.ARC_Y], a[i, form.ARC_RADIUS], x, y)
                if over_hollow(a, i, first_a, count_a, SLACK, dx, dy) and (reach == 0.0 or at_corner(b, j, dx, dy)):
                    result = _lesser(result, abs(height) if reach == 0.0 else height, reach)
    return result


@subroutine
def way_out(rows, first, count, x, y):
    """The unit vector to a point outside of a piece from what of its boundary is nearest, rounding radius left out."""
    least, normal_x, normal_y = inf, 0.0, 0.0
    for k in range(first, first + count):
        dx, dy = x - rows[k, form.X], y - rows[k, form.Y]
        size = length(dx, dy)
        is_met = size > 0.0 and (rows[k, form.REACH] == 0.0 or at_corner(rows, k, dx, dy))
        if is_met and abs(size - rows[k, form.REACH]) < least:
            least, normal_x, normal_y = abs(size - rows[k, form.REACH]), dx / size, dy / size
        if rows[k, form.EDGE] == form.STRAIGHT:
            end = next_row(k, first, count)
            along_x, along_y = rows[end, form.X] - rows[k, form.X], rows[end, form.Y] - rows[k, form.Y]
            u = segment_fraction(rows[k, form.X], rows[k, form.Y], rows[end, form.X], rows[end, form.Y], x, y)
            dx, dy = dx - u * along_x, dy - u * along_y
            size = length(dx, dy)
            if 0.0 < size < least:
                least, normal_x, normal_y = size, dx / size, dy / size
        if rows[k, form.EDGE] == form.HOLLOW:
            arc_x, arc_y = rows[k, form.ARC_X], rows[k, form.ARC_Y]
            gap, to_x, to_y = inside_arc(arc_x, arc_y, rows[k, form.ARC_RADIUS], x, y)
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
