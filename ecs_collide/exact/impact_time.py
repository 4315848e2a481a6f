"""When a moving point comes within a distance of a point, a circle's inside or a line. Times are from now on [s].

With d the place and v the velocity relative to the centre and R the distance, the first contact from outside is the
smaller root of |d + v t|² = R² (EQ (8), CC). Written with b = d·v and c = d² − R² as

    t = c / (−b + √(|v|² R² − (d × v)²))

it has no difference of nearly equal numbers, neither for the fast (|v| t ≫ R) nor for the near (c ≈ 0). From inside,
it is the larger one (EQ (2)):

    t = (−b + √(b² − |v|² c)) / |v|²  where b < 0,   t = −c / (b + √(b² − |v|² c))  where b > 0.

Its root is the same number, but there c < 0: it is a sum. The other form is next to nothing, by rounding, for what
moves along the circle, and so the ball left it.

Whether there is an impact is decided by the approach, never by the depth: what overlaps and approaches hits at once,
what overlaps and parts never does. So neither rounding nor an overlap can make an impact missed or endless.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.kernel import device

NEVER = 1e300


@device
def time_outside(dx, dy, vx, vy, distance):
    """When d + v t is first `distance` [m] long, coming from outside; 0 if it is shorter and shrinking."""
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
    """When d + v t is `distance` [m] long, coming from inside; 0 if it is longer and growing.

    What is already past the circle, on a line that does not lead back in, hits where it comes closest: from then on it
    would only go further out.
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
    """When a gap [m] that changes by `speed` [m/s] is closed; 0 if it is negative and shrinking."""
    if speed >= 0.0:
        return NEVER
    return max(gap, 0.0) / -speed
