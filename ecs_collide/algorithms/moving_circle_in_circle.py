"""Row 21: the first touch of a moving circle and the inside of another (EQ 2, 6–12): circular arenas.

The centres are then |r_A − r_B| apart (EQ (2)), and

    V²·t² + 2·U·V·t + (U² − r²) = 0        EQ (8), r = |r_A − r_B|

as in row 20. Deviation: EQ takes the smaller t in both of its cases. Inside, U² < r², so the smaller root is negative,
which is "no collision" by EQ's own rule. The circle hits the wall at the larger root, when the centres are r apart.

Either circle may be the inner one. If the inner one is not wholly inside at the start, it sticks in the wall: t = 0 and
`overlapping`. Touching at the start is a hit at t = 0 unless the circle moves inward; then the hit is on the far side.
A circle at rest relative to the arena never hits it. Equal radii touch all around.
"""

from __future__ import annotations

from math import nan

from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.geometry.quadratic import find_falling_root, is_ordinary, roots
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise_with_attempt
from ecs_collide.kernels.kernel import device


@device
def _branch_free(ax, ay, radius_a, motion_ax, motion_ay, bx, by, radius_b, motion_bx, motion_by):
    """Return (t, overlapping, sure) without branches.

    The result is not sure if the quadratic must be scaled.
    """
    ux, uy = ax - bx, ay - by
    vx, vy = motion_ax - motion_bx, motion_ay - motion_by
    r = abs(radius_a - radius_b)
    gap = ux * ux + uy * uy - r * r
    outward = ux * vx + uy * vy
    square, linear = vx * vx + vy * vy, 2.0 * outward
    t = find_falling_root(-square, -linear, -gap)  # the larger root, at which EQ (8) rises
    now = (gap > 0.0) | ((gap == 0.0) & (outward >= 0.0))
    return 0.0 if now else t if t <= 1.0 else nan, gap > 0.0, now | is_ordinary(square, linear, gap)


@elementwise_with_attempt(_branch_free)
def moving_circle_inside_moving_circle(
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
    """Return the first touch of a moving circle and the wall of the moving circle around it.

    Source: EQ 2, 6–12, with the larger root.

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
    t, overlapping, sure = _branch_free(ax, ay, radius_a, motion_ax, motion_ay, bx, by, radius_b, motion_bx, motion_by)
    if sure:
        return FirstTouch(t, overlapping)
    ux, uy = ax - bx, ay - by
    vx, vy = motion_ax - motion_bx, motion_ay - motion_by
    r = abs(radius_a - radius_b)
    _, t = roots(vx * vx + vy * vy, 2.0 * (ux * vx + uy * vy), ux * ux + uy * uy - r * r)
    return FirstTouch(t if t <= 1.0 else nan, False)
