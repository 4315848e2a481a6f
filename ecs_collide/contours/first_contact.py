"""When two moving shapes first touch, rotation included.

Poses move evenly from start to end, each of x, y and angle. For each pair of pieces, conservative advancement: at the
present time t take the distance s of the two; while s is more than the tolerance, go on by a time in which they
cannot touch (`advance.py`). For convex pieces the distance left goes with the square of the one before.

No contact is missed: times are passed only where a bound proves the pieces apart, up to a hundredth of the tolerance.
The answer is the first t found with s ≤ TOLERANCE × size, where size is the sum of the pieces' bounding radii or, where
that is more, 1e-6 of the largest distance of their origins. Touching counts, so what passes within the tolerance is a
hit.

Every pair ends, as each step lasts at least as long as it takes to use up the tolerance at the greatest speed. In most
cases that is a few steps; pieces that all but touch during the whole motion need many. After PATIENCE steps the
tolerance doubles every 64, and the answer may then be early, never late, by the gap that is left. Only pieces with
edges that bend inwards were seen to get that far, where something slides along such an edge at a gap below 1e-6 of
their size.
"""

from __future__ import annotations

from math import inf, nan
from typing import NamedTuple

from ecs_collide.contours import contour as form
from ecs_collide.contours.advance import Facing, RelativeMotion, safe_time
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import length, place_contour_rows
from ecs_collide.contours.piece_rows import write_rows
from ecs_collide.contours.shape_distance import Placement, pose_seen_from, rows_distance
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.pose import moved
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import FloatTable
from ecs_collide.kernels.kernel import device, stage, subroutine

TOLERANCE = 1e-10
PATIENCE = 2000


@device
def pose_at(start, end, t):
    """The pose at time t, exactly the end at 1."""
    if t == 1.0:
        return end
    return start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1]), start[2] + t * (end[2] - start[2])


class Moving(NamedTuple):
    """A piece that moves: its place among the rows of a contour, and its sizes as `Contour.pieces` and `.sizes`.

    It goes through memory, and so holds no array: its rows are passed beside it.
    """

    first: int
    corners: int
    is_hollow: bool
    radius: float
    bound: float
    """Radius of a circle around it, 0 where it has no end [m]."""
    arm: float
    """Its reach from the origin [m]."""
    start: Placement
    end: Placement


@subroutine
def moving_contact(rows_a, a, rows_b, b, placed, until, depth, tolerance):
    """(time, normal) at which two moving pieces are first `depth` [m] in each other; NaN where not until `until`.

    The normal is in the world, from A to B. `tolerance` [m]. Only A may be unbounded. `placed` is scratch.
    """
    spin_a, spin_b = a.end[2] - a.start[2], b.end[2] - b.start[2]
    drift_x = (b.end[0] - b.start[0]) - (a.end[0] - a.start[0])
    drift_y = (b.end[1] - b.start[1]) - (a.end[1] - a.start[1])
    is_hollow = rows_a[a.first, CONTOUR.EDGE] < form.ENDLESS and (a.is_hollow or b.is_hollow)
    two = Facing(rows_a, a.first, a.corners, placed, b.corners, a.radius + b.radius - depth)
    arms = a.arm, b.arm
    t, steps = 0.0, 0
    while True:
        ax, ay, a_angle = pose_at(a.start, a.end, t)
        bx, by, b_angle = pose_at(b.start, b.end, t)
        pose = pose_seen_from(ax, ay, a_angle, bx, by, b_angle)
        place_contour_rows(rows_b, b.first, b.corners, pose, placed)
        distance, normal_x, normal_y = rows_distance(rows_a, a.first, a.corners, is_hollow, placed, b.corners)
        distance -= two.radii
        cosine, sine = cos_sin(a_angle)
        if distance <= tolerance:
            return t, cosine * normal_x - sine * normal_y, sine * normal_x + cosine * normal_y
        if t >= until:
            return nan, 0.0, 0.0
        vx, vy = cosine * drift_x + sine * drift_y, cosine * drift_y - sine * drift_x
        motion = RelativeMotion(pose.x, pose.y, vx, vy, spin_a, spin_b)
        t += safe_time(two, is_hollow, distance, arms, normal_x, normal_y, motion, until - t, 0.01 * tolerance)
        t = min(t, until)
        steps += 1
        if steps >= PATIENCE and steps % 64 == 0:
            tolerance *= 2.0


@subroutine
def pair_contact(a, i, b, j, start_a, end_a, start_b, end_b, placed, until):
    """The first time in [0, until] at which two pieces of contours touch, or NaN."""
    drift_x = (end_b[0] - start_b[0]) - (end_a[0] - start_a[0])
    drift_y = (end_b[1] - start_b[1]) - (end_a[1] - start_a[1])
    far = length(start_b[0] - start_a[0], start_b[1] - start_a[1]) + length(drift_x, drift_y)
    moving_a, moving_b = moving_part(a, i, start_a, end_a), moving_part(b, j, start_b, end_b)
    tolerance = TOLERANCE * max(moving_a.bound + moving_b.bound, 1e-6 * far)
    t, _, _ = moving_contact(a.rows, moving_a, b.rows, moving_b, placed, until, 0.0, tolerance)
    return t


@device
def moving_part(contour, piece, start, end):
    """A piece of a contour from pose to pose."""
    pieces, sizes = contour.pieces, contour.sizes
    bound = sizes[piece, CONTOUR_SIZE.BOUND_RADIUS]
    return Moving(
        pieces[piece, CONTOUR_PIECE.FIRST],
        pieces[piece, CONTOUR_PIECE.COUNT],
        pieces[piece, CONTOUR_PIECE.IS_HOLLOW] != 0,
        sizes[piece, CONTOUR_SIZE.RADIUS],
        bound if bound < inf else 0.0,
        sizes[piece, CONTOUR_SIZE.ARM],
        start,
        end,
    )


@subroutine
def moving_piece(piece, pieces, start, end, rows):
    """A piece of the columns from pose to pose; its contour is written to the first rows of `rows` (k, 15)."""
    first, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    is_hollow = write_rows(pieces.vertices, pieces.normals, pieces.outlines, first, count, rows)
    radius, size = pieces.size[piece, PIECE_SIZE.RADIUS], pieces.size
    if rows[0, CONTOUR.EDGE] >= form.ENDLESS:
        return Moving(0, count, is_hollow, radius, 0.0, inf, start, end)
    bound = length(size[piece, PIECE_SIZE.HALF_X], size[piece, PIECE_SIZE.HALF_Y]) + radius
    arm = bound + length(size[piece, PIECE_SIZE.LOCAL_X], size[piece, PIECE_SIZE.LOCAL_Y])
    return Moving(0, count, is_hollow, radius, bound, arm, start, end)


@stage
def first_contact(
    a: Contour,
    b: Contour,
    start_a: Placement,
    end_a: Placement,
    start_b: Placement,
    end_b: Placement,
    placed: FloatTable,
):
    """The first time in [0, 1] at which contours A and B touch, NaN where they do not.

    Only A may be unbounded. `placed` is scratch with as many rows as B.
    """
    pose = pose_seen_from(*start_a, *start_b)
    drift = length((end_b[0] - start_b[0]) - (end_a[0] - start_a[0]), (end_b[1] - start_b[1]) - (end_a[1] - start_a[1]))
    turn_a, turn_b = abs(end_a[2] - start_a[2]), abs(end_b[2] - start_b[2])
    best = nan
    until = 1.0
    for j in range(len(b.pieces)):
        center_x, center_y = moved(pose, b.sizes[j, CONTOUR_SIZE.BOUND_X], b.sizes[j, CONTOUR_SIZE.BOUND_Y])
        path_b = drift + turn_b * length(b.sizes[j, CONTOUR_SIZE.BOUND_X], b.sizes[j, CONTOUR_SIZE.BOUND_Y])
        for i in range(len(a.pieces)):
            path = path_b + turn_a * length(a.sizes[i, CONTOUR_SIZE.BOUND_X], a.sizes[i, CONTOUR_SIZE.BOUND_Y])
            radii = a.sizes[i, CONTOUR_SIZE.BOUND_RADIUS] + b.sizes[j, CONTOUR_SIZE.BOUND_RADIUS]
            if (
                length(center_x - a.sizes[i, CONTOUR_SIZE.BOUND_X], center_y - a.sizes[i, CONTOUR_SIZE.BOUND_Y]) - radii
                > 1.001 * path * until
            ):
                continue
            t = pair_contact(a, i, b, j, start_a, end_a, start_b, end_b, placed, until)
            if t == t:
                best = until = t
                if t == 0.0:
                    return best
    return best
