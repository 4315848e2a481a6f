"""Row 20: the first touch of two moving circles from outside (EQ 1–12; CC "dynamic circle–circle").

Each circle moves from p to p + motion while t goes from 0 to 1. With U = p_A − p_B, V = motion_A − motion_B and the sum
of the radii r (EQ (1)), the centres are r apart if

    (U + V·t)² = r²                                           EQ (7)
    V²·t² + 2·U·V·t + (U² − r²) = 0                           EQ (8)

The first touch is the smaller root. CC finds the same time by geometry, in B's frame of reference. d is the point of
A's line of motion closest to B's centre. It lies √(r² − |d|²) beyond the point of contact c, so

    c = d − √(r² − |d|²)·V/|V|,        t = (c − U)·V/V²

Both are here (`first_touch`, `first_touch_by_closest_point`) and agree to 1e-12 unless the hit is grazing. t of a
grazing hit depends on the root of a rounding error; then they agree in the distance of the centres at t.

Deviations from the documents, which divide by V² unchecked, in EQ (9)–(12) and as CC's `movementvectorlength`:

- V = 0: no division. The circles touch at t = 0 or never.
- Overlap at the start has the roots t1 < 0 < t2, which EQ's "t is negative: no collision" reports as a miss. Here t is
  0 and `overlapping` is True, whatever the motion.
- CC checks neither that A moves towards B nor that the contact lies within the movement. Both are checked here.
- A grazing hit (double root) is a collision, as in EQ and CC's code; CC's text excludes it.

Touching at the start is a hit at t = 0 unless the circles move apart: a ball that leaves must not hit again.
"""

from __future__ import annotations

from math import nan, sqrt

from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.geometry.quadratic import find_falling_root, is_ordinary, ratio, roots
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise_with_attempt
from ecs_collide.kernels.kernel import device


@device
def first_touch(ux, uy, vx, vy, r):
    """Return (t, overlapping) of a point that moves from U to U + V against a disk of radius r around the origin.

    U and V are in [m]; t is in [0, 1] or NaN; EQ (8).
    """
    t, overlapping, sure = first_touch_branch_free(ux, uy, vx, vy, r)
    if sure:
        return t, overlapping
    t, _ = roots(vx * vx + vy * vy, 2.0 * (ux * vx + uy * vy), ux * ux + uy * uy - r * r)
    return t if t <= 1.0 else nan, False


@device
def first_touch_branch_free(ux, uy, vx, vy, r):
    """Return (t, overlapping, sure) of `first_touch` without branches.

    The result is not sure if the quadratic must be scaled.
    """
    gap = ux * ux + uy * uy - r * r
    approach = ux * vx + uy * vy
    square, linear = vx * vx + vy * vy, 2.0 * approach
    t = find_falling_root(square, linear, gap)
    later = t if (approach < 0.0) & (t <= 1.0) else nan
    now = 0.0 if (gap < 0.0) | (approach <= 0.0) else nan
    started = gap <= 0.0
    return now if started else later, gap < 0.0, started | (approach >= 0.0) | is_ordinary(square, linear, gap)


@device
def first_touch_by_closest_point(ux, uy, vx, vy, r):
    """Return (t, overlapping) by CC's closest point on the line of motion.

    The line is A·x + B·y = C with A = V_y, B = −V_x.
    """
    approach = ux * vx + uy * vy
    gap = ux * ux + uy * uy - r * r
    speed_squared = vx * vx + vy * vy  # CC's determinant
    offset = ratio(vy * ux - vx * uy, speed_squared)  # C over the determinant
    dx, dy = vy * offset, -vx * offset
    closest_squared = dx * dx + dy * dy
    back = sqrt(max(0.0, ratio(r * r - closest_squared, speed_squared)))
    cx, cy = dx - back * vx, dy - back * vy
    t = max(0.0, ratio((cx - ux) * vx + (cy - uy) * vy, speed_squared))
    meets = (approach < 0.0) & (speed_squared > 0.0) & (closest_squared <= r * r) & (t <= 1.0)
    now = 0.0 if (gap < 0.0) | (approach <= 0.0) else nan
    return now if gap <= 0.0 else t if meets else nan, gap < 0.0


@device
def _branch_free(ax, ay, radius_a, motion_ax, motion_ay, bx, by, radius_b, motion_bx, motion_by):
    """Return (t, overlapping, sure) by EQ (8), without branches."""
    return first_touch_branch_free(ax - bx, ay - by, motion_ax - motion_bx, motion_ay - motion_by, radius_a + radius_b)


@elementwise_with_attempt(_branch_free)
def moving_circle_moving_circle(
    ax: Number,
    ay: Number,
    radius_a: NonNegative,
    motion_ax: Number,
    motion_ay: Number,
    bx: Number,
    by: Number,
    radius_b: NonNegative,
    motion_bx: Number,
    motion_by: Number,
) -> FirstTouch:
    """Return the first touch of two moving circles from outside, by EQ (8).

    Source: EQ 1–12.

    Args:
        ax, ay, radius_a: centre of A at t = 0, and radius [m].
        motion_ax, motion_ay: motion of A over the step [m].
        bx, by, radius_b: centre of B at t = 0, and radius [m].
        motion_bx, motion_by: motion of B over the step [m].

    Returns:
        Time, a fraction of the step, and the overlap at the start; fields are arrays if an argument is an array. The
            time
        is None, or NaN in arrays, if they do not touch within the step.
    """
    t, overlapping = first_touch(ax - bx, ay - by, motion_ax - motion_bx, motion_ay - motion_by, radius_a + radius_b)
    return FirstTouch(t, overlapping)


@device
def _by_closest_point_branch_free(ax, ay, radius_a, motion_ax, motion_ay, bx, by, radius_b, motion_bx, motion_by):
    """Return (t, overlapping, True) by CC's closest point, without branches."""
    t, overlapping = first_touch_by_closest_point(
        ax - bx, ay - by, motion_ax - motion_bx, motion_ay - motion_by, radius_a + radius_b
    )
    return t, overlapping, True


@elementwise_with_attempt(_by_closest_point_branch_free)
def moving_circle_moving_circle_by_closest_point(
    ax: Number,
    ay: Number,
    radius_a: NonNegative,
    motion_ax: Number,
    motion_ay: Number,
    bx: Number,
    by: Number,
    radius_b: NonNegative,
    motion_bx: Number,
    motion_by: Number,
) -> FirstTouch:
    """Return the first touch of two moving circles from outside, by the closest point on the line of motion.

    Source: CC "dynamic circle–circle".

    Args:
        ax, ay, radius_a: centre of A at t = 0, and radius [m].
        motion_ax, motion_ay: motion of A over the step [m].
        bx, by, radius_b: centre of B at t = 0, and radius [m].
        motion_bx, motion_by: motion of B over the step [m].

    Returns:
        Time, a fraction of the step, and the overlap at the start; fields are arrays if an argument is an array. The
            time
        is None, or NaN in arrays, if they do not touch within the step.
    """
    t, overlapping = first_touch_by_closest_point(
        ax - bx, ay - by, motion_ax - motion_bx, motion_ay - motion_by, radius_a + radius_b
    )
    return FirstTouch(t, overlapping)
