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

Inside a ring there is no such n, but the corners' distances from the centre are convex functions of h: for each

    ‖w + w' h‖ + ρ + M h²/2 = R

has one root, which Newton's method approaches from above.

Where these give nothing, as for edges that bend inwards, there is the bound by speed: distance over the greatest speed.
"""

from __future__ import annotations

from math import inf

from ecs_collide.jit import device, subroutine
from ecs_collide.quadratic import roots
from ecs_collide.queries.contour import ARC_RADIUS, FROM_X, FROM_Y, HALF_PLANE_KIND, REACH, RING_KIND, TO_X, TO_Y, X, Y
from ecs_collide.queries.corner import at_corner, length

ROUNDS = 20
"""Of improving the pair of corners that comes first; three or four are the rule."""


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
    if rows[k, REACH] == 0.0 or at_corner(rows, k, x, y):
        return 0.0
    if turn == 0.0:
        return inf
    to_from = length(x - rows[k, FROM_X], y - rows[k, FROM_Y])
    return min(to_from, length(x - rows[k, TO_X], y - rows[k, TO_Y])) / abs(turn)  # chords are shorter than arcs


@subroutine
def along_axis(a, first_a, count_a, b, count_b, radii, x, y, motion, spin, left, slack):
    """A time up to which the fixed direction (x, y), turning with `spin`, parts two pieces but for `slack` [m].

    0 where none was found; at most `left`. `motion` is (D, V, ω_A, ω_B) in A's frame.
    """
    dx, dy, vx, vy, spin_a, spin_b = motion
    turn_a, turn_b = spin_a - spin, spin_b - spin
    linear = x * (vx + spin * dy) + y * (vy - spin * dx)
    speed = length(vx, vy)
    bend = spin * spin * (length(dx, dy) + speed) + 2.0 * abs(spin) * speed
    h = left
    for _ in range(ROUNDS):
        low, low_constant, low_linear, low_bend, low_entry = inf, 0.0, 0.0, 0.0, 0.0
        for j in range(count_b):
            entry = entry_time(b, j, -x, -y, turn_b)
            if h < entry:
                continue
            px, py = b[j, X] - dx, b[j, Y] - dy
            constant = x * b[j, X] + y * b[j, Y] - b[j, REACH]
            rate, curve = turn_b * (px * y - py * x), turn_b * turn_b * length(px, py)
            value = constant + h * (rate - 0.5 * h * curve)
            if value < low:
                low, low_constant, low_linear, low_bend, low_entry = value, constant, rate, curve, entry
        high, high_constant, high_linear, high_bend, high_entry = -inf, 0.0, 0.0, 0.0, 0.0
        for i in range(first_a, first_a + count_a):
            entry = entry_time(a, i, x, y, turn_a)
            if h < entry:
                continue
            px, py = a[i, X], a[i, Y]
            constant = x * px + y * py + a[i, REACH]
            rate, curve = turn_a * (px * y - py * x), turn_a * turn_a * length(px, py)
            value = constant + h * (rate + 0.5 * h * curve)
            if value > high:
                high, high_constant, high_linear, high_bend, high_entry = value, constant, rate, curve, entry
        if low - high + h * (linear - 0.5 * h * bend) - radii >= -slack:
            return h
        root = root_of_parabola(
            low_constant - high_constant - radii, linear + low_linear - high_linear, bend + low_bend + high_bend
        )
        entry = max(low_entry, high_entry) * (1.0 - 1e-9)
        if max(root, entry) >= h:
            break
        h = max(root, entry)
    return 0.0


@subroutine
def from_ring(a, i, b, count_b, radii, motion, spin, left, slack):
    """A time up to which a piece stays inside a ring, row i of `a`, but for `slack` [m]; 0 where none was found."""
    dx, dy, vx, vy, spin_a, spin_b = motion
    turn_a, turn_b = spin_a - spin, spin_b - spin
    cx, cy = a[i, X], a[i, Y]
    speed = length(vx, vy)
    bend = spin * spin * (length(dx, dy) + speed) + 2.0 * abs(spin) * speed + turn_a * turn_a * length(cx, cy)
    h = left
    for j in range(count_b):
        px, py = b[j, X] - dx, b[j, Y] - dy
        wx, wy = b[j, X] - cx, b[j, Y] - cy
        rate_x, rate_y = vx + spin * dy - turn_b * py + turn_a * cy, vy - spin * dx + turn_b * px - turn_a * cx
        limit = a[i, ARC_RADIUS] - b[j, REACH] - radii
        curve = bend + turn_b * turn_b * length(px, py)
        if length(wx, wy) >= limit:
            return 0.0
        for _ in range(100):
            x, y = wx + rate_x * h, wy + rate_y * h
            distance = length(x, y)
            excess = distance + 0.5 * curve * h * h - limit
            if excess <= slack:
                break
            slope = (x * rate_x + y * rate_y) / distance if distance > 0.0 else 0.0
            h -= excess / (slope + curve * h)
    return h


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
def safe_time(a, kind, first_a, count_a, b, count_b, radii, distance, arms, x, y, motion, left, slack):
    """A time up to which two pieces, A of a `kind`, cannot touch but for `slack` [m]; at most `left`.

    (x, y) is the normal along which their hulls are furthest apart.
    """
    best = min(left, by_speed(distance, arms[0], arms[1], motion))
    for spin in (motion[4], motion[5], 0.0):
        if best >= left:
            break
        if kind == RING_KIND:
            best = max(best, from_ring(a, first_a, b, count_b, radii, motion, spin, left, slack))
        elif kind != HALF_PLANE_KIND or spin == motion[4]:
            best = max(best, along_axis(a, first_a, count_a, b, count_b, radii, x, y, motion, spin, left, slack))
    return best
