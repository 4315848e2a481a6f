"""Row 24: when a moving circle first touches the inside of an edge whose ends move on straight lines (EQ 26–34).

With the edge a = B − A, its change b = motion_B − motion_A, the circle's centre c = P − A and d = motion_P − motion_A,
the centre's distance from the edge's line is cross product over length, and it is ±r where

    (a + t·b) × (c + t·d) = d_i·e                                         EQ (31), d_i = ±r, e = |a|
    (b × d)·t² + (b × c + a × d)·t + (a × c − d_i·e) = 0                  EQ (32)

A time counts if the centre then lies between the ends: 0 ≤ (a + t·b)·(c + t·d) ≤ (a + t·b)².

**Length approximation.** EQ (26) divides by the edge's length at t = 0 throughout, but an edge whose ends move on
straight lines gets shorter while it turns: after a turn of θ within the step it has, half-way, the fraction cos(θ/2) of
its length. The distance is then taken too small by up to the relative error 1 − cos(θ/2), so the circle is
stopped up to r·(1/cos(θ/2) − 1) before the edge, never inside it. That is 0.1 % of r for θ = 5°, 1.5 % for 20° and
exact for translation. An edge that really stretches, which the document does not mean, is hit too late, one that
shrinks too early, and some hits are missed.

Deviations:

- (27) and (28) print the norm twice; (30), with one norm, is right.
- "The line does not move" (33) is meant as "does not turn": b = 0 for every translation. (34) is the
  linear case of the shared quadratic, a × d = 0 its constant case: the distance does not change, so no hit.
- "The order of the operands must also be changed" is d_i = −r. Of the two roots for each sign one leads in and one
  leads out; only the one that leads in is a hit. Which that is follows from the sign of the coefficient of t².
- Overlap at the start gives t = 0 and `overlapping`; touching then gives t = 0 unless they move apart.
- While the edge turns, the corridor of half width r·e/|a + t·b| is wider than the circles of radius r around its ends
  (row 23). A circle can slip into it past an end, meeting neither of the lines ±r nor an end, and as it then is
  inside it never meets a line from outside: EQ lets 0.04 % of random circles sink in that way, and 0.3 % where most
  graze. So the corridor's two ends are tested too: (a + t·b)·(c + t·d) = 0, the same with B for A, two more quadratics.
- An edge of no length has no inside: no hit, row 23 does it.
"""

from __future__ import annotations

from math import nan, sqrt

from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.algorithms.moving_circle_end_points import earlier
from ecs_collide.geometry.quadratic import both_roots, falling_root, normalised, ordinary
from ecs_collide.kernels.elementwise import NonNegative, Number, several_at_once
from ecs_collide.kernels.kernel import device


@device
def edge_at_once(px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by):
    """(t, overlapping, sure) without branches; not sure where a quadratic has to be scaled."""
    return _first_touch(
        bx - ax,
        by - ay,
        motion_bx - motion_ax,
        motion_by - motion_ay,
        px - ax,
        py - ay,
        motion_px - motion_ax,
        motion_py - motion_ay,
        radius,
        False,
    )


@several_at_once(edge_at_once)
def moving_circle_moving_edge(
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
    """When the moving circle around P first touches the moving edge A–B between its end points.

    Meant for edges that keep their length; one that stretches is met late, early or not at all.
    Positions at t = 0, motions over the step and radius [m], each a number or an array. The time is a fraction of the
    step; None, or NaN in arrays, if they do not touch within it.
    """
    t, overlapping, sure = edge_at_once(
        px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    if not sure:
        t, overlapping, _ = _first_touch(
            bx - ax,
            by - ay,
            motion_bx - motion_ax,
            motion_by - motion_ay,
            px - ax,
            py - ay,
            motion_px - motion_ax,
            motion_py - motion_ay,
            radius,
            True,
        )
    return FirstTouch(t, overlapping)


@device
def _first_touch(a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, of_any_size):
    """(t, overlapping, sure); coefficients are scaled if they may be of any size, which takes branches."""
    length_squared = a_x * a_x + a_y * a_y
    limit = radius * sqrt(length_squared)
    square = b_x * d_y - b_y * d_x
    linear = (b_x * c_y - b_y * c_x) + (a_x * d_y - a_y * d_x)
    constant = a_x * c_y - a_y * c_x
    left, sure_left = _entry(square, linear, constant - limit, of_any_size)
    right, sure_right = _entry(-square, -linear, -constant - limit, of_any_size)
    left = _beside(left, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    right = _beside(right, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    turns = (b_x != 0.0) | (b_y != 0.0)
    at_a, sure_a = _past_an_end(a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, limit, of_any_size)
    at_b, sure_b = _past_an_end(
        a_x, a_y, b_x, b_y, c_x - a_x, c_y - a_y, d_x - b_x, d_y - b_y, radius, limit, of_any_size
    )
    first = earlier(left, right)
    first = earlier(first, earlier(at_a, at_b)) if turns else first
    along = a_x * c_x + a_y * c_y
    overlapping = (abs(constant) < limit) & (along >= 0.0) & (along <= length_squared)
    has_length = (a_x != 0.0) | (a_y != 0.0)
    first = 0.0 if overlapping else first if has_length else nan
    sure = overlapping | ~has_length | (sure_left & sure_right & (~turns | (sure_a & sure_b)))
    return first, overlapping, sure


@device
def _entry(square, linear, constant, of_any_size):
    """The root at which square·t² + linear·t + constant turns from positive to negative, NaN if none; and if sure."""
    along = (square == 0.0) & (linear == 0.0)  # the distance stays as it is
    sure = along | ordinary(square, linear, constant)
    if of_any_size:
        square, linear, constant = normalised(square, linear, constant)
    t = falling_root(square, linear, constant)
    touching = 0.0 if constant == 0.0 else nan
    return touching if along else t, sure


@device
def _beside(t, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y):
    """t, if it lies in [0, 1] and the centre is then between the edge's ends; else NaN."""
    edge_x, edge_y = a_x + t * b_x, a_y + t * b_y
    along = edge_x * (c_x + t * d_x) + edge_y * (c_y + t * d_y)
    beside = (along >= 0.0) & (along <= edge_x * edge_x + edge_y * edge_y)
    return t if (t >= 0.0) & (t <= 1.0) & beside else nan


@device
def _past_an_end(a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, limit, of_any_size):
    """When the centre, c + t·d from an end, passes it in the corridor but outside the end's circle; and if sure."""
    square = b_x * d_x + b_y * d_y
    linear = (a_x * d_x + a_y * d_y) + (b_x * c_x + b_y * c_y)
    constant = a_x * c_x + a_y * c_y
    never = (square == 0.0) & (linear == 0.0)
    sure = never | ordinary(square, linear, constant)
    if of_any_size:
        square, linear, constant = normalised(square, linear, constant)
    first, second = both_roots(square, linear, constant)
    first = _in_the_gap(first, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, limit)
    second = _in_the_gap(second, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, limit)
    return nan if never else earlier(first, second), sure


@device
def _in_the_gap(t, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, limit):
    """t, if it lies in [0, 1] and the centre is then off the edge's line by r to r·e/|a + t·b|; else NaN."""
    edge_x, edge_y = a_x + t * b_x, a_y + t * b_y
    cross = abs(edge_x * (c_y + t * d_y) - edge_y * (c_x + t * d_x))
    within = (radius * sqrt(edge_x * edge_x + edge_y * edge_y) <= cross) & (cross < limit)
    return t if (t >= 0.0) & (t <= 1.0) & within else nan
