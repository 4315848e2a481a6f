"""How far two pieces can move before they touch, at least.

Time is a fraction of the motion. In a frame that turns with rate ω about A's origin, let D be B's origin, V the
relative motion of the origins and Δ = |D| + |V| at most. A corner p of A and a corner q of B, seen along a direction n
that is fixed in that frame, then part or close as

    n·(q − p)(h) ≥ n·(q − p) + c h − M h²/2
    c = n·(V − ω×D + (ω_B − ω)×(q − D) − (ω_A − ω)×p)
    M = ω² Δ + 2 |ω| |V| + (ω_B − ω)² |q − D| + (ω_A − ω)² |p|

because M bounds the acceleration. The first h at which the least of these over all q, less the greatest over all p, is
the sum of the radii is a time before which nothing can touch, as n parts the two until then. It is exact for
translation, and its error goes with the square of h. A corner that is an arc does not count before n can have turned
into its cone.

Any n and ω would do. n is the normal at the present time; for ω the rates 0, ω_A and ω_B are all tried and the
best answer counts: so a disk that circles another, or a body that turns about its own centre, is passed in few steps.

Inside a ring there is no such n, but the distances ‖w‖ of the corners from the centre are convex functions of h:

    ‖w + w' h‖ + ρ + M h²/2 = R

has one root, which Newton's method approaches from above.

The same goes for a corner of a piece that is inside the circle of the other's hollow edge. All other parts of such
pieces, and whatever else these give nothing for, have the bound by speed: distance over the greatest speed.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.corner import SLACK, at_corner, length
from ecs_collide.contours.hollow_distance import boundary_distance, over_hollow
from ecs_collide.geometry.quadratic import roots
from ecs_collide.kernels.kernel import device, subroutine

ROUNDS = 20
"""Of improving the pair of corners that comes first; three or four are the rule."""


class Facing(NamedTuple):
    """The contour rows of two pieces A and B, both in A's frame, and the sum of their rounding radii [m]."""

    a: np.ndarray
    first_a: int
    count_a: int
    b: np.ndarray
    count_b: int
    radii: float


class RelativeMotion(NamedTuple):
    """Of B as seen from A's frame: D [m] and V [m], and how far A and B turn in all [rad]."""

    x: float
    y: float
    vx: float
    vy: float
    spin_a: float
    spin_b: float


@subroutine
def root_of_parabola(constant, linear, bend):
    """The first h > 0 at which constant + linear h − bend h²/2 is no longer positive; 0 where it is not at first."""
    if constant <= 0.0:
        return 0.0
    low, high = roots(-0.5 * bend, linear, constant)
    if bend > 0.0:
        return high
    return low if linear < 0.0 else inf


@device
def entry_time(rows, k, x, y, turn):
    """The time before which a normal (x, y), turning at a rate of `turn`, is not in the cone of an arc; 0 if it is."""
    if rows[k, CONTOUR.REACH] == 0.0 or at_corner(rows, k, x, y):
        return 0.0
    if turn == 0.0:
        return inf
    to_from = length(x - rows[k, CONTOUR.FROM_X], y - rows[k, CONTOUR.FROM_Y])
    # chords are shorter than arcs
    return min(to_from, length(x - rows[k, CONTOUR.TO_X], y - rows[k, CONTOUR.TO_Y])) / abs(turn)


@subroutine
def along_axis(two, x, y, motion, spin, left, slack):
    """A time up to which the fixed direction (x, y), turning with `spin`, parts two pieces but for `slack` [m].

    0 where none was found; at most `left`.
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
            entry = entry_time(b, j, -x, -y, turn_b)
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
            entry = entry_time(a, i, x, y, turn_a)
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
        root = root_of_parabola(
            low_constant - high_constant - two.radii, linear + low_linear - high_linear, bend + low_bend + high_bend
        )
        entry = max(low_entry, high_entry) * (1.0 - 1e-9)
        if max(root, entry) >= h:
            break
        h = max(root, entry)
    return 0.0


@subroutine
def time_within(px, py, qx, qy, limit, motion, spin, left, slack):
    """A time up to which a point q of B stays within `limit` of a point p of A, but for `slack` [m]; at most `left`."""
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
def from_ring(two, motion, spin, left, slack):
    """A time up to which B stays inside the ring A but for `slack` [m]; 0 where none was found."""
    a, i, b = two.a, two.first_a, two.b
    h = left
    for j in range(two.count_b):
        limit = a[i, CONTOUR.ARC_RADIUS] - b[j, CONTOUR.REACH] - two.radii
        h = min(
            h,
            time_within(
                a[i, CONTOUR.X], a[i, CONTOUR.Y], b[j, CONTOUR.X], b[j, CONTOUR.Y], limit, motion, spin, h, slack
            ),
        )
    return h


@subroutine
def from_hollows(two, distance, slowest, motion, spin, left, slack):
    """A time up to which two pieces, `distance` [m] apart, cannot touch; `slowest` is that by speed for this distance.

    Corners that are inside the circle of a hollow arc leave it first; all else is bounded by speed.
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
                within = time_within(
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
                h = min(h, max(within, slowest * _times_further(a, i, first_a, count_a, b, j, radii, distance)))
            if b[j, CONTOUR.EDGE] == form.HOLLOW:
                limit = b[j, CONTOUR.ARC_RADIUS] - a[i, CONTOUR.REACH] - radii
                within = time_within(
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
                h = min(h, max(within, slowest * _times_further(b, j, 0, count_b, a, i, radii, distance)))
    return h


@device
def _times_further(a, i, first_a, count_a, b, j, radii, distance):
    """How many times `distance` a corner of B is at least from the hollow arc of row i of A, its ends left out."""
    if b[j, CONTOUR.REACH] > 0.0:
        return 1.0
    x, y = b[j, CONTOUR.X] - a[i, CONTOUR.ARC_X], b[j, CONTOUR.Y] - a[i, CONTOUR.ARC_Y]
    if not over_hollow(a, i, first_a, count_a, SLACK, x, y):
        return inf
    return max(1.0, (abs(a[i, CONTOUR.ARC_RADIUS] - length(x, y)) - radii) / distance)


@device
def by_speed(distance, arm_a, arm_b, motion):
    """Distance over the greatest speed at which two pieces can approach; the arms are their reach from the origins."""
    dx, dy, vx, vy, spin_a, spin_b = motion
    speed = length(vx, vy)
    greatest = speed + abs(spin_a) * (length(dx, dy) + speed) + abs(spin_b - spin_a) * arm_b
    if arm_a < inf:
        greatest = min(greatest, speed + abs(spin_a) * arm_a + abs(spin_b) * arm_b)
    return distance / greatest if greatest > 0.0 else inf


@subroutine
def safe_time(two, is_hollow, distance, arms, x, y, motion, left, slack):
    """A time up to which two pieces, `distance` [m] apart, cannot touch but for `slack` [m]; at most `left`.

    (x, y) is the normal along which their hulls are furthest apart, `arms` are their reach from the origins [m].
    """
    slowest = by_speed(distance, arms[0], arms[1], motion)
    best = min(left, slowest)
    form_a = two.a[two.first_a, CONTOUR.EDGE]
    for spin in (motion.spin_a, motion.spin_b, 0.0):
        if best >= left:
            break
        if form_a == form.ROUND:
            best = max(best, from_ring(two, motion, spin, left, slack))
        elif form_a != form.ENDLESS or spin == motion.spin_a:
            best = max(best, along_axis(two, x, y, motion, spin, left, slack))
            if is_hollow:
                best = max(best, from_hollows(two, distance, slowest, motion, spin, left, slack))
    return best
