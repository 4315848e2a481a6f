"""A lower bound of the time at which two moving pieces first touch.

Time is a fraction of the motion. In a frame that turns with rate ω about A's origin, let D be B's origin, V the
relative motion of the origins and Δ = |D| + |V| at most. A corner p of A and a corner q of B move along a direction n,
fixed in that frame, as

    n·(q − p)(h) ≥ n·(q − p) + c h − M h²/2
    c = n·(V − ω×D + (ω_B − ω)×(q − D) − (ω_A − ω)×p)
    M = ω² Δ + 2 |ω| |V| + (ω_B − ω)² |q − D| + (ω_A − ω)² |p|

because M bounds the acceleration. Take the least of these over all q, less the greatest over all p. At the first h at
which it equals the sum of the radii, n still separates the pieces, so nothing can touch before. The bound is exact for
translation, and its error is proportional to h². A corner that is an arc does not count before n can have turned into
its cone.

Any n and ω would do. n is the normal at the present time. For ω the rates 0, ω_A and ω_B are all tried, and the best
result counts. A disk that circles another, or a body that turns about its own centre, thus needs few steps.

Inside a ring there is no such n. The distances ‖w‖ of the corners from the centre are convex functions of h:

    ‖w + w' h‖ + ρ + M h²/2 = R

has one root, which Newton's method approaches from above. The method also serves a corner of a piece inside the circle
of the other's hollow edge.

All other parts of such pieces, and pairs without a better bound, use the bound by speed: distance divided by the
greatest speed.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.corner import SLACK, is_corner_normal, length
from ecs_collide.contours.hollow_distance import boundary_distance, is_over_hollow
from ecs_collide.geometry.quadratic import roots
from ecs_collide.kernels.kernel import device, subroutine

ROUNDS = 20
"""Greatest number of improvements of the first pair of corners; three or four are usual."""


class FacingPieces(NamedTuple):
    """The contour rows of two pieces A and B, both in A's frame."""

    a: np.ndarray
    """Rows that contain those of A."""
    first_a: int
    """First of A's rows."""
    count_a: int
    """Number of A's rows."""
    b: np.ndarray
    """Rows of B, from the first row on."""
    count_b: int
    """Number of B's rows."""
    radii: float
    """Sum of the rounding radii [m]."""


class RelativeMotion(NamedTuple):
    """The motion of B as seen from A's frame."""

    x: float
    """x of B's origin, D [m]."""
    y: float
    """y of B's origin, D [m]."""
    vx: float
    """x of the relative motion of the origins, V [m]."""
    vy: float
    """y of the relative motion of the origins, V [m]."""
    spin_a: float
    """Rotation of A in the whole motion [rad]."""
    spin_b: float
    """Rotation of B in the whole motion [rad]."""


@subroutine
def find_parabola_root(constant, linear, bend):
    """Return the first h > 0 at which constant + linear h − bend h²/2 is 0; 0 if it is not positive at h = 0."""
    if constant <= 0.0:
        return 0.0
    low, high = roots(-0.5 * bend, linear, constant)
    if bend > 0.0:
        return high
    return low if linear < 0.0 else inf


@device
def find_cone_entry(rows, k, x, y, turn):
    """Return the time before which a normal (x, y) cannot enter the cone of an arc; 0 if it is inside.

    The normal turns at the rate `turn`. Corners that are not arcs return 0.
    """
    if rows[k, CONTOUR.REACH] == 0.0 or is_corner_normal(rows, k, x, y):
        return 0.0
    if turn == 0.0:
        return inf
    to_from = length(x - rows[k, CONTOUR.FROM_X], y - rows[k, CONTOUR.FROM_Y])
    # Chords are shorter than arcs, so the bound is safe.
    return min(to_from, length(x - rows[k, CONTOUR.TO_X], y - rows[k, CONTOUR.TO_Y])) / abs(turn)


@subroutine
def find_time_along_axis(two, x, y, motion, spin, left, slack):
    """Return a time up to which a direction separates two pieces, except for `slack` [m]; at most `left`.

    The direction (x, y) turns at the rate `spin`. The result is 0 if no time was found.
    """
    a, b = two.a, two.b
    dx, dy, vx, vy, spin_a, spin_b = motion
    turn_a, turn_b = spin_a - spin, spin_b - spin
    linear = x * (vx + spin * dy) + y * (vy - spin * dx)
    speed = length(vx, vy)
    bend = spin * spin * (length(dx, dy) + speed) + 2.0 * abs(spin) * speed
    h = left
    for _ in range(ROUNDS):
        low, low_constant, low_linear, low_bend, low_entry = inf, 0.0, 0.0, 0.0, 0.0
        for j in range(two.count_b):
            entry = find_cone_entry(b, j, -x, -y, turn_b)
            if h < entry:
                continue
            px, py = b[j, CONTOUR.X] - dx, b[j, CONTOUR.Y] - dy
            constant = x * b[j, CONTOUR.X] + y * b[j, CONTOUR.Y] - b[j, CONTOUR.REACH]
            rate, curve = turn_b * (px * y - py * x), turn_b * turn_b * length(px, py)
            value = constant + h * (rate - 0.5 * h * curve)
            if value < low:
                low, low_constant, low_linear, low_bend, low_entry = value, constant, rate, curve, entry
        high, high_constant, high_linear, high_bend, high_entry = -inf, 0.0, 0.0, 0.0, 0.0
        for i in range(two.first_a, two.first_a + two.count_a):
            entry = find_cone_entry(a, i, x, y, turn_a)
            if h < entry:
                continue
            px, py = a[i, CONTOUR.X], a[i, CONTOUR.Y]
            constant = x * px + y * py + a[i, CONTOUR.REACH]
            rate, curve = turn_a * (px * y - py * x), turn_a * turn_a * length(px, py)
            value = constant + h * (rate + 0.5 * h * curve)
            if value > high:
                high, high_constant, high_linear, high_bend, high_entry = value, constant, rate, curve, entry
        if low - high + h * (linear - 0.5 * h * bend) - two.radii >= -slack:
            return h
        root = find_parabola_root(
            low_constant - high_constant - two.radii, linear + low_linear - high_linear, bend + low_bend + high_bend
        )
        entry = max(low_entry, high_entry) * (1.0 - 1e-9)
        if max(root, entry) >= h:
            break
        h = max(root, entry)
    return 0.0


@subroutine
def find_time_within(px, py, qx, qy, limit, motion, spin, left, slack):
    """Return a time up to which a point q of B stays within `limit` of a point p of A, except for `slack` [m].

    The result is at most `left`, and 0 if no time was found.
    """
    dx, dy, vx, vy, spin_a, spin_b = motion
    turn_a, turn_b = spin_a - spin, spin_b - spin
    speed = length(vx, vy)
    arm_x, arm_y = qx - dx, qy - dy
    bend = spin * spin * (length(dx, dy) + speed) + 2.0 * abs(spin) * speed
    bend += turn_a * turn_a * length(px, py) + turn_b * turn_b * length(arm_x, arm_y)
    wx, wy = qx - px, qy - py
    rate_x, rate_y = vx + spin * dy - turn_b * arm_y + turn_a * py, vy - spin * dx + turn_b * arm_x - turn_a * px
    if length(wx, wy) >= limit:
        return 0.0
    h = left
    for _ in range(100):
        x, y = wx + rate_x * h, wy + rate_y * h
        distance = length(x, y)
        excess = distance + 0.5 * bend * h * h - limit
        if excess <= slack:
            return h
        slope = (x * rate_x + y * rate_y) / distance if distance > 0.0 else 0.0
        h -= excess / (slope + bend * h)
    return 0.0


@subroutine
def find_time_in_ring(two, motion, spin, left, slack):
    """Return a time up to which B stays inside the ring A, except for `slack` [m]; at most `left`.

    The result is 0 if no time was found.
    """
    a, i, b = two.a, two.first_a, two.b
    h = left
    for j in range(two.count_b):
        limit = a[i, CONTOUR.ARC_RADIUS] - b[j, CONTOUR.REACH] - two.radii
        h = min(
            h,
            find_time_within(
                a[i, CONTOUR.X], a[i, CONTOUR.Y], b[j, CONTOUR.X], b[j, CONTOUR.Y], limit, motion, spin, h, slack
            ),
        )
    return h


@subroutine
def find_time_near_hollows(two, distance, slowest, motion, spin, left, slack):
    """Return a time up to which two pieces, `distance` [m] apart, cannot touch; at most `left`.

    Corners inside the circle of a hollow arc have bounds of their own. Speed bounds everything else: `slowest` is the
    time by speed for this distance.
    """
    a, first_a, count_a, b, count_b, radii = two
    others = min(
        boundary_distance(a, first_a, count_a, b, 0, count_b, False),
        boundary_distance(b, 0, count_b, a, first_a, count_a, False),
    )
    h = min(left, slowest * max(1.0, (others - radii) / distance))
    for i in range(first_a, first_a + count_a):
        for j in range(count_b):
            if a[i, CONTOUR.EDGE] == form.HOLLOW:
                limit = a[i, CONTOUR.ARC_RADIUS] - b[j, CONTOUR.REACH] - radii
                within = find_time_within(
                    a[i, CONTOUR.ARC_X],
                    a[i, CONTOUR.ARC_Y],
                    b[j, CONTOUR.X],
                    b[j, CONTOUR.Y],
                    limit,
                    motion,
                    spin,
                    h,
                    slack,
                )
                h = min(h, max(within, slowest * _find_distance_ratio(a, i, first_a, count_a, b, j, radii, distance)))
            if b[j, CONTOUR.EDGE] == form.HOLLOW:
                limit = b[j, CONTOUR.ARC_RADIUS] - a[i, CONTOUR.REACH] - radii
                within = find_time_within(
                    a[i, CONTOUR.X],
                    a[i, CONTOUR.Y],
                    b[j, CONTOUR.ARC_X],
                    b[j, CONTOUR.ARC_Y],
                    limit,
                    motion,
                    spin,
                    h,
                    slack,
                )
                h = min(h, max(within, slowest * _find_distance_ratio(b, j, 0, count_b, a, i, radii, distance)))
    return h


@device
def _find_distance_ratio(a, i, first_a, count_a, b, j, radii, distance):
    """Return a lower bound of a corner's distance from a hollow arc, divided by `distance`.

    The corner is row j of B, the arc is the edge of row i of A, without its ends.
    """
    if b[j, CONTOUR.REACH] > 0.0:
        return 1.0
    x, y = b[j, CONTOUR.X] - a[i, CONTOUR.ARC_X], b[j, CONTOUR.Y] - a[i, CONTOUR.ARC_Y]
    if not is_over_hollow(a, i, first_a, count_a, SLACK, x, y):
        return inf
    return max(1.0, (abs(a[i, CONTOUR.ARC_RADIUS] - length(x, y)) - radii) / distance)


@device
def find_time_by_speed(distance, arm_a, arm_b, motion):
    """Return the distance divided by the greatest speed at which two pieces can approach.

    The arms are the greatest distances of the pieces from their origins [m].
    """
    dx, dy, vx, vy, spin_a, spin_b = motion
    speed = length(vx, vy)
    greatest = speed + abs(spin_a) * (length(dx, dy) + speed) + abs(spin_b - spin_a) * arm_b
    if arm_a < inf:
        greatest = min(greatest, speed + abs(spin_a) * arm_a + abs(spin_b) * arm_b)
    return distance / greatest if greatest > 0.0 else inf


@subroutine
def find_safe_time(two, is_hollow, distance, arms, x, y, motion, left, slack):
    """Return a time up to which two pieces cannot touch, except for `slack` [m]; at most `left`.

    The pieces are `distance` [m] apart, and (x, y) is the normal along which their hulls are farthest apart. `arms` are
    their greatest distances from the origins [m].
    """
    slowest = find_time_by_speed(distance, arms[0], arms[1], motion)
    best = min(left, slowest)
    form_a = two.a[two.first_a, CONTOUR.EDGE]
    for spin in (motion.spin_a, motion.spin_b, 0.0):
        if best >= left:
            break
        if form_a == form.ROUND:
            best = max(best, find_time_in_ring(two, motion, spin, left, slack))
        elif form_a != form.UNBOUNDED or spin == motion.spin_a:
            best = max(best, find_time_along_axis(two, x, y, motion, spin, left, slack))
            if is_hollow:
                best = max(best, find_time_near_hollows(two, distance, slowest, motion, spin, left, slack))
    return best
