"""Rows 23 and 24 together: the first touch of a moving circle and a moving segment (EQ 22–34).

The result is the earlier of the hits on the end points and on the edge between them. It is exact for translation, and
has the length approximation of row 24 while the segment turns. If the ends move independently and the segment
stretches, that approximation fails: hits may be late or missed (`docs/algorithms/sweeps.md` has the figures). A circle
of radius 0 is a point, which row 22 handles: rounding would decide its touch in rows 23 and 24.
"""

from __future__ import annotations

from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.algorithms.moving_circle_edge import edge_branch_free, moving_circle_moving_edge
from ecs_collide.algorithms.moving_circle_end_points import (
    earlier,
    end_points_branch_free,
    moving_circle_moving_end_points,
)
from ecs_collide.algorithms.moving_vertex_edge import moving_vertex_moving_edge
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise_with_attempt
from ecs_collide.kernels.kernel import device

circle_edge = moving_circle_moving_edge.kernel
circle_end_points = moving_circle_moving_end_points.kernel
vertex_edge = moving_vertex_moving_edge.kernel


@device
def _branch_free(px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by):
    """Return (t, overlapping, sure) without branches; the result is not sure for a circle of radius 0."""
    at_end, overlapping_end, sure_of_end = end_points_branch_free(
        px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    at_edge, overlapping_edge, sure_of_edge = edge_branch_free(
        px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    sure = (radius > 0.0) & sure_of_end & sure_of_edge
    return earlier(at_end, at_edge), overlapping_end | overlapping_edge, sure


@elementwise_with_attempt(_branch_free)
def moving_circle_moving_segment(
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
    """Return the first touch of a moving circle and a moving segment A–B, ends included.

    The segment should keep its length, as edges of rigid shapes do. The time is then exact for translation, and up to
    r·(1/cos(θ/2) − 1) early for a turn of θ. If the segment stretches, hits are late or missed. Source: EQ 22–34.

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
    if radius == 0.0:
        t, _ = vertex_edge(px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by)
        return FirstTouch(t, False)
    at_end, overlapping_end = circle_end_points(
        px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    at_edge, overlapping_edge = circle_edge(
        px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    return FirstTouch(earlier(at_end, at_edge), overlapping_end or overlapping_edge)
