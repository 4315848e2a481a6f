"""Correction of the end of a path, so that a body that glides along another one stays on its surface.

Within a step a body moves straight on, so it enters a surface that bends inwards. On the inside of an arc of radius R
it enters by (v dt)²/2R in each step. If it were stopped there, it would stand still, because each step begins where the
last one ended. So the end of its path is moved out. Let d(t) be its depth at time t of its path w, and n(t) the normal
at the place of contact:

    d' = −w·n        d(1) = d(t) + (1 − t) d'(t) + (1 − t)² d''/2        d'' = (d'(t) − d'(0)) / t

This is exact if nothing turns and n turns evenly with t. Otherwise, it is the first of a few rounds.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device


@device
def path_from_end(path_q, path_p):
    """Return the path of p relative to q, with q at the end of its own path; paths are (start, end)."""
    (x, y, angle), (end_x, end_y, end_angle) = path_q
    start_x, start_y, start_angle = path_p[0]
    turn = end_angle - angle
    c, s = cos_sin(turn)
    arm_x, arm_y = start_x - x, start_y - y
    return (end_x + c * arm_x - s * arm_y, end_y + s * arm_x + c * arm_y, start_angle + turn), path_p[1]


@device
def correction_at_end(path, before, after, t, present, most, aim):
    """Return the distance by which the end of a path is to be moved along `after`, to be no deeper than `aim` [m].

    The path (start, end) begins at depth `present`, with the normal `before`. At time t it is at depth `most`, with the
    normal `after`. The correction is at most the length of the path.
    """
    (x, y, _), (end_x, end_y, _) = path
    move_x, move_y = end_x - x, end_y - y
    first, then = -(move_x * before[0] + move_y * before[1]), -(move_x * after[0] + move_y * after[1])
    bend, mean = 0.0, 0.0
    if t > 0.0:
        bend, mean = max(0.0, then - first) / (2.0 * t), (most - present) / t  # a turning body enters faster than w·n
    rest = 1.0 - t
    return most - aim + min(rest * (max(then, mean) + rest * bend), sqrt(move_x * move_x + move_y * move_y))
