"""The points at which two shapes are closest, or deepest in each other.

The pair of pieces with the least signed distance d is found as in `shape_distance.py`, with the normal n from A to B.

    convex pieces     Both supports, of A along n and of B along -n, are a corner or an edge across n. The points lie
                      d apart along n, in the middle of what the two have in common across it.
    half-plane, ring  The point of B is its support, or its point farthest from the centre of the ring.
    hollow edges      The nearest boundary of one piece to a corner of the other one; see `hollow_distance.py`.
"""

from __future__ import annotations

from math import inf

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import is_corner_normal, length, place_contour_rows
from ecs_collide.contours.hollow_distance import find_outward_normal
from ecs_collide.contours.shape_distance import Placement, find_pose_seen_from, placed_distance, rows_distance
from ecs_collide.contours.touching import sum_coordinates
from ecs_collide.geometry.pose import Pose, rotate_vector, transform_point
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import FloatTable
from ecs_collide.kernels.kernel import kernel, subroutine

SAME_HEIGHT = 1e-9
"""Difference of supports within which two corners belong to one edge, as a part of the largest coordinate."""


@subroutine
def support_interval(rows, first, count, x, y):
    """Return (support, least, greatest) of a piece along the unit vector (x, y) [m].

    The last two are the places across it, along (-y, x), of the corners that are farthest.
    """
    best, largest = -inf, 0.0
    for k in range(first, first + count):
        reach = rows[k, CONTOUR.REACH]
        if reach == 0.0 or is_corner_normal(rows, k, x, y):
            best = max(best, rows[k, CONTOUR.X] * x + rows[k, CONTOUR.Y] * y + reach)
            largest = max(largest, abs(rows[k, CONTOUR.X]) + abs(rows[k, CONTOUR.Y]) + reach)
    least, greatest = inf, -inf
    for k in range(first, first + count):
        reach = rows[k, CONTOUR.REACH]
        height = rows[k, CONTOUR.X] * x + rows[k, CONTOUR.Y] * y + reach
        if (reach == 0.0 or is_corner_normal(rows, k, x, y)) and height >= best - SAME_HEIGHT * largest:
            across = rows[k, CONTOUR.Y] * x - rows[k, CONTOUR.X] * y
            least, greatest = min(least, across), max(greatest, across)
    return best, least, greatest


@subroutine
def point_on_hulls(a, first_a, count_a, b, count_b, x, y):
    """Return the point of the hull of A along the normal (x, y) that is opposite to the hull of B, without radius."""
    height, low_a, high_a = support_interval(a, first_a, count_a, x, y)
    _, low_b, high_b = support_interval(b, 0, count_b, -x, -y)
    low_b, high_b = -high_b, -low_b  # along (-y, x), as for A
    across = 0.5 * (max(low_a, low_b) + min(high_a, high_b))
    return height * x - across * y, height * y + across * x


@subroutine
def farthest_from(rows, count, x, y):
    """Return (unit vector, distance) from a point to the farthest point of a piece, without its radius."""
    best, to_x, to_y = -inf, 1.0, 0.0
    for k in range(count):
        dx, dy = rows[k, CONTOUR.X] - x, rows[k, CONTOUR.Y] - y
        reach, size = rows[k, CONTOUR.REACH], length(dx, dy)
        if (reach == 0.0 or is_corner_normal(rows, k, dx, dy)) and size + reach > best:
            best = size + reach
            if size > 0.0:
                to_x, to_y = dx / size, dy / size
    return to_x, to_y, best


@subroutine
def nearest_corner(a, first_a, count_a, b, first_b, count_b):
    """Return (distance, normal from A, corner point) of the corner of B nearest to the boundary of A, B being apart."""
    best, normal_x, normal_y, at_x, at_y = inf, 0.0, 0.0, 0.0, 0.0
    for k in range(first_b, first_b + count_b):
        x, y, reach = b[k, CONTOUR.X], b[k, CONTOUR.Y], b[k, CONTOUR.REACH]
        gap, to_x, to_y = find_outward_normal(a, first_a, count_a, x, y)
        if gap - reach >= best or (reach > 0.0 and not is_corner_normal(b, k, -to_x, -to_y)):
            continue
        best, normal_x, normal_y = gap - reach, to_x, to_y
        at_x, at_y = x - reach * to_x, y - reach * to_y
    return best, normal_x, normal_y, at_x, at_y


@kernel
def find_closest_points(a: Contour, b: Contour, place_a: Placement, place_b: Placement, placed: FloatTable):
    """Return (distance, normal from A to B, point of A, point of B) of two shapes [m].

    Only A may be unbounded. `placed` is scratch space with as many rows as B.
    """
    pose = find_pose_seen_from(*place_a, *place_b)
    coordinates = sum_coordinates(place_a[0], place_a[1], place_b[0], place_b[1])
    best, best_a, best_b = inf, 0, 0
    for j in range(len(b.pieces)):
        first, count = b.pieces[j, CONTOUR_PIECE.FIRST], b.pieces[j, CONTOUR_PIECE.COUNT]
        place_contour_rows(b.rows, first, count, pose, placed)
        for i in range(len(a.pieces)):
            distance = placed_distance(a, i, b, j, placed, coordinates)
            if distance < best:
                best, best_a, best_b = distance, i, j
    first_b, count_b = b.pieces[best_b, CONTOUR_PIECE.FIRST], b.pieces[best_b, CONTOUR_PIECE.COUNT]
    place_contour_rows(b.rows, first_b, count_b, pose, placed)
    first, count = a.pieces[best_a, CONTOUR_PIECE.FIRST], a.pieces[best_a, CONTOUR_PIECE.COUNT]
    radius_a, radius_b = a.sizes[best_a, CONTOUR_SIZE.RADIUS], b.sizes[best_b, CONTOUR_SIZE.RADIUS]
    is_hollow = a.pieces[best_a, CONTOUR_PIECE.IS_HOLLOW] != 0 or b.pieces[best_b, CONTOUR_PIECE.IS_HOLLOW] != 0
    _, x, y = rows_distance(a.rows, first, count, is_hollow, placed, count_b)
    edge = a.rows[first, CONTOUR.EDGE]
    if edge == form.UNBOUNDED:
        height, low, high = support_interval(placed, 0, count_b, -x, -y)
        at_x, at_y = -height * x + 0.5 * (low + high) * y, -height * y - 0.5 * (low + high) * x
        at_x, at_y = at_x - (radius_b + best) * x, at_y - (radius_b + best) * y
    elif edge == form.ROUND:
        center_x, center_y = a.rows[first, CONTOUR.X], a.rows[first, CONTOUR.Y]
        to_x, to_y, _ = farthest_from(placed, count_b, center_x, center_y)
        size = a.rows[first, CONTOUR.ARC_RADIUS]
        at_x, at_y, x, y = center_x + size * to_x, center_y + size * to_y, -to_x, -to_y
    elif is_hollow and best + radius_a + radius_b > 0.0:
        gap, x, y, at_x, at_y = nearest_corner(a.rows, first, count, placed, 0, count_b)
        at_x, at_y = at_x - (gap - radius_a) * x, at_y - (gap - radius_a) * y
        other, to_x, to_y, from_x, from_y = nearest_corner(placed, 0, count_b, a.rows, first, count)
        if other < gap:
            x, y = -to_x, -to_y
            at_x, at_y = from_x + radius_a * x, from_y + radius_a * y
    else:
        at_x, at_y = point_on_hulls(a.rows, first, count, placed, count_b, x, y)
        at_x, at_y = at_x + radius_a * x, at_y + radius_a * y
    cosine, sine = cos_sin(place_a[2])
    frame = Pose(x=place_a[0], y=place_a[1], cos=cosine, sin=sine)
    at_x, at_y = transform_point(frame, at_x, at_y)
    x, y = rotate_vector(frame, x, y)
    return best, x, y, at_x, at_y, at_x + best * x, at_y + best * y
