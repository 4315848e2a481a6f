"""Row 23: the first touch of a moving circle and one of the moving end points of a segment (EQ 22–25).

With a = A − P, the end point from the circle's centre, and b = motion_A − motion_P,

    |a + t·b| = r                                     EQ (24)
    b²·t² + 2·a·b·t + (a² − r²) = 0                   EQ (25)

This is EQ (8) again: row 20 with a circle of radius 0 and its conventions. The earlier end point counts.
"""

from __future__ import annotations

from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.algorithms.moving_circle_circle import first_touch, first_touch_branch_free
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise_with_attempt
from ecs_collide.kernels.kernel import device


@device
def earlier(t, u):
    """Return the smaller of two times, either of which may be NaN."""
    return u if (t != t) | (u < t) else t


@device
def end_points_branch_free(
    px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
):
    """Return (t, overlapping, sure) without branches."""
    at_a, overlapping_a, sure_a = first_touch_branch_free(
        ax - px, ay - py, motion_ax - motion_px, motion_ay - motion_py, radius
    )
    at_b, overlapping_b, sure_b = first_touch_branch_free(
        bx - px, by - py, motion_bx - motion_px, motion_by - motion_py, radius
    )
    return earlier(at_a, at_b), overlapping_a | overlapping_b, sure_a & sure_b


@elementwise_with_attempt(end_points_branch_free)
def moving_circle_moving_end_points(
    px: Number,
    py: Number,
    radius: NonNegative,
    motion_px: Number,
    motion_py: Number,
    ax: Number,
    ay: Number,
    motion_ax: Number,
    motion_ay: Number,
    bx: Number,
    by: Number,
    motion_bx: Number,
    motion_by: Number,
) -> FirstTouch:
    """Return the first touch of a moving circle and one of the moving points A and B.

    Source: EQ 22–25.

    Args:
        px, py, radius: centre of the circle at t = 0, and radius [m].
        motion_px, motion_py: motion of the circle over the step [m].
        ax, ay, bx, by: positions of A and B at t = 0 [m].
        motion_ax, motion_ay, motion_bx, motion_by: motions of A and B over the step [m].

    Returns:
        Time, a fraction of the step, and the overlap at the start; fields are arrays if an argument is an array. The
            time
        is None, or NaN in arrays, if they do not touch within the step.
    """
    at_a, overlapping_a = first_touch(ax - px, ay - py, motion_ax - motion_px, motion_ay - motion_py, radius)
    at_b, overlapping_b = first_touch(bx - px, by - py, motion_bx - motion_px, motion_by - motion_py, radius)
    return FirstTouch(earlier(at_a, at_b), overlapping_a or overlapping_b)
