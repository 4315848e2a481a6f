"""Time at which an accelerated point comes within a distance of a point, of a circle's inside, or of a line.

With d the place, v the velocity and a the acceleration relative to the centre, and R the distance, the time is a root
of

    f(t) = |d + v t + a t² / 2|² − R² = 0

a quartic. Its second derivative is twice the quadratic |v|² + d·a + 3 v·a t + 3/2 |a|² t². Between the roots of that
quadratic, f' is monotone and has one root at most. Between the roots of f', the same is true of f. So Newton's method
within brackets finds all of them. It evaluates f from d, v and a themselves, because the coefficients of the quartic
are differences of large numbers. Against a line, f is a quadratic.

As in `impact_time.py`, a pair that overlaps and approaches hits at once. A pair that overlaps and parts hits when it
begins to approach again.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.exact.impact_time import NEVER
from ecs_collide.kernels.kernel import device, subroutine

ITERATIONS = 100
EXACT = 1e-16
"""Relative change of a time at which Newton's method ends."""


@device
def time_line_falling(gap, speed, pull):
    """Return the time [s] at which a gap [m] closes whose speed [m/s] changes by `pull` [m/s^2]; NEVER if it does not.

    `speed` and `pull` are positive if they open the gap.
    """
    square = speed * speed - 2.0 * pull * gap
    if speed < 0.0:
        if gap <= 0.0:
            return 0.0
        return 2.0 * gap / (sqrt(square) - speed) if square >= 0.0 else NEVER
    if pull >= 0.0:
        return NEVER
    if square < 0.0:
        return speed / -pull
    return (speed + sqrt(square)) / -pull


@device
def _height(motion, distance, t):
    """Return (f, f' / 2) at a time."""
    px = motion.x + (motion.vx + 0.5 * motion.ax * t) * t
    py = motion.y + (motion.vy + 0.5 * motion.ay * t) * t
    length = sqrt(px * px + py * py)
    slope = px * (motion.vx + motion.ax * t) + py * (motion.vy + motion.ay * t)
    return (length - distance) * (length + distance), slope


@device
def _bend(motion, t):
    """Return f'' / 2 at a time."""
    wx, wy = motion.vx + motion.ax * t, motion.vy + motion.ay * t
    px = motion.x + (motion.vx + 0.5 * motion.ax * t) * t
    py = motion.y + (motion.vy + 0.5 * motion.ay * t) * t
    return wx * wx + wy * wy + px * motion.ax + py * motion.ay


@device
def _turning_point(motion, low, high, rises):
    """Return the root of f' between two times, between which f' rises or falls through 0."""
    t = 0.5 * (low + high)
    for _ in range(ITERATIONS):
        _, slope = _height(motion, 0.0, t)
        if (slope < 0.0) == rises:
            low = t
        else:
            high = t
        bend = _bend(motion, t)
        after = t - slope / bend if bend != 0.0 else low
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - t) <= EXACT * high:
            break
        t = after
    return t


@device
def _crossing(motion, distance, side, low, high):
    """Return the root of f between two times, between which `side` f falls through 0."""
    t = 0.5 * (low + high)
    for _ in range(ITERATIONS):
        height, slope = _height(motion, distance, t)
        if side * height > 0.0:
            low = t
        else:
            high = t
        after = t - 0.5 * height / slope if slope != 0.0 else low
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - t) <= EXACT * high:
            break
        t = after
    return t


@subroutine
def time_falling(motion, distance, side, first, until):
    """Return the time, from `first` to `until` [s], at which |d + v t + a t² / 2| reaches `distance` [m]; else NEVER.

    `side` is 1 to reach it from outside, −1 from inside.
    """
    # Roots of the second derivative, in order, within the bounds.
    a = 1.5 * (motion.ax * motion.ax + motion.ay * motion.ay)
    b = 3.0 * (motion.vx * motion.ax + motion.vy * motion.ay)
    c = motion.vx * motion.vx + motion.vy * motion.vy + motion.x * motion.ax + motion.y * motion.ay
    early, late = first, first
    square = b * b - 4.0 * a * c
    if square > 0.0:
        q = -0.5 * (b + (sqrt(square) if b >= 0.0 else -sqrt(square)))
        one, other = q / a, c / q if q != 0.0 else 0.0
        early = min(max(min(one, other), first), until)
        late = min(max(max(one, other), first), until)
    # The three intervals between these roots; each has one turning point of f at most.
    low = first
    height, slope = _height(motion, distance, low)
    for interval in range(3):
        end = early if interval == 0 else late if interval == 1 else until
        if end <= low and interval < 2:
            continue
        _, end_slope = _height(motion, distance, end)
        middle = end
        if (slope < 0.0 and end_slope > 0.0) or (slope > 0.0 and end_slope < 0.0):
            middle = _turning_point(motion, low, end, slope < 0.0)
        # The parts before and after the turning point; f is monotone in each.
        for part in range(2):
            stop = middle if part == 0 else end
            stop_height, _ = _height(motion, distance, stop)
            if stop > low and side * stop_height < 0.0 and side * stop_height < side * height:
                if side * height <= 0.0:
                    return low
                return _crossing(motion, distance, side, low, stop)
            low, height = stop, stop_height
        slope = end_slope
    return NEVER
