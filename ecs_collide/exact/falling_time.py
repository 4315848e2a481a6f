"""When a point that is pulled comes within a distance of a line, of a point, or of a circle's inside.

With d the place, v the velocity and a the acceleration relative to the centre, and R the distance, it is there when

    f(t) = |d + v t + a t² / 2|² − R² = 0

a quartic. Its second derivative is a quadratic, |v|² + d·a + 3 v·a t + 3/2 |a|² t² but for a factor 2. Between the
roots of that f' is monotone and has one root at most, and between the roots of f' the same is true of f. So all are
found by Newton's method within brackets, f always from d, v and a themselves: the coefficients of the quartic are
differences of large numbers. Against a line it is one quadratic equation.

As in `impact_time.py`, what overlaps and approaches hits at once, and what overlaps and parts hits when it begins to
approach again.
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
    """When a gap [m] closes that changes by `speed` [m/s], which changes by `pull` [m/s²]."""
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
def _height(dx, dy, vx, vy, ax, ay, distance, t):
    """(f, f' / 2) at a time."""
    px, py = dx + (vx + 0.5 * ax * t) * t, dy + (vy + 0.5 * ay * t) * t
    length = sqrt(px * px + py * py)
    return (length - distance) * (length + distance), px * (vx + ax * t) + py * (vy + ay * t)


@device
def _bend(dx, dy, vx, vy, ax, ay, t):
    """f'' / 2 at a time."""
    wx, wy = vx + ax * t, vy + ay * t
    px, py = dx + (vx + 0.5 * ax * t) * t, dy + (vy + 0.5 * ay * t) * t
    return wx * wx + wy * wy + px * ax + py * ay


@device
def _turning_point(dx, dy, vx, vy, ax, ay, low, high, rises):
    """The root of f' between two times between which it rises or falls through 0."""
    t = 0.5 * (low + high)
    for _ in range(ITERATIONS):
        _, slope = _height(dx, dy, vx, vy, ax, ay, 0.0, t)
        if (slope < 0.0) == rises:
            low = t
        else:
            high = t
        bend = _bend(dx, dy, vx, vy, ax, ay, t)
        after = t - slope / bend if bend != 0.0 else low
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - t) <= EXACT * high:
            break
        t = after
    return t


@device
def _crossing(dx, dy, vx, vy, ax, ay, distance, side, low, high):
    """The root of f between two times between which `side` f falls through 0."""
    t = 0.5 * (low + high)
    for _ in range(ITERATIONS):
        height, slope = _height(dx, dy, vx, vy, ax, ay, distance, t)
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
def time_falling(dx, dy, vx, vy, ax, ay, distance, side, first, until):
    """When, from `first` to `until` [s], |d + v t + a t² / 2| comes to `distance` [m].

    From outside with side 1, from inside with −1.
    """
    a, b, c = 1.5 * (ax * ax + ay * ay), 3.0 * (vx * ax + vy * ay), vx * vx + vy * vy + dx * ax + dy * ay
    early, late = first, first
    square = b * b - 4.0 * a * c
    if square > 0.0:
        q = -0.5 * (b + (sqrt(square) if b >= 0.0 else -sqrt(square)))
        one, other = q / a, c / q if q != 0.0 else 0.0
        early = min(max(min(one, other), first), until)
        late = min(max(max(one, other), first), until)
    low = first
    height, slope = _height(dx, dy, vx, vy, ax, ay, distance, low)
    for piece in range(3):
        end = early if piece == 0 else late if piece == 1 else until
        if end <= low and piece < 2:
            continue
        _, end_slope = _height(dx, dy, vx, vy, ax, ay, distance, end)
        middle = end
        if (slope < 0.0 and end_slope > 0.0) or (slope > 0.0 and end_slope < 0.0):
            middle = _turning_point(dx, dy, vx, vy, ax, ay, low, end, slope < 0.0)
        for part in range(2):
            stop = middle if part == 0 else end
            stop_height, _ = _height(dx, dy, vx, vy, ax, ay, distance, stop)
            if stop > low and side * stop_height < 0.0 and side * stop_height < side * height:
                if side * height <= 0.0:
                    return low
                return _crossing(dx, dy, vx, vy, ax, ay, distance, side, low, stop)
            low, height = stop, stop_height
        slope = end_slope
    return NEVER
