"""Signed distance of two shapes: the least distance over all pairs of their pieces.

The distance is exact if the shapes are apart. If they overlap, it is the depth of the deepest pair of pieces, which is
at most that of the shapes. It is 0 if they touch, see `touching.py`. Pairs are skipped if their bounding circles are
farther apart than the least distance.
"""

from __future__ import annotations

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import length, place_contour_rows
from ecs_collide.contours.hollow_distance import hollow_distance
from ecs_collide.contours.piece_distance import convex_distance, distance_from_half_plane, distance_from_ring
from ecs_collide.contours.touching import ROUNDING, find_greatest_coordinate, snap_distance, sum_coordinates
from ecs_collide.geometry.pose import Pose, transform_point
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import FloatTable
from ecs_collide.kernels.kernel import device, kernel, subroutine

Placement = tuple[float, float, float]
"""Position x, y [m] and angle [rad] of a shape."""


@subroutine
def rows_distance(a, first, count, is_hollow, placed, other_count):
    """Return (distance [m], normal in A's frame) of a piece of A and a piece of B `placed` in A's frame.

    Rounding radii are left out. `is_hollow` is True if any edge of the two pieces bends inwards.
    """
    if a[first, CONTOUR.EDGE] == form.UNBOUNDED:
        return distance_from_half_plane(a, first, placed, 0, other_count)
    if a[first, CONTOUR.EDGE] == form.ROUND:
        return distance_from_ring(a, first, placed, 0, other_count)
    if is_hollow:
        return hollow_distance(a, first, count, placed, 0, other_count)
    return convex_distance(a, first, count, placed, 0, other_count)


@subroutine
def placed_distance(a, piece_a, b, piece_b, placed, coordinates):
    """Return the distance [m] of a piece of contour A and a piece of B with rows `placed` in A's frame.

    `coordinates` is the sum of those of both positions [m].
    """
    pieces_a, pieces_b = a.pieces, b.pieces
    extent_a = find_greatest_coordinate(
        a.rows, pieces_a[piece_a, CONTOUR_PIECE.FIRST], pieces_a[piece_a, CONTOUR_PIECE.COUNT]
    )
    extent_b = find_greatest_coordinate(
        b.rows, pieces_b[piece_b, CONTOUR_PIECE.FIRST], pieces_b[piece_b, CONTOUR_PIECE.COUNT]
    )
    is_hollow = pieces_a[piece_a, CONTOUR_PIECE.IS_HOLLOW] != 0 or pieces_b[piece_b, CONTOUR_PIECE.IS_HOLLOW] != 0
    distance, _, _ = rows_distance(
        a.rows,
        pieces_a[piece_a, CONTOUR_PIECE.FIRST],
        pieces_a[piece_a, CONTOUR_PIECE.COUNT],
        is_hollow,
        placed,
        pieces_b[piece_b, CONTOUR_PIECE.COUNT],
    )
    radii = a.sizes[piece_a, CONTOUR_SIZE.RADIUS] + b.sizes[piece_b, CONTOUR_SIZE.RADIUS]
    return snap_distance(distance - radii, ROUNDING * (extent_a + extent_b + radii + coordinates))


@device
def find_pose_seen_from(ax, ay, a_angle, bx, by, b_angle):
    """Return B's pose in A's frame, from positions [m] and angles [rad]."""
    cosine, sine = cos_sin(a_angle)
    dx, dy = bx - ax, by - ay
    turn_cosine, turn_sine = cos_sin(b_angle - a_angle)
    return Pose(x=cosine * dx + sine * dy, y=cosine * dy - sine * dx, cos=turn_cosine, sin=turn_sine)


@device
def _grown_radius(size, coordinates):
    """Return the radius of a bounding circle [m], so much greater that pieces that touch are not skipped."""
    return size[CONTOUR_SIZE.BOUND_RADIUS] + 4.0 * ROUNDING * (size[CONTOUR_SIZE.ARM] + coordinates)


@kernel
def find_least_distance(
    a: Contour, b: Contour, place_a: Placement, place_b: Placement, placed: FloatTable, limit: float, enough: float
):
    """Return the least distance [m] of the pieces of contours A and B; only A may be unbounded.

    Pairs farther apart than `limit` [m] may be skipped; the result is then `limit`. The search ends once a pair is as
    close as `enough` [m]. `placed` is scratch space with as many rows as B.
    """
    pose = find_pose_seen_from(*place_a, *place_b)
    coordinates = sum_coordinates(place_a[0], place_a[1], place_b[0], place_b[1])
    best = limit
    for j in range(len(b.pieces)):
        center_x, center_y = transform_point(pose, b.sizes[j, CONTOUR_SIZE.BOUND_X], b.sizes[j, CONTOUR_SIZE.BOUND_Y])
        radius = _grown_radius(b.sizes[j], coordinates)
        gap = length(center_x - a.whole[CONTOUR_SIZE.BOUND_X], center_y - a.whole[CONTOUR_SIZE.BOUND_Y])
        if gap - _grown_radius(a.whole, coordinates) - radius >= best:
            continue
        is_placed = False
        for i in range(len(a.pieces)):
            gap = length(center_x - a.sizes[i, CONTOUR_SIZE.BOUND_X], center_y - a.sizes[i, CONTOUR_SIZE.BOUND_Y])
            if gap - _grown_radius(a.sizes[i], coordinates) - radius >= best:
                continue
            if not is_placed:
                place_contour_rows(
                    b.rows, b.pieces[j, CONTOUR_PIECE.FIRST], b.pieces[j, CONTOUR_PIECE.COUNT], pose, placed
                )
                is_placed = True
            best = min(best, placed_distance(a, i, b, j, placed, coordinates))
            if best <= enough:
                return best
    return best
