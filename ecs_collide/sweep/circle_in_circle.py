"""Row 21: when a moving circle inside another first touches it from inside (EQ 2, 6–12): circular arenas.

The centres are then |r_A − r_B| apart (EQ (2)), and

    V²·t² + 2·U·V·t + (U² − r²) = 0        EQ (8), r = |r_A − r_B|

as in row 20. Deviation: EQ takes the smaller t in both of its cases. Inside, U² < r², so the smaller root is negative
and "no collision" by EQ's own rule; the circle hits the wall when the centres come to be r apart, at the larger root.

Either circle may be the inner one. If the inner one is not wholly inside at the start it sticks in the wall:
t = 0 and `overlapping`. Touching at the start is a hit at t = 0 unless the circle moves inward; then the hit is on the
far side. A circle at rest relative to the arena never hits it. Equal radii touch all around.
"""

from __future__ import annotations

from math import nan

from ecs_collide.elementwise import NonNegative, Number, elementwise
from ecs_collide.quadratic import roots
from ecs_collide.sweep.touch import FirstTouch


@elementwise
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
    """When a moving circle first touches the wall of the moving circle that it is inside of.

    Centres at t = 0, motions over the step and radii [m], each a number or an array. The time is a fraction of the
    step; None, or NaN in arrays, if they do not touch within it.
    """
    ux, uy = ax - bx, ay - by
    vx, vy = motion_ax - motion_bx, motion_ay - motion_by
    r = abs(radius_a - radius_b)
    gap = ux * ux + uy * uy - r * r
    outward = ux * vx + uy * vy
    if gap > 0.0:
        return FirstTouch(0.0, True)
    if gap == 0.0 and outward >= 0.0:
        return FirstTouch(0.0, False)
    _, t = roots(vx * vx + vy * vy, 2.0 * outward, gap)
    return FirstTouch(t if t <= 1.0 else nan, False)
