"""Row 24: the first touch of a moving circle and the inside of an edge with moving ends (EQ 26–34).

The ends move on straight lines. Let a = B − A be the edge, b = motion_B − motion_A its change, c = P − A the circle's
centre, and d = motion_P − motion_A. The centre's distance from the edge's line is cross product over length. It is ±r
if

    (a + t·b) × (c + t·d) = d_i·e                                         EQ (31), d_i = ±r, e = |a|
    (b × d)·t² + (b × c + a × d)·t + (a × c − d_i·e) = 0                  EQ (32)

A time counts if the centre then lies between the ends: 0 ≤ (a + t·b)·(c + t·d) ≤ (a + t·b)².

**Length approximation.** EQ (26) divides by the edge's length at t = 0 throughout. An edge whose ends move on straight
lines gets shorter while it turns. After a turn of θ within the step, its length half-way is the fraction cos(θ/2). The
distance is then too small by up to the relative error 1 − cos(θ/2). The circle stops up to r·(1/cos(θ/2) − 1) before
the edge, never inside it. That is 0.1 % of r for θ = 5°, 1.5 % for 20°, and exact for translation. An edge that really
stretches, which the document does not mean, is hit too late. One that shrinks is hit too early, and some hits are
missed.

Deviations:

- (27) and (28) print the norm twice; (30), with one norm, is right.
- "The line does not move" (33) means "does not turn": b = 0 for every translation. (34) is the linear case of the
  shared quadratic. a × d = 0 is its constant case: the distance does not change, so there is no hit.
- "The order of the operands must also be changed" is d_i = −r. Of the two roots for each sign, one leads in and one
  leads out; only the one that leads in is a hit. The sign of the coefficient of t² decides which one.
- Overlap at the start gives t = 0 and `overlapping`. Touching at the start gives t = 0 unless they move apart.
- While the edge turns, the corridor of half width r·e/|a + t·b| is wider than the circles of radius r around its ends
  (row 23). A circle can enter it past an end, without meeting a line ±r or an end. As it is then inside, it never
  meets a line from outside, and EQ misses it. The corridor's two ends are thus tested as well:
  (a + t·b)·(c + t·d) = 0, and the equation with B for A, two more quadratics.
- An edge of no length has no inside: no hit. Row 23 handles it.
"""

from __future__ import annotations

from math import nan, sqrt

from ecs_collide.algorithms.first_touch import FirstTouch
from ecs_collide.algorithms.moving_circle_end_points import earlier
from ecs_collide.geometry.quadratic import find_both_roots, find_falling_root, is_ordinary, scale_coefficients
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise_with_attempt
from ecs_collide.kernels.kernel import device


@device
def edge_branch_free(px, py, radius, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by):
    """Return (t, overlapping, sure) without branches.

    The result is not sure if a quadratic must be scaled.
    """
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


@elementwise_with_attempt(edge_branch_free)
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
    """Return the first touch of a moving circle and a moving edge A–B between its end points.

    The edge should keep its length; one that stretches is hit late, early or not at all. Source: EQ 26–34.

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
    t, overlapping, sure = edge_branch_free(
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
    """Return (t, overlapping, sure).

    With `of_any_size` the coefficients are scaled, which takes branches.
    """
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
    """Return the root at which square·t² + linear·t + constant turns from positive to negative, and if it is sure.

    The root is NaN if there is none.
    """
    along = (square == 0.0) & (linear == 0.0)  # the distance is constant
    sure = along | is_ordinary(square, linear, constant)
    if of_any_size:
        square, linear, constant = scale_coefficients(square, linear, constant)
    t = find_falling_root(square, linear, constant)
    touching = 0.0 if constant == 0.0 else nan
    return touching if along else t, sure


@device
def _beside(t, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y):
    """Return t if it lies in [0, 1] and the centre is then between the edge's ends, else NaN."""
    edge_x, edge_y = a_x + t * b_x, a_y + t * b_y
    along = edge_x * (c_x + t * d_x) + edge_y * (c_y + t * d_y)
    beside = (along >= 0.0) & (along <= edge_x * edge_x + edge_y * edge_y)
    return t if (t >= 0.0) & (t <= 1.0) & beside else nan


@device
def _past_an_end(a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, limit, of_any_size):
    """Return the time at which the centre, c + t·d from an end, enters the corridor past the end, and if it is sure.

    The centre is then outside the end's circle. The time is NaN if there is none.
    """
    square = b_x * d_x + b_y * d_y
    linear = (a_x * d_x + a_y * d_y) + (b_x * c_x + b_y * c_y)
    constant = a_x * c_x + a_y * c_y
    never = (square == 0.0) & (linear == 0.0)
    sure = never | is_ordinary(square, linear, constant)
    if of_any_size:
        square, linear, constant = scale_coefficients(square, linear, constant)
    first, second = find_both_roots(square, linear, constant)
    first = _in_the_gap(first, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, limit)
    second = _in_the_gap(second, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, limit)
    return nan if never else earlier(first, second), sure


@device
def _in_the_gap(t, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y, radius, limit):
    """Return t if it lies in [0, 1] and the centre is then r to r·e/|a + t·b| from the edge's line, else NaN."""
    edge_x, edge_y = a_x + t * b_x, a_y + t * b_y
    cross = abs(edge_x * (c_y + t * d_y) - edge_y * (c_x + t * d_x))
    within = (radius * sqrt(edge_x * edge_x + edge_y * edge_y) <= cross) & (cross < limit)
    return t if (t >= 0.0) & (t <= 1.0) & within else nan
