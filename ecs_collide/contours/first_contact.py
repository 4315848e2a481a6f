"""The first contact of two moving shapes, rotation included.

Each of x, y and angle changes evenly from start to end. The search for a pair of pieces is conservative advancement. At
the present time t, find the distance s of the pieces. While s exceeds the tolerance, advance by a time in which they
cannot touch (`advance.py`). For convex pieces, each distance is of the order of the square of the one before.

No contact is missed: a time is passed only if a bound proves the pieces apart, up to a hundredth of the tolerance. The
result is the first t found with s ≤ TOLERANCE × size, or with pieces that touch by `touching.py` if that is more. The
size is the sum of the pieces' bounding radii or, if greater, 1e-6 of the largest distance of their origins. Touching
counts, so pieces that pass within the tolerance hit.

Every search ends, because each step lasts at least as long as the tolerance at the greatest speed. Most searches take a
few steps. Pieces that nearly touch during the whole motion need many. After PATIENCE steps the tolerance doubles every
64 steps. The result may then be early by the gap that is left, but never late. So many steps were seen only if a piece
slides along an inward edge at a gap below 1e-6 of their size.
"""

from __future__ import annotations

from math import inf, nan
from typing import NamedTuple

from ecs_collide.contours import contour as form
from ecs_collide.contours.advance import FacingPieces, RelativeMotion, find_safe_time
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import length, place_contour_rows
from ecs_collide.contours.piece_rows import write_contour_rows
from ecs_collide.contours.shape_distance import Placement, find_pose_seen_from, rows_distance
from ecs_collide.contours.touching import ROUNDING, find_greatest_coordinate, sum_coordinates
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.pose import transform_point
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import FloatTable
from ecs_collide.kernels.kernel import device, kernel, subroutine

TOLERANCE = 1e-10
"""Distance that counts as touching, in sizes of the pair."""
PATIENCE = 2000
"""Number of steps after which the tolerance grows."""


@device
def interpolate_pose(start, end, t):
    """Return the pose at time t, exactly the end at 1."""
    if t == 1.0:
        return end
    return start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1]), start[2] + t * (end[2] - start[2])


class MovingPiece(NamedTuple):
    """A moving piece.

    It is passed through memory and so has no array: its rows are passed beside it.
    """

    first: int
    """First row."""
    corners: int
    """Number of rows."""
    is_hollow: bool
    """True if an edge bends inwards."""
    radius: float
    """Rounding radius [m]."""
    bound: float
    """Radius of a circle around the piece, 0 if it is unbounded [m]."""
    arm: float
    """Greatest distance from the origin [m]."""
    start: Placement
    """Pose at time 0."""
    end: Placement
    """Pose at time 1."""


@subroutine
def find_moving_contact(rows_a, a, rows_b, b, placed, until, depth, tolerance):
    """Return (time, normal) of the first moment at which two moving pieces overlap by `depth` [m].

    The time is NaN if there is none up to `until`. The normal is in world coordinates, from A to B. Only A may be
    unbounded. `tolerance` is in [m]. `placed` is scratch space for the rows of B.
    """
    spin_a, spin_b = a.end[2] - a.start[2], b.end[2] - b.start[2]
    drift_x = (b.end[0] - b.start[0]) - (a.end[0] - a.start[0])
    drift_y = (b.end[1] - b.start[1]) - (a.end[1] - a.start[1])
    is_hollow = rows_a[a.first, CONTOUR.EDGE] < form.UNBOUNDED and (a.is_hollow or b.is_hollow)
    two = FacingPieces(
        a=rows_a, first_a=a.first, count_a=a.corners, b=placed, count_b=b.corners, radii=a.radius + b.radius - depth
    )
    arms = a.arm, b.arm
    t, steps = 0.0, 0
    while True:
        ax, ay, a_angle = interpolate_pose(a.start, a.end, t)
        bx, by, b_angle = interpolate_pose(b.start, b.end, t)
        pose = find_pose_seen_from(ax, ay, a_angle, bx, by, b_angle)
        place_contour_rows(rows_b, b.first, b.corners, pose, placed)
        distance, normal_x, normal_y = rows_distance(rows_a, a.first, a.corners, is_hollow, placed, b.corners)
        distance -= two.radii
        cosine, sine = cos_sin(a_angle)
        if distance <= tolerance:
            return t, cosine * normal_x - sine * normal_y, sine * normal_x + cosine * normal_y
        if t >= until:
            return nan, 0.0, 0.0
        vx, vy = cosine * drift_x + sine * drift_y, cosine * drift_y - sine * drift_x
        motion = RelativeMotion(x=pose.x, y=pose.y, vx=vx, vy=vy, spin_a=spin_a, spin_b=spin_b)
        t += find_safe_time(two, is_hollow, distance, arms, normal_x, normal_y, motion, until - t, 0.01 * tolerance)
        t = min(t, until)
        steps += 1
        if steps >= PATIENCE and steps % 64 == 0:
            tolerance *= 2.0


@subroutine
def find_pair_contact(a, i, b, j, start_a, end_a, start_b, end_b, placed, until):
    """Return the first time in [0, until] at which two pieces of contours touch, or NaN."""
    drift_x = (end_b[0] - start_b[0]) - (end_a[0] - start_a[0])
    drift_y = (end_b[1] - start_b[1]) - (end_a[1] - start_a[1])
    far = length(start_b[0] - start_a[0], start_b[1] - start_a[1]) + length(drift_x, drift_y)
    moving_a, moving_b = (
        make_moving_contour_piece(a, i, start_a, end_a),
        make_moving_contour_piece(b, j, start_b, end_b),
    )
    tolerance = find_contact_tolerance(a.rows, moving_a, b.rows, moving_b, far)
    t, _, _ = find_moving_contact(a.rows, moving_a, b.rows, moving_b, placed, until, 0.0, tolerance)
    return t


@subroutine
def find_contact_tolerance(rows_a, a, rows_b, b, far):
    """Return the distance at which two moving pieces are in contact [m]; their origins are up to `far` [m] apart."""
    extents = (
        find_greatest_coordinate(rows_a, a.first, a.corners)
        + find_greatest_coordinate(rows_b, b.first, b.corners)
        + a.radius
        + b.radius
    )
    coordinates = sum_coordinates(a.start[0], a.start[1], b.start[0], b.start[1])
    return max(TOLERANCE * max(a.bound + b.bound, 1e-6 * far), ROUNDING * (extents + coordinates))


@device
def make_moving_contour_piece(contour, piece, start, end):
    """Return a piece of a contour that moves from pose to pose."""
    pieces, sizes = contour.pieces, contour.sizes
    bound = sizes[piece, CONTOUR_SIZE.BOUND_RADIUS]
    return MovingPiece(
        first=pieces[piece, CONTOUR_PIECE.FIRST],
        corners=pieces[piece, CONTOUR_PIECE.COUNT],
        is_hollow=pieces[piece, CONTOUR_PIECE.IS_HOLLOW] != 0,
        radius=sizes[piece, CONTOUR_SIZE.RADIUS],
        bound=bound if bound < inf else 0.0,
        arm=sizes[piece, CONTOUR_SIZE.ARM],
        start=start,
        end=end,
    )


@subroutine
def make_moving_piece(piece, pieces, start, end, rows):
    """Return a piece of the columns that moves from pose to pose.

    Its contour is written to the first rows of `rows` (k, 15).
    """
    first, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    is_hollow = write_contour_rows(pieces.vertices, pieces.normals, pieces.outlines, first, count, rows)
    radius, size = pieces.size[piece, PIECE_SIZE.RADIUS], pieces.size
    if rows[0, CONTOUR.EDGE] >= form.UNBOUNDED:
        return MovingPiece(
            first=0, corners=count, is_hollow=is_hollow, radius=radius, bound=0.0, arm=inf, start=start, end=end
        )
    bound = length(size[piece, PIECE_SIZE.HALF_X], size[piece, PIECE_SIZE.HALF_Y]) + radius
    arm = bound + length(size[piece, PIECE_SIZE.LOCAL_X], size[piece, PIECE_SIZE.LOCAL_Y])
    return MovingPiece(
        first=0, corners=count, is_hollow=is_hollow, radius=radius, bound=bound, arm=arm, start=start, end=end
    )


@kernel
def find_first_contact(
    a: Contour,
    b: Contour,
    start_a: Placement,
    end_a: Placement,
    start_b: Placement,
    end_b: Placement,
    placed: FloatTable,
):
    """Return the first time in [0, 1] at which contours A and B touch, NaN if there is none.

    Only A may be unbounded. `placed` is scratch space with as many rows as B.
    """
    pose = find_pose_seen_from(*start_a, *start_b)
    drift = length((end_b[0] - start_b[0]) - (end_a[0] - start_a[0]), (end_b[1] - start_b[1]) - (end_a[1] - start_a[1]))
    turn_a, turn_b = abs(end_a[2] - start_a[2]), abs(end_b[2] - start_b[2])
    best = nan
    until = 1.0
    for j in range(len(b.pieces)):
        center_x, center_y = transform_point(pose, b.sizes[j, CONTOUR_SIZE.BOUND_X], b.sizes[j, CONTOUR_SIZE.BOUND_Y])
        path_b = drift + turn_b * length(b.sizes[j, CONTOUR_SIZE.BOUND_X], b.sizes[j, CONTOUR_SIZE.BOUND_Y])
        for i in range(len(a.pieces)):
            path = path_b + turn_a * length(a.sizes[i, CONTOUR_SIZE.BOUND_X], a.sizes[i, CONTOUR_SIZE.BOUND_Y])
            radii = a.sizes[i, CONTOUR_SIZE.BOUND_RADIUS] + b.sizes[j, CONTOUR_SIZE.BOUND_RADIUS]
            if (
                length(center_x - a.sizes[i, CONTOUR_SIZE.BOUND_X], center_y - a.sizes[i, CONTOUR_SIZE.BOUND_Y]) - radii
                > 1.001 * path * until
            ):
                continue
            t = find_pair_contact(a, i, b, j, start_a, end_a, start_b, end_b, placed, until)
            if t == t:
                best = until = t
                if t == 0.0:
                    return best
    return best
