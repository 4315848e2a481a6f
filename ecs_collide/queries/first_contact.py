"""When two moving shapes first touch, rotation included.

Poses move evenly from start to end, each of x, y and angle. For each pair of pieces, conservative advancement: at the
present time t take the distance s of the two; while s is more than the tolerance, go on by a time in which they
cannot touch (`advance.py`). For convex pieces the distance left goes with the square of the one before.

No contact is missed: times are passed only where a bound proves the pieces apart, up to a hundredth of the tolerance. The answer
is the first t found with s ≤ TOLERANCE × size, where size is the sum of the pieces' bounding radii or, where that
is more, 1e-6 of the largest distance of their origins. Touching counts, so what passes within the tolerance is a hit.

Each pair ends after a bounded number of steps. After PATIENCE of them the tolerance doubles every 64 steps, and the answer is
then early by the gap that is left, never late. Only two pieces that keep all but touching for the
whole motion, at a gap under about 1e-6 of their size, one of them hollow or both turning about points far apart, get that far.
"""

from __future__ import annotations

from math import inf, nan

from ecs_collide.jit import device, stage
from ecs_collide.queries.advance import safe_time
from ecs_collide.queries.contour import (
    ARM,
    BOUND_RADIUS,
    BOUND_X,
    BOUND_Y,
    COUNT,
    FIRST,
    HALF_PLANE_KIND,
    IS_HOLLOW,
    KIND,
    RADIUS,
    RING_KIND,
)
from ecs_collide.queries.corner import length, place
from ecs_collide.queries.shape_distance import moved, placed_distance, relative_pose
from ecs_collide.rotation import cos_sin

TOLERANCE = 1e-10
PATIENCE = 2000


@device
def pose_at(start, end, t):
    """The pose at time t, exactly the end at 1."""
    if t == 1.0:
        return end
    return start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1]), start[2] + t * (end[2] - start[2])


@device
def _size(contour, piece):
    """The bounding radius of a piece, 0 where it has no end [m]."""
    radius = contour.sizes[piece, BOUND_RADIUS]
    return radius if radius < inf else 0.0


@device
def pair_contact(a, i, b, j, start_a, end_a, start_b, end_b, placed, until):
    """The first time in [0, until] at which two pieces touch, or NaN."""
    spin_a, spin_b = end_a[2] - start_a[2], end_b[2] - start_b[2]
    drift_x, drift_y = (end_b[0] - start_b[0]) - (end_a[0] - start_a[0]), (end_b[1] - start_b[1]) - (end_a[1] - start_a[1])
    far = length(start_b[0] - start_a[0], start_b[1] - start_a[1]) + length(drift_x, drift_y)
    tolerance = TOLERANCE * max(_size(a, i) + _size(b, j), 1e-6 * far)
    kind, first_a, count_a = a.pieces[i, KIND], a.pieces[i, FIRST], a.pieces[i, COUNT]
    is_hollow = a.pieces[i, IS_HOLLOW] != 0 or b.pieces[j, IS_HOLLOW] != 0
    kinds = kind == HALF_PLANE_KIND, kind == RING_KIND, is_hollow
    radii = a.sizes[i, RADIUS] + b.sizes[j, RADIUS]
    arms = a.sizes[i, ARM], b.sizes[j, ARM]
    t, steps = 0.0, 0
    while True:
        ax, ay, a_angle = pose_at(start_a, end_a, t)
        bx, by, b_angle = pose_at(start_b, end_b, t)
        x, y, cosine, sine = relative_pose(ax, ay, a_angle, bx, by, b_angle)
        place(b, j, x, y, cosine, sine, placed)
        distance, normal_x, normal_y = placed_distance(a, i, b, j, placed)
        if distance <= tolerance:
            return t
        if t >= until:
            return nan
        cosine, sine = cos_sin(a_angle)
        motion = (x, y, cosine * drift_x + sine * drift_y, cosine * drift_y - sine * drift_x, spin_a, spin_b)
        t += safe_time(
            a.rows, i, first_a, count_a, placed, b.pieces[j, COUNT], kinds, radii, distance, arms,
            normal_x, normal_y, motion, until - t, 0.01 * tolerance,
        )  # fmt: skip
        t = min(t, until)
        steps += 1
        if steps >= PATIENCE and steps % 64 == 0:
            tolerance *= 2.0


@stage
def first_contact(
    a, b, ax, ay, a_angle, ax_end, ay_end, a_angle_end, bx, by, b_angle, bx_end, by_end, b_angle_end, placed
):
    """The first time in [0, 1] at which contours A and B touch, NaN where they do not.

    Poses x, y [m], angle [rad] at the start and at the end; only A may be unbounded. `placed` is scratch with as many rows
    as B.
    """
    start_a, end_a = (ax, ay, a_angle), (ax_end, ay_end, a_angle_end)
    start_b, end_b = (bx, by, b_angle), (bx_end, by_end, b_angle_end)
    x, y, cosine, sine = relative_pose(ax, ay, a_angle, bx, by, b_angle)
    drift = length((bx_end - bx) - (ax_end - ax), (by_end - by) - (ay_end - ay))
    turn_a, turn_b = abs(a_angle_end - a_angle), abs(b_angle_end - b_angle)
    best = nan
    until = 1.0
    for j in range(len(b.pieces)):
        center_x, center_y = moved(x, y, cosine, sine, b.sizes[j, BOUND_X], b.sizes[j, BOUND_Y])
        path_b = drift + turn_b * length(b.sizes[j, BOUND_X], b.sizes[j, BOUND_Y])
        for i in range(len(a.pieces)):
            path = path_b + turn_a * length(a.sizes[i, BOUND_X], a.sizes[i, BOUND_Y])
            radii = a.sizes[i, BOUND_RADIUS] + b.sizes[j, BOUND_RADIUS]
            if length(center_x - a.sizes[i, BOUND_X], center_y - a.sizes[i, BOUND_Y]) - radii > 1.001 * path * until:
                continue
            t = pair_contact(a, i, b, j, start_a, end_a, start_b, end_b, placed, until)
            if t == t:
                best = until = t
                if t == 0.0:
                    return best
    return best
