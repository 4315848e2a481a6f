"""Rows 23 and 24 together: when a moving circle first touches a moving segment (EQ 22–34).

The earlier of the hits on the end points and on what lies between them; exact for translation, and with the length
approximation of row 24 while the segment turns. Where the ends move independently and the segment stretches, that
approximation fails: a third of the hits are late by more than 0.01 of the step, and 5 % are missed
(`docs/algorithms/sweeps.md` has the figures). A circle of radius 0 is a point and a case for row 22:
in rows 23 and 24 its touch would be decided by rounding.
"""

from __future__ import annotations

from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.algorithms.moving_circle_edge import edge_at_once, moving_circle_moving_edge
from ecs_collide.algorithms.moving_circle_end_points import earlier, end_points_at_once, moving_circle_moving_end_points
from ecs_collide.algorithms.moving_vertex_edge import moving_vertex_moving_edge
from ecs_collide.kernels.elementwise import NonNegative, Number, several_at_once
from ecs_collide.kernels.kernel import device

circle_edge = moving_circle_moving_edge.kernel
circle_end_points = moving_circle_moving_end_points.kernel
vertex_edge = moving_vertex_moving_edge.kernel


@device
def _at_once(px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by):
    at_end, overlapping_end, sure_of_end = end_points_at_once(
        px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    at_edge, overlapping_edge, sure_of_edge = edge_at_once(
        px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    sure = (radius > 0.0) & sure_of_end & sure_of_edge
    return earlier(at_end, at_edge), overlapping_end | overlapping_edge, sure


@several_at_once(_at_once)
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
    """When the moving circle around P first touches the moving segment A–B, ends included.

    Meant for segments that keep their length, as edges of rigid shapes do: exact for translation, up to
    r·(1/cos(θ/2) − 1) early for a turn of θ, and late or missed where the ends move so that it stretches.
    Positions at t = 0, motions over the step and radius [m], each a number or an array. The time is a fraction of the
    step; None, or NaN in arrays, if they do not touch within it.
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
