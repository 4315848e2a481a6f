"""Row 22: the meeting of a moving vertex and an edge whose two ends move on straight lines (EQ 13–21).

With the vertex P and the edge A–B at t = 0, and their motions over the step, for each coordinate (EQ (18), (19)),

    a = A − P,    b = B − A,    c = motion_P − motion_A,    d = motion_A − motion_B
    t = (a + α·b)/(c + α·d)                                                              EQ (19)

is the time at which the vertex has the coordinate of the edge's point α. Both coordinates are equal if

    α²·(b × d) + α·(a × d + b × c) + (a × c) = 0                                         EQ (21)

Every α in [0, 1] gives a time, valid in [0, 1]; the smallest is the hit. `moving_vertex_moving_edge_by_time` solves for
t first: the vertex is on the edge's line if EQ (32) holds with d_i = 0, and α follows by projection. Both agree to
1e-12 unless an equation is near a double root.

Deviations, where the document says nothing:

- The axis of (19) is the one with the larger |c + α·d|; the other may be 0/0.
- The shared quadratic handles b × d = 0 (the edge does not turn) and b × d = a × d + b × c = 0.
- Coefficients below the rounding error of their products count as 0. All three are 0 if all motion is along one line,
  if the vertex rests relative to the edge, or if the edge shrinks to a point at the vertex. If the vertex is on the
  edge, the hit is then at t = 0, else at the time when an end point meets the vertex.
- c + α·d = 0: the vertex rests relative to that point of the edge. It is there at t = 0 or never.
- α and t outside [0, 1] by at most 1e-12 count as the end. A corner that meets a corner must not slip between the two
  edges that end there.

A vertex has no inside, so "overlapping at the start" is t = 0: on the edge from the beginning.
"""

from __future__ import annotations

from math import nan

from ecs_collide.algorithms.first_touch import EdgeTouch
from ecs_collide.geometry.quadratic import find_both_roots, is_ordinary, ratio, roots
from ecs_collide.kernels.elementwise import Number, elementwise_with_attempt
from ecs_collide.kernels.kernel import device

TOLERANCE = 1e-12
"""Distance outside [0, 1] up to which α and t count as the end."""

ROUNDING = 1e-15
"""Fraction of the products' sizes below which their sum is a rounding error (4.5 units in the last place)."""


@device
def _vectors(px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by):
    """Return a, b, c and d of EQ (21)."""
    return (
        ax - px,
        ay - py,
        bx - ax,
        by - ay,
        motion_px - motion_ax,
        motion_py - motion_ay,
        motion_ax - motion_bx,
        motion_ay - motion_by,
    )


@device
def _branch_free(px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by):
    """Return (t, alpha, sure) by EQ (21), without branches.

    The result is not sure in degenerate cases.
    """
    a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y = _vectors(
        px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    square, linear, constant = _coefficients(b_x, b_y, d_x, d_y, a_x, a_y, c_x, c_y)
    first, second = find_both_roots(square, linear, constant)
    first_t, first_alpha, first_sure = _time_branch_free(first, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    second_t, second_alpha, second_sure = _time_branch_free(second, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    take_second = (first_t != first_t) | (second_t < first_t)
    t, alpha = second_t if take_second else first_t, second_alpha if take_second else first_alpha
    return t, alpha, is_ordinary(square, linear, constant) & first_sure & second_sure


@device
def _time_branch_free(alpha, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y):
    """Return (t, alpha, sure) of `_time_at` without branches.

    The result is not sure if the vertex rests relative to the edge's point.
    """
    alpha = clamp_to_unit(alpha)
    below_x, below_y = c_x + alpha * d_x, c_y + alpha * d_y
    by_x = abs(below_x) >= abs(below_y)
    above = a_x + alpha * b_x if by_x else a_y + alpha * b_y
    below = below_x if by_x else below_y
    scale = abs(c_x) + abs(d_x) if by_x else abs(c_y) + abs(d_y)
    t = clamp_to_unit(ratio(above, below))
    return t, alpha if t == t else nan, (alpha != alpha) | (abs(below) > ROUNDING * scale)


@device
def _by_time_branch_free(px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by):
    """Return (t, alpha, sure) by EQ (32), without branches.

    The result is not sure in degenerate cases.
    """
    a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y = _vectors(
        px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    square, linear, constant = _coefficients(d_x, d_y, c_x, c_y, b_x, b_y, a_x, a_y)
    first, second = find_both_roots(square, -linear, constant)  # (b − t·d) × (t·c − a) = 0, negated
    first_t, first_alpha, first_sure = _place_branch_free(first, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    second_t, second_alpha, second_sure = _place_branch_free(second, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    take_second = (first_t != first_t) | (second_t < first_t)
    t, alpha = second_t if take_second else first_t, second_alpha if take_second else first_alpha
    return t, alpha, is_ordinary(square, linear, constant) & first_sure & second_sure


@device
def _place_branch_free(t, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y):
    """Return (t, alpha, sure) of `_place_at` without branches.

    The result is not sure if the edge is a point at that time.
    """
    t = clamp_to_unit(t)
    edge_x, edge_y = b_x - t * d_x, b_y - t * d_y
    length_squared = edge_x * edge_x + edge_y * edge_y
    alpha = clamp_to_unit(ratio((t * c_x - a_x) * edge_x + (t * c_y - a_y) * edge_y, length_squared))
    return t if alpha == alpha else nan, alpha, (t != t) | (length_squared > 0.0)


@elementwise_with_attempt(_branch_free)
def moving_vertex_moving_edge(
    px: Number,
    py: Number,
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
) -> EdgeTouch | None:
    """Return time and place at which a moving vertex P first meets a moving edge A–B, by EQ (21).

    Source: EQ 13–21.

    Args:
        px, py: vertex at t = 0 [m].
        motion_px, motion_py: motion of the vertex over the step [m].
        ax, ay, bx, by: ends of the edge at t = 0 [m].
        motion_ax, motion_ay, motion_bx, motion_by: motions of the ends over the step [m].

    Returns:
        Time, a fraction of the step, and place, a fraction of the edge from A to B. None, or NaN in arrays, if they do
            not
        meet within the step.
    """
    t, alpha, sure = _branch_free(
        px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    if sure:
        return EdgeTouch(t, alpha)
    a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y = _vectors(
        px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    square, linear, constant = _coefficients(b_x, b_y, d_x, d_y, a_x, a_y, c_x, c_y)  # EQ (21)
    if square == 0.0 and linear == 0.0 and constant == 0.0:
        t, alpha = _on_one_line(a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
        return EdgeTouch(t, alpha)
    low, high = roots(square, linear, constant)
    first_t, first_alpha = _time_at(low, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    second_t, second_alpha = _time_at(high, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    if first_t != first_t or second_t < first_t:
        return EdgeTouch(second_t, second_alpha)
    return EdgeTouch(first_t, first_alpha)


@elementwise_with_attempt(_by_time_branch_free)
def moving_vertex_moving_edge_by_time(
    px: Number,
    py: Number,
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
) -> EdgeTouch | None:
    """Return time and place at which a moving vertex P first meets a moving edge A–B, by EQ (32) with d_i = 0.

    Source: EQ 32.

    Args:
        px, py: vertex at t = 0 [m].
        motion_px, motion_py: motion of the vertex over the step [m].
        ax, ay, bx, by: ends of the edge at t = 0 [m].
        motion_ax, motion_ay, motion_bx, motion_by: motions of the ends over the step [m].

    Returns:
        Time, a fraction of the step, and place, a fraction of the edge from A to B. None, or NaN in arrays, if they do
            not
        meet within the step.
    """
    t, alpha, sure = _by_time_branch_free(
        px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    if sure:
        return EdgeTouch(t, alpha)
    a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y = _vectors(
        px, py, motion_px, motion_py, ax, ay, motion_ax, motion_ay, bx, by, motion_bx, motion_by
    )
    square, linear, constant = _coefficients(d_x, d_y, c_x, c_y, b_x, b_y, a_x, a_y)
    if square == 0.0 and linear == 0.0 and constant == 0.0:
        t, alpha = _on_one_line(a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
        return EdgeTouch(t, alpha)
    low, high = roots(square, -linear, constant)  # (b − t·d) × (t·c − a) = 0, negated
    t, alpha = _place_at(low, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    if t != t:
        t, alpha = _place_at(high, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y)
    return EdgeTouch(t, alpha)


@device
def _coefficients(b_x, b_y, d_x, d_y, a_x, a_y, c_x, c_y):
    """Return b × d, a × d + b × c and a × c, 0 where they are only rounding errors."""
    square = _sum(b_x * d_y, -b_y * d_x, 0.0, 0.0)
    linear = _sum(a_x * d_y, -a_y * d_x, b_x * c_y, -b_y * c_x)
    constant = _sum(a_x * c_y, -a_y * c_x, 0.0, 0.0)
    return square, linear, constant


@device
def _sum(k, m, p, q):
    """Return the sum of four products, 0 if it is only a rounding error."""
    total = (k + m) + (p + q)
    return total if abs(total) > ROUNDING * ((abs(k) + abs(m)) + (abs(p) + abs(q))) else 0.0


@device
def _time_at(alpha, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y):
    """Return (t, alpha) at a root of EQ (21), or NaN."""
    alpha = clamp_to_unit(alpha)
    if alpha != alpha:
        return nan, nan
    above_x, above_y = a_x + alpha * b_x, a_y + alpha * b_y
    below_x, below_y = c_x + alpha * d_x, c_y + alpha * d_y
    if abs(below_x) >= abs(below_y):
        above, below, scale = above_x, below_x, abs(c_x) + abs(d_x)
    else:
        above, below, scale = above_y, below_y, abs(c_y) + abs(d_y)
    if abs(below) <= ROUNDING * scale:  # relative rest
        size = max(abs(a_x) + abs(b_x), abs(a_y) + abs(b_y))
        t = 0.0 if max(abs(above_x), abs(above_y)) <= ROUNDING * size else nan
    else:
        t = clamp_to_unit(above / below)  # EQ (19)
    return t, alpha if t == t else nan


@device
def _place_at(t, a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y):
    """Return (t, alpha) at a time when the vertex is on the edge's line, or NaN."""
    t = clamp_to_unit(t)
    edge_x, edge_y = b_x - t * d_x, b_y - t * d_y
    length_squared = edge_x * edge_x + edge_y * edge_y
    if t != t:
        return nan, nan
    to_x, to_y = t * c_x - a_x, t * c_y - a_y
    if length_squared == 0.0:  # the edge is a point at this time
        size = max(abs(a_x) + abs(c_x), abs(a_y) + abs(c_y))
        return (t, 0.0) if max(abs(to_x), abs(to_y)) <= ROUNDING * size else (nan, nan)
    alpha = clamp_to_unit((to_x * edge_x + to_y * edge_y) / length_squared)
    return t if alpha == alpha else nan, alpha


@device
def _on_one_line(a_x, a_y, b_x, b_y, c_x, c_y, d_x, d_y):
    """Return (t, alpha) if EQ (21) holds for every alpha, or EQ (32) at all times."""
    length_squared = b_x * b_x + b_y * b_y
    alpha = clamp_to_unit(-(a_x * b_x + a_y * b_y) / length_squared) if length_squared > 0.0 else 0.0
    size = max(abs(a_x) + abs(b_x), abs(a_y) + abs(b_y))
    if max(abs(a_x + alpha * b_x), abs(a_y + alpha * b_y)) <= ROUNDING * size:
        return 0.0, alpha
    at_a = _meeting(a_x, a_y, c_x, c_y)
    at_b = _meeting(a_x + b_x, a_y + b_y, c_x + d_x, c_y + d_y)
    if at_a != at_a or at_b < at_a:
        return at_b, 1.0 if at_b == at_b else nan
    return at_a, 0.0


@device
def _meeting(x, y, motion_x, motion_y):
    """Return the time at which a point that moves from (x, y) by −motion reaches the vertex at the origin.

    The time is NaN if the point misses it.
    """
    speed_squared = motion_x * motion_x + motion_y * motion_y
    if speed_squared == 0.0 or _sum(x * motion_y, -y * motion_x, 0.0, 0.0) != 0.0:
        return nan
    return clamp_to_unit((x * motion_x + y * motion_y) / speed_squared)


@device
def clamp_to_unit(x):
    """Return x clamped to [0, 1] if it is outside by at most TOLERANCE, else NaN."""
    within = (x >= -TOLERANCE) & (x <= 1.0 + TOLERANCE)
    return max(0.0, min(1.0, x)) if within else nan
