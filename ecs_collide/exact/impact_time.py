"""Time at which a moving point comes within a distance of a point, of a circle's inside, or of a line [s from now].

With d the place and v the velocity relative to the centre and R the distance, the first contact from outside is the
smaller root of |d + v t|² = R² (EQ (8), CC). Written with b = d·v and c = d² − R² as

    t = c / (−b + √(|v|² R² − (d × v)²))

it has no difference of nearly equal numbers, neither for fast points (|v| t ≫ R) nor for near ones (c ≈ 0). From
inside, it is the larger root (EQ (2)):

    t = (−b + √(b² − |v|² c)) / |v|²  where b < 0,   t = −c / (b + √(b² − |v|² c))  where b > 0.

The number under the root is the same, but as c < 0 it is a sum here. The form for outside would be rounding for a
point that moves along the circle, and the ball would leave the circle.

The approach decides if there is an impact, never the depth. A pair that overlaps and approaches hits at once, a pair
that overlaps and parts never does. So neither rounding nor an overlap can make an impact missed or unbounded.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.kernel import device

NEVER = 1e300
"""Time of an impact that does not happen [s]."""


@device
def time_outside(dx, dy, vx, vy, distance):
    """Return the time at which |d + v t| falls to `distance` [m]; 0 if it is shorter and shrinking."""
    b = dx * vx + dy * vy
    if b >= 0.0:
        return NEVER
    c = dx * dx + dy * dy - distance * distance
    if c <= 0.0:
        return 0.0
    cross = dx * vy - dy * vx
    root = (vx * vx + vy * vy) * (distance * distance) - cross * cross
    if root < 0.0:
        return NEVER
    return c / (sqrt(root) - b)


@device
def time_inside(dx, dy, vx, vy, distance):
    """Return the time at which |d + v t| grows to `distance` [m]; 0 if it is longer and growing.

    A point outside the circle, on a line that does not lead back in, hits at its closest approach, because it would
    only go further out afterwards.
    """
    speed_squared = vx * vx + vy * vy
    if speed_squared == 0.0:
        return NEVER
    b = dx * vx + dy * vy
    c = dx * dx + dy * dy - distance * distance
    if c >= 0.0 and b >= 0.0:
        return 0.0
    root = b * b - speed_squared * c
    if root < 0.0:
        return -b / speed_squared
    if b > 0.0:
        return -c / (b + sqrt(root))
    return (sqrt(root) - b) / speed_squared


@device
def time_line(gap, speed):
    """Return the time at which a gap [m] that changes by `speed` [m/s] closes; 0 if it is negative and shrinking."""
    if speed >= 0.0:
        return NEVER
    return max(gap, 0.0) / -speed
